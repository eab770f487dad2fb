"""Carry out a plan of challenges, so that every game of the plan is played exactly once.

Theory of operation
-------------------
For each game the campaign sends a challenge with the game's key until the server answers with a
room. The answer `challenge_sent` means that the opponent has received the challenge. When that
offer is gone (accepted, declined, or lost in a restart of the server), the campaign sends the same
challenge again. If the opponent had accepted it, the key belongs to a room, and the server answers
with that room. So the game is found no matter which message was lost: the request, its answer, or
the notice of the room.

The campaign reads the result from the followed room. If the room closed while this player was away,
it reads the record of the game, whose id follows from the id of the room.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final, cast

from doublecross.bots.runner.config import GameResult, RunnerError
from doublecross.bots.runner.core.plan import ChallengePlan, PlannedGame
from doublecross.bots.runner.records import recorded_result
from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.pacing import retry_delay
from doublecross.client.transport import Client
from doublecross.protocol.client_messages import Challenge
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import ChallengeSent, RoomState

log = logging.getLogger(__name__)

_LATER: Final = frozenset({ErrorCode.UNKNOWN_PLAYER, ErrorCode.TOO_MANY})
"""Refusals of a challenge that may be temporary, so the campaign tries again."""


class Campaign:
    """Carries out a plan.

    The visit reports what happened in rooms and to offers with `match_ended`, `room_lost` and
    `offer_declined`, and any other update with `notify`. `done` receives the number and the result
    of each game. `recover` waits until the bot can
    think at once about a game with these settings.
    """

    def __init__(
        self,
        plan: ChallengePlan,
        client: Client,
        rng: Random,
        done: Callable[[int, GameResult], None],
        recover: Callable[[MatchSettings], Awaitable[None]],
    ) -> None:
        self._plan = plan
        self._client = client
        self._rng = rng
        self._done = done
        self._recover = recover
        self._news = asyncio.Event()
        self._results: dict[str, GameResult] = {}
        self._lost: set[str] = set()
        self._declined: dict[str, str] = {}
        self._index: dict[str, int] = {}
        self._stopped = False

    async def run(self) -> None:
        """Play all games of the plan.

        Raises:
            RunnerError: a game could not be played.
            ClientError: the connection has ended for good.
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

    # -- updates from the visit --------------------------------------------------------------

    def notify(self) -> None:
        """Wake all games that wait, so that they check their conditions again."""
        self._news.set()
        self._news = asyncio.Event()

    def match_ended(self, result: GameResult) -> None:
        """Record the result of a match; its room may belong to this plan."""
        if result.match == 1:
            self._results[result.room] = result
            self.notify()

    def room_lost(self, room: str) -> None:
        """Record that a room cannot be followed any more."""
        self._lost.add(room)
        self.notify()

    def offer_declined(self, offer: str, reason: str) -> None:
        """Record that an offer ended without a game."""
        self._declined[offer] = reason
        self.notify()

    def number_of(self, room: str) -> int | None:
        """Return the number of the game that is played in `room`; None for other rooms."""
        return self._index.get(room)

    # -- one game ----------------------------------------------------------------------------

    async def _play(self, index: int, game: PlannedGame) -> None:
        for attempt in range(self._plan.tries):
            await self._recover(game.settings)
            room = await self._room_for(index, game, attempt)
            self._index[room] = index
            result = await self._result_of(room, game)
            if result.has_result:
                self._done(index, result)
                return
            log.warning(
                "Game %d of the plan is %s; playing it again.", index + 1, result.termination
            )
        raise RunnerError(
            f"Game {index + 1} of the plan ended {self._plan.tries} times without a result."
        )

    async def _room_for(self, index: int, game: PlannedGame, attempt: int) -> str:
        """Send this game's challenge until there is a room; return its id.

        Raises:
            RunnerError: the server refuses, or the opponent does not accept in time.
        """
        plan, loop = self._plan, asyncio.get_running_loop()
        key = plan.key(index, attempt)
        until = loop.time() + plan.patience_s
        refusals = 0
        why = f"{plan.opponent} does not answer."
        while True:
            sent_at = loop.time()
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
                # The server was slow or away, so this time does not count for the opponent.
                until += loop.time() - sent_at
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
                    continue  # probably accepted: the server answers the challenge with the room
                why = f"{plan.opponent} did not accept: {reason}"
            if loop.time() >= until:
                raise RunnerError(f"Game {index + 1} of the plan could not be played: {why}")
            log.info("Game %d of the plan waits: %s", index + 1, why)
            await asyncio.sleep(min(1.0, retry_delay(refusals, self._rng)))
            refusals += 1

    async def _until_answered(self, key: str) -> None:
        """Wait until the opponent has answered the open challenge of `key`.

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
        return await recorded_result(self._client, room, 1, game.settings, game.seat)

    async def _wait(self, fulfilled: Callable[[], bool]) -> None:
        while not fulfilled():
            await self._news.wait()
