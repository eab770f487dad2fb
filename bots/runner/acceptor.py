"""Begin games: answer challenges, accept seeks and rematches, and keep the bot's seek open."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Callable, Coroutine
from typing import Any, Final

from doublecross.bots.api import Bot
from doublecross.bots.runner.config import RunnerConfig
from doublecross.client.core.errors import RequestRefused
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import Seek
from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.lobby_messages import LobbySeek
from doublecross.protocol.server_messages import Challenged

log = logging.getLogger(__name__)

FORSAKEN: Final = 4
"""The games for each place, at most, whose other player does not play: these take no place."""

TICK_S: Final = 0.01
"""So long after the time that was asked for a timer runs, because it may run a little early."""

Spawn = Callable[[Coroutine[Any, Any, None]], None]


class MatchAcceptor:
    """Begins games while the bot plays fewer than it may.

    `playing` returns how many games are being played, `forsaken` how many of them have another
    player who does not play, and `finished` how many games are over and counted. `spawn` runs a
    coroutine in the background. `recover` waits until the bot can think at once about a game with
    these settings. After `close` no game begins.
    """

    def __init__(
        self,
        config: RunnerConfig,
        bot: type[Bot],
        client: Client,
        playing: Callable[[], int],
        forsaken: Callable[[], int],
        finished: Callable[[], int],
        spawn: Spawn,
        recover: Callable[[MatchSettings], Coroutine[Any, Any, None]],
    ) -> None:
        self._config = config
        self._policy = config.policy
        self._bot = bot
        self._client = client
        self._playing = playing
        self._forsaken = forsaken
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
        self._closed = False

    @property
    def beginning(self) -> int:
        """The number of accepted games whose room has not arrived yet."""
        return len(self._beginning)

    def close(self) -> None:
        """Begin no more games, and cancel open seeks."""
        self._closed = True
        for offer_id, offer in tuple(self._client.session.offers.items()):
            if isinstance(offer.request, Seek):
                self._spawn(self._cancel_seek(offer_id))

    def check(self) -> None:
        """Answer open challenges, accept seeks, and keep the bot's own seek open."""
        session = self._client.session
        for challenge in tuple(session.challenges.values()):
            self.answer(challenge)
        after_s = None if self._config.plan is not None else self._policy.seeks_after_s
        if after_s is not None and session.lobby is not None:
            self._take_seeks(tuple(session.lobby.seeks.values()), after_s)
        self._keep_seek()

    def answer(self, challenge: Challenged) -> None:
        """Accept or decline a challenge."""
        if challenge.challenge in self._beginning.keys() | self._declining:
            return
        reason = self._policy.objection(self._bot, challenge.settings, challenge.player)
        if not self._policy.challenges or self._config.plan is not None:
            reason = "I accept no challenges now."
        elif self._closed:
            reason = "I am about to leave."
        elif reason is None and not self._free_places():
            reason = f"I play {self._policy.at_once} at once and no more."
        elif reason is None and self._has_share(challenge.player):
            reason = f"I play {self._policy.each} at once with one player."
        elif reason is None and challenge.asked_by is not None and not self._may_show():
            reason = "I keep a place for people who play."
        if reason is None:
            if challenge.asked_by is not None:
                self._arranging.add(challenge.challenge)
            self._begin(
                challenge.challenge,
                self._client.offers.accept_challenge,
                challenge.player,
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
        if self._config.plan is not None:
            return
        other = mirror.players[1 - mirror.seat]
        wanted = self._policy.rematches and other is not None
        if (
            wanted
            and other is not None
            and self._accepts(mirror.settings, other)
            and self._free_places()
        ):
            self._begin(room, self._client.rematch, other, mirror.settings)

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
                and self._free_places()
                and (self._policy.seeks_of_bots or seek.player.kind == "human")
                and not self._has_share(seek.player)
                and self._accepts(seek.settings, seek.player)
            ):
                self._begin(seek.seek, self._client.offers.accept_seek, seek.player, seek.settings)

    def _look_again(self) -> None:
        if self._client.connected and not self._closed:
            self.check()

    def _free_places(self) -> int:
        """Return how many more games may begin."""
        if self._closed:
            return 0
        busy = self._playing() + len(self._beginning)
        # Who does not play keeps the game for long, so that game takes no place, up to a bound.
        idle = min(self._forsaken(), FORSAKEN * self._policy.at_once)
        places = self._policy.at_once - busy + idle
        if self._config.games is not None:
            places = min(places, self._config.games - self._finished() - busy)
        return max(0, places)

    def _has_share(self, other: PlayerInfo) -> bool:
        """Return whether the bot plays with this player as often as it may at once."""
        if self._policy.each is None:
            return False
        playing = sum(
            room.seat is not None
            and room.status == "playing"
            and (player := room.players[1 - room.seat]) is not None
            and player.name == other.name
            for room in self._client.session.rooms.values()
        )
        beginning = list(self._beginning.values()).count(other.name)
        return playing + beginning >= self._policy.each

    def _may_show(self) -> bool:
        """Return whether the bot may play one more match of two bots that a person has arranged.

        Such matches leave one place to people who play, unless the bot has only one.
        """
        self._arranging &= self._beginning.keys()
        shown = sum(
            room.asked_by is not None and room.seat is not None and room.status == "playing"
            for room in self._client.session.rooms.values()
        )
        return shown + len(self._arranging) < max(1, self._policy.at_once - 1)

    def _accepts(self, settings: MatchSettings, other: PlayerInfo) -> bool:
        me = self._client.session.player
        if me is not None and other.name == me.name:
            return False
        return self._policy.objection(self._bot, settings, other) is None

    def _begin(
        self,
        offer: str,
        request: Callable[[str], Coroutine[Any, Any, object]],
        other: PlayerInfo,
        settings: MatchSettings,
    ) -> None:
        """Send a request that begins a game; until the answer, the game counts as begun."""
        if offer in self._beginning:
            return
        self._beginning[offer] = other.name

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

        self._spawn(begin())

    async def _decline(self, challenge: str, reason: str) -> None:
        try:
            with contextlib.suppress(RequestRefused):
                await self._client.offers.decline_challenge(challenge, reason[:64])
        finally:
            self._declining.discard(challenge)

    def _keep_seek(self) -> None:
        """Open the configured seek unless it is open, while another game may begin."""
        if self._config.seek is None or self._seeking or not self._free_places():
            return
        offers = self._client.session.offers.values()
        if not any(isinstance(offer.request, Seek) for offer in offers):
            self._seeking = True
            self._spawn(self._seek(self._config.seek))

    async def _seek(self, settings: MatchSettings) -> None:
        try:
            await self._recover(settings)
            await self._client.offers.seek(settings)
        except RequestRefused as refused:
            log.warning("The seek was refused: %s", refused.sentence)
        finally:
            self._seeking = False

    async def _cancel_seek(self, seek: str) -> None:
        with contextlib.suppress(RequestRefused):
            await self._client.offers.cancel_seek(seek)
