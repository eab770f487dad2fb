"""The rules on one page, with a board to try them, and all words: a window beside the program's."""

from __future__ import annotations

import contextlib
import tkinter as tk
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.learn.trial import TrialModel
from doublecross.client.tk.screens.learn.texts import glossary
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.board.below import Legend
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import WrappedLabel
from doublecross.client.tk.widgets.text import read_only_text, restyle_text

NAME: Final = "rules_window"
_WIDTH_PX, _HEIGHT_PX = 860, 560
_TICK_MS: Final = 30
_RULES: Final = (
    tr("Two players draw edges between neighbouring dots, in turns."),
    tr("Who draws the fourth edge of a box takes it and must draw again."),
    tr("When all edges are drawn, the player with more boxes wins."),
)
_TRY: Final = tr("Try it: you draw for both players. The outlines show chains and loops.")


class RulesWindow(tk.Toplevel):
    """Shows the rules, the words, and a board; it stays open beside the program's window."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root, name=NAME)
        self.title(tr("Doublecross: rules"))
        width, height = scaled(self, _WIDTH_PX), scaled(self, _HEIGHT_PX)
        width = min(width, self.winfo_screenwidth())
        height = min(height, self.winfo_screenheight())
        self.geometry(f"{width}x{height}")
        self.minsize(scaled(self, 520), 360)
        self._context = context
        self._colours = context.colours
        self.trial = TrialModel()
        page = ttk.Frame(self, padding=16)
        page.pack(fill="both", expand=True)
        page.columnconfigure(0, weight=1, uniform="half")
        page.columnconfigure(1, weight=1, uniform="half")
        page.rowconfigure(0, weight=1)
        self._build_text(page)
        self._build_board(page)
        for key in ("<Escape>", "<F1>"):
            self.bind(key, lambda _: self.destroy())
        self._after: str | None = self.after(_TICK_MS, self._tick)
        self._play(None)
        self.board.focus_set()

    def destroy(self) -> None:
        """Stop the animations and close the window."""
        if self._after is not None:
            self.after_cancel(self._after)
            self._after = None
        super().destroy()

    def _build_text(self, page: ttk.Frame) -> None:
        side = ttk.Frame(page)
        side.grid(row=0, column=0, sticky="nsew", padx=(0, 16))
        side.columnconfigure(0, weight=1)
        side.rowconfigure(2, weight=1)
        ttk.Label(side, text=tr("The rules"), style="Heading.TLabel").grid(
            row=0, column=0, sticky="w"
        )
        rules = WrappedLabel(side, "\n".join(_RULES), name="rules")
        rules.grid(row=1, column=0, sticky="ew", pady=(4, 10))
        frame = ttk.Frame(side)
        frame.grid(row=2, column=0, sticky="nsew")
        self.words = read_only_text(frame, "words", takefocus=True)
        self.words.tag_configure("word", font="SunValleyBodyStrongFont")
        for number, (term, about) in enumerate(glossary().values()):
            self.words.insert("end", f"{chr(10) if number else ''}{term}: ", ("word",))
            self.words.insert("end", about)
        self.words.configure(state="disabled")
        enter_button(side, "close", tr("Close"), self.destroy).grid(
            row=3, column=0, sticky="w", pady=(12, 0)
        )

    def _build_board(self, page: ttk.Frame) -> None:
        side = ttk.Frame(page)
        side.grid(row=0, column=1, sticky="nsew")
        side.columnconfigure(0, weight=1)
        side.rowconfigure(1, weight=1)
        WrappedLabel(side, _TRY, name="try", style="Dim.TLabel").grid(row=0, column=0, sticky="ew")
        context = self._context
        self.board = BoardView(
            side,
            self.trial.board,
            context.colours,
            on_action=self._play,
            clock=context.clock,
            rim=context.home.settings.rim,
        )
        self.board.configure(width=2, height=2)
        self.board.playable = True
        self.board.grid(row=1, column=0, sticky="nsew", pady=(6, 0))
        self.legend = Legend(side, context.colours)
        self.legend.grid(row=2, column=0, pady=(4, 0))
        self._message = WrappedLabel(side, "", name="message")
        self._message.grid(row=3, column=0, sticky="new", pady=(6, 0))
        side.rowconfigure(3, minsize=3 * self._message.winfo_reqheight())
        enter_button(side, "again", tr("Begin again"), self._again).grid(
            row=4, column=0, sticky="e"
        )
        self._restyle()

    def _play(self, action: int | None) -> None:
        """Draw an edge, or show the position as it is."""
        changes = self.trial.play(action)
        board = self.trial.board
        self.board.refresh(changes, initials=board.game.seat_names)
        self.board.mover = max(0, board.state.current_player())
        features = board.state.features()
        self.board.show_features(features)
        self.legend.show(features)
        self._message.configure(text=self.trial.message)

    def _again(self) -> None:
        self.trial.begin()
        self.board.set_board(self.trial.board)
        self._play(None)

    def _tick(self) -> None:
        self._after = self.after(_TICK_MS, self._tick)
        self.board.tick(self._context.clock())
        if self._context.colours != self._colours:
            self._colours = self._context.colours
            self._restyle()

    def _restyle(self) -> None:
        self.configure(background=self._colours.window)
        restyle_text(self.words, self._colours)
        self.board.restyle(self._colours)
        self.legend.restyle(self._colours)


def show_rules(context: Context) -> None:
    """Open the window with the rules, or bring it to the front."""
    with contextlib.suppress(KeyError):
        window = context.root.nametowidget(NAME)
        window.lift()
        window.focus_set()
        return
    RulesWindow(context)
