"""Reviews of a server: judges finished games in child processes, which start on demand."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Callable
from typing import Final

import structlog

from doublecross.bots.judging.process import NoReviewError, ReviewProcess
from doublecross.bots.judging.version import JUDGE_VERSION
from doublecross.bots.registry import NETWORKS
from doublecross.cli.shared.console import Problem
from doublecross.processes.child import ChildEnded
from doublecross.processes.installation import how_to_add
from doublecross.protocol.version import MAX_OUTBOUND_BYTES
from doublecross.server.background import BackgroundTasks
from doublecross.server.core.review_queue import ReviewOrder
from doublecross.server.shell.analysis.reviews import MadeReport, ReviewFailedError, WorkerDiedError

MOST_BYTES: Final = MAX_OUTBOUND_BYTES - 4096
"""The most bytes of a report; the rest of its message to clients has less than the difference."""
IDLE_S: Final = 300.0
"""Seconds without a game after which a process ends."""
STOP_S: Final = 10.0
"""Seconds in which a process must have stopped to judge a game; then it is killed."""
_TITLE: Final = "The process that judges games"

_log = structlog.get_logger("reviews")


class ServerReviewer:
    """Judges games in up to `workers` processes. Call all methods in one event loop."""

    version = JUDGE_VERSION

    def __init__(self, workers: int) -> None:
        self.workers = workers
        # The process that worked last comes next, so the others can end.
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        self._all = [_Worker() for _ in range(workers)]
        for worker in self._all:
            self._free.put_nowait(worker)
        self._stopping = BackgroundTasks()

    def problem(self, game: str, moves: int) -> str:
        """Return why a game cannot be judged.

        See `doublecross.server.shell.analysis.reviews.Reviewer`.
        """
        # Whether a board of another game is small enough, the process finds out at once.
        return "" if moves else "This game has no moves, so there is nothing to review."

    async def judge(self, order: ReviewOrder, progress: Callable[[int], None]) -> MadeReport:
        """Judge a game; see `doublecross.server.shell.analysis.reviews.Reviewer`.

        Raises:
            ReviewFailedError: the game cannot be judged.
            WorkerDiedError: the process ended, or could not be started.
        """
        worker = await self._free.get()
        finished = False
        try:
            process = await worker.begin()
            made = await process.judge(order.record, progress, most_bytes=MOST_BYTES)
            finished = True
        except NoReviewError as refused:
            finished = True
            raise ReviewFailedError(str(refused)) from None
        except ChildEnded as ended:
            await worker.end()
            raise WorkerDiedError(str(ended)) from None
        finally:
            if not finished and worker.process is not None:
                # Nobody waits for this game any more, but the process still judges it.
                self._stopping.start(self._stop(worker, worker.process))
            else:
                self._release(worker)
        return MadeReport(made.text, made.packed)

    async def close(self) -> None:
        """End all processes."""
        await self._stopping.close()
        await asyncio.gather(*(worker.end() for worker in self._all))

    async def _stop(self, worker: _Worker, process: ReviewProcess) -> None:
        """Let a process stop to judge a game; kill it if that takes too long."""
        try:
            async with asyncio.timeout(STOP_S):
                await process.give_up()
        except (TimeoutError, ChildEnded):
            await worker.end(kill=True)
        self._release(worker)

    def _release(self, worker: _Worker) -> None:
        worker.rest()
        self._free.put_nowait(worker)


class _Worker:
    """The place of one process; `begin` starts the process if there is none."""

    def __init__(self) -> None:
        self.process: ReviewProcess | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._ending = BackgroundTasks()

    async def begin(self) -> ReviewProcess:
        """Return the process.

        Raises:
            WorkerDiedError: it could not be started.
        """
        self._stop_timer()
        if self.process is None or not self.process.is_running:
            await self.end()
            try:
                self.process = await ReviewProcess.start(
                    _TITLE, lambda line: _log.info("review_process", line=line), expendable=True
                )
            except OSError as error:
                reason = error.strerror or error
                raise WorkerDiedError(f"{_TITLE} cannot be started: {reason}.") from None
        return self.process

    def rest(self) -> None:
        """End the process after a while."""
        self._stop_timer()
        if self.process is not None:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(IDLE_S, lambda: self._ending.start(self.end()))

    async def end(self, *, kill: bool = False) -> None:
        """End the process, if there is one."""
        self._stop_timer()
        process, self.process = self.process, None
        if process is not None:
            await process.end(kill=kill)

    def _stop_timer(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None


def server_reviewer(workers: int | None) -> ServerReviewer | None:
    """Return a reviewer with so many processes; None if there shall be none.

    Without a number there is one process, if the machine has a second processor core for the games
    and the packages for judging are installed.

    Raises:
        Problem: a package is missing, although `workers` asks for processes.
    """
    missing = [name for name in NETWORKS if importlib.util.find_spec(name) is None]
    if workers is None:
        workers = 0 if missing or cores() < 2 else 1
    if workers and missing:
        raise Problem(
            f"Reviews need packages that are not installed ({', '.join(missing)}):"
            f" {how_to_add('engines')}"
        )
    return ServerReviewer(workers) if workers else None


def cores() -> int:
    """Return how many processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
