"""One place of a worker pool: at most one process, and the jobs that wait for it.

Theory of operation
-------------------
A place does its jobs (make a bot, choose a move) one at a time in the order of their arrival. The
message for a job is written when the job starts, so its limit can take the waiting time into
account. A job in the background, in which a bot thinks on its opponent's time, starts when no other
job waits. It is stopped as soon as another one arrives.

The stop flag of a job is set when its time is over or when `WorkerPlace.stop` is called. If the bot
has not answered some seconds later, its process is killed. When a process ends for any reason, its
current job fails, and a new process does the waiting jobs.
"""

from __future__ import annotations

import asyncio
import dataclasses
import sys
from collections import deque
from collections.abc import Callable
from typing import Final

from doublecross.bots.errors import BotFailed, Failure, PoolClosed
from doublecross.processes.child import Child, Message

START_S: Final = 60.0
"""Seconds that a process has to start."""
MAKE_S: Final = 300.0
"""Seconds to make a bot; the first bot on a machine may have to compile its kernels."""
_OUTPUT_LINES: Final = 20
"""How many of the last lines of a process are kept."""
START_TRIES: Final = 3
"""The number of processes in a row that may fail to start before all waiting jobs fail."""
_UNWANTED_S: Final = 0.5
"""Seconds that a bot has to answer after its stop flag was set, if nobody waits for the answer."""
_CLOSE_S: Final = 2.0
"""Seconds that an idle process has to end when the pool is closed."""
_CLOSE_BUSY_S: Final = 0.2
"""Seconds that a process has to end when the pool is closed while a bot is thinking."""


@dataclasses.dataclass(eq=False, slots=True)
class PoolJob:
    """One request for a worker process.

    `write` is called when the job starts. It returns the message and the time for the job in
    seconds (None: no limit). `future` receives the answer. Other jobs come before a job in the
    `background`, and stop it.
    """

    number: int
    write: Callable[[], tuple[Message, float | None]]
    future: asyncio.Future[Message]
    background: bool = False
    stopped: bool = False
    timers: list[asyncio.TimerHandle] = dataclasses.field(default_factory=list)

    def cancel_timers(self) -> None:
        """Cancel the timers that would stop the job or kill its process."""
        for timer in self.timers:
            timer.cancel()
        self.timers.clear()

    def fail(self, error: Exception) -> None:
        """End the job with an error."""
        self.cancel_timers()
        if not self.future.done():
            self.future.set_exception(error)


@dataclasses.dataclass(eq=False, slots=True)
class _Worker:
    """A process of the pool, from before its start until its end."""

    child: Child | None = None
    ready: bool = False

    def send(self, *messages: Message) -> None:
        assert self.child is not None
        self.child.send(*messages)

    def kill(self) -> None:
        assert self.child is not None
        self.child.kill()


