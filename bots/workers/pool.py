"""Worker processes in which bots think, so that the thread of the network loop never does.

Theory of operation
-------------------
A pool has a fixed number of places, each with at most one process. A game is opened at the place
with the fewest games and stays there, because its bot keeps what it learnt. A place works off its
jobs (make a bot, choose a move) one at a time in the order in which they came; a job's limit is
asked for when it starts, so that time spent waiting can be taken off.

A move's stop flag goes up when its time is over or `GameHandle.stop` is called. A bot that has
not answered `stop_grace_s` later hangs: its process is killed. When a process dies, for whatever
reason, the move that it was thinking about is what failed; the jobs that waited behind it are
done by a new process, in which the bots of the other games are made again when their turn comes.

All methods belong to the thread of the event loop.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import math
from collections import deque
from collections.abc import Callable
from typing import Final, Literal, Self

from bots.api import BotError, Choice, Limit
from bots.registry import BotSpec
from games.api import Game, State
from processes.child import Child, Message

START_S: Final = 60.0
"""Seconds in which a process must be up."""
MAKE_S: Final = 300.0
"""Seconds in which a bot must be made; kernels may have to be compiled for it."""
START_TRIES: Final = 3
"""Processes in a row that may fail to come up before their place gives up."""
_CLOSE_S: Final = 2.0
_CLOSE_BUSY_S: Final = 0.2
"""Seconds that a process has to end when the pool is closed, and while a bot thinks in it."""

_LIMITS: Final = tuple(field.name for field in dataclasses.fields(Limit))

Failure = Literal["raised", "illegal", "hung", "died"]


class BotFailed(Exception):  # noqa: N818 - named for what happened
    """A bot did not bring a move: it `raised`, named an `illegal` action, `hung` beyond its stop,
    or its process `died`. The text is one sentence; `trace` is the bot's traceback if any."""

    def __init__(self, kind: Failure, sentence: str, trace: str = "") -> None:
        super().__init__(sentence)
        self.kind: Failure = kind
        self.sentence = sentence
        self.trace = trace


class PoolClosed(RuntimeError):  # noqa: N818 - named for what happened
    """The pool was closed while, or before, something was asked of it."""


@dataclasses.dataclass(eq=False, slots=True)
class _Job:
    """One request for a process. `write` makes it, and says the seconds it may take (None: no
    end), when its turn comes."""

    number: int
    write: Callable[[], tuple[Message, float | None]]
    future: asyncio.Future[Message]
    stopped: bool = False
    timers: list[asyncio.TimerHandle] = dataclasses.field(default_factory=list)

    def disarm(self) -> None:
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def fail(self, error: Exception) -> None:
        self.disarm()
        if not self.future.done():
            self.future.set_exception(error)


@dataclasses.dataclass(eq=False, slots=True)
class _Worker:
    """A process of the pool, from before it is started until it has ended."""

    child: Child | None = None
    ready: bool = False

    def say(self, *messages: Message) -> None:
        assert self.child is not None
        self.child.tell(*messages)

    def kill(self) -> None:
        assert self.child is not None
        self.child.kill()


