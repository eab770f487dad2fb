"""The strip above all screens. Its height is reserved, so that nothing moves when a bar appears."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from tkinter import font as tkfont
from typing import Final

from doublecross.client.tk.context import Context
from doublecross.client.tk.models.games_elsewhere import GameNews, running_games
from doublecross.client.tk.theme import BODY, CAPTION
from doublecross.client.tk.widgets.strip.announcement import AnnouncementBar
from doublecross.client.tk.widgets.strip.challenges import ChallengeBar
from doublecross.client.tk.widgets.strip.connection import ConnectionBar
from doublecross.client.tk.widgets.strip.games import NewsBar, RunningGameBar, WaitingGameBar
from doublecross.client.tk.widgets.visible import set_visible

_PAD: Final = 4


class Strip(tk.Frame):
    """All bars: at the left a match that runs elsewhere, beside it the most important message.

    `on_review` is called with the news about a match that the person wants to see.
    """

    def __init__(self, context: Context, *, on_review: Callable[[GameNews], None]) -> None:
        body, caption = (
            tkfont.nametofont(font, root=context.root).metrics("linespace")
            for font in (BODY, CAPTION)
        )
        height = max(2 * body + 2 * _PAD, 3 * caption)
        super().__init__(context.root, name="strip", height=height)
        self.context = context
        self.grid_propagate(False)
        self.columnconfigure(1, weight=1)
        self.rowconfigure(0, weight=1)
        navigation, change = context.navigation, self._arrange
        self.running = RunningGameBar(
            self, context, "running_game", on_change=change, on_go=navigation.to_game
        )
        self.connection = ConnectionBar(
            self, context, on_change=change, on_give_up=lambda: navigation.to_start()
        )
        self.challenges = ChallengeBar(self, context, on_change=change)
        self.waiting_game = WaitingGameBar(
            self, context, "waiting_game", on_change=change, on_go=navigation.to_game
        )
        self.news = NewsBar(self, context, on_change=change, on_review=on_review)
        self.announcement = AnnouncementBar(self, context, on_change=change)
        self._messages = (
            self.connection,
            self.challenges,
            self.waiting_game,
            self.announcement,
            self.news,
        )
        for column, bars in enumerate(((self.running,), self._messages)):
            for bar in bars:
                bar.grid(row=0, column=column, sticky="nsew")
                bar.grid_remove()

    def tick(self, now: float, *, shown: str | None) -> None:
        """Update clocks at `now`, in seconds; `shown` is the room on the current screen."""
        self.connection.tick(now)
        self.announcement.tick(time.time() * 1000)
        games = running_games(self.context.latest, besides=shown)
        if self.waiting_game.text:
            games = tuple(game for game in games if game.tournament is None)
        beside = any(bar.text for bar in self._messages)
        self.running.show(games, now, beside_message=beside, space=self.winfo_width())

    def restyle(self) -> None:
        """Apply the current theme."""
        self.configure(background=self.context.colours.ground)
        for bar in (self.running, *self._messages):
            bar.restyle()

    def forget(self) -> None:
        """Hide everything about connections that have ended for good."""
        self.connection.forget()
        self.challenges.forget()
        self.announcement.forget()
        self.news.forget()

    def _arrange(self) -> None:
        """Show the most important message."""
        first = next((bar for bar in self._messages if bar.text), None)
        for bar in self._messages:
            set_visible(bar, bar is first)
        set_visible(self.running, bool(self.running.text))
