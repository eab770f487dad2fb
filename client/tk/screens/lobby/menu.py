"""The buttons at the side of the lobby: all ways to start or join a match."""

from __future__ import annotations

from collections.abc import Callable
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

from client.tk.context import Screen
from client.tk.models.words import game_line, time_line
from client.tk.screens.lobby.dialogs import LobbyDialogs
from client.tk.screens.lobby.requests import LobbyRequests
from client.tk.theme import CAPTION
from client.tk.widgets.buttons import enter_button

_SIDE_PX: Final = 190
_AGAINST: Final = "vs {}, no clock"


class LobbyMenu(ttk.Frame):
    """Buttons that open `dialogs`, and one that requests a quick match."""

    def __init__(self, screen: Screen, dialogs: LobbyDialogs, requests: LobbyRequests) -> None:
        super().__init__(screen, name="side")
        self._requests = requests
        self.columnconfigure(0, minsize=_SIDE_PX)
        self.quick = self._button(
            self, "quick", "Quick match", lambda: self._requests.quick_match(self.quick)
        )
        self.quick.configure(style="Accent.TButton")
        row = ttk.Frame(self)
        row.grid(sticky="ew", pady=(0, 14))
        # Reserve the width of the longest description, so that nothing moves when it changes.
        longest = [_AGAINST.format(level) for level in screen.context.helpers.levels]
        measure = tkfont.nametofont(CAPTION, root=screen).measure
        row.columnconfigure(0, weight=1, minsize=max(map(measure, longest), default=0))
        self._quick_about = ttk.Label(row, name="quick_about", style="Caption.TLabel")
        self._quick_about.grid(row=0, column=0, sticky="w")
        change = self._button(row, "quick_change", "Change", dialogs.quick_match)
        change.configure(style="Toolbutton")
        change.grid(row=0, column=1, pady=0)
        self.bot = self._button(self, "bot", "Play a bot ...", dialogs.play_bot)
        self._button(self, "create", "Create a room ...", dialogs.create_room)
        self._button(self, "join", "Join by code ...", dialogs.join_by_code)
        self._button(self, "hot_seat", "Hot seat ...", dialogs.hot_seat)
        self._button(self, "watch_bots", "Watch two bots ...", dialogs.watch_bots)
        navigation = screen.context.navigation
        last = ttk.Frame(self)  # one row, because low windows have no space for two
        last.grid(sticky="ew")
        last.columnconfigure((0, 1), weight=1)
        learn = self._button(last, "learn", "Learn ...", lambda: navigation.to_course())
        learn.grid(row=0, column=0, padx=(0, 8))
        mine = self._button(last, "history", "My games", lambda: navigation.to_history())
        mine.grid(row=0, column=1)
        self.show_quick()

    def show_quick(self) -> None:
        """Show what the primary button begins: a quick match, or a game against a bot."""
        settings, bot = self._requests.quick_settings, self._requests.bot
        how = time_line(settings.time) if bot is None else _AGAINST.format(bot.level)
        self._quick_about.configure(text=f"{game_line(settings)}\n{how}")

    def _button(
        self, parent: ttk.Frame, name: str, text: str, command: Callable[[], None]
    ) -> ttk.Button:
        button = enter_button(parent, name, text, command)
        button.grid(sticky="ew", pady=(0, 8))
        return button
