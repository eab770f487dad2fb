"""The card of the lobby for tournaments: join or leave one, or open its page in the browser."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Awaitable, Callable
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.lobby.tournaments import (
    leave_warning,
    plays_in,
    tournament_entries,
)
from doublecross.client.tk.models.pages import Page, tournament_page
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.lobby.requests import ShowMessage
from doublecross.client.tk.widgets.lobby.card import Card
from doublecross.client.tk.widgets.lobby.short_list import ShortList
from doublecross.client.transport import Client
from doublecross.protocol.server_messages import LobbyTournament, TournamentState

_NONE: Final = tr("No tournament is open or running.")


class TournamentCard(Card):
    """Lists the first tournaments of the lobby; `show_message` shows problems.

    The lobby says how many players a tournament has, but not who they are. So the card requests the
    state of each tournament that it lists, once, and again after this player has joined or left.
    """

    def __init__(self, parent: tk.Misc, context: Context, show_message: ShowMessage) -> None:
        super().__init__(parent, name="tournament_card", title=tr("Tournaments"))
        self._context = context
        self._show_message = show_message
        self._asked: set[str] = set()
        self._warned = ""
        navigation = context.navigation
        self.add_button(
            "open_tournaments", tr("Tournaments ..."), lambda: navigation.to_page(Page.TOURNAMENTS)
        )
        self._list: ShortList[LobbyTournament] = ShortList(
            self.body,
            name="tournaments",
            on_open=self._join_or_leave,
            on_more=lambda line: navigation.to_page(tournament_page(line.tournament)),
        )
        self._list.grid(row=0, column=0, sticky="ew")

    def limit(self, most: int, *, narrow: bool) -> None:
        """Reserve the space of so many tournaments; the next `show` fills it."""
        self._list.limit(most, narrow=narrow)

    def show(self) -> None:
        """Show the first tournaments of the lobby."""
        latest = self._context.latest
        lines = () if latest.lobby is None else latest.lobby.tournaments
        entries = tournament_entries(lines, latest.tournaments, self._context.player_name)
        self._list.show(entries, _NONE)
        for key in self._list.shown_keys:
            if key not in latest.tournaments and key not in self._asked:
                self._asked.add(key)
                self._get(key)

    def _get(self, key: str) -> None:
        """Request the state of a tournament, again at the next change if there is no answer."""
        self._context.network.ask(
            ME,
            lambda client: client.tournaments.get(key),
            self._keep,
            lambda _: self._asked.discard(key),
        )

    def _join_or_leave(self, line: LobbyTournament) -> None:
        key, state = line.tournament, self._context.latest.tournaments.get(line.tournament)
        self._show_message("")
        if not plays_in(state, self._context.player_name):
            self._ask(lambda client: client.tournaments.join(key))
            return
        warning = leave_warning(state)
        if warning and self._warned != key:
            self._warned = key
            self._show_message(warning)
            return

        async def leave(client: Client) -> TournamentState:
            await client.tournaments.leave(key)
            return await client.tournaments.get(key)

        self._ask(leave)

    def _ask(self, request: Callable[[Client], Awaitable[TournamentState]]) -> None:
        def refused(refusal: Refusal) -> None:
            if self.winfo_exists():
                self._show_message(refusal.sentence)

        self._context.network.ask(ME, request, self._keep, refused)

    def _keep(self, state: TournamentState) -> None:
        self._context.latest.tournaments[state.tournament] = state
        if self.winfo_exists():
            self.show()
