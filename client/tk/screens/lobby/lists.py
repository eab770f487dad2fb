"""The lists of the lobby: players, offers and games."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.lobby.model import LobbyModel, Row, about_player, has_bots
from doublecross.client.tk.models.snapshots import LobbySnapshot
from doublecross.client.tk.models.words import LONG_GAME
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.choice import SegmentedChoice
from doublecross.client.tk.widgets.lobby.list import LobbyList
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import LobbyRoom, LobbySeek

_GAP: Final = 16
_SHARES: Final = 5, 7
"""The shares of two lists, side by side, in the width."""
_LOADING: Final = tr("Loading the lobby ...")
_NO_BOTS: Final = tr("No bots are online.")


class LobbyTab(StrEnum):
    """The lists of the lobby; the values are their Tk widget names."""

    PLAYERS = "players"
    SEEKS = "seeks"
    ROOMS = "rooms"


_TITLES: Final = {
    LobbyTab.PLAYERS: tr("Players"),
    LobbyTab.SEEKS: tr("Offers"),
    LobbyTab.ROOMS: tr("Games"),
}


@dataclass(frozen=True, slots=True)
class LobbyActions:
    """The actions for opened rows of each list, and for adding a bot."""

    challenge: Callable[[PlayerInfo], None]
    accept: Callable[[LobbySeek], None]
    enter: Callable[[LobbyRoom], None]
    bring_bot: Callable[[], None]


class LobbyLists(ttk.Frame):
    """Shows players and offers side by side and games below; in a narrow window, one list per tab.

    `about` returns the descriptions of this computer's bots by spec; `levels` are the strength
    levels that people see. `coming` returns whether bots join the server without being asked.
    Escape in a list calls `on_close`.
    """

    def __init__(
        self,
        parent: tk.Misc,
        actions: LobbyActions,
        *,
        about: Callable[[], dict[str, str]],
        levels: Levels,
        coming: Callable[[], bool],
        on_close: Callable[[], None],
    ) -> None:
        super().__init__(parent, name="lists")
        self._model = LobbyModel(levels)
        self._levels = levels
        self._actions = actions
        self._known_bots = about
        self._coming = coming
        self._lobby: LobbySnapshot | None = None
        self._me = ""
        self._wide: bool | None = None
        self._tabs = SegmentedChoice(
            self,
            {tab.value: title for tab, title in _TITLES.items()},
            LobbyTab.PLAYERS,
            name="tabs",
            style="Toggle.TButton",
            on_change=self._lay_out,
        )
        self._players = self._build_players()
        self._seeks = self._build_seeks()
        self._rooms = self._build_rooms()
        self._lists = {
            LobbyTab.PLAYERS: self._players,
            LobbyTab.SEEKS: self._seeks,
            LobbyTab.ROOMS: self._rooms,
        }
        for button in (self._challenge, self._accept, self._enter):
            button.state(["disabled"])
        for each in self._lists.values():
            each.tree.bind("<Escape>", lambda _: on_close())
        self.bind("<Configure>", lambda _: self._fit())
        self._fit()

    def show(self, lobby: LobbySnapshot, me: str) -> None:
        """Show `lobby` to the player called `me`."""
        self._lobby, self._me = lobby, me
        self._players.show(self._model.players(lobby.players, lobby.rooms, me, lobby.ratings))
        self._seeks.show(self._model.seeks(lobby.seeks, me))
        self._rooms.show(self._model.rooms(lobby.rooms, me))
        self._seeks.set_empty_text(tr("No offers yet. Press Quick match to post one."))
        self._rooms.set_empty_text(tr("No games yet. Create a room to play one."))
        for tab, title in _TITLES.items():
            self._tabs.name_choice(tab, f"{title} {self._lists[tab].count}")
        set_visible(self._botless, not has_bots(lobby.players) and not lobby.stale)
        coming = self._coming()
        self._no_bots.configure(text=tr("The bots are getting ready ...") if coming else _NO_BOTS)
        set_visible(self._bring, not coming)

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        for each in self._lists.values():
            each.restyle(colours)

    # -- layout ------------------------------------------------------------------------------

    def _build_players(self) -> LobbyList:
        players = LobbyList(
            self,
            name=LobbyTab.PLAYERS,
            title=_TITLES[LobbyTab.PLAYERS],
            columns=(
                (tr("Name"), "Maximilian"),
                (tr("What"), self._levels.sample),
                (tr("Now"), tr("playing")),
            ),
            empty=_LOADING,
            on_open=self._open_player,
            on_choose=self._player_chosen,
        )
        self._challenge = players.add_button("challenge", tr("Challenge ..."), self._open_player)
        about = self._about = ttk.Label(
            players, name="about", style="Caption.TLabel", justify="left", width=1
        )
        about.bind("<Configure>", lambda event: about.configure(wraplength=event.width))
        about.grid(row=2, column=0, sticky="ew", pady=(6, 0))
        about.grid_remove()
        botless = self._botless = ttk.Frame(players)
        self._no_bots = ttk.Label(botless, name="no_bots", text=_NO_BOTS)
        self._no_bots.grid(sticky="w")
        text = tr("Start one on this computer ...")
        self._bring = enter_button(botless, "bring_bot", text, self._actions.bring_bot)
        self._bring.grid(sticky="w", pady=(6, 0))
        botless.grid(row=3, column=0, sticky="ew", pady=(8, 0))
        botless.grid_remove()
        return players

    def _build_seeks(self) -> LobbyList:
        seeks = LobbyList(
            self,
            name=LobbyTab.SEEKS,
            title=_TITLES[LobbyTab.SEEKS],
            columns=(
                (tr("Player"), "Matthias"),
                (tr("Game"), LONG_GAME),
                (tr("Time"), "10 min + 5 s"),
                (tr("First move"), tr("chance")),
            ),
            empty=_LOADING,
            on_open=self._open_seek,
            on_choose=self._seek_chosen,
        )
        self._accept = seeks.add_button("accept", tr("Accept"), self._open_seek)
        return seeks

    def _build_rooms(self) -> LobbyList:
        rooms = LobbyList(
            self,
            name=LobbyTab.ROOMS,
            title=_TITLES[LobbyTab.ROOMS],
            columns=(
                (tr("Players"), "Maximiliane – Maximilian (bot)"),
                (tr("Game"), LONG_GAME),
                (tr("Time"), "10 min + 5 s"),
                (tr("State"), tr("waits for a player")),
            ),
            empty=_LOADING,
            on_open=self._open_room,
            on_choose=self._room_chosen,
        )
        self._enter = rooms.add_button("enter", tr("Watch"), self._open_room)
        return rooms

    @property
    def wide_px(self) -> int:
        """Below this width, in pixels, tabs show one list at a time."""
        lists = zip((self._players, self._seeks), _SHARES, strict=True)
        return _GAP + max(each.least_width * sum(_SHARES) // share + 1 for each, share in lists)

    def _fit(self) -> None:
        width = self.winfo_width()
        wide = width <= 1 or width >= self.wide_px
        if wide != self._wide:
            self._wide = wide
            self._lay_out()

    def _lay_out(self) -> None:
        wide = bool(self._wide)
        for each in self._lists.values():
            each.show_title(shown=wide)
            each.grid_remove()
        uniform = "lists" if wide else ""
        self.columnconfigure(0, weight=_SHARES[0] if wide else 1, uniform=uniform)
        self.columnconfigure(1, weight=_SHARES[1] if wide else 0, uniform=uniform)
        self.rowconfigure(0, weight=4 if wide else 0, uniform=uniform)
        self.rowconfigure(1, weight=3 if wide else 1, uniform=uniform)
        if wide:
            self._tabs.grid_remove()
            _place(self._players, 0, 0, right=_GAP, below=_GAP)
            _place(self._seeks, 0, 1, below=_GAP)
            _place(self._rooms, 1, 0, columnspan=2)
        else:
            self._tabs.grid(row=0, column=0, sticky="w", pady=(0, 8))
            _place(self._lists[LobbyTab(self._tabs.value)], 1, 0)

    # -- chosen and opened rows --------------------------------------------------------------

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
        what = {"waiting": tr("Join"), "mine": tr("Go there")}.get(
            row.kind if row else "", tr("Watch")
        )
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
