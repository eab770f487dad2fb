"""List the moves of a match by turn; a click shows the position after a move."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

from doublecross.client.tk.models.analysis.game import TIERS, CostMark
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.room.turns import Turn
from doublecross.client.tk.theme import BODY, CAPTION
from doublecross.client.tk.widgets.text import read_only_text, restyle_text


class TurnList(ttk.Frame):
    """One line per turn.

    A click calls `on_ply` with the number of moves up to and including the clicked one. A click
    beside the moves of a line selects the last move of that turn.
    """

    def __init__(
        self,
        parent: tk.Misc,
        colours: Colours,
        *,
        on_ply: Callable[[int], None],
        framed: bool = True,
    ) -> None:
        super().__init__(parent, name="moves")
        self._on_ply = on_ply
        self._colours = colours
        self._start = ""
        self._turns: tuple[Turn, ...] = ()
        self._marks: tuple[CostMark | None, ...] = ()
        self._margin = 0
        self._marked: int | None = None
        self.text = read_only_text(self, "text", framed=framed)
        self.text.bind("<Configure>", lambda _: self._see())
        # Replace selecting text by clicking moves. The wheel keeps its default binding.
        for event in ("<Button-1>", "<Double-Button-1>", "<Triple-Button-1>", "<B1-Motion>"):
            self.text.bind(event, self._click)
        self.restyle(colours)

    def show(self, start: str, turns: tuple[Turn, ...]) -> None:
        """Show these turns; `start` is the text for the position before the first move.

        Only the lines from the first changed turn on are rewritten.
        """
        if start == self._start and turns == self._turns:
            return
        text = self.text
        text.configure(state="normal")
        if start != self._start:
            self._turns = ()
            text.delete("1.0", "end")
            text.insert("1.0", start, ("turn", "m0"))
            self._start = start
        same = 0
        while same < min(len(turns), len(self._turns)) and turns[same] == self._turns[same]:
            same += 1
        # Turn n, counted from 1, is on line n + 1, because only turns contain line ends.
        text.delete(f"{same + 1}.0 lineend", "end")
        self._set_margin(turns)
        for turn in turns[same:]:
            text.insert("end", f"\n{turn.number}.\t", ("turn", "dim"))
            for place, (ply, name) in enumerate(turn.moves):
                if place:
                    text.insert("end", " ", ("turn",))
                # No-break spaces keep the highlight around a name on one line.
                tags = ("turn", f"seat{turn.seat}", f"m{ply}")
                text.insert("end", f"\N{NO-BREAK SPACE}{name}\N{NO-BREAK SPACE}", tags)
                mark = self._marks[ply - 1] if ply <= len(self._marks) else None
                if mark is not None:
                    cost = f"\N{NO-BREAK SPACE}{mark.text}\N{NO-BREAK SPACE}"
                    text.insert("end", cost, ("turn", f"cost{mark.tier}", f"c{ply}"))
        text.configure(state="disabled")
        self._turns = turns
        self._marked = -1  # the marked text may have been deleted: mark it again

    def show_marks(self, marks: tuple[CostMark | None, ...]) -> None:
        """Show these marks behind the moves, one for each move or None."""
        if marks != self._marks:
            self._marks = marks
            turns, self._turns = self._turns, ()
            marked = self._marked
            self.show(self._start, turns)
            self.mark(marked)

    def mark(self, ply: int | None) -> None:
        """Highlight the move that led to the position after `ply` moves and scroll to it.

        None removes the highlight.
        """
        if ply == self._marked:
            return
        self._marked = ply
        text, colours = self.text, self._colours
        text.tag_remove("now", "1.0", "end")
        if ply is None:
            return
        ranges = text.tag_ranges(f"m{ply}")
        text.tag_add("now", ranges[0], ranges[1])
        seat = next((t.seat for t in self._turns for at, _ in t.moves if at == ply), None)
        colour = colours.muted if seat is None else colours.strokes[seat]
        text.tag_configure("now", background=colour)
        self._see()

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        text = self.text
        restyle_text(text, colours)
        text.configure(highlightbackground=colours.frame, highlightcolor=colours.frame)
        for seat in (0, 1):
            text.tag_configure(f"seat{seat}", foreground=colours.strokes[seat])
        for tag in ("dim", "m0"):
            text.tag_configure(tag, foreground=colours.muted)
        for tier in range(TIERS):
            text.tag_configure(
                f"cost{tier}",
                font=CAPTION,
                background=colours.costs[tier],
                foreground=colours.on_costs[tier],
            )
        text.tag_configure("now", foreground=colours.ground)
        text.tag_raise("now")
        marked, self._marked = self._marked, -1
        self.mark(marked)

    def _see(self) -> None:
        """Scroll to the highlighted move."""
        ranges = self.text.tag_ranges("now")
        if ranges:
            self.text.see(ranges[0])

    def _set_margin(self, turns: tuple[Turn, ...]) -> None:
        """Align the move names after the longest turn number."""
        number = f"{max(9, len(turns))}. "
        margin = int(self.tk.call("font", "measure", BODY, number))
        if margin != self._margin:
            self._margin = margin
            self.text.configure(tabs=(margin,))
            self.text.tag_configure("turn", lmargin2=margin)

    def _click(self, event: tk.Event[tk.Misc]) -> str:
        where = self.text.index(f"@{event.x},{event.y}")
        line_box = self.text.dlineinfo(where)
        if line_box is None or event.y >= line_box[1] + line_box[3]:
            return "break"  # below the last line
        plies = [int(tag[1:]) for tag in self.text.tag_names(where) if tag[1:].isdigit()]
        line = int(where.partition(".")[0])
        if plies:
            self._on_ply(plies[0])
        elif 2 <= line <= len(self._turns) + 1:
            self._on_ply(self._turns[line - 2].moves[-1][0])
        return "break"
