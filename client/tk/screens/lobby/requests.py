"""What the lobby asks of the server without a dialog: accept, enter, cancel, a quick match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from tkinter import ttk
from typing import Protocol

from client.tk.context import Screen
from client.tk.models.lobby.forms import BadFields, MatchFields
from client.tk.models.lobby.model import OwnLine
from client.tk.network.thread import ME, Refusal
from client.transport import Client
from games.api import GameError
from games.registry import make_game
from protocol.common import MatchSettings
from protocol.server_messages import LobbyRoom, LobbySeek, RoomState


class Say(Protocol):
    """Shows what has happened."""

    def __call__(self, sentence: str, *, good: bool = False) -> None:
        """Show `sentence`, as good news or as a problem; an empty one takes the last away."""


class LobbyRequests:
    """Sends the requests of the lobby on `screen`; `say` shows why one was refused. An answer that
    brings a room leads to its screen."""

    def __init__(self, screen: Screen, say: Say) -> None:
        self._screen = screen
        self._context = screen.context
        self._say = say

    def accept(self, seek: LobbySeek) -> None:
        """Accept somebody's offer."""
        if self._can_show(seek.settings):
            self._ask(lambda client: client.offers.accept_seek(seek.seek))

    def enter(self, room: LobbyRoom) -> None:
        """Go to a room: take its free seat, watch it, or return to a seat there."""
        if (ME, room.room) in self._context.latest.rooms:
            self._context.navigation.to_game(room.room)
        elif not self._can_show(room.settings):
            return
        elif room.status == "waiting":
            self._ask(lambda client: client.join(room.room))
        else:
            self._ask(lambda client: client.watch(room.room))

    def cancel(self, line: OwnLine) -> None:
        """Take back an offer, or close a room that waits for a player."""
        if line.kind == "waiting":
            self._ask(lambda client: client.leave(line.key))
        elif line.kind == "seek":
            self._ask(lambda client: client.offers.cancel_seek(line.key))
        else:
            self._ask(lambda client: client.offers.cancel_challenge(line.key))

    @property
    def quick_settings(self) -> MatchSettings:
        """What a quick match is played with: as chosen the last time, or as usual."""
        try:
            return MatchFields.from_kept(self._context.home.kept.quick).settings()
        except BadFields:
            return MatchFields().settings()

    def quick_match(self, button: ttk.Button) -> None:
        """Find an opponent; `button` cannot be pressed until there is an answer."""
        settings = self.quick_settings
        offers = self._context.latest.offers
        for offer in () if offers is None else offers.offers:
            if offer.mine and offer.other is None and offer.settings == settings:
                self._say("You are waiting for an opponent for this already.")
                return
        self._ask(lambda client: client.offers.quick_match(settings), button)

    def _can_show(self, settings: MatchSettings) -> bool:
        try:
            make_game(settings.game, settings.params)
        except GameError as error:
            self._say(f"This program cannot show that match. {error}")
            return False
        return True

    def _ask(
        self,
        request: Callable[[Client], Awaitable[object]],
        button: ttk.Button | None = None,
    ) -> None:
        self._say("")
        if button is not None:
            button.state(["disabled"])

        def enable_button() -> None:
            if button is not None and button.winfo_exists():
                button.state(["!disabled"])

        def done(answer: object) -> None:
            enable_button()
            if isinstance(answer, RoomState) and self._screen.winfo_exists():
                self._context.navigation.to_game(answer.room)

        def failed(refusal: Refusal) -> None:
            enable_button()
            self._say(refusal.sentence)

        self._context.network.ask(ME, request, done, failed)
