"""The panel beside the board of a review: result, players, moves, details and record buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.analysis.game import AnalysedGame
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.review import ReviewModel, ReviewPlayer
from doublecross.client.tk.models.summary import Fact, RecordOutcome, shown
from doublecross.client.tk.screens.review.actions import RecordActions
from doublecross.client.tk.screens.review.card import AnalysisCard, CardCommands
from doublecross.client.tk.theme import BODY, HEADLINE, STRONG, scaled
from doublecross.client.tk.widgets.board.move_list import TurnList
from doublecross.client.tk.widgets.buttons import set_switch, switch_button
from doublecross.client.tk.widgets.labels import FittedLabel, Headline, WrappedLabel
from doublecross.client.tk.widgets.text import read_only_text, restyle_text

LONGEST_WHY: Final = 100
"""Maximum length of the reason in the result, in characters; the details show all of it."""

_PAD: Final = 8
_HIGH_PX: Final = 760
_LOW_PX: Final = 660
"""Below these heights of a window, in pixels, the card of the analysis is smaller, and then a page
of its own."""


class ReviewSide(ttk.Frame):
    """The panel beside the board.

    `on_ply` is called with the ply of a move that is clicked, `on_overlay` after chains and
    loops were switched on or off, `on_hint` with a description of the button under the pointer
    (empty: none). `on_page` opens the page of the game in the browser. `card` has the commands of
    the analysis.
    """

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        model: ReviewModel,
        *,
        on_ply: Callable[[int], None],
        on_overlay: Callable[[], None],
        on_hint: Callable[[str], None],
        on_page: Callable[[], None],
        card: CardCommands,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._model = model
        self._on_overlay = on_overlay
        self.grid_propagate(False)
        self.columnconfigure(0, weight=1)
        self.rowconfigure(3, weight=1)
        colours, summary = context.colours, model.summary
        OutcomePanel(self, summary.outcome).grid(row=0, column=0, sticky="ew", pady=(0, 8))
        self._players = tuple(PlayerPanel(self, model.player(seat), colours) for seat in (0, 1))
        for row, panel in enumerate(self._players, 1):
            panel.grid(row=row, column=0, sticky="ew", pady=(0, 8))
        book = self._book = ttk.Notebook(self, name="book")
        book.grid(row=3, column=0, sticky="nsew")
        self.moves = TurnList(book, colours, on_ply=on_ply, framed=False)
        self.moves.show(summary.start, model.replay.turns)
        self._facts = FactList(book, summary.facts, colours)
        book.add(self.moves, text=tr("Moves"))
        book.add(self._facts, text=tr("Details"))
        self.card = AnalysisCard(self, colours, card)
        self.card.grid(row=4, column=0, sticky="ew", pady=(8, 0))
        self._in_book = False
        self._build_switches()
        self.actions = RecordActions(
            self, context, model.record, model.summary.file_name, on_page=on_page
        )
        self.actions.grid(row=6, column=0, sticky="ew", pady=(8, 0))
        for button, text in (
            (self.card.analyse, tr("Analyse the game (A)")),
            (self.card.last, tr("The last mistake before this move (Shift+M)")),
            (self.card.next, tr("The next mistake (M)")),
            (self.card.better, tr("Play out the better line, or go back (L, Escape)")),
            (self.actions.more, tr("What each edge is worth, and play on from here (V)")),
        ):
            button.bind("<Enter>", lambda _, text=text: on_hint(text))  # type: ignore[misc]
            button.bind("<Leave>", lambda _: on_hint(""))

    def _build_switches(self) -> None:
        row = self._row = ttk.Frame(self)
        row.grid(row=5, column=0, sticky="ew", pady=(6, 0))
        self._overlay = switch_button(row, "overlay", tr("Chains and loops"), self._toggle)
        set_switch(self._overlay, on=self._context.home.settings.overlay)
        if self._model.has_features:
            self._overlay.grid(row=0, column=0, sticky="w")

    @property
    def overlay(self) -> bool:
        """Return whether chains and loops are switched on."""
        return self._overlay.instate(["selected"])

    def show_analysis(self, game: AnalysedGame | None) -> None:
        """Show the marks of the moves and how well the players played; None: no analysis."""
        self.moves.show_marks(() if game is None else game.marks)
        for seat, panel in enumerate(self._players):
            panel.show_accuracy("" if game is None else game.accuracy(seat))

    def fit(self, width: int, height: int) -> None:
        """Fit the panel into `width` pixels, in a window of `height` pixels.

        In a very low one the card of the analysis is a page beside the moves.
        """
        self.card.fit(low=height < scaled(self, _HIGH_PX))
        in_book = height < scaled(self, _LOW_PX)
        if in_book == self._in_book:
            return
        self._in_book = in_book
        self._row.grid_configure(pady=(2 if in_book else 6, 0))
        self.actions.fit(low=in_book)
        self.actions.grid_configure(pady=(4 if in_book else 8, 0))
        if in_book:
            self.card.grid_remove()
            self._book.insert(1, self.card, text=tr("Notes"))
        else:
            self._book.forget(self.card)
            self.card.grid()

    def show(self) -> None:
        """Show the players and mark the move at the current position of the model."""
        for seat, panel in enumerate(self._players):
            panel.show(self._model.player(seat))
        self.moves.mark(self._model.ply)

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self.moves.restyle(colours)
        self.card.restyle(colours)
        self._facts.restyle(colours)
        for panel in self._players:
            panel.restyle(colours)

    def _toggle(self) -> None:
        self._context.home.settings.overlay = self.overlay
        self._context.home.save()
        self._on_overlay()


class OutcomePanel(ttk.Frame):
    """Shows the winner, the score and the reason why the game ended."""

    def __init__(self, parent: tk.Misc, outcome: RecordOutcome) -> None:
        super().__init__(parent, name="outcome")
        self.columnconfigure(0, weight=1)
        style = "Heading.TLabel" if outcome.winner is None else f"Seat{outcome.winner}.TLabel"
        headline = Headline(self, outcome.headline, name="headline", style=style)
        headline.grid(row=0, column=0, sticky="ew")
        why = " · ".join(part for part in (outcome.score, shown(outcome.why, LONGEST_WHY)) if part)
        line = WrappedLabel(self, why, name="why", style="Dim.TLabel")
        line.grid(row=1, column=0, sticky="ew")


class PlayerPanel(ttk.Frame):
    """Shows one player at the current position: name, engine, clock and score."""

    def __init__(self, parent: tk.Misc, player: ReviewPlayer, colours: Colours) -> None:
        super().__init__(parent, name=f"seat{player.seat}")
        self._colours = colours
        self._player = player
        self.columnconfigure(2, weight=1)
        self._bar = tk.Frame(self, width=4)
        self._bar.grid(row=0, column=0, rowspan=2, sticky="ns", padx=(0, _PAD))
        self._mark = tk.Label(self, text=player.mark, font=STRONG, width=2)
        self._mark.grid(row=0, column=1, rowspan=2, padx=(0, _PAD), ipady=1)
        style = f"Seat{player.seat}.TLabel"
        name = FittedLabel(self, player.name, name="player", style=style)
        name.grid(row=0, column=2, sticky="ew")
        self._about = FittedLabel(self, player.engine, name="engine", style="Caption.TLabel")
        if player.engine:
            self._about.grid(row=1, column=2, sticky="ew")
        self._clock = ttk.Label(self, name="clock", anchor="e")
        self._clock.grid(row=0, column=3, rowspan=2, padx=(_PAD, 0))
        self._score = ttk.Label(self, name="score", style=style, font=HEADLINE, width=3)
        self._score.configure(anchor="e")
        self._score.grid(row=0, column=4, rowspan=2)
        self.restyle(colours)

    def show(self, player: ReviewPlayer) -> None:
        """Show the player's clock, score and whether it is to move."""
        self._player = player
        low = player.clock is not None and player.clock.low
        self._clock.configure(
            text="" if player.clock is None else player.clock.text,
            style="Error.TLabel" if low else "Dim.TLabel",
        )
        self._score.configure(text="" if player.score is None else str(player.score))
        colours = self._colours
        colour = colours.strokes[player.seat] if player.to_move else colours.ground
        self._bar.configure(background=colour)

    def show_accuracy(self, accuracy: str) -> None:
        """Show how well the player played, beside its engine; empty: nothing."""
        parts = [part for part in (accuracy, self._player.engine) if part]
        self._about.set_text(" · ".join(parts), accuracy or self._player.engine)
        if parts:
            self._about.grid(row=1, column=2, sticky="ew")

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        self._colours = colours
        stroke = colours.strokes[self._player.seat]
        self._mark.configure(background=stroke, foreground=colours.ground)
        self.show(self._player)


class FactList(ttk.Frame):
    """Lists the other facts of the record as text that can be selected and copied."""

    def __init__(self, parent: tk.Misc, facts: tuple[Fact, ...], colours: Colours) -> None:
        super().__init__(parent)
        self.text = read_only_text(self, "facts", takefocus=True)
        widths = (self.tk.call("font", "measure", BODY, fact.label[:16]) for fact in facts)
        margin = max(map(int, widths), default=0) + 2 * _PAD
        self.text.configure(tabs=(margin,))
        self.text.tag_configure("fact", lmargin2=margin)
        for number, fact in enumerate(facts):
            start = "\n" if number else ""
            self.text.insert("end", f"{start}{fact.label}\t", ("fact", "dim"))
            self.text.insert("end", fact.text, ("fact",))
        self.text.configure(state="disabled")
        self.restyle(colours)

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        restyle_text(self.text, colours)
        self.text.tag_configure("dim", foreground=colours.muted)
