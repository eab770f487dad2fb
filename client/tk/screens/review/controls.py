"""The buttons and the slider that go through a finished game."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import ttk
from typing import Final

from client.tk.widgets.buttons import enter_button

_PLAY: Final = "Play"
_PAUSE: Final = "Pause"


@dataclass(frozen=True, slots=True)
class StepCommands:
    """What the controls do: show the position after some plies, go some moves or turns on (back
    if negative), play on by itself or stop, and show a hint about a button (empty: none)."""

    go: Callable[[int], None]
    step: Callable[[int], None]
    step_turn: Callable[[int], None]
    play_or_stop: Callable[[], None]
    hint: Callable[[str], None]


class StepControls(ttk.Frame):
    """Goes through a game of `total` moves."""

    def __init__(self, parent: tk.Misc, total: int, do: StepCommands) -> None:
        super().__init__(parent)
        self._total = total
        self._do = do
        self.columnconfigure(0, weight=1)
        self._steps: dict[str, ttk.Button] = {}
        self._row = self._build_buttons()
        self._row.grid(row=0, column=0)
        self._play = self._steps["play"]
        slider = self._build_slider()
        slider.grid(row=1, column=0, sticky="ew", pady=(4, 0))

    def show(self, ply: int, *, playing: bool) -> None:
        """Show that `ply` moves are shown, and whether the game plays by itself."""
        self._slider.set(ply)
        self._count.configure(text=f"{ply} / {self._total}")
        self._play.configure(text=_PAUSE if playing else _PLAY)
        for name, button in self._steps.items():
            there = ply == (0 if name in ("first", "turn_back", "step_back") else self._total)
            off = there if name != "play" else not self._total
            button.state(["disabled" if off else "!disabled"])
            if off and self.focus_get() is button:
                self._play.focus_set()  # where the focus is must be seen

    def fit(self, *, narrow: bool) -> None:
        """Let the buttons share the room that there is in a `narrow` window."""
        self._row.grid_configure(sticky="ew" if narrow else "")
        for button in self._steps.values():
            button.configure(padding=(0, 2, 0, 3) if narrow else "")

    def focus_set(self) -> None:
        """Give the focus to the button that plays."""
        self._play.focus_set()

    def _build_buttons(self) -> ttk.Frame:
        row, do = ttk.Frame(self), self._do
        buttons: tuple[tuple[str, str, str, Callable[[], None]], ...] = (
            ("first", "|◂", "To the start (Home)", lambda: do.go(0)),
            ("turn_back", "◂◂", "Back a turn (Up)", lambda: do.step_turn(-1)),
            ("step_back", "◂", "Back a move (Left)", lambda: do.step(-1)),
            ("play", _PLAY, "Play on by itself, or stop (Space)", do.play_or_stop),
            ("step_on", "▸", "On a move (Right)", lambda: do.step(1)),
            ("turn_on", "▸▸", "On a turn (Down)", lambda: do.step_turn(1)),
            ("last", "▸|", "To the end (End)", lambda: do.go(self._total)),
        )
        for column, (name, text, hint, command) in enumerate(buttons):
            button = enter_button(row, name, text, command)
            button.configure(width=6 if name == "play" else 3)
            button.grid(row=0, column=column, padx=2, sticky="ew")
            row.columnconfigure(column, weight=2 if name == "play" else 1)
            button.bind("<Enter>", lambda _, hint=hint: do.hint(hint))  # type: ignore[misc]
            button.bind("<Leave>", lambda _: do.hint(""))
            self._steps[name] = button
        return row

    def _build_slider(self) -> ttk.Frame:
        row, total = ttk.Frame(self), self._total
        row.columnconfigure(0, weight=1)
        self._slider = ttk.Scale(row, name="slider", from_=0, to=max(1, total), takefocus=True)
        if not total:
            self._slider.state(["disabled"])
        # The pointer leads and the slider follows; the theme's own way jumps by fixed steps.
        for event in ("<Button-1>", "<B1-Motion>"):
            self._slider.bind(event, self._slide)
        self._slider.grid(row=0, column=0, sticky="ew")
        self._count = ttk.Label(row, name="count", width=len(f"{total} / {total}"), anchor="e")
        self._count.grid(row=0, column=1, padx=(8, 0))
        return row

    def _slide(self, event: tk.Event[tk.Misc]) -> str:
        if not self._slider.instate(["disabled"]):
            self._slider.focus_set()
            self._do.go(round(float(self._slider.get(event.x, event.y))))
        return "break"
