"""The areas of the lobby: what people come for, on five cards.

Two cards begin a match, and stand above this player's own offers. The other three lead to games of
others, to lessons and puzzles, and to tournaments. With enough space some of them list the first
entries of the lobby's lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.levels import level_title
from doublecross.client.tk.models.lobby.shortlists import (
    friend_entries,
    open_entries,
    running_entries,
)
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.models.snapshots import LobbySnapshot
from doublecross.client.tk.models.words import game_line, time_line
from doublecross.client.tk.screens.lobby.dialogs import LobbyDialogs
from doublecross.client.tk.screens.lobby.requests import LobbyRequests
from doublecross.client.tk.screens.lobby.tournaments import TournamentCard
from doublecross.client.tk.theme import CAPTION
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import WrappedLabel
from doublecross.client.tk.widgets.lobby.card import Card
from doublecross.client.tk.widgets.lobby.short_list import ShortList
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import LobbyRoom, LobbySeek

_GAP: Final = 12
_AGAINST: Final = tr("vs {level}, no clock")


@dataclass(frozen=True, slots=True)
class Spacing:
    """The use of space by the areas: whether the window is narrow or low, and entries of a list."""

    narrow: bool
    low: bool
    entries: int

    @property
    def tight(self) -> bool:
        """Return whether the cards have little padding."""
        return self.narrow or self.low


class PlayAreas(ttk.Frame):
    """The cards that begin a match: against anybody, and against people one knows."""

    def __init__(self, screen: Screen, dialogs: LobbyDialogs, requests: LobbyRequests) -> None:
        super().__init__(screen, name="play")
        self._requests = requests
        self.columnconfigure((0, 1), weight=1, uniform="areas")
        now = self._now = Card(self, name="now", title=tr("Play now"))
        now.grid(row=0, column=0, sticky="nsew", padx=(0, _GAP))
        self.quick = now.add_button("quick", tr("Quick match"), self._play)
        self.quick.configure(style="Accent.TButton")
        self.bot = now.add_button("bot", tr("Play a bot ..."), dialogs.play_bot)
        self._build_about(screen, dialogs)
        self._open: ShortList[LobbySeek | LobbyRoom] = ShortList(
            now.body, name="open", on_open=self._enter
        )
        self._open.grid(row=1, column=0, sticky="ew")
        friend = self._friend = Card(self, name="friend", title=tr("Play a friend"))
        friend.grid(row=0, column=1, sticky="nsew")
        friend.add_button("create", tr("Create a room ..."), dialogs.create_room)
        friend.add_button("join", tr("Join by code ..."), dialogs.join_by_code)
        friend.add_button("hot_seat", tr("One screen ..."), dialogs.hot_seat)
        self._people: ShortList[PlayerInfo] = ShortList(
            friend.body, name="people", on_open=dialogs.challenge
        )
        self._people.grid(row=0, column=0, sticky="ew")
        self.show_quick()

    @property
    def entry_px(self) -> int:
        """The height of an entry of the short lists, in pixels."""
        return self._open.row_px

    @property
    def row_px(self) -> int:
        """The width with all buttons of a card beside each other, in pixels."""
        return 2 * max(self._now.row_px, self._friend.row_px) + _GAP

    def arrange(self, spacing: Spacing) -> None:
        """Use the space of the window."""
        for card in (self._now, self._friend):
            card.arrange(stacked=spacing.narrow, tight=spacing.tight, titled=not spacing.low)
        for each in (self._open, self._people):
            each.limit(spacing.entries)

    def show(self, lobby: LobbySnapshot, me: str) -> None:
        """Show the first entries of `lobby` to the player called `me`."""
        self.show_quick()
        self._open.show(open_entries(lobby, me), tr("Nobody waits for an opponent now."))
        self._people.show(friend_entries(lobby, me), tr("Nobody else is here now."))

    def show_quick(self) -> None:
        """Show what the primary button begins: a quick match, or a game against a bot."""
        settings, bot = self._requests.quick_settings, self._requests.bot
        how = (
            " · ".join((time_line(settings.time), *([tr("rated")] if settings.rated else [])))
            if bot is None
            else _AGAINST.format(level=level_title(bot.level))
        )
        self._quick_about.configure(text=f"{game_line(settings)}\n{how}")

    def _build_about(self, screen: Screen, dialogs: LobbyDialogs) -> None:
        """Build the line that says what a quick match is."""
        row = ttk.Frame(self._now.body)
        row.grid(row=0, column=0, sticky="ew", pady=(0, 6))
        # Reserve the width of the longest description, so that nothing moves when it changes.
        longest = [
            _AGAINST.format(level=level_title(level)) for level in screen.context.helpers.levels
        ]
        measure = tkfont.nametofont(CAPTION, root=screen).measure
        row.columnconfigure(0, weight=1, minsize=max(map(measure, longest), default=0))
        self._quick_about = ttk.Label(row, name="quick_about", style="Caption.TLabel")
        self._quick_about.grid(row=0, column=0, sticky="w")
        change = enter_button(row, "quick_change", tr("Change"), dialogs.quick_match)
        change.configure(style="Toolbutton")
        change.grid(row=0, column=1)

    def _play(self) -> None:
        self._requests.quick_match(self.quick)

    def _enter(self, thing: LobbySeek | LobbyRoom) -> None:
        if isinstance(thing, LobbySeek):
            self._requests.accept(thing)
        else:
            self._requests.enter(thing)


class OtherAreas(ttk.Frame):
    """The cards for games of others, for learning and for tournaments."""

    def __init__(self, screen: Screen, requests: LobbyRequests) -> None:
        super().__init__(screen, name="other")
        self.columnconfigure((0, 1, 2), weight=1)
        navigation = screen.context.navigation
        watch = Card(self, name="watch", title=tr("Watch"))
        watch.add_button("wall", tr("All games ..."), lambda: navigation.to_page(Page.WALL))
        self._running: ShortList[LobbyRoom] = ShortList(
            watch.body, name="running", on_open=requests.enter
        )
        self._running.grid(row=0, column=0, sticky="ew")
        learn = Card(self, name="learning", title=tr("Learn"))
        learn.add_button("learn", tr("Lessons"), lambda: navigation.to_page(Page.LESSONS))
        learn.add_button("puzzles", tr("Puzzles"), lambda: navigation.to_page(Page.PUZZLES))
        self.tournaments = TournamentCard(self, screen.context, requests.show_message)
        self._cards = watch, learn, self.tournaments
        for column, card in enumerate(self._cards):
            card.grid(row=0, column=column, sticky="nsew", padx=(0 if column == 0 else _GAP, 0))
        self._rules = enter_button(
            learn.body, "rules", tr("Rules (F1)"), lambda: navigation.to_page(Page.RULES)
        )
        self._rules.grid(row=0, column=0, sticky="ew", pady=(0, 8))
        about = WrappedLabel(
            learn.body, tr("These open in the browser."), name="browser", style="Dim.TLabel"
        )
        about.grid(row=1, column=0, sticky="ew")
        self._about = about

    def arrange(self, spacing: Spacing) -> None:
        """Use the space of the window."""
        # In a narrow window each card gets the width of its buttons.
        for column, card in enumerate(self._cards):
            self.columnconfigure(column, uniform="" if spacing.narrow else "areas")
            card.arrange(stacked=False, tight=spacing.tight, titled=not spacing.low)
        self._running.limit(spacing.entries)
        self.tournaments.limit(spacing.entries, narrow=spacing.narrow)
        set_visible(self._about, spacing.entries > 0)
        for card in self._cards:
            set_visible(card.body, not spacing.low)

    def show(self, lobby: LobbySnapshot, me: str) -> None:
        """Show the first entries of `lobby` to the player called `me`."""
        self._running.show(running_entries(lobby, me), tr("No game is being played now."))
        self.tournaments.show()
