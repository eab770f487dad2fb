"""Show one seat beside a board: player, score, clock and whether it is to move."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.room.clock import ClockFace
from doublecross.client.tk.models.room.seats import SeatPanel
from doublecross.client.tk.theme import HEADLINE, STRONG, TITLE
from doublecross.client.tk.widgets.labels import FittedLabel

STEP_S: Final = 0.45
"""Time between two dots after ``thinking``, in seconds."""

_PAD: Final = 8


class SeatView(ttk.Frame):
    """The panel of `seat`. `show` updates its contents, `tick` its clock."""

    def __init__(self, parent: tk.Misc, seat: int, colours: Colours) -> None:
        super().__init__(parent, name=f"seat{seat}", style="Card.TFrame", padding=(6, 6, 10, 6))
        self._seat = seat
        self._colours = colours
        self._panel: SeatPanel | None = None
        self._mark_text = ""
        self._phrase = ""
        self._face: ClockFace | None = None
        self._dots = 0
        self.columnconfigure(1, weight=1)
        self._bar = tk.Frame(self, width=5)
        self._bar.grid(row=0, column=0, rowspan=2, sticky="ns", padx=(0, _PAD))
        # Separate frames per line: a long clock in the lower one does not narrow the name above.
        upper, lower = ttk.Frame(self), ttk.Frame(self)
        for row, line in enumerate((upper, lower)):
            line.grid(row=row, column=1, sticky="ew")
        upper.columnconfigure(1, weight=1)
        lower.columnconfigure(0, weight=1)
        self._mark = tk.Label(upper, name="mark", font=STRONG, width=2)
        self._mark.grid(row=0, column=0, padx=(0, _PAD), ipady=1)
        self._player = FittedLabel(upper, "", name="player", style=f"Seat{seat}.TLabel")
        self._player.grid(row=0, column=1, sticky="ew")
        self._score = ttk.Label(upper, name="score", style=f"Score{seat}.TLabel", anchor="e")
        self._score.grid(row=0, column=2, sticky="e", padx=(_PAD, 0))
        self._about = FittedLabel(lower, "", name="about", style="Caption.TLabel")
        self._about.grid(row=0, column=0, sticky="ew")
        self._clock = ttk.Label(lower, name="clock", style="Idle.Clock.TLabel", anchor="e")
        self._clock.grid(row=0, column=1, sticky="e", padx=(_PAD, 0))
        self.restyle(colours)

    def show(self, panel: SeatPanel, mark: str) -> None:
        """Show `panel`; `mark` is the text in the cells of this seat."""
        if (panel, mark) == (self._panel, self._mark_text):
            return
        self._panel, self._mark_text = panel, mark
        self._mark.configure(text=mark)
        self._player.set_text(panel.name or tr("Nobody yet"))
        self._score.configure(text="" if panel.score is None else str(panel.score))
        self._dots = 0
        self._show_about()
        self._paint()

    def tick(self, face: ClockFace | None, now: float, phrase: str = "") -> None:
        """Show the clock as `face` (None: no clock) and animate the dots at `now`, in seconds.

        `phrase` is what the player says now.
        """
        if phrase != self._phrase:
            self._phrase = phrase
            self._show_about()
            self._paint()
        if face != self._face:
            self._face = face
            if face is None:
                self._clock.configure(text="")
            else:
                kind = "Low." if face.low and face.runs else "" if face.runs else "Idle."
                self._clock.configure(text=face.text, style=f"{kind}Clock.TLabel")
        dots = 1 + int(now / STEP_S) % 3
        if self._panel is not None and self._panel.thinking and dots != self._dots:
            self._dots = dots
            self._show_about()

    def compact(self, compact: bool) -> None:
        """Use less vertical space if `compact`."""
        self._score.configure(font=HEADLINE if compact else TITLE)
        pad = 4 if compact else 6
        self.configure(padding=(6, pad, 10, pad))

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        self._player.configure(style=colours.seat_style("Seat", self._seat))
        self._score.configure(style=colours.seat_style("Score", self._seat))
        self._paint()

    def _show_about(self) -> None:
        panel = self._panel
        assert panel is not None
        if self._phrase:
            self._about.set_text(self._phrase)
            return
        parts = [tr("you")] if panel.you else []
        if panel.note and panel.note != "free":
            parts.append(panel.note)
        elif panel.thinking:
            parts.append(tr("thinking {dots}", dots="." * self._dots).rstrip())
        # The engine comes last: a narrow panel cuts it first, and it never changes.
        if panel.engine:
            parts.append(panel.engine)
        self._about.set_text(" · ".join(parts))

    def _paint(self) -> None:
        colours, panel = self._colours, self._panel
        stroke = colours.strokes[self._seat]
        moves = panel is not None and panel.to_move
        self._bar.configure(background=stroke if moves else colours.ground)
        self._mark.configure(background=stroke, foreground=colours.ground)
        away = panel is not None and panel.note == "away"
        usual = colours.bad if away else colours.muted
        self._about.configure(foreground=colours.text if self._phrase else usual)
