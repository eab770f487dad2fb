"""Carries out a plan of challenges, so that every game of it is played exactly once.

Theory of operation
-------------------
For each game the challenge is sent under the game's key until the server answers with a room: an
answer of `challenge_sent` says that the opponent has been asked, and as soon as that offer is
gone (taken, declined, or forgotten by a restarted server) the same challenge is sent again. If it
was taken the key has led to a room, and the server answers with that. So it makes no difference
what was cut off: the request, its answer, or the notice of the room.

The result is read from the followed room; a room that was over and gone before this player was
back has left a record, whose id follows from the room's.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from random import Random
from typing import Final, cast

from bots.runner.config import GameResult, RunnerError
from bots.runner.core.plan import ChallengePlan, PlannedGame
from bots.runner.records import recorded
from client.core.errors import RequestRefused
from client.core.pacing import retry_delay
from client.transport import Client
from protocol.client_messages import Challenge
from protocol.errors import ErrorCode
from protocol.server_messages import ChallengeSent, RoomState

log = logging.getLogger(__name__)

_LATER: Final = frozenset({ErrorCode.UNKNOWN_PLAYER, ErrorCode.TOO_MANY})
"""Refusals of a challenge that may pass."""


class Campaign:
    """A plan being carried out. The runner says with `ended`, `lost` and `declined` what
    happened in rooms and to offers, and with `pulse` that anything has."""

    def __init__(
        self,
        plan: ChallengePlan,
        client: Client,
        rng: Random,
        done: Callable[[int, GameResult], None],
    ) -> None:
        self._plan = plan
        self._client = client
        self._rng = rng
        self._done = done
        self._news = asyncio.Event()
        self._results: dict[str, GameResult] = {}
        self._lost: set[str] = set()
        self._declined: dict[str, str] = {}
        self._index: dict[str, int] = {}
        self._stopped = False

    async def run(self) -> None:
        """Play all games of the plan.

        Raises:
            RunnerError: a game could not be had.
            ClientError: the connection is over for good.
        """
        waiting = iter(enumerate(self._plan.games))

        async def play_on() -> None:
            for index, game in waiting:
                if self._stopped:
                    return
                await self._play(index, game)

        players = min(self._plan.at_once, len(self._plan.games))
        tasks = [asyncio.ensure_future(play_on()) for _ in range(players)]
        try:
            for first in asyncio.as_completed(tasks):
                await first
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def stop(self) -> None:
        """Begin no more games; `run` returns after those that have begun."""
        self._stopped = True

    # -- told by the runner ------------------------------------------------------------------

    def pulse(self) -> None:
        """Something has changed: whoever waits looks again."""
        self._news.set()
        self._news = asyncio.Event()

    def ended(self, result: GameResult) -> None:
        """A match has ended in a room that may be of this plan."""
        if result.match == 1:
            self._results[result.room] = result
            self.pulse()

    def lost(self, room: str) -> None:
        """A room cannot be followed any more."""
        self._lost.add(room)
        self.pulse()

    def declined(self, offer: str, reason: str) -> None:
        """An offer ended without a game."""
        self._declined[offer] = reason
        self.pulse()

    def number_of(self, room: str) -> int | None:
        """The number of the game that is played in `room`."""
        return self._index.get(room)

    # -- one game ----------------------------------------------------------------------------

    async def _play(self, index: int, game: PlannedGame) -> None:
        for attempt in range(self._plan.tries):
            room = await self._room_for(index, game, attempt)
            self._index[room] = index
            result = await self._result_of(room, game)
            if result.has_result:
                self._done(index, result)
                return
            log.warning("Game %d of the plan is %s; again.", index + 1, result.termination)
        raise RunnerError(
            f"Game {index + 1} of the plan ended {self._plan.tries} times without a result."
        )

    async def _room_for(self, index: int, game: PlannedGame, attempt: int) -> str:
        """The room that this game's challenge leads to."""
        plan, loop = self._plan, asyncio.get_running_loop()
        key = plan.key(index, attempt)
        until = loop.time() + plan.patience_s
        refusals = 0
        why = f"{plan.opponent} does not answer."
        while True:
            asked = loop.time()
            try:
                answer = await self._client.request(
                    lambda i: Challenge(
                        id=i,
                        key=key,
                        player=plan.opponent,
                        settings=game.settings,
                        seat=game.seat,
                    )
                )
            except TimeoutError:
                until += loop.time() - asked  # the server is slow or away, not the opponent
                continue
            except RequestRefused as refused:
                if refused.code not in _LATER:
                    raise RunnerError(f"{plan.opponent}: {refused.sentence}") from None
                why = refused.sentence
            else:
                if isinstance(answer, RoomState):
                    return answer.room
                offer = cast(ChallengeSent, answer).challenge
                await self._until_answered(key)
                reason = self._declined.pop(offer, None)
                if reason is None:
                    continue  # most likely taken: the answer to the same challenge tells
                why = f"{plan.opponent} did not accept: {reason}"
            if loop.time() >= until:
                raise RunnerError(f"Game {index + 1} of the plan could not be had: {why}")
            log.info("Game %d of the plan has to wait: %s", index + 1, why)
            await asyncio.sleep(min(1.0, retry_delay(refusals, self._rng)))
            refusals += 1

    async def _until_answered(self, key: str) -> None:
        """Wait until the open challenge of `key` is gone.

        Raises:
            RunnerError: the opponent does not answer.
        """
        while True:
            try:
                async with asyncio.timeout(self._plan.patience_s):
                    return await self._wait(lambda: not self._is_open(key))
            except TimeoutError:
                if self._client.connected:
                    await self._withdraw(key)
                    sentence = f"{self._plan.opponent} did not answer a challenge."
                    raise RunnerError(sentence) from None

    def _is_open(self, key: str) -> bool:
        return any(offer.request.key == key for offer in self._client.session.offers.values())

    async def _withdraw(self, key: str) -> None:
        for offer_id, offer in tuple(self._client.session.offers.items()):
            if offer.request.key == key:
                try:
                    await self._client.offers.cancel_challenge(offer_id, timeout=5.0)
                except (RequestRefused, TimeoutError):
                    log.debug("Challenge %s was gone already.", offer_id)

    async def _result_of(self, room: str, game: PlannedGame) -> GameResult:
        await self._wait(lambda: room in self._results or room in self._lost)
        if room in self._results:
            return self._results.pop(room)
        self._lost.discard(room)
        return await recorded(self._client, room, 1, game.settings, game.seat)

    async def _wait(self, fulfilled: Callable[[], bool]) -> None:
        while not fulfilled():
            await self._news.wait()
