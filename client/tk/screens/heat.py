"""Ask for the policy of the position that is shown, and draw it on a board as a heat map."""

from __future__ import annotations

import functools
import tkinter as tk

from doublecross.analysis.advice import Policy
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.heat import HeatModel, HeatRequest
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.client.tk.widgets.labels import FittedLabel
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.games.api import State


class HeatMap(FittedLabel):
    """The line below `board` about the heat map on it; the caller puts it into a grid."""

    def __init__(self, parent: tk.Misc, context: Context, board: BoardView) -> None:
        super().__init__(parent, "", name="heat_line", anchor="center", style="Caption.TLabel")
        self._context = context
        self._board = board
        self._model = HeatModel()
        self._state: State | None = None

    def show(self, state: State | None) -> None:
        """Show the heat map of `state`; None: no heat map."""
        self._state = state
        request = self._model.show(state)
        if request is not None:
            helpers = self._context.helpers
            self._context.network.run(
                lambda: helpers.policy(request.game, request.opening, request.moves),
                functools.partial(self._take, request),
                functools.partial(self._fail, request),
            )
        self._board.show_heat(self._model.shares)
        self.set_text(self._model.line)
        set_visible(self, state is not None)

    def _take(self, request: HeatRequest, policy: Policy) -> None:
        self._answered(request, policy)

    def _fail(self, request: HeatRequest, refusal: Refusal) -> None:
        self._answered(request, refusal.sentence)

    def _answered(self, request: HeatRequest, answer: Policy | str) -> None:
        self._model.take(request, answer)
        if self.winfo_exists():
            self.show(self._state)
