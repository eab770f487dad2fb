"""Ask for the values of the position that is shown, and write them on the board."""

from __future__ import annotations

import functools
import tkinter as tk

from doublecross.analysis.values import PositionValues
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.analysis.values import ValuesModel, ValuesRequest
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.client.tk.widgets.labels import FittedLabel
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.games.api import State


class ValuesMap(FittedLabel):
    """The line below `board` about the values on it; the caller puts it into a grid.

    `names` are the players. Only one request runs at a time: the next position is asked for when
    the answer has come.
    """

    def __init__(
        self, parent: tk.Misc, context: Context, board: BoardView, names: tuple[str, str]
    ) -> None:
        super().__init__(parent, "", name="values_line", anchor="center", style="Caption.TLabel")
        self._context = context
        self._board = board
        self._model = ValuesModel(names)
        self._state: State | None = None
        self._running: int | None = None

    def show(self, state: State | None) -> None:
        """Show the values of `state`; None: no values."""
        self._state = state
        request = self._model.show(state)
        if request is not None:
            helpers = self._context.helpers
            self._running = self._context.network.run(
                lambda: helpers.values(request.game, request.opening, request.moves),
                functools.partial(self._take, request),
                functools.partial(self._fail, request),
            )
        self._board.show_values(self._model.labels)
        self.set_text(self._model.line, self._model.short_line)
        set_visible(self, state is not None)

    def stop(self) -> None:
        """Cancel the request that runs, if any, before the screen is left."""
        if self._running is not None:
            self._context.network.cancel(self._running)
            self._running = None

    def _take(self, request: ValuesRequest, values: PositionValues) -> None:
        self._answered(request, values)

    def _fail(self, request: ValuesRequest, refusal: Refusal) -> None:
        self._answered(request, refusal.sentence)

    def _answered(self, request: ValuesRequest, answer: PositionValues | str) -> None:
        self._running = None
        self._model.take(request, answer)
        if self.winfo_exists():
            self.show(self._state)
