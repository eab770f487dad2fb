"""Begin games: answer challenges, accept seeks and rematches, and keep the bot's seek open."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final

from doublecross.bots.runner.config import RunnerConfig
from doublecross.bots.runner.core.ledger import Ledger
from doublecross.bots.runner.core.matchmaking import rating_of
from doublecross.bots.runner.core.ranges import objection
from doublecross.bots.runner.rooms import SeatedRooms
from doublecross.bots.runner.tasks import local_now
from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.offers import OwnOffer
from doublecross.client.transport import Client
from doublecross.games.api import Game, GameError
from doublecross.games.registry import make_game
from doublecross.protocol.client_messages import Challenge, Seek
from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.lobby_messages import LobbySeek, LobbyTournament
from doublecross.protocol.server_messages import Challenged

log = logging.getLogger(__name__)

FORSAKEN: Final = 4
"""The games for each place, at most, whose other player does not play: these take no place."""

TICK_S: Final = 0.01
"""So long after the time that was asked for a timer runs, because it may run a little early."""

Spawn = Callable[[Coroutine[Any, Any, None]], None]


class MatchAcceptor:
    """Begins games while the bot plays fewer than it may.

    `plays` says which games the bot can play, `finished` how many games are over and counted.
    `ledger` is told which games have begun. `spawn` runs a coroutine in the background. `recover`
    waits until the bot can think at once about a game with these settings. After `close` no game
    begins. A new `config` holds for all games that begin later.
    """

    def __init__(
        self,
        config: RunnerConfig,
        plays: Callable[[Game], bool],
        client: Client,
        rooms: SeatedRooms,
        finished: Callable[[], int],
        ledger: Ledger,
        spawn: Spawn,
        recover: Callable[[MatchSettings], Coroutine[Any, Any, None]],
    ) -> None:
        self.config = config
        self._plays = plays
        self._client = client
        self._rooms = rooms
        self._ledger = ledger
        self._finished = finished
        self._spawn = spawn
        self._recover = recover
        self._beginning: dict[str, str] = {}
        """The offers that the bot has accepted and that have no room yet, with their players."""
        self._arranging: set[str] = set()
        """Those of `_beginning` that a person has arranged."""
        self._declining: set[str] = set()
        self._due: dict[str, float] = {}
        """When the bot may accept the seeks of the lobby, in seconds of the loop's clock."""
        self._seeking = False
        self._joining: set[str] = set()
        """The tournaments that ask for this bot and that it has asked to enter."""
        self._closed = False
        self._begun: set[tuple[str, int]] = set()
        """The matches that are being played and are in the ledger."""

    @property
    def beginning(self) -> int:
        """The number of accepted games whose room has not arrived yet."""
        return len(self._beginning)

    def close(self) -> None:
        """Begin no more games, and cancel open seeks and challenges."""
        self._closed = True
        self._keep_seek()
        for offer in tuple(self._client.session.offers.values()):
            if isinstance(offer.request, Challenge) and self.config.plan is None:
                self.withdraw(offer)

    def withdraw(self, offer: OwnOffer) -> None:
        """Cancel an offer of this bot, unless that is under way."""
        if offer.withdrawn:
            return
        offer.withdrawn = True
        calls = self._client.offers

        async def cancel() -> None:
            with contextlib.suppress(RequestRefused):
                if isinstance(offer.request, Seek):
                    await calls.cancel_seek(offer.offer)
                else:
                    await calls.cancel_challenge(offer.offer)

        self._spawn(cancel())

    def check(self) -> None:
        """Answer open challenges, accept seeks, and keep the bot's own seek open."""
        session = self._client.session
        self._note_games()
        for challenge in tuple(session.challenges.values()):
            self.answer(challenge)
        after_s = None if self.config.plan is not None else self.config.policy.seeks_after_s
        if after_s is not None and session.lobby is not None:
            self._take_seeks(tuple(session.lobby.seeks.values()), after_s)
        if self.config.policy.fills_in and not self._closed:
            self._fill_in()
        self._keep_seek()

    def answer(self, challenge: Challenged) -> None:
        """Accept or decline a challenge."""
        policy = self.config.policy
        if challenge.challenge in self._beginning.keys() | self._declining:
            return
        if policy.rating is not None and self._client.session.lobby is None:
            return  # the ratings are on their way
        if not self.free_places() and self.free_places(len(self._beginning)):
            return  # for a moment a game that has begun counts twice; `begin` looks again
        reason = self._objection(challenge.settings, challenge.player)
        if not policy.challenges or self.config.plan is not None:
            reason = "I accept no challenges now."
        elif self._closed:
            reason = "I am about to leave."
        elif reason is None and not self.free_places():
            reason = f"I play {policy.at_once} at once and no more."
        elif reason is None and self._has_share(challenge.player):
            reason = f"I play {policy.each} at once with one player."
        elif reason is None and challenge.asked_by is not None and not self._may_show():
            reason = "I keep a place for people who play."
        if reason is None:
            if challenge.asked_by is not None:
                self._arranging.add(challenge.challenge)
            self.begin(
                challenge.challenge,
                self._client.offers.accept_challenge,
                challenge.player.name,
                challenge.settings,
            )
        else:
            log.info("Declined a challenge of %s: %s", challenge.player.name, reason)
            self._declining.add(challenge.challenge)
            self._spawn(self._decline(challenge.challenge, reason))

    def consider_rematch(self, room: str) -> None:
        """Accept a rematch if the other player of `room` offers one."""
        mirror = self._client.session.rooms.get(room)
        if mirror is None or mirror.seat is None or mirror.status != "finished":
            return
        if not mirror.rematch[1 - mirror.seat] or mirror.rematch[mirror.seat]:
            return
        if self.config.plan is not None:
            return
        other = mirror.players[1 - mirror.seat]
        wanted = self.config.policy.rematches and other is not None
        if (
            wanted
            and other is not None
            and self._accepts(mirror.settings, other)
            and self.free_places()
        ):
            self.begin(room, self._client.rematch, other.name, mirror.settings)

    def is_beginning(self, offer: str) -> bool:
        """Return whether the request of `begin` for this offer has no answer yet."""
        return offer in self._beginning

    def opponents(self) -> list[str]:
        """Return the opponents of all games that are being played or are about to begin."""
        return [*self._beginning.values(), *(other for _, other in self._playing())]

    def free_places(self, uncounted: int = 0) -> int:
        """Return how many more games may begin, if `uncounted` of the others did not count."""
        if self._closed:
            return 0
        policy = self.config.policy
        challenges = sum(
            isinstance(offer.request, Challenge) for offer in self._client.session.offers.values()
        )
        busy = self._rooms.playing() + len(self._beginning) + challenges - uncounted
        # Who does not play keeps the game for long, so that game takes no place, up to a bound.
        idle = min(self._rooms.forsaken(), FORSAKEN * policy.at_once)
        places = policy.at_once - busy + idle
        if self.config.games is not None:
            places = min(places, self.config.games - self._finished() - busy)
        return max(0, places)

    def begin(
        self,
        offer: str,
        request: Callable[[str], Coroutine[Any, Any, object]],
        other: str,
        settings: MatchSettings,
    ) -> None:
        """Send a request that begins a game against `other`; until the answer, it counts as begun.

        `request` gets the id of the offer.
        """
        if offer in self._beginning:
            return
        self._beginning[offer] = other

        async def begin() -> None:
            try:
                await self._recover(settings)
                await request(offer)
            except RequestRefused as refused:
                log.info("The offer %s led to no game: %s", offer, refused.sentence)
                if offer in self._due:
                    self._due[offer] = math.inf  # not asked for again
            finally:
                del self._beginning[offer]
                asyncio.get_running_loop().call_soon(self._look_again)

        self._spawn(begin())

    def _fill_in(self) -> None:
        """Join the tournaments of the lobby that ask for this bot, because players are few."""
        lobby, me = self._client.session.lobby, self._client.session.player
        if lobby is None or me is None:
            return
        asking = [each for each in lobby.tournaments.values() if me.name in each.wanted]
        # A tournament that has refused the bot is not asked again while it wants the bot.
        self._joining &= {each.tournament for each in asking}
        for each in asking:
            if each.tournament in self._joining or not self._plays_in(each.settings):
                continue
            self._joining.add(each.tournament)
            self._spawn(self._join(each))

    def _plays_in(self, settings: MatchSettings) -> bool:
        try:
            game = make_game(settings.game, settings.params)
        except GameError:
            return False
        return objection(self.config.policy.games, game) is None and self._plays(game)

    async def _join(self, tournament: LobbyTournament) -> None:
        await self._recover(tournament.settings)
        try:
            at_once = self.config.policy.at_once
            await self._client.tournaments.join(tournament.tournament, at_once=at_once)
        except RequestRefused as refused:
            log.info("Did not enter %s: %s", tournament.name, refused.sentence)

    # -- implementation ----------------------------------------------------------------------

    def _take_seeks(self, seeks: tuple[LobbySeek, ...], after_s: float) -> None:
        """Accept those seeks that the bot has seen for `after_s` seconds."""
        loop = asyncio.get_running_loop()
        now, before, self._due = loop.time(), self._due, {}
        for seek in seeks:
            if seek.seek in before:
                due = before[seek.seek]
            else:
                due = now + after_s
                if after_s:
                    loop.call_at(due + TICK_S, self._look_again)
            self._due[seek.seek] = due
            if (
                due <= now
                and self.free_places()
                and (self.config.policy.seeks_of_bots or seek.player.kind == "human")
                and not self._has_share(seek.player)
                and self._accepts(seek.settings, seek.player)
            ):
                self.begin(
                    seek.seek, self._client.offers.accept_seek, seek.player.name, seek.settings
                )

    def _look_again(self) -> None:
        if self._client.connected and not self._closed:
            self.check()

    def _has_share(self, other: PlayerInfo) -> bool:
        """Return whether the bot plays with this player as often as it may at once."""
        if self.config.policy.each is None:
            return False
        return self.opponents().count(other.name) >= self.config.policy.each

    def _may_show(self) -> bool:
        """Return whether the bot may play one more match of two bots that a person has arranged.

        Such matches leave one place to people who play, unless the bot has only one.
        """
        self._arranging &= self._beginning.keys()
        shown = sum(
            room.asked_by is not None and room.seat is not None and room.status == "playing"
            for room in self._client.session.rooms.values()
        )
        return shown + len(self._arranging) < max(1, self.config.policy.at_once - 1)

    def _accepts(self, settings: MatchSettings, other: PlayerInfo) -> bool:
        me = self._client.session.player
        if me is not None and other.name == me.name:
            return False
        return self._objection(settings, other) is None

    def _objection(self, settings: MatchSettings, other: PlayerInfo) -> str | None:
        policy = self.config.policy
        rating = rating_of(self._client.session.lobby, other.name, settings)
        return policy.objection(self._plays, settings, other, rating) or policy.objection_now(
            other.name, self._ledger, local_now()
        )

    def _note_games(self) -> None:
        """Enter the matches that have begun into the ledger."""
        playing = dict(self._playing())
        for match in playing.keys() - self._begun:
            self._ledger.begin("{}-{}".format(*match), playing[match], local_now())
        self._begun = set(playing)

    def _playing(self) -> Iterator[tuple[tuple[str, int], str]]:
        """Yield the room and the number of each match that is being played, and the opponent."""
        for room in self._client.session.rooms.values():
            other = None if room.seat is None else room.players[1 - room.seat]
            if other is not None and room.status == "playing":
                yield (room.room, room.match), other.name

    async def _decline(self, challenge: str, reason: str) -> None:
        try:
            with contextlib.suppress(RequestRefused):
                await self._client.offers.decline_challenge(challenge, reason[:64])
        finally:
            self._declining.discard(challenge)

    def _keep_seek(self) -> None:
        """Keep the configured seek open while another game may begin, and cancel all others."""
        wanted = self.config.seek
        if not self.free_places() or self.config.policy.quiet_hours(local_now()) is not None:
            wanted = None
        is_open = False
        for offer in tuple(self._client.session.offers.values()):
            if isinstance(offer.request, Seek) and offer.request.settings == wanted:
                is_open = True
            elif isinstance(offer.request, Seek):
                self.withdraw(offer)
        if wanted is not None and not is_open and not self._seeking:
            self._seeking = True
            self._spawn(self._seek(wanted))

    async def _seek(self, settings: MatchSettings) -> None:
        try:
            await self._recover(settings)
            await self._client.offers.seek(settings)
        except RequestRefused as refused:
            log.warning("The seek was refused: %s", refused.sentence)
        finally:
            self._seeking = False
