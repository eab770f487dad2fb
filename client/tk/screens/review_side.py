"""What stands beside the board of a review: the result, the players, the moves, what else the
record says."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final, Literal

from client.tk.look import Look
from client.tk.models.review import Fact, Outcome, Player, ReviewModel, shown

BODY: Final = "SunValleyBodyFont"
STRONG: Final = "SunValleyBodyStrongFont"
HEADLINE: Final = "SunValleySubtitleFont"

LONGEST_WHY: Final = 100
"""Characters of why a game ended; all of them stand among the facts."""
LONGEST_OPENING: Final = 60

_PAD: Final = 8


class OutcomePanel(ttk.Frame):
    """Who won, by how much and why."""

    def __init__(self, parent: tk.Misc, outcome: Outcome) -> None:
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

    def __init__(self, parent: tk.Misc, player: Player, look: Look) -> None:
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

    def show(self, player: Player) -> None:
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


class MoveList(ttk.Frame):
    """All moves, a line for each turn; `on_ply` is called with how many moves there were by the
    one that is clicked, or by the end of the turn where nothing is clicked but its line."""

    def __init__(
        self,
        parent: tk.Misc,
        model: ReviewModel,
        look: Look,
        *,
        on_ply: Callable[[int], None],
    ) -> None:
        super().__init__(parent)
        self._on_ply = on_ply
        self._ends = [0, *(turn.moves[-1][0] for turn in model.turns)]
        self._seats = model.movers
        self._look = look
        self._ply = 0
        self._seen = "1.0"
        self.text = _scrolled(self, "moves")
        # Moves are clicked, not selected; the wheel goes on to scroll.
        for event in ("<Button-1>", "<Double-Button-1>", "<Triple-Button-1>", "<B1-Motion>"):
            self.text.bind(event, self._click)
        self.text.bind("<Configure>", lambda _: self.text.see(self._seen))
        margin = self._measure(f"{len(model.turns)}. ")
        self.text.configure(tabs=(margin,))
        self.text.tag_configure("turn", lmargin2=margin)
        opening = " ".join(map(model.record.game.action_name, model.record.opening))
        first = f"Opening: {shown(opening, LONGEST_OPENING)}" if opening else "Start"
        self.text.insert("end", first, ("turn", "m0"))
        for turn in model.turns:
            self.text.insert("end", f"\n{turn.number}.\t", ("turn", "dim"))
            for place, (ply, name) in enumerate(turn.moves):
                if place:
                    self.text.insert("end", " ", ("turn",))
                # Hard spaces: the mark around a name is never cut by the end of a line.
                tags = ("turn", f"seat{turn.seat}", f"m{ply}")
                self.text.insert("end", f"\N{NO-BREAK SPACE}{name}\N{NO-BREAK SPACE}", tags)
        self.text.configure(state="disabled")
        self.restyle(look)

    def mark(self, ply: int) -> None:
        """Mark the move that led to the position after `ply` moves, and bring it into sight."""
        self._ply = ply
        self.text.tag_remove("now", "1.0", "end")
        first = str((*self.text.tag_ranges(f"m{ply}"), "1.0")[0])
        last = self.text.index(f"{first} lineend") if not ply else f"m{ply}.last"
        self.text.tag_add("now", first, last)
        look = self._look
        colour = look.strokes[self._seats[ply - 1]] if ply else look.dim
        self.text.tag_configure("now", background=colour, foreground=look.window)
        self._seen = first
        self.text.see(first)

    def restyle(self, look: Look) -> None:
        """Other colours."""
        self._look = look
        _restyle_text(self.text, look)
        for seat in (0, 1):
            self.text.tag_configure(f"seat{seat}", foreground=look.strokes[seat])
        self.text.tag_configure("dim", foreground=look.dim)
        self.text.tag_configure("m0", foreground=look.dim)
        self.mark(self._ply)
        self.text.tag_raise("now")

    def _measure(self, text: str) -> int:
        return int(self.tk.call("font", "measure", BODY, text))

    def _click(self, event: tk.Event[tk.Misc]) -> str:
        where = self.text.index(f"@{event.x},{event.y}")
        plies = [int(tag[1:]) for tag in self.text.tag_names(where) if tag[0] == "m"]
        line = int(where.partition(".")[0])
        self._on_ply(plies[0] if plies else self._ends[line - 1])
        return "break"


class FactList(ttk.Frame):
    """What else the record says, to be read and copied."""

    def __init__(self, parent: tk.Misc, facts: tuple[Fact, ...], look: Look) -> None:
        super().__init__(parent)
        self.text = _scrolled(self, "facts", takefocus=True)
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
        _restyle_text(self.text, look)
        self.text.tag_configure("dim", foreground=look.dim)


class WrappedLabel(ttk.Label):
    """A text that takes as many lines as it needs for the width that it has."""

    def __init__(self, parent: tk.Misc, text: str, *, name: str, style: str = "TLabel") -> None:
        super().__init__(parent, text=text, style=style, width=1, justify="left", name=name)
        self.bind("<Configure>", lambda event: self.configure(wraplength=event.width))


class FittedLabel(ttk.Label):
    """A line of text that is cut with an ellipsis where there is no room for it; without `font`
    it has that of its style."""

    def __init__(
        self,
        parent: tk.Misc,
        text: str,
        *,
        name: str,
        style: str = "TLabel",
        font: str = "",
        anchor: Literal["w", "center"] = "w",
    ) -> None:
        # It asks for no width of its own: the room decides.
        super().__init__(parent, text=text, style=style, width=1, anchor=anchor, name=name)
        self.configure(font=font)
        self._text = text
        self._font = font or str(ttk.Style(self).lookup(style, "font"))
        self.bind("<Configure>", lambda event: self._fit(event.width))

    def say(self, text: str) -> None:
        """Another text."""
        if text != self._text:
            self._text = text
            self._fit(self.winfo_width())

    def _fit(self, width: int) -> None:
        if width <= 1:
            return
        self.configure(text=fitted(self, self._font, self._text, width))


def fitted(widget: tk.Misc, font: str, text: str, width: int) -> str:
    """`text`, or as much of its beginning with an ellipsis as is no wider than `width` pixels."""

    def fits(cut: str) -> bool:
        return int(widget.tk.call("font", "measure", font, cut)) <= width

    if fits(text):
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(f"{text[:middle].rstrip()}…"):
            low = middle
        else:
            high = middle - 1
    return f"{text[:low].rstrip()}…"


def hiding(bar: ttk.Scrollbar) -> Callable[[float, float], None]:
    """What a widget is to call when it is scrolled: `bar`, in column 1 beside it, is there only
    when there is something to scroll."""

    def scrolled(first: float, last: float) -> None:
        # Tk sends them as texts.
        bar.set(first, last)
        if float(first) <= 0 and float(last) >= 1:
            bar.grid_remove()
        else:
            bar.grid(row=0, column=1, sticky="ns")

    return scrolled


def _scrolled(parent: ttk.Frame, name: str, *, takefocus: bool = False) -> tk.Text:
    """A text for reading in `parent`, with a scrollbar when it does not fit."""
    parent.columnconfigure(0, weight=1)
    parent.rowconfigure(0, weight=1)
    text = tk.Text(
        parent,
        name=name,
        width=1,
        height=1,
        wrap="word",
        font=BODY,
        cursor="arrow",
        relief="flat",
        borderwidth=0,
        highlightthickness=1 if takefocus else 0,
        padx=6,
        pady=4,
        spacing1=2,
        spacing3=2,
        takefocus=takefocus,
    )
    bar = ttk.Scrollbar(parent, command=text.yview, takefocus=False)
    text.configure(yscrollcommand=hiding(bar))
    text.grid(row=0, column=0, sticky="nsew")
    return text


def _restyle_text(text: tk.Text, look: Look) -> None:
    text.configure(
        background=look.board,
        foreground=look.text,
        insertbackground=look.board,
        highlightbackground=look.board,
        highlightcolor=look.focus,
    )
