"""The requests of the lobby that need no dialog: accept, enter, cancel, quick match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from tkinter import ttk
from typing import Final, Protocol

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.alone import LevelOpponent, level_opponent
from doublecross.client.tk.models.lobby.forms import BadFields, MatchFields
from doublecross.client.tk.models.lobby.levels import Levels, level_title
from doublecross.client.tk.models.lobby.offers import OwnEntry
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.transport import Client
from doublecross.games.api import GameError
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.protocol.server_messages import LobbyRoom, LobbySeek, RoomState

_COMING: Final = tr(
    "{name} is getting ready. Your game begins then; the first time takes a minute."
)


class ShowMessage(Protocol):
    """Shows a message above the lists of the lobby."""

    def __call__(self, sentence: str, *, good: bool = False) -> None:
        """Show `sentence` as good news or as a problem; an empty one hides the last message."""


class LobbyRequests:
    """Sends the requests of the lobby on `screen`.

    `show_message` shows why a request was refused. An answer with a room opens that room's screen.
    """

    def __init__(self, screen: Screen, show_message: ShowMessage) -> None:
        self._screen = screen
        self._context = screen.context
        self.show_message = show_message
        self._begins = False

    def accept(self, seek: LobbySeek) -> None:
        """Accept the offer of another player."""
        if self._can_show(seek.settings):
            self._ask(lambda client: client.offers.accept_seek(seek.seek))

    def enter(self, room: LobbyRoom) -> None:
        """Enter a room: return to a seat there, take its free seat, or else watch."""
        if (ME, room.room) in self._context.latest.rooms:
            self._context.navigation.to_game(room.room)
        elif not self._can_show(room.settings):
            return
        elif room.status == "waiting":
            self._ask(lambda client: client.join(room.room))
        else:
            self._ask(lambda client: client.watch(room.room))

    def cancel(self, entry: OwnEntry) -> None:
        """Cancel an offer, or close a room that waits for an opponent."""
        if entry.kind == "waiting":
            self._ask(lambda client: client.leave(entry.key))
        elif entry.kind == "seek":
            self._ask(lambda client: client.offers.cancel_seek(entry.key))
        else:
            self._ask(lambda client: client.offers.cancel_challenge(entry.key))

    @property
    def quick_settings(self) -> MatchSettings:
        """The settings of a quick match: those of the last time, or the defaults."""
        try:
            return MatchFields.from_saved(self._context.home.settings.quick).settings()
        except BadFields:
            return MatchFields().settings()

    @property
    def bot(self) -> LevelOpponent | None:
        """The bot that the primary button begins a game with; None if it looks for a person."""
        context = self._context
        return level_opponent(
            context.latest.lobby,
            context.player_name,
            Levels(context.helpers.levels),
            context.home.settings.create.get("bot", ""),
            context.helpers.residents(context.latest.server),
        )

    def lobby_changed(self, button: ttk.Button) -> None:
        """Begin the game that waits for the lobby or for a bot, if it has come."""
        if self._begins:
            self.quick_match(button)

    def stop_waiting(self) -> None:
        """Stop waiting, because the person has begun something else."""
        self._begins = False

    def quick_match(self, button: ttk.Button) -> None:
        """Look for an opponent, or play a bot while nobody else is there.

        `button` is disabled until the server has answered.
        """
        # Only the lobby tells whether somebody is there.
        bot, self._begins = self.bot, self._context.latest.lobby is None
        if self._begins:
            return
        settings = self.quick_settings
        if bot is not None:
            alone = {"time": TimeControl(), "rated": False}
            self._play(bot, settings.model_copy(update=alone), button)
            return
        offers = self._context.latest.offers
        for offer in () if offers is None else offers.offers:
            if offer.mine and offer.other is None and offer.settings == settings:
                self.show_message(tr("You have already offered this match. Wait for an opponent."))
                return
        self._ask(lambda client: client.offers.quick_match(settings), button)

    def _play(self, bot: LevelOpponent, settings: MatchSettings, button: ttk.Button) -> None:
        """Challenge `bot`, as soon as it is online."""
        name = bot.player
        if name is None:
            self._begins = True
            self.show_message(_COMING.format(name=level_title(bot.level)), good=True)
            return
        self._ask(lambda client: client.offers.challenge(name, settings), button)

    def _can_show(self, settings: MatchSettings) -> bool:
        try:
            make_game(settings.game, settings.params)
        except GameError as error:
            self.show_message(tr("This program cannot show that match: {error}", error=error))
            return False
        return True

    def _ask(
        self, request: Callable[[Client], Awaitable[object]], button: ttk.Button | None = None
    ) -> None:
        self.show_message("")
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
            self.show_message(refusal.sentence)

        self._context.network.ask(ME, request, done, failed)
