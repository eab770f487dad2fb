"""A pool of worker processes in which bots think, so that the event loop stays responsive.

Theory of operation
-------------------
A pool has a fixed number of places, each with at most one process (see
`doublecross.bots.workers.place`). A game is opened at the place with the fewest games and stays
there, because its bot keeps data between moves. When a process ends early, the next process makes
the bots of its other games again when they have to move.

Call all methods in the thread of the event loop.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import math
from collections.abc import Callable
from typing import Final, Self

from doublecross.bots.api import BotError, Choice, Limit
from doublecross.bots.errors import BotFailed, Failure, PoolClosed
from doublecross.bots.registry import BotSpec
from doublecross.bots.workers.place import MAKE_S, PoolJob, WorkerPlace
from doublecross.games.api import Game, State
from doublecross.processes.child import Message

_LIMITS: Final = tuple(field.name for field in dataclasses.fields(Limit))


class GameHandle:
    """One game in the pool, and the bot that plays it."""

    def __init__(self, place: WorkerPlace, number: int, about: Message, jobs: itertools.count[int]):
        self._place = place
        self._number = number
        self._about = about
        self._jobs = jobs
        self._running: set[PoolJob] = set()
        self._choosing: PoolJob | None = None
        self._pondering: PoolJob | None = None
        self._open = True
        self.ponders = False
        """True when the bot wants to think on its opponent's time; known once the bot is made."""

    async def choose(self, state: State, limit: Limit | Callable[[], Limit]) -> Choice:
        """Return the bot's choice for `state` within `limit`; `state` stays unchanged.

        A callable `limit` is called when the bot starts to think. Request only one move at a time.
        If the call is cancelled, the bot is stopped and its answer is dropped.

        Raises:
            BotFailed: the bot failed to choose a legal action.
            PoolClosed: the pool or this game is closed.
            RuntimeError: the bot is still thinking about another request.
        """
        text = state.serialize()

        def write() -> tuple[Message, float | None]:
            now = limit() if callable(limit) else limit
            fields = {name: getattr(now, name) for name in _LIMITS}
            message = {"op": "choose", **self._about, "state": text, "limit": fields}
            return message, now.time_s or now.clock_s

        if self._choosing is not None:
            raise RuntimeError("The bot of this game is thinking already.")
        job = self._choosing = self._job(write)
        try:
            answer = _checked(await self._result(job))
        finally:
            self._choosing = None
        action = answer["action"]
        if not state.is_legal(action):
            raise BotFailed("illegal", f"the bot chose {action}, which is not legal now")
        score = answer["score"]
        return Choice(
            action,
            # The wire allows no infinite numbers.
            score=score if score is not None and math.isfinite(score) else None,
            pv=tuple(answer["pv"]),
            nodes=answer["nodes"],
            elapsed=answer["elapsed"],
            exact=answer["exact"],
        )

    def stop(self) -> None:
        """Set the stop flag, so that the bot answers with the best action that it has."""
        if self._choosing is not None:
            self._place.stop(self._choosing)

    async def ponder(self, state: State, most_s: float) -> bool:
        """Let the bot think about `state`, in which the opponent is to move.

        It ends when the bot has nothing left to do, after `stop_pondering`, when another job needs
        the process, or after `most_s` seconds. `choose` may be called meanwhile. Returns whether
        the bot had nothing left to do.

        Raises:
            BotFailed: the bot raised an exception, or its process ended.
            PoolClosed: the pool or this game is closed.
            RuntimeError: the bot is pondering already.
        """
        if self._pondering is not None:
            raise RuntimeError("The bot of this game is pondering already.")
        message = {"op": "ponder", **self._about, "state": state.serialize()}
        job = self._pondering = self._job(lambda: (message, most_s), background=True)
        try:
            _checked(await self._result(job))
            return not job.stopped
        finally:
            self._pondering = None

    def stop_pondering(self) -> None:
        """Set the stop flag of `ponder`, so that it ends."""
        if self._pondering is not None:
            self._place.stop(self._pondering)

    def close(self) -> None:
        """Drop the bot of the game. Further calls do nothing."""
        if self._open:
            self._open = False
            for job in tuple(self._running):
                job.fail(PoolClosed("The game was closed while its bot was thinking."))
                self._place.drop(job)
            self._place.forget(self._number)

    async def make(self) -> None:
        """Make the bot, unless it exists; `WorkerPool.open_game` calls this.

        Raises:
            BotError: the bot cannot be made or does not play this game.
            BotFailed: the worker process ended meanwhile.
            PoolClosed: the pool or this game is closed.
        """
        answer = await self._result(self._job(lambda: ({"op": "open", **self._about}, MAKE_S)))
        if "refused" in answer:
            raise BotError(answer["refused"], answer["trace"], lasting=answer["lasting"])
        if "failed" in answer:
            sentence = f"The bot {self._about['spec']} cannot be made: {answer['failed']}."
            raise BotError(sentence, answer["trace"])
        self.ponders = answer["ponders"]

    def _job(
        self, write: Callable[[], tuple[Message, float | None]], *, background: bool = False
    ) -> PoolJob:
        if not self._open:
            raise PoolClosed("The game is closed.")
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        return PoolJob(next(self._jobs), write, future, background)

    async def _result(self, job: PoolJob) -> Message:
        """Submit `job` and wait for its answer."""
        self._running.add(job)
        try:
            self._place.submit(job)
            return await job.future
        finally:
            self._running.discard(job)
            # The caller has given up, so the bot must not continue to think.
            if job.future.cancelled():
                self._place.drop(job)


