"""The buttons and the slider that step through a finished game."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.widgets.buttons import enter_button

_PLAY: Final = tr("playback|Play")
_PAUSE: Final = tr("Pause")


class StepButton(StrEnum):
    """The Tk widget names of the buttons, from left to right."""

    FIRST = "first"
    TURN_BACK = "turn_back"
    STEP_BACK = "step_back"
    PLAY = "play"
    STEP_ON = "step_on"
    TURN_ON = "turn_on"
    LAST = "last"


_BACKWARD: Final = (StepButton.FIRST, StepButton.TURN_BACK, StepButton.STEP_BACK)


@dataclass(frozen=True, slots=True)
class StepCommands:
    """The commands of the controls."""

    go: Callable[[int], None]
    """Show the position after this many plies."""
    step: Callable[[int], None]
    """Go forward by this many moves; negative: back."""
    step_turn: Callable[[int], None]
    """Go forward by this many turns; negative: back."""
    play_or_stop: Callable[[], None]
    """Start or stop playing the game automatically."""
    hint: Callable[[str], None]
    """Show a description of the button under the pointer; empty hides it."""


class StepControls(ttk.Frame):
    """Buttons and a slider that step through a game of `total` moves."""

    def __init__(self, parent: tk.Misc, total: int, do: StepCommands) -> None:
        super().__init__(parent)
        self._total = total
        self._do = do
        self.columnconfigure(0, weight=1)
        self._steps: dict[StepButton, ttk.Button] = {}
        self._row = self._build_buttons()
        self._row.grid(row=0, column=0)
        self._play = self._steps[StepButton.PLAY]
        slider = self._build_slider()
        slider.grid(row=1, column=0, sticky="ew", pady=(4, 0))

    def show(self, ply: int, *, playing: bool) -> None:
        """Show the number of moves played, and whether the game is playing."""
        self._slider.set(ply)
        self._count.configure(text=f"{ply} / {self._total}")
        self._play.configure(text=_PAUSE if playing else _PLAY)
        for name, button in self._steps.items():
            at_end = ply == (0 if name in _BACKWARD else self._total)
            off = at_end if name is not StepButton.PLAY else not self._total
            button.state(["disabled" if off else "!disabled"])
            if off and self.focus_get() is button:
                self._play.focus_set()  # a disabled button does not show the focus

    def fit(self, *, narrow: bool) -> None:
        """Stretch small buttons over the whole width in a `narrow` window."""
        self._row.grid_configure(sticky="ew" if narrow else "")
        for button in self._steps.values():
            button.configure(padding=(0, 2, 0, 3) if narrow else "")

    def focus_set(self) -> None:
        """Focus the Play button."""
        self._play.focus_set()

    def _build_buttons(self) -> ttk.Frame:
        row, do = ttk.Frame(self), self._do
        buttons: tuple[tuple[StepButton, str, str, Callable[[], None]], ...] = (
            (StepButton.FIRST, "|◂", tr("To the start (Home)"), lambda: do.go(0)),
            (StepButton.TURN_BACK, "◂◂", tr("Back one turn (Up)"), lambda: do.step_turn(-1)),
            (StepButton.STEP_BACK, "◂", tr("Back one move (Left)"), lambda: do.step(-1)),
            (StepButton.PLAY, _PLAY, tr("Play automatically, or pause (Space)"), do.play_or_stop),
            (StepButton.STEP_ON, "▸", tr("Forward one move (Right)"), lambda: do.step(1)),
            (StepButton.TURN_ON, "▸▸", tr("Forward one turn (Down)"), lambda: do.step_turn(1)),
            (StepButton.LAST, "▸|", tr("To the end (End)"), lambda: do.go(self._total)),
        )
        for column, (name, text, hint, command) in enumerate(buttons):
            button = enter_button(row, name, text, command)
            button.configure(width=6 if name is StepButton.PLAY else 3)
            button.grid(row=0, column=column, padx=2, sticky="ew")
            row.columnconfigure(column, weight=2 if name is StepButton.PLAY else 1)
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
        # Move the slider to the pointer: ttk's default jumps by fixed steps towards it.
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
