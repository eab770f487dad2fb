"""Show a board on a canvas: draw the game's geometry, animate moves and report clicks."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final

from doublecross.client.tk.models.board.layout import fit
from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.widgets.board.items import BoardItems
from doublecross.client.tk.widgets.board.keyboard import BoardKeyboard
from doublecross.client.tk.widgets.board.overlay import BoardOverlay
from doublecross.games.api import Feature

_SIZE: Final = 420
"""Requested width and height, in pixels; the board fills the space that it gets."""


class BoardView(tk.Canvas):
    """Shows `board`. Call `refresh` after each change of the model.

    `on_action` is called with the action that a person has clicked, or chosen with the arrows and
    Enter (or space), legal or not; None makes the board read-only. `clock` returns seconds. With
    `rim`, letters below the board and numbers beside it name the places.
    """

    def __init__(
        self,
        parent: tk.Misc,
        board: BoardModel,
        colours: Colours,
        *,
        on_action: Callable[[int], None] | None,
        clock: Callable[[], float],
        rim: bool = False,
    ) -> None:
        super().__init__(
            parent,
            width=_SIZE,
            height=_SIZE,
            highlightthickness=0,
            borderwidth=0,
            background=colours.ground,
            takefocus=on_action is not None,
        )
        self._board = board
        self._colours = colours
        self._on_action = on_action
        self._clock = clock
        self._playable = False
        self._mover: int | None = None
        self._pointer: tuple[int, int] | None = None
        self._cursor = ""
        self._items = BoardItems(self, board, colours, rim=rim)
        self._overlay = BoardOverlay(self, self._items)
        self._items.sync(BoardChanges(rebuilt=True), board.game.seat_names, (), now=0, quiet=True)
        self._keyboard = BoardKeyboard(self, board, self._items, self._overlay, on_action=on_action)
        self._bind_mouse()

    def destroy(self) -> None:
        """Destroy the canvas and delete its pictures and fonts in Tk."""
        super().destroy()
        self._overlay.release()
        self._items.release()

    # -- what is shown -----------------------------------------------------------------------

    @property
    def playable(self) -> bool:
        """Return whether hovering previews the action of a click, in the colour of `mover`."""
        return self._playable

    @playable.setter
    def playable(self, playable: bool) -> None:
        self._playable = playable
        self._refresh_pointer()

    @property
    def mover(self) -> int | None:
        """The seat in whose colour hovering previews an action; None for a neutral colour."""
        return self._mover

    @mover.setter
    def mover(self, mover: int | None) -> None:
        self._mover = mover
        self._refresh_pointer()

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Return the canvas coordinates of a point in board units."""
        across, down = self._items.brush.layout.place(((x, y),))
        return round(across), round(down)

    def pixel_of(self, action: int) -> tuple[int, int]:
        """Return the canvas coordinates of the middle of the edge or first region of `action`."""
        return self.pixel(*self._board.places.middle(action))

    @property
    def moving(self) -> bool:
        """Return whether an animation is running."""
        return self._items.cells.fills.busy

    def refresh(
        self,
        changes: BoardChanges,
        *,
        initials: tuple[str, str],
        pending: Sequence[int] = (),
        quiet: bool = False,
    ) -> None:
        """Show the current position of the board model.

        `pending` actions are shown as unconfirmed; `quiet` skips the animation. `changes` only
        decide which cells are animated and in which order: the whole position is shown even if it
        differs in more than `changes`.
        """
        if self._items.sync(changes, initials, tuple(pending), now=self._clock(), quiet=quiet):
            self._overlay.show_hint(())
        self._refresh_pointer()
        self._keyboard.refresh()

    def show_premove(self, action: int | None, seat: int | None) -> None:
        """Mark the action that `seat` has chosen for its next turn; None removes the mark."""
        self._overlay.show_premove(action, seat)

    def show_hint(self, actions: Sequence[int]) -> None:
        """Mark these actions as hints; an empty sequence or the next move removes the marks."""
        self._overlay.show_hint(actions)

    def show_features(self, features: Sequence[Feature]) -> None:
        """Draw features over their cells; an empty sequence removes them."""
        self._overlay.show_features(features)
        self._refresh_pointer()

    def tick(self, now: float) -> None:
        """Advance the animations to `now`, in seconds."""
        if self.moving:
            self._items.cells.tick(now)

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        self.configure(background=colours.ground)
        self._items.restyle(colours)
        self._overlay.draw()

    def _place(self, width: int, height: int) -> None:
        layout = fit(self._board.geometry, width, height, self._items.rim.rim)
        if layout != self._items.brush.layout or not self._items.placed:
            self._items.place(layout)
            self._overlay.draw()

    # -- the mouse ---------------------------------------------------------------------------

    def _bind_mouse(self) -> None:
        self.bind("<Configure>", lambda event: self._place(event.width, event.height))
        self.bind("<Motion>", lambda event: self._set_pointer((event.x, event.y)))
        self.bind("<Enter>", lambda event: self._set_pointer((event.x, event.y)))
        self.bind("<Leave>", lambda _: self._set_pointer(None))
        if self._on_action is not None:
            self.bind("<ButtonPress-1>", self._click)

    def _set_pointer(self, pixel: tuple[int, int] | None) -> None:
        self._pointer = pixel
        self._refresh_pointer()

    def _refresh_pointer(self) -> None:
        """Preview the action under the pointer and expand the label of the feature there."""
        action = cell = None
        if self._pointer is not None:
            at = self._items.brush.layout.unplace(*self._pointer)
            if self._playable:
                action = self._board.places.action_at(*at)
                if action is not None and not self._board.state.is_legal(action):
                    action = None
            if self._overlay.has_features:
                cell = self._board.places.cell_at(*at)
        self._overlay.show_hover(action, self._mover)
        self._overlay.expand_label(cell)
        cursor = "" if action is None else "hand2"
        if cursor != self._cursor:
            self._cursor = cursor
            self.configure(cursor=cursor)

    def _click(self, event: tk.Event[tk.Canvas]) -> None:
        self._keyboard.set_active(False)
        self.focus_set()
        self._set_pointer((event.x, event.y))
        action = self._board.places.action_at(*self._items.brush.layout.unplace(event.x, event.y))
        if action is not None and self._on_action is not None:
            self._on_action(action)