def _checked(answer: Message) -> Message:
    """Return the answer of a bot.

    Raises:
        BotFailed: the bot raised an exception instead.
    """
    if "fault" in answer:
        kind: Failure = "illegal" if answer["fault"] == "illegal" else "raised"
        raise BotFailed(kind, answer["failed"], answer["trace"])
    if "failed" in answer or "refused" in answer:
        text = answer.get("failed") or answer["refused"]
        raise BotFailed("raised", f"the bot raised {text}", answer.get("trace", ""))
    return answer


class WorkerPool:
    """A pool of `workers` processes for any number of games; a process starts when it is needed.

    `memory_mb` limits the data of each process in MiB, where the system enforces that (a bot that
    needs more fails with a MemoryError); None sets no limit. `stop_grace_s` is how long a bot may
    take to answer after its stop flag was set, in seconds. With `keeps_output` the last lines that
    a process wrote to standard error are the `trace` of its failure.

    Raises:
        ValueError: `workers` is below one.
    """

    def __init__(
        self,
        workers: int = 1,
        *,
        memory_mb: int | None = None,
        stop_grace_s: float = 2.0,
        keeps_output: bool = False,
    ) -> None:
        if workers < 1:
            raise ValueError("A pool needs at least one worker.")
        self._places = [WorkerPlace(memory_mb, stop_grace_s, keeps_output) for _ in range(workers)]
        self._games = itertools.count(1)
        self._jobs = itertools.count(1)
        self._closed = False

    @property
    def workers(self) -> int:
        """The number of processes, and so of bots that can think at once."""
        return len(self._places)

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes that are ready."""
        return tuple(place.pid for place in self._places if place.pid is not None)

    async def recover(self, spec: BotSpec | str, game: Game) -> None:
        """Wait until the places with a hung bot, and those without a process, have a new one.

        The bot `spec` is made once in each new process, so its first game there loses no time to
        imports. Nothing happens while all processes are ready.

        Raises:
            BotError: the bot cannot be made.
            PoolClosed: the pool is closed.
        """
        if self._closed:
            raise PoolClosed("The workers were shut down.")

        async def renew(place: WorkerPlace) -> None:
            (await self._open_at(place, spec, game, 0)).close()

        await asyncio.gather(*(renew(place) for place in self._places if not place.ready))

    async def open_game(self, spec: BotSpec | str, game: Game, seed: int | str) -> GameHandle:
        """Open a game: make its bot in one of the processes, drawing from ``Random(seed)``.

        Raises:
            BotError: there is no such bot, it cannot be made, or it does not play this game.
            PoolClosed: the pool is closed.
        """
        if self._closed:
            raise PoolClosed("The workers were shut down.")
        place = min(self._places, key=lambda place: place.games)
        return await self._open_at(place, spec, game, seed)

    async def _open_at(
        self, place: WorkerPlace, spec: BotSpec | str, game: Game, seed: int | str
    ) -> GameHandle:
        # Count it now, so that games that are opened at the same time use different places.
        place.games += 1
        number = next(self._games)
        about: Message = {
            "game": number,
            "spec": str(spec),
            "key": game.key,
            "params": dict(game.params),
            "seed": seed,
        }
        handle = GameHandle(place, number, about, self._jobs)
        try:
            await handle.make()
        except BotFailed as failure:
            handle.close()
            raise BotError(f"The bot {spec} cannot be made: {failure.sentence}.") from failure
        except BaseException:
            handle.close()
            raise
        return handle

    async def close(self) -> None:
        """End all processes and fail all requests. Further calls do nothing."""
        self._closed = True
        await asyncio.gather(*(place.close() for place in self._places))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()
