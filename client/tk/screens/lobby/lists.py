"""The lists of the lobby: who is there, what is offered, what is played."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import ttk
from typing import Final

from client.tk.models.lobby.levels import Levels
from client.tk.models.lobby.model import LobbyModel, Row, about_player, has_bots
from client.tk.models.look import Look
from client.tk.models.pictures import LobbyPicture
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.choice import SegmentedChoice
from client.tk.widgets.lobby.list import LobbyList
from protocol.common import PlayerInfo
from protocol.server_messages import LobbyRoom, LobbySeek

WIDE_PX: Final = 660
"""Where there is less room than this, in pixels, one list is shown at a time."""
_GAP: Final = 16
_TITLES: Final = {"players": "Players", "seeks": "Offers", "rooms": "Games"}
_COMING: Final = "The lobby is on its way ..."


@dataclass(frozen=True, slots=True)
class LobbyActions:
    """What to do with an entry of the lists that was opened, and to bring a bot."""

    challenge: Callable[[PlayerInfo], None]
    accept: Callable[[LobbySeek], None]
    enter: Callable[[LobbyRoom], None]
    bring_bot: Callable[[], None]


class LobbyLists(ttk.Frame):
    """Players and offers beside each other, games below; where there is no room for that, one of
    them, by tabs. `about` says what a bot is that this machine knows, by its spec; `levels` are the
    levels for people."""

    def __init__(
        self,
        parent: tk.Misc,
        actions: LobbyActions,
        *,
        about: Callable[[], dict[str, str]],
        levels: Levels,
    ) -> None:
        super().__init__(parent, name="lists")
        self._model = LobbyModel(levels)
        self._levels = levels
        self._actions = actions
        self._known_bots = about
        self._lobby: LobbyPicture | None = None
        self._me = ""
        self._wide: bool | None = None
        self._tabs = SegmentedChoice(
            self, _TITLES, "players", name="tabs", style="Toggle.TButton", on_change=self._lay_out
        )
        self._players = self._build_players()
        self._seeks = self._build_seeks()
        self._rooms = self._build_rooms()
        self._lists = {"players": self._players, "seeks": self._seeks, "rooms": self._rooms}
        for button in (self._challenge, self._accept, self._enter):
            button.state(["disabled"])
        self.bind("<Configure>", lambda _: self._fit())
        self._fit()

    def show(self, lobby: LobbyPicture, me: str) -> None:
        """Show `lobby` to the player called `me`."""
        self._lobby, self._me = lobby, me
        self._players.show(self._model.players(lobby.players, lobby.rooms, me, lobby.ratings))
        self._seeks.show(self._model.seeks(lobby.seeks, me))
        self._rooms.show(self._model.rooms(lobby.rooms, me))
        self._seeks.say_empty("Nobody offers a game. A quick match posts an offer of yours.")
        self._rooms.say_empty("No games are on. Create a room, or watch two bots.")
        for key, title in _TITLES.items():
            self._tabs.name_choice(key, f"{title} {self._lists[key].count}")
        if has_bots(lobby.players) or lobby.stale:
            self._botless.grid_remove()
        else:
            self._botless.grid()

    def restyle(self, look: Look) -> None:
        """Apply the current theme."""
        for each in self._lists.values():
            each.restyle(look)

    # -- how it looks ------------------------------------------------------------------------

    def _build_players(self) -> LobbyList:
        players = LobbyList(
            self,
            name="players",
            title=_TITLES["players"],
            columns=(("Name", "Maximilian"), ("What", "bot, level 2 of 4"), ("Now", "playing")),
            empty=_COMING,
            on_open=self._open_player,
            on_choose=self._player_chosen,
        )
        self._challenge = players.add_button("challenge", "Challenge ...", self._open_player)
        about = self._about = ttk.Label(
            players, name="about", style="Caption.TLabel", justify="left", width=1
        )
        about.bind("<Configure>", lambda event: about.configure(wraplength=event.width))
        about.grid(row=2, column=0, sticky="ew", pady=(6, 0))
        about.grid_remove()
        botless = self._botless = ttk.Frame(players)
        ttk.Label(botless, name="no_bots", text="No bots are here.").grid(sticky="w")
        text = "Bring one from this computer ..."
        bring = enter_button(botless, "bring_bot", text, self._actions.bring_bot)
        bring.grid(sticky="w", pady=(6, 0))
        botless.grid(row=3, column=0, sticky="ew", pady=(8, 0))
        botless.grid_remove()
        return players

    def _build_seeks(self) -> LobbyList:
        seeks = LobbyList(
            self,
            name="seeks",
            title=_TITLES["seeks"],
            columns=(
                ("Player", "Matthias"),
                ("Game", "Dots and Boxes 10x10"),
                ("Time", "10 min + 5 s"),
                ("First move", "chance"),
            ),
            empty=_COMING,
            on_open=self._open_seek,
            on_choose=self._seek_chosen,
        )
        self._accept = seeks.add_button("accept", "Accept", self._open_seek)
        return seeks

    def _build_rooms(self) -> LobbyList:
        rooms = LobbyList(
            self,
            name="rooms",
            title=_TITLES["rooms"],
            columns=(
                ("Players", "Maximiliane – Maximilian (bot)"),
                ("Game", "Dots and Boxes 10x10"),
                ("Time", "10 min + 5 s"),
                ("State", "waits for a player"),
            ),
            empty=_COMING,
            on_open=self._open_room,
            on_choose=self._room_chosen,
        )
        self._enter = rooms.add_button("enter", "Watch", self._open_room)
        return rooms

    def _fit(self) -> None:
        width = self.winfo_width()
        wide = width <= 1 or width >= WIDE_PX
        if wide != self._wide:
            self._wide = wide
            self._lay_out()

    def _lay_out(self) -> None:
        wide = bool(self._wide)
        for each in self._lists.values():
            each.name_it(shown=wide)
            each.grid_remove()
        uniform = "lists" if wide else ""
        self.columnconfigure(0, weight=5 if wide else 1, uniform=uniform)
        self.columnconfigure(1, weight=7 if wide else 0, uniform=uniform)
        self.rowconfigure(0, weight=4 if wide else 0, uniform=uniform)
        self.rowconfigure(1, weight=3 if wide else 1, uniform=uniform)
        if wide:
            self._tabs.grid_remove()
            _place(self._players, 0, 0, right=_GAP, below=_GAP)
            _place(self._seeks, 0, 1, below=_GAP)
            _place(self._rooms, 1, 0, columnspan=2)
        else:
            self._tabs.grid(row=0, column=0, sticky="w", pady=(0, 8))
            _place(self._lists[self._tabs.value], 1, 0)

    # -- what is chosen ----------------------------------------------------------------------

    def _player_chosen(self, row: Row | None) -> None:
        player = None if row is None else self._player(row.key)
        self._challenge.state(_enabled(player is not None and player.name != self._me))
        about = "" if player is None else about_player(player, self._known_bots(), self._levels)
        self._about.configure(text=about)
        if about:
            self._about.grid()
        else:
            self._about.grid_remove()

    def _seek_chosen(self, row: Row | None) -> None:
        self._accept.state(_enabled(row is not None))

    def _room_chosen(self, row: Row | None) -> None:
        what = {"waiting": "Join", "mine": "Go there"}.get(row.kind if row else "", "Watch")
        self._enter.configure(text=what)
        self._enter.state(_enabled(row is not None))

    def _player(self, name: str) -> PlayerInfo | None:
        players = () if self._lobby is None else self._lobby.players
        return next((player for player in players if player.name == name), None)

    def _open_player(self, row: Row) -> None:
        player = self._player(row.key)
        if player is not None and player.name != self._me:
            self._actions.challenge(player)

    def _open_seek(self, row: Row) -> None:
        for seek in () if self._lobby is None else self._lobby.seeks:
            if seek.seek == row.key:
                self._actions.accept(seek)
                return

    def _open_room(self, row: Row) -> None:
        for room in () if self._lobby is None else self._lobby.rooms:
            if room.room == row.key:
                self._actions.enter(room)
                return


def _enabled(enabled: bool) -> list[str]:
    return ["!disabled" if enabled else "disabled"]


def _place(
    part: LobbyList, row: int, column: int, *, columnspan: int = 1, right: int = 0, below: int = 0
) -> None:
    part.grid(
        row=row,
        column=column,
        columnspan=columnspan,
        sticky="nsew",
        padx=(0, right),
        pady=(0, below),
    )