class WorkerPlace:
    """Does jobs one after another, in a process that it starts for the first job.

    `games` counts the open games of this place. `memory_mb` limits the data of the process, in MiB.
    `stop_grace_s` is how long a bot may take to answer after its stop flag was set, in seconds.
    With `keeps_output` the last lines of standard error are the trace of a failure.
    """

    def __init__(
        self, memory_mb: int | None, stop_grace_s: float, keeps_output: bool = False
    ) -> None:
        self.games = 0
        self._output: deque[str] | None = deque(maxlen=_OUTPUT_LINES) if keeps_output else None
        self._memory_mb = memory_mb
        self._grace_s = stop_grace_s
        self._waiting: deque[PoolJob] = deque()
        self._background: deque[PoolJob] = deque()
        self._current: PoolJob | None = None
        self._worker: _Worker | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._close_s = _CLOSE_S
        self._failures = 0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id, None while no process is ready."""
        worker = self._worker
        return worker.child.pid if worker is not None and worker.child and worker.ready else None

    @property
    def ready(self) -> bool:
        """Return whether a process is ready and no bot in it thinks longer than it should."""
        job = self._current
        return self._worker is not None and self._worker.ready and not (job and job.stopped)

    def submit(self, job: PoolJob) -> None:
        """Do `job` after the jobs before it; `job.future` receives the answer."""
        (self._background if job.background else self._waiting).append(job)
        if self._current is not None and self._current.background and not job.background:
            self.stop(self._current)
        self._next()

    def stop(self, job: PoolJob) -> None:
        """Set the stop flag of `job`; a waiting job is stopped as soon as it starts."""
        if job.stopped:
            return
        job.stopped = True
        if job is self._current and self._worker is not None:
            self._worker.send({"op": "stop", "job": job.number})
            self._expect_answer(job)

    def drop(self, job: PoolJob) -> None:
        """Remove or stop `job`, because nobody waits for its answer any more."""
        queue = self._background if job.background else self._waiting
        if job in queue:
            queue.remove(job)
        elif job is self._current:
            # Other games may wait for this process. A bot that was stopped before may hang, and its
            # timer may have ended with the job.
            self.stop(job)
            self._expect_answer(job, wanted=False)

    def forget(self, game: int) -> None:
        """Forget the bot of `game`, which is over."""
        self.games -= 1
        if self._worker is not None and self._worker.ready:
            self._worker.send({"op": "close", "game": game})

    async def close(self) -> None:
        """Fail all jobs and end the process."""
        self._closed = True
        # First the jobs, so that their callers learn this reason and no other.
        for job in (*self._waiting, *self._background, *filter(None, [self._current])):
            job.fail(PoolClosed("The workers were shut down."))
        self._waiting.clear()
        self._background.clear()
        if self._current is not None:
            self._close_s = _CLOSE_BUSY_S
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._worker = self._current = None

    # -- implementation ----------------------------------------------------------------------

    def _next(self) -> None:
        queue = self._waiting or self._background
        if self._current is not None or not queue or self._closed:
            return
        worker = self._worker
        if worker is None:
            self._start()
            return
        # The first message of the process calls this method again.
        if not worker.ready:
            return
        job = self._current = queue.popleft()
        try:
            message, time_s = job.write()
        except Exception as error:  # noqa: BLE001 - the caller's limit raised it
            self._current = None
            job.fail(error)
            self._next()
            return
        message["job"] = job.number
        if job.stopped:
            # A job that was stopped while it waited still needs an answer, so it starts and stops
            # at once.
            worker.send(message, {"op": "stop", "job": job.number})
            self._expect_answer(job)
            return
        worker.send(message)
        if time_s is not None:
            self._start_timer(job, time_s, lambda: self.stop(job))

    def _expect_answer(self, job: PoolJob, *, wanted: bool = True) -> None:
        """Kill the process if `job`, whose stop flag is set, has no answer for too long."""
        wait_s = self._grace_s
        if job.background or not wanted:
            wait_s = min(wait_s, _UNWANTED_S)
        self._start_timer(job, wait_s, lambda: self._handle_hang(job, wait_s))

    def _start_timer(self, job: PoolJob, after_s: float, then: Callable[[], object]) -> None:
        job.timers.append(asyncio.get_running_loop().call_later(after_s, then))

    def _start(self) -> None:
        worker = self._worker = _Worker()
        task = asyncio.get_running_loop().create_task(self._run(worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, worker: _Worker) -> None:
        """Run a process from its start to its end."""
        try:
            child = worker.child = await Child.start(
                "The worker process",
                "doublecross.bots.workers.child",
                on_error_line=None if self._output is None else self._note_output,
                expendable=True,
                memory_mb=self._memory_mb,
            )
        except OSError as error:
            self._process_ended(worker, f"the worker process could not be started ({error})")
            return
        start_timer = asyncio.get_running_loop().call_later(START_S, self._check_started, worker)
        try:
            while (message := await child.receive()) is not None:
                self._receive(worker, message)
            self._process_ended(worker, f"the worker process {await child.how_it_ended()}")
        finally:
            start_timer.cancel()
            await child.stop(self._close_s)

    def _note_output(self, line: str) -> None:
        """Keep a line of standard error, and pass it on."""
        assert self._output is not None
        self._output.append(line)
        sys.stderr.write(f"{line}\n")

    def _check_started(self, worker: _Worker) -> None:
        if worker is self._worker and not worker.ready:
            worker.kill()
            self._process_ended(worker, f"the worker process did not start in {START_S:.0f} s")

    def _receive(self, worker: _Worker, message: Message) -> None:
        # Messages of a process that was given up may still arrive.
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
            job.cancel_timers()
            if not job.future.done():
                job.future.set_result(message)
            self._next()

    def _handle_hang(self, job: PoolJob, grace_s: float) -> None:
        if job is self._current and self._worker is not None:
            worker = self._worker
            worker.kill()
            self._process_ended(
                worker,
                f"the bot did not answer within {grace_s:g} s after it was stopped",
                kind="hung",
            )

    def _process_ended(self, worker: _Worker, ending: str, kind: Failure = "died") -> None:
        # The end of a process that was killed has been handled already.
        if worker is not self._worker:
            return
        self._worker = None
        job, self._current = self._current, None
        if job is not None:
            job.fail(BotFailed(kind, ending, "\n".join(self._output or ())))
        elif not worker.ready:
            self._failures += 1
            if self._failures >= START_TRIES:
                self._failures = 0
                for waiting in (*self._waiting, *self._background):
                    waiting.fail(BotFailed("died", ending))
                self._waiting.clear()
                self._background.clear()
        self._next()