class _Place:
    """A place of the pool: its worker, the job in it and those that wait."""

    def __init__(self, memory_mb: int | None, stop_grace_s: float) -> None:
        self.games = 0
        self._memory_mb = memory_mb
        self._grace_s = stop_grace_s
        self._waiting: deque[_Job] = deque()
        self._current: _Job | None = None
        self._worker: _Worker | None = None
        self._lives: set[asyncio.Task[None]] = set()
        self._close_s = _CLOSE_S
        self._failures = 0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id, None while there is none."""
        worker = self._worker
        return worker.child.pid if worker is not None and worker.child and worker.ready else None

    def submit(self, job: _Job) -> None:
        self._waiting.append(job)
        self._next()

    def stop(self, job: _Job) -> None:
        """Raise the stop flag of `job`; one that waits is stopped as soon as it starts."""
        if job.stopped:
            return
        job.stopped = True
        if job is self._current and self._worker is not None:
            self._worker.say({"op": "stop", "job": job.number})
            self._arm(job, self._grace_s, lambda: self._hung(job))

    def drop(self, job: _Job) -> None:
        """Nobody waits for `job` any more."""
        if job in self._waiting:
            self._waiting.remove(job)
        elif job is self._current:
            self.stop(job)

    def forget(self, game: int) -> None:
        """The game is over: its bot can go."""
        self.games -= 1
        if self._worker is not None and self._worker.ready:
            self._worker.say({"op": "close", "game": game})

    async def close(self) -> None:
        self._closed = True
        for job in (*self._waiting, *([self._current] if self._current else [])):
            job.fail(PoolClosed("The workers were shut down."))
        self._waiting.clear()
        if self._current is not None:
            self._close_s = _CLOSE_BUSY_S
        for life in self._lives:
            life.cancel()
        await asyncio.gather(*self._lives, return_exceptions=True)
        self._worker = self._current = None

    # -- inside ------------------------------------------------------------------------------

    def _next(self) -> None:
        if self._current is not None or not self._waiting or self._closed:
            return
        worker = self._worker
        if worker is None:
            self._start()
            return
        if not worker.ready:
            return
        job = self._current = self._waiting.popleft()
        try:
            message, time_s = job.write()
        except Exception as error:  # noqa: BLE001 - the asker's own limit or state is to blame
            self._current = None
            job.fail(error)
            self._next()
            return
        message["job"] = job.number
        if job.stopped:
            worker.say(message, {"op": "stop", "job": job.number})
            self._arm(job, self._grace_s, lambda: self._hung(job))
            return
        worker.say(message)
        if time_s is not None:
            self._arm(job, time_s, lambda: self.stop(job))

    def _arm(self, job: _Job, after_s: float, then: Callable[[], object]) -> None:
        job.timers.append(asyncio.get_running_loop().call_later(after_s, then))

    def _start(self) -> None:
        worker = self._worker = _Worker()
        life = asyncio.get_running_loop().create_task(self._live(worker))
        self._lives.add(life)
        life.add_done_callback(self._lives.discard)

    async def _live(self, worker: _Worker) -> None:
        """Run a process from its start to its end."""
        try:
            child = worker.child = await Child.start(
                "The worker process",
                "bots.workers.child",
                expendable=True,
                memory_mb=self._memory_mb,
            )
        except OSError as error:
            self._ended(worker, f"the worker process could not be started ({error})")
            return
        late = asyncio.get_running_loop().call_later(START_S, self._late, worker)
        try:
            while (message := await child.hear()) is not None:
                self._heard(worker, message)
            self._ended(worker, f"the worker process {await child.how_it_ended()}")
        finally:
            late.cancel()
            await child.stop(self._close_s)

    def _late(self, worker: _Worker) -> None:
        if worker is self._worker and not worker.ready:
            worker.kill()
            self._ended(worker, f"the worker process was not up after {START_S:.0f} s")

    def _heard(self, worker: _Worker, message: Message) -> None:
        if worker is not self._worker:
            return
        if not worker.ready:
            worker.ready = True
            self._failures = 0
            self._next()
            return
        job = self._current
        if job is not None and message["job"] == job.number:
            self._current = None
            job.disarm()
            if not job.future.done():
                job.future.set_result(message)
            self._next()

    def _hung(self, job: _Job) -> None:
        if job is self._current and self._worker is not None:
            worker = self._worker
            worker.kill()
            self._ended(
                worker,
                f"the bot did not answer within {self._grace_s:g} s of its stop",
                kind="hung",
            )

    def _ended(self, worker: _Worker, ending: str, kind: Failure = "died") -> None:
        if worker is not self._worker:
            return
        self._worker = None
        job, self._current = self._current, None
        if job is not None:
            job.fail(BotFailed(kind, ending))
        elif not worker.ready:
            self._failures += 1
            if self._failures >= START_TRIES:
                self._failures = 0
                for waiting in self._waiting:
                    waiting.fail(BotFailed("died", ending))
                self._waiting.clear()
        self._next()


class GameHandle:
    """One game in the pool, and the bot that plays it."""

    def __init__(self, place: _Place, number: int, about: Message, jobs: itertools.count[int]):
        self._place = place
        self._number = number
        self._about = about
        self._jobs = jobs
        self._job: _Job | None = None
        self._open = True

    async def choose(self, state: State, limit: Limit | Callable[[], Limit]) -> Choice:
        """The bot's answer for `state`, which is only read, within `limit`; a callable is asked
        when the bot starts to think. One move at a time.

        Cancelling the call stops the bot and throws its answer away.

        Raises:
            BotFailed: it brought no legal action.
            PoolClosed: the pool or this game is closed.
        """
        text = state.serialize()

        def write() -> tuple[Message, float | None]:
            now = limit() if callable(limit) else limit
            fields = {name: getattr(now, name) for name in _LIMITS}
            return {"op": "choose", **self._about, "state": text, "limit": fields}, now.time_s

        answer = await self._ask(write)
        if "action" not in answer:
            text = answer.get("failed") or answer["refused"]
            raise BotFailed("raised", f"the bot raised {text}", answer.get("trace", ""))
        action = answer["action"]
        if not state.is_legal(action):
            raise BotFailed("illegal", f"the bot chose {action}, which is not legal now")
        score = answer["score"]
        return Choice(
            action,
            score=score if score is not None and math.isfinite(score) else None,
            pv=tuple(answer["pv"]),
            nodes=answer["nodes"],
            elapsed=answer["elapsed"],
        )

    def stop(self) -> None:
        """Make the bot answer now with what it has."""
        if self._job is not None:
            self._place.stop(self._job)

    def close(self) -> None:
        """The game is over; its bot is thrown away. Again: nothing happens."""
        if self._open:
            self._open = False
            if self._job is not None:
                self._job.fail(PoolClosed("The game was closed while its bot was thinking."))
                self._place.drop(self._job)
            self._place.forget(self._number)

    async def make(self) -> None:
        """Make the bot; `WorkerPool.open_game` has done so."""
        answer = await self._ask(lambda: ({"op": "open", **self._about}, MAKE_S))
        if "refused" in answer:
            raise BotError(answer["refused"])
        if "failed" in answer:
            raise BotError(f"The bot {self._about['spec']} cannot be made: {answer['failed']}.")

    async def _ask(self, write: Callable[[], tuple[Message, float | None]]) -> Message:
        if not self._open:
            raise PoolClosed("The game is closed.")
        if self._job is not None:
            raise RuntimeError("The bot of this game is thinking already.")
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        job = self._job = _Job(next(self._jobs), write, future)
        try:
            self._place.submit(job)
            return await future
        finally:
            self._job = None
            if future.cancelled():
                self._place.drop(job)


class WorkerPool:
    """`workers` processes for the thinking of any number of games; started when first needed.

    `memory_mb` caps the data of each process in MiB, where the system enforces that (a bot that
    wants more fails with a MemoryError); None: no cap. `stop_grace_s` is how long a bot may take
    to answer after its stop flag went up, in seconds.
    """

    def __init__(
        self, workers: int = 1, *, memory_mb: int | None = None, stop_grace_s: float = 2.0
    ) -> None:
        if workers < 1:
            raise ValueError("A pool needs at least one worker.")
        self._places = [_Place(memory_mb, stop_grace_s) for _ in range(workers)]
        self._games = itertools.count(1)
        self._jobs = itertools.count(1)
        self._closed = False

    @property
    def workers(self) -> int:
        """How many bots can think at once."""
        return len(self._places)

    @property
    def pids(self) -> tuple[int, ...]:
        """The ids of the processes that are up."""
        return tuple(place.pid for place in self._places if place.pid is not None)

    async def open_game(self, spec: BotSpec | str, game: Game, seed: int | str) -> GameHandle:
        """A new game, its bot made in one of the processes and drawing from ``Random(seed)``.

        Raises:
            BotError: there is no such bot, it cannot be made, or it does not play this game.
            PoolClosed: the pool is closed.
        """
        if self._closed:
            raise PoolClosed("The workers were shut down.")
        place = min(self._places, key=lambda place: place.games)
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
        """End all processes; what is being thought about is dropped. Again: nothing happens."""
        self._closed = True
        await asyncio.gather(*(place.close() for place in self._places))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.close()
