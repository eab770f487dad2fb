"""The screen on which a person solves something: a board, and a panel beside it."""

from __future__ import annotations

import functools
import tkinter as tk
from collections.abc import Callable, Iterator
from tkinter import ttk
from typing import Final

from doublecross.analysis.values import PositionValues
from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.learn.solving import SolvingModel, ValuesRequest
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.board.below import Legend
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.client.tk.widgets.buttons import is_on, set_switch, switch_button

PAD: Final = 16
LEAST_SIDE_PX, MOST_SIDE_PX = 280, 460
"""The width of the panel, in pixels with fonts of the usual size."""


TONES: Final = {
    "plain": "TLabel",
    "good": "Good.TLabel",
    "wrong": "Error.TLabel",
    "hint": "Dim.TLabel",
}
"""The styles of labels for each tone of a message."""
MESSAGE_PX: Final = 76
"""The least height of the message, in pixels, so that the buttons stay under the pointer."""


class SolvingSide(ttk.Frame):
    """The panel beside the board. Subclasses lay it out, and show what happened in `show`."""

    def __init__(self, parent: tk.Misc, context: Context, model: SolvingModel) -> None:
        super().__init__(parent, name="side", width=scaled(parent, LEAST_SIDE_PX))
        self._context = context
        self._solving = model
        self.grid_propagate(False)
        self.columnconfigure(0, weight=1)

    @property
    def overlay(self) -> bool:
        """Return whether chains and loops are switched on, and do not give the answer away."""
        return is_on(self._overlay) and self._solving.may_outline

    def show(self) -> None:
        """Show what happened."""
        self._overlay.state(["!disabled" if self._solving.may_outline else "disabled"])

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""

    def _build_overlay(self, row: int, switched: Callable[[], None]) -> None:
        """Build the switch for chains and loops; `switched` shows or hides them."""

        def keep() -> None:
            self._context.home.settings.overlay = is_on(self._overlay)
            self._context.home.save()
            switched()

        self._overlay = switch_button(self, "overlay", tr("Chains and loops"), keep)
        set_switch(self._overlay, on=self._context.home.settings.overlay)
        self._overlay.grid(row=row, column=0, sticky="w", pady=(10, 0))


class SolvingScreen(Screen):
    """Shows the board of `model`, asks for the values that its session needs, and plays on it.

    A subclass sets `model` and calls `_build_board`, and then `_begin` with its panel.
    """

    model: SolvingModel
    side: SolvingSide

    # -- called by the window ----------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Advance the animations to `now`, in seconds, and explain a long wait."""
        self.board.tick(now)
        if self.model.tick(now):
            self.side.show()

    def restyle(self) -> None:
        """Apply the current theme."""
        colours = self.context.colours
        self.board.restyle(colours)
        self.legend.restyle(colours)
        self.side.restyle(colours)

    # -- layout ------------------------------------------------------------------------------

    def _build_board(self) -> None:
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
        main = ttk.Frame(self)
        main.grid(row=1, column=0, sticky="nsew", padx=(PAD, 0), pady=(0, 8))
        main.columnconfigure(0, weight=1)
        main.rowconfigure(0, weight=1)
        context = self.context
        self.board = BoardView(
            main,
            self.model.board,
            context.colours,
            on_action=self._play,
            clock=context.clock,
            rim=context.home.settings.rim,
        )
        # Not 1 pixel: Tk does not lay out a frame again if it requests a width of one pixel.
        self.board.configure(width=2, height=2)
        self.board.grid(row=0, column=0, sticky="nsew")
        self.legend = Legend(main, context.colours)
        self.legend.grid(row=1, column=0, pady=(4, 0))
        main.rowconfigure(1, minsize=self.legend.height + 4)

    def _begin(self, side: SolvingSide, back: Callable[[], None]) -> None:
        """Put the panel beside the board, bind the keys, and show all. Escape calls `back`."""
        self.side = side
        self._side_px = 0
        side.grid(row=1, column=1, sticky="nsew", padx=PAD, pady=(0, 12))
        # These work wherever the focus is.
        self.bind("<Escape>", lambda _: self._key(back))
        self.bind("<Left>", lambda event: self._arrow(event, -1))
        self.bind("<Right>", lambda event: self._arrow(event, 1))
        for widget in _descendants(self):
            widget.bindtags((str(self), *widget.bindtags()))
        self.bind("<Configure>", self._resized)
        self._show(BoardChanges(rebuilt=True))
        self._ask()

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is not self:
            return
        least, most = scaled(self, LEAST_SIDE_PX), scaled(self, MOST_SIDE_PX)
        side = min(max(least, round(event.width * 0.4)), most)
        if side != self._side_px:
            self._side_px = side
            self.side.configure(width=side)

    def _key(self, act: Callable[[], object]) -> str:
        act()
        return "break"

    def _steps(self) -> bool:
        """Return whether the arrow keys step through moves now."""
        return False

    def _arrow(self, event: tk.Event[tk.Misc], by: int) -> str | None:
        # In a field the arrows move the cursor.
        if not self._steps() or isinstance(event.widget, ttk.Entry):
            return None
        return self._key(lambda: self._step(by))

    # -- the session -------------------------------------------------------------------------

    def _play(self, action: int) -> None:
        if self.model.play(action):
            self._changed()
            self.context.sound.play("draw")

    def _step(self, by: int) -> None:
        if self.model.step(by):
            self._changed()

    def _retry(self) -> None:
        if self.model.retry():
            self._changed()
            self.board.focus_set()

    def _reopened(self) -> None:
        """Show another board, after the model began another session."""
        self.board.set_board(self.model.board)
        self._show(BoardChanges(rebuilt=True))
        self._ask()
        self.focus_first()

    def _changed(self) -> None:
        """Show what happened, and ask for values if the session needs them."""
        self._show(self.model.changes())
        self._ask()

    def _ask(self) -> None:
        request = self.model.request()
        if request is not None:
            helpers = self.context.helpers
            self.context.network.run(
                lambda: helpers.values(request.game, (), request.moves),
                functools.partial(self._take, request),
                functools.partial(self._fail, request),
            )

    def _take(self, request: ValuesRequest, values: PositionValues) -> None:
        if self.winfo_exists() and self.model.take(request, values):
            self._changed()

    def _fail(self, request: ValuesRequest, refusal: Refusal) -> None:
        if self.winfo_exists() and self.model.fail(request, refusal.sentence):
            self._changed()

    # -- what is shown -----------------------------------------------------------------------

    def _show(self, changes: BoardChanges) -> None:
        model = self.model
        self.board.refresh(changes, initials=model.board.game.seat_names)
        self.board.playable = model.can_play
        self.board.mover = model.mover
        self.board.show_hint(model.marked)
        self._show_overlay()
        self.side.show()

    def _show_overlay(self) -> None:
        features = self.model.board.state.features() if self.side.overlay else ()
        self.board.show_features(features)
        if self.side.overlay:
            self.legend.show(features)
            self.legend.grid()
        else:
            self.legend.grid_remove()


def _descendants(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        yield child
        yield from _descendants(child)
