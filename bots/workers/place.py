"""One place of a worker pool: a process at a time, and the jobs that wait for it.

Theory of operation
-------------------
A place works off its jobs (make a bot, choose a move) one at a time in the order in which they
came. A job is written when it starts, so that time spent waiting can be taken off its limit.

A job's stop flag goes up when its time is over or `WorkerPlace.stop` is called. A bot that has not
answered some seconds later hangs: its process is killed. When a process dies, for whatever reason,
the job in it is what failed; the jobs that waited behind it are done by a new process.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import deque
from collections.abc import Callable
from typing import Final

from bots.workers.errors import BotFailed, Failure, PoolClosed
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


@dataclasses.dataclass(eq=False, slots=True)
class PoolJob:
    """One request for a process. `write` makes it, and says the seconds it may take (None: no
    end), when its turn comes."""

    number: int
    write: Callable[[], tuple[Message, float | None]]
    future: asyncio.Future[Message]
    stopped: bool = False
    timers: list[asyncio.TimerHandle] = dataclasses.field(default_factory=list)

    def disarm(self) -> None:
        """Cancel what its time would do."""
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def fail(self, error: Exception) -> None:
        """End it without an answer."""
        self.disarm()
        if not self.future.done():
            self.future.set_exception(error)


@dataclasses.dataclass(eq=False, slots=True)
class _Worker:
    """A process of the pool, from before it is started until it has ended."""

    child: Child | None = None
    ready: bool = False

    def send(self, *messages: Message) -> None:
        assert self.child is not None
        self.child.send(*messages)

    def kill(self) -> None:
        assert self.child is not None
        self.child.kill()


class WorkerPlace:
    """Does jobs one after another, in a process that it starts when the first one comes.

    `games` counts the games that are opened here. `memory_mb` limits the data of the process, in
    MiB. `stop_grace_s` is how long a bot may take to answer after its stop flag went up, in
    seconds.
    """

    def __init__(self, memory_mb: int | None, stop_grace_s: float) -> None:
        self.games = 0
        self._memory_mb = memory_mb
        self._grace_s = stop_grace_s
        self._waiting: deque[PoolJob] = deque()
        self._current: PoolJob | None = None
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

    def submit(self, job: PoolJob) -> None:
        """Do `job` when its turn comes; `job.future` gets the answer."""
        self._waiting.append(job)
        self._next()

    def stop(self, job: PoolJob) -> None:
        """Raise the stop flag of `job`; one that waits is stopped as soon as it starts."""
        if job.stopped:
            return
        job.stopped = True
        if job is self._current and self._worker is not None:
            self._worker.send({"op": "stop", "job": job.number})
            self._arm(job, self._grace_s, lambda: self._hung(job))

    def drop(self, job: PoolJob) -> None:
        """Nobody waits for `job` any more."""
        if job in self._waiting:
            self._waiting.remove(job)
        elif job is self._current:
            self.stop(job)

    def forget(self, game: int) -> None:
        """The game is over: its bot can go."""
        self.games -= 1
        if self._worker is not None and self._worker.ready:
            self._worker.send({"op": "close", "game": game})

    async def close(self) -> None:
        """Fail all jobs and end the process."""
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
            worker.send(message, {"op": "stop", "job": job.number})
            self._arm(job, self._grace_s, lambda: self._hung(job))
            return
        worker.send(message)
        if time_s is not None:
            self._arm(job, time_s, lambda: self.stop(job))

    def _arm(self, job: PoolJob, after_s: float, then: Callable[[], object]) -> None:
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
            while (message := await child.receive()) is not None:
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

    def _hung(self, job: PoolJob) -> None:
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
