"""Play on a board with the keyboard: arrows select an action, Enter or space plays it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import Final

from doublecross.client.tk.models.board.model import BoardModel
from doublecross.client.tk.widgets.board.items import BoardItems
from doublecross.client.tk.widgets.board.overlay import BoardOverlay

_ARROWS: Final = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}


class BoardKeyboard:
    """Tracks the action that the keyboard has selected on `canvas`, and marks it on the board.

    The mark is visible while `canvas` has the focus and the keyboard, not the mouse, was used
    last. `on_action` is called with the action to play, legal or not; None ignores all keys.
    """

    def __init__(
        self,
        canvas: tk.Canvas,
        board: BoardModel,
        items: BoardItems,
        overlay: BoardOverlay,
        *,
        on_action: Callable[[int], None] | None,
    ) -> None:
        self._canvas = canvas
        self._board, self._items, self._overlay = board, items, overlay
        self._on_action = on_action
        self._selected: int | None = None
        self._active = False
        if on_action is not None:
            self._bind_keys()

    def set_active(self, active: bool) -> None:
        """Set whether the keyboard was used last, and update the mark."""
        self._active = active
        self.refresh()

    def refresh(self) -> None:
        """Show the mark if the keyboard is active and the canvas has the focus, or hide it."""
        # Tkinter's own `focus_get` fails for widgets that Tk creates itself, such as the list of
        # an open combobox.
        focus = str(self._canvas.tk.call("focus", "-displayof", self._canvas))
        visible = self._active and focus == str(self._canvas)
        if visible and self._selected is None:
            self._selected = self._board.step(None, 0, 0)
        self._items.show_focus(visible)
        self._overlay.show_focus(self._selected if visible else None)

    def _bind_keys(self) -> None:
        canvas = self._canvas
        canvas.bind("<<TraverseIn>>", lambda _: self.set_active(True))
        canvas.bind("<FocusIn>", lambda _: self.refresh())
        canvas.bind("<FocusOut>", lambda _: self.refresh())
        for key, (dx, dy) in _ARROWS.items():
            for name in (key, f"KP_{key}"):
                canvas.bind(f"<{name}>", lambda _, dx=dx, dy=dy: self._step(dx, dy))  # type: ignore[misc]
        for key in ("Return", "KP_Enter", "space"):
            canvas.bind(f"<{key}>", lambda _: self._play())

    def _step(self, dx: int, dy: int) -> str:
        # While the mark is hidden, the first key only shows it: nobody saw where it was.
        if self._active:
            self._selected = self._board.step(self._selected, dx, dy)
        self.set_active(True)
        return "break"

    def _play(self) -> str:
        visible, action = self._active, self._selected
        self.set_active(True)
        if visible and action is not None and self._on_action is not None:
            self._on_action(action)
        return "break"
