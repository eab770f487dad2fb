"""A board on a canvas: draws a game's geometry, moves what changes, tells what is clicked."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from typing import Final

from client.tk.models.board.layout import fit
from client.tk.models.board.model import BoardChanges, BoardModel
from client.tk.models.look import Look
from client.tk.widgets.board.items import BoardItems
from client.tk.widgets.board.overlay import BoardOverlay
from games.api import Feature

_SIZE: Final = 420
"""What a board asks for in both directions, in pixels; it fills whatever it gets."""
_ARROWS: Final = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


class BoardView(tk.Canvas):
    """Shows `board`, which somebody else changes and then calls `refresh`.

    `on_action` is called with the action that a person has clicked, or chosen with the arrows and
    Enter (or space), free or not; None: nothing can be clicked. `clock` is in seconds.
    """

    def __init__(
        self,
        parent: tk.Misc,
        board: BoardModel,
        look: Look,
        *,
        on_action: Callable[[int], None] | None,
        clock: Callable[[], float],
    ) -> None:
        super().__init__(
            parent,
            width=_SIZE,
            height=_SIZE,
            highlightthickness=0,
            borderwidth=0,
            background=look.window,
            takefocus=on_action is not None,
        )
        self._board = board
        self._look = look
        self._on_action = on_action
        self._clock = clock
        self._playable = False
        self._mover: int | None = None
        self._pointer: tuple[int, int] | None = None
        self._focus: int | None = None
        self._by_keys = False
        self._cursor = ""
        self._items = BoardItems(self, board, look)
        self._overlay = BoardOverlay(self, self._items)
        self._items.sync(BoardChanges(rebuilt=True), board.game.seat_names, (), now=0, quiet=True)
        self._listen()

    def destroy(self) -> None:
        """End it, and give back what Tk keeps for it."""
        super().destroy()
        self._overlay.let_go()
        self._items.let_go()

    # -- what is shown -----------------------------------------------------------------------

    @property
    def playable(self) -> bool:
        """Whether hovering shows the edge that a click would draw, in the colour of `mover`."""
        return self._playable

    @playable.setter
    def playable(self, playable: bool) -> None:
        self._playable = playable
        self._see_pointer()

    @property
    def mover(self) -> int | None:
        """The seat in whose colour hovering shows what a click would draw; None: nobody's."""
        return self._mover

    @mover.setter
    def mover(self, mover: int | None) -> None:
        self._mover = mover
        self._see_pointer()

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        """Where a point in board units is on the canvas."""
        across, down = self._items.brush.layout.place(((x, y),))
        return round(across), round(down)

    def pixel_of(self, action: int) -> tuple[int, int]:
        """Return where the middle of the segment or first region of `action` is on the canvas."""
        return self.pixel(*self._board.places.middle(action))

    @property
    def moving(self) -> bool:
        """Whether an animation is on its way."""
        return self._items.cells.fills.busy

    def refresh(
        self,
        changes: BoardChanges,
        *,
        initials: tuple[str, str],
        pending: Sequence[int] = (),
        quiet: bool = False,
    ) -> None:
        """The board has changed by `changes`. `pending` actions are shown as not confirmed yet;
        `quiet` leaves the animation out.

        What is shown afterwards is the board as it is, also where it has changed by more than
        `changes` say; these decide in which order captured cells fill, and whether they move.
        """
        if self._items.sync(changes, initials, tuple(pending), now=self._clock(), quiet=quiet):
            self._overlay.hint(())
        self._see_pointer()
        self._see_keys()

    def set_board(self, board: BoardModel) -> None:
        """Another game: everything is drawn anew."""
        self._overlay.let_go()
        self._items.let_go()
        self.delete("all")
        self._board = board
        self._focus = None
        self._items = BoardItems(self, board, self._look)
        self._overlay = BoardOverlay(self, self._items)
        self._items.sync(BoardChanges(rebuilt=True), board.game.seat_names, (), now=0, quiet=True)
        if self.winfo_width() > 1:
            self._place(self.winfo_width(), self.winfo_height())
        self._see_keys()
        self._see_pointer()

    def show_hint(self, actions: Sequence[int]) -> None:
        """Mark actions as advised; none: take the marks away. The next move does so too."""
        self._overlay.hint(actions)

    def show_features(self, features: Sequence[Feature]) -> None:
        """Lay an overlay over cells; none: take it away."""
        self._overlay.show(features)
        self._see_pointer()

    def tick(self, now: float) -> None:
        """Move the animations on."""
        if self.moving:
            self._items.cells.tick(now)

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self._look = look
        self.configure(background=look.window)
        self._items.restyle(look)
        self._overlay.draw()

    def _place(self, width: int, height: int) -> None:
        layout = fit(self._board.geometry, width, height)
        if layout != self._items.brush.layout or not self._items.placed:
            self._items.place(layout)
            self._overlay.draw()

    # -- the mouse ---------------------------------------------------------------------------

    def _listen(self) -> None:
        self.bind("<Configure>", lambda event: self._place(event.width, event.height))
        self.bind("<Motion>", lambda event: self._point((event.x, event.y)))
        self.bind("<Enter>", lambda event: self._point((event.x, event.y)))
        self.bind("<Leave>", lambda _: self._point(None))
        if self._on_action is None:
            return
        self.bind("<ButtonPress-1>", self._click)
        self.bind("<<TraverseIn>>", lambda _: self._use_keys(True))
        self.bind("<FocusIn>", lambda _: self._see_keys())
        self.bind("<FocusOut>", lambda _: self._see_keys())
        for key, (dx, dy) in _ARROWS.items():
            for name in (key, f"KP_{key}"):
                self.bind(f"<{name}>", lambda _, dx=dx, dy=dy: self._step(dx, dy))  # type: ignore[misc]
        for key in ("Return", "KP_Enter", "space"):
            self.bind(f"<{key}>", lambda _: self._enter())

    def _point(self, pixel: tuple[int, int] | None) -> None:
        self._pointer = pixel
        self._see_pointer()

    def _see_pointer(self) -> None:
        """Show what the pointer points at, if anything."""
        action = cell = None
        if self._pointer is not None:
            at = self._items.brush.layout.unplace(*self._pointer)
            if self._playable:
                action = self._board.places.action_at(*at)
                if action is not None and not self._board.state.is_legal(action):
                    action = None
            if self._overlay.has_features:
                cell = self._board.places.cell_at(*at)
        self._overlay.hover(action, self._mover)
        self._overlay.read(cell)
        cursor = "" if action is None else "hand2"
        if cursor != self._cursor:
            self._cursor = cursor
            self.configure(cursor=cursor)

    def _click(self, event: tk.Event[tk.Canvas]) -> None:
        self._use_keys(False)
        self.focus_set()
        self._point((event.x, event.y))
        action = self._board.places.action_at(*self._items.brush.layout.unplace(event.x, event.y))
        if action is not None and self._on_action is not None:
            self._on_action(action)

    # -- the keyboard ------------------------------------------------------------------------

    def _use_keys(self, by_keys: bool) -> None:
        self._by_keys = by_keys
        self._see_keys()

    def _see_keys(self) -> None:
        """Show where the keyboard is, if it is used and leads here."""
        # Tkinter's own `focus_get` fails at widgets that it does not know, such as open lists.
        focus = str(self.tk.call("focus", "-displayof", self))
        here = self._by_keys and focus == str(self)
        if here and self._focus is None:
            self._focus = self._board.step(None, 0, 0)
        self._items.ring(here)
        self._overlay.focus(self._focus if here else None)

    def _step(self, dx: int, dy: int) -> str:
        # The first key only shows where one is.
        if self._by_keys:
            self._focus = self._board.step(self._focus, dx, dy)
        self._use_keys(True)
        return "break"

    def _enter(self) -> str:
        shown, action = self._by_keys, self._focus
        self._use_keys(True)
        if shown and action is not None and self._on_action is not None:
            self._on_action(action)
        return "break"
