"""Keys that work wherever the focus is in a room."""

from __future__ import annotations

import math
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from doublecross.client.tk.context import Context
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.screens.room.exits import RoomExits
from doublecross.client.tk.screens.room.view import RoomView
from doublecross.client.tk.widgets.buttons import bind_enter

AWARE_S: Final = 0.7
"""How long Enter is ignored after the end of a match, in seconds: it was meant for a move."""


@dataclass(frozen=True, slots=True)
class KeyActions:
    """The actions that keys carry out.

    `go_to` shows the position after a number of moves (None: the latest), `step` goes forward by
    a number of moves, `take_back` asks for a takeback.
    """

    go_to: Callable[[int | None], None]
    step: Callable[[int], None]
    drop_premove: Callable[[], bool]
    take_back: Callable[[], None]


class RoomKeys:
    """Binds the keys in `view`."""

    def __init__(
        self,
        context: Context,
        view: RoomView,
        model: RoomModel,
        exits: RoomExits,
        actions: KeyActions,
    ) -> None:
        go_to, step = actions.go_to, actions.step
        self._context = context
        self._view = view
        self._model = model
        self._exits = exits
        self._go_to = go_to
        self._drop_premove = actions.drop_premove
        self._ended_at = -math.inf
        keys: dict[str, Callable[[], None]] = {
            "<Home>": lambda: go_to(0),
            "<End>": lambda: go_to(None),
            "<Prior>": lambda: step(-1),
            "<comma>": lambda: step(-1),
            "<Next>": lambda: step(1),
            "<period>": lambda: step(1),
            "<Escape>": self._escape,
            "<Control-z>": actions.take_back,
        }
        for key, act in keys.items():
            view.bind_key(key, act)
        bind_enter(view, self._enter)

    def ignore_enter(self) -> None:
        """Ignore Enter for `AWARE_S` seconds, because the match has just begun or ended."""
        self._ended_at = self._context.clock()

    def _enter(self, event: tk.Event[tk.Misc]) -> str | None:
        """Press the highlighted button after a match, unless Enter belongs to another widget."""
        if event.widget is not self._view.board or self._model.snapshot.status == "playing":
            return None
        if self._context.clock() >= self._ended_at + AWARE_S:
            self._view.side.press_main()
        return "break"

    def _escape(self) -> None:
        if self._exits.asking is not None:
            self._exits.stay()
        elif self._drop_premove():
            pass  # a second Escape does what else it does
        elif self._context.full_screen:
            self._context.full_screen = False
        elif self._model.position.viewing is not None:
            self._go_to(None)
