"""A thread that runs functions one after another, for callers in an event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

_Result = TypeVar("_Result")
_Job: TypeAlias = tuple[asyncio.Future[Any], Callable[..., Any], tuple[Any, ...]]


class JobThread:
    """Run jobs in the order in which they were given, whether or not anybody waits for them.

    A job costs the event loop one wake-up of the thread and one callback. `after_job` runs in the
    thread after each job, when its result is on the way already. It must not raise.
    """

    def __init__(self, name: str, after_job: Callable[[], None] = lambda: None) -> None:
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._after_job = after_job
        # A daemon, so that a process can end without closing it.
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._started = False

    def do(self, job: Callable[..., _Result], *args: Any) -> asyncio.Future[_Result]:
        """Queue `job(*args)`; return the future of its result. Call it in an event loop.

        Cancelling the future does not cancel the job.
        """
        if not self._started:
            self._started = True
            self._thread.start()
        future: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._jobs.put((future, job, args))
        return future

    def end(self) -> None:
        """End the thread after all jobs that are queued."""
        self._jobs.put(None)

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            future, job, args = item
            outcome: Any
            try:
                outcome, failed = job(*args), False
            except BaseException as error:  # noqa: BLE001 - the caller gets it
                outcome, failed = error, True
            # The loop may be closed by now; then nobody waits.
            with suppress(RuntimeError):
                future.get_loop().call_soon_threadsafe(_finish, future, outcome, failed)
            # The thread must not keep them until the next job.
            del item, future, job, args, outcome
            self._after_job()


def _finish(future: asyncio.Future[Any], outcome: Any, failed: bool) -> None:
    if future.done():
        return  # cancelled
    if failed:
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
