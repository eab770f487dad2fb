"""The card of the analysis beside the board of a review: start it, follow it, read its notes.

Its height is fixed, so nothing below it moves when the text changes. A note that is too long for
the card has a scrollbar.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.analysis.game import MoveNote
from doublecross.client.tk.models.analysis.task import AnalysisTask, TaskState
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.theme import BODY, STRONG
from doublecross.client.tk.widgets.buttons import enter_button, set_switch, switch_button
from doublecross.client.tk.widgets.text import read_only_text, restyle_text
from doublecross.client.tk.widgets.visible import set_visible

_LINES: Final = 7
_LOW_LINES: Final = 5
"""How many lines of text a card has, in a high and in a low window."""
_INVITATION: Final = tr(
    "See what each move cost, where the game turned, and what would have been better."
)


@dataclass(frozen=True, slots=True)
class CardCommands:
    """The commands of the card's buttons."""

    analyse: Callable[[], None]
    stop: Callable[[], None]
    always: Callable[[], None]
    mistake: Callable[[int], None]
    """Show the next marked move (1) or the last one before (-1)."""
    better: Callable[[], None]
    """Show the better line, or return from it to the game."""


class AnalysisCard(ttk.Frame):
    """Shows an analysis and the note about one move."""

    def __init__(self, parent: tk.Misc, colours: Colours, do: CardCommands) -> None:
        super().__init__(parent, name="analysis", style="Card.TFrame", padding=(10, 6, 10, 8))
        self._shown: MoveNote | None = None
        self.columnconfigure(0, weight=1)
        self._box = ttk.Frame(self)
        self._box.grid_propagate(False)
        self._box.grid(row=0, column=0, sticky="nsew")
        self._text = read_only_text(self._box, "note")
        self._bar = ttk.Progressbar(self, name="progress", mode="determinate")
        self._bar.grid(row=1, column=0, sticky="ew", pady=(4, 0))
        self._begin = ttk.Frame(self)
        self._begin.columnconfigure(0, weight=1)
        self.analyse = enter_button(self._begin, "analyse", tr("Analyse"), do.analyse)
        self.analyse.configure(style="Accent.TButton")
        self.analyse.grid(row=0, column=0, sticky="ew")
        self.always = switch_button(self._begin, "always", tr("Analyse when opened"), do.always)
        self.always.grid(row=1, column=0, sticky="w", pady=(4, 0))
        self.cancel = enter_button(self, "stop_analysis", tr("Stop"), do.stop)
        self._browse = ttk.Frame(self)
        self._browse.columnconfigure((0, 1), weight=1, uniform="half")
        self.last = enter_button(
            self._browse, "last_mistake", tr("‹ Mistake"), lambda: do.mistake(-1)
        )
        self.next = enter_button(
            self._browse, "next_mistake", tr("Mistake ›"), lambda: do.mistake(1)
        )
        self.better = enter_button(self._browse, "better", tr("Show the better line"), do.better)
        self.last.grid(row=0, column=0, sticky="ew", padx=(0, 4))
        self.next.grid(row=0, column=1, sticky="ew", padx=(4, 0))
        self.better.grid(row=1, column=0, columnspan=2, sticky="ew", pady=(4, 0))
        for part in (self._begin, self.cancel, self._browse):
            part.grid(row=2, column=0, sticky="ew", pady=(6, 0))
        # The three share a place; the highest decides.
        highest = max(part.winfo_reqheight() for part in (self._begin, self.cancel, self._browse))
        self.rowconfigure(2, minsize=highest + 6)
        self.fit(low=False)
        self.restyle(colours)

    def fit(self, *, low: bool) -> None:
        """Take less space in a `low` window."""
        line = tkfont.nametofont(BODY, root=self).metrics("linespace") + 4
        self._box.configure(height=line * (_LOW_LINES if low else _LINES) + 8)

    def show_task(self, task: AnalysisTask, *, always: bool) -> None:
        """Show whether the analysis runs, and how far it is."""
        state = task.state
        set_switch(self.always, on=always)
        working, done = state is TaskState.WORKING, state is TaskState.DONE
        self.analyse.state(["!disabled" if task.total else "disabled"])
        set_visible(self._begin, not working and not done)
        set_visible(self.cancel, working)
        set_visible(self._browse, done)
        set_visible(self._bar, working)
        if working:
            self._bar.configure(maximum=max(1, task.total), value=task.done)
        if not done:
            nothing = "" if task.total else tr("There are no moves to analyse.")
            self._write(MoveNote(task.line or nothing or _INVITATION, (), ""), plain=True)

    def show_note(self, note: MoveNote) -> None:
        """Show what the analysis says about the move shown."""
        self._write(note, plain=False)

    def show_buttons(self, *, last: bool, next_: bool, better: bool, in_variation: bool) -> None:
        """Enable the buttons that are of use now."""
        for button, on in (
            (self.last, last),
            (self.next, next_),
            (self.better, better or in_variation),
        ):
            button.state(["!disabled" if on else "disabled"])
        self.better.configure(
            text=tr("Back to the game") if in_variation else tr("Show the better line")
        )

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        restyle_text(self._text, colours)
        self._text.configure(background=colours.ground)
        self._text.tag_configure("headline", font=STRONG, foreground=colours.text)
        self._text.tag_configure("plain", foreground=colours.text)
        self._text.tag_configure("outlook", foreground=colours.muted)

    def _write(self, note: MoveNote, *, plain: bool) -> None:
        if note == self._shown:
            return
        self._shown = note
        text = self._text
        text.configure(state="normal")
        text.delete("1.0", "end")
        text.insert("1.0", note.headline, ("plain" if plain else "headline",))
        for sentence in note.sentences:
            text.insert("end", f"\n{sentence}", ("plain",))
        if note.outlook:
            text.insert("end", f"\n{note.outlook}", ("outlook",))
        text.configure(state="disabled")
