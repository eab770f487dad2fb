"""What stands beside the board of a review: the result, the players, the moves, what else the
record says."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final

from client.tk.models.look import Look
from client.tk.models.review import ReviewPlayer
from client.tk.models.summary import Fact, RecordOutcome, shown
from client.tk.theme import BODY, HEADLINE, STRONG
from client.tk.widgets.labels import FittedLabel, WrappedLabel
from client.tk.widgets.text import reading_text, restyle_text

LONGEST_WHY: Final = 100
"""Characters of why a game ended; all of them stand among the facts."""

_PAD: Final = 8


class OutcomePanel(ttk.Frame):
    """Who won, by how much and why."""

    def __init__(self, parent: tk.Misc, outcome: RecordOutcome) -> None:
        super().__init__(parent, name="outcome")
        self.columnconfigure(0, weight=1)
        style = "Heading.TLabel" if outcome.winner is None else f"Seat{outcome.winner}.TLabel"
        headline = WrappedLabel(self, outcome.headline, name="headline", style=style)
        headline.configure(font=HEADLINE)
        headline.grid(row=0, column=0, sticky="ew")
        why = " · ".join(part for part in (outcome.score, shown(outcome.why, LONGEST_WHY)) if part)
        line = WrappedLabel(self, why, name="why", style="Dim.TLabel")
        line.grid(row=1, column=0, sticky="ew")


class PlayerPanel(ttk.Frame):
    """One player at the position that is shown: name, what it is, its clock and its score."""

    def __init__(self, parent: tk.Misc, player: ReviewPlayer, look: Look) -> None:
        super().__init__(parent, name=f"seat{player.seat}")
        self._look = look
        self._player = player
        self.columnconfigure(2, weight=1)
        self._bar = tk.Frame(self, width=4)
        self._bar.grid(row=0, column=0, rowspan=2, sticky="ns", padx=(0, _PAD))
        self._mark = tk.Label(self, text=player.mark, font=STRONG, width=2)
        self._mark.grid(row=0, column=1, rowspan=2, padx=(0, _PAD), ipady=1)
        style = f"Seat{player.seat}.TLabel"
        name = FittedLabel(self, player.name, name="player", style=style)
        name.grid(row=0, column=2, sticky="ew")
        if player.engine:
            about = FittedLabel(self, player.engine, name="engine", style="Caption.TLabel")
            about.grid(row=1, column=2, sticky="ew")
        self._clock = ttk.Label(self, name="clock", anchor="e")
        self._clock.grid(row=0, column=3, rowspan=2, padx=(_PAD, 0))
        self._score = ttk.Label(self, name="score", style=style, font=HEADLINE, width=3)
        self._score.configure(anchor="e")
        self._score.grid(row=0, column=4, rowspan=2)
        self.restyle(look)

    def show(self, player: ReviewPlayer) -> None:
        """How it is now."""
        self._player = player
        low = player.clock is not None and player.clock.low
        self._clock.configure(
            text="" if player.clock is None else player.clock.text,
            style="Error.TLabel" if low else "Dim.TLabel",
        )
        self._score.configure(text=str(player.score))
        look = self._look
        colour = look.strokes[player.seat] if player.to_move else look.window
        self._bar.configure(background=colour)

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self._look = look
        stroke = look.strokes[self._player.seat]
        self._mark.configure(background=stroke, foreground=look.window)
        self.show(self._player)


class FactList(ttk.Frame):
    """What else the record says, to be read and copied."""

    def __init__(self, parent: tk.Misc, facts: tuple[Fact, ...], look: Look) -> None:
        super().__init__(parent)
        self.text = reading_text(self, "facts", takefocus=True)
        widths = (self.tk.call("font", "measure", BODY, fact.label[:16]) for fact in facts)
        margin = max(map(int, widths), default=0) + 2 * _PAD
        self.text.configure(tabs=(margin,))
        self.text.tag_configure("fact", lmargin2=margin)
        for number, fact in enumerate(facts):
            start = "\n" if number else ""
            self.text.insert("end", f"{start}{fact.label}\t", ("fact", "dim"))
            self.text.insert("end", fact.text, ("fact",))
        self.text.configure(state="disabled")
        self.restyle(look)

    def restyle(self, look: Look) -> None:
        """Other colours."""
        restyle_text(self.text, look)
        self.text.tag_configure("dim", foreground=look.dim)
