"""What runs beside everything else, and what ends it: a request to stop, and signals."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from client.core.errors import ClientError

log = logging.getLogger(__name__)


class StopRequests:
    """Requests to a runner to stop. The first one ends the taking of new games, the second one
    ends it at once.

    `no_more` and `at_once` are set by these. `news` is set whenever something has happened that
    may end the wait for running games; who waits for it clears it.
    """

    def __init__(self) -> None:
        self.no_more = asyncio.Event()
        self.at_once = asyncio.Event()
        self.news = asyncio.Event()

    def ask(self) -> None:
        """Take a request."""
        if self.no_more.is_set():
            log.info("Stopping at once.")
            self.at_once.set()
            self.news.set()
        else:
            log.info("Stopping: no new games.")
            self.no_more.set()

    def begin_no_more(self) -> None:
        """Take no new games, because there is nothing more to do."""
        self.no_more.set()


class Tasks:
    """A set of running coroutines, whose errors are logged; `done` is called after each."""

    def __init__(self, done: Callable[[], None]) -> None:
        self._done = done
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run `coroutine`."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def end(self, patience_s: float) -> None:
        """Wait `patience_s` seconds for what is running and cancel the rest."""
        tasks = tuple(self._tasks)
        if tasks and patience_s > 0:
            await asyncio.wait(tasks, timeout=patience_s)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._done()
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, ClientError | TimeoutError):
            log.info("%s", error)
        else:
            log.error("A bug of the runner.", exc_info=error)


async def finished(task: asyncio.Future[Any], stop: asyncio.Event) -> bool:
    """Wait for `task`, and raise its error; false, and it is cancelled, when `stop` is set
    before."""
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({task, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            return False
        task.result()
        return True
    finally:
        stopping.cancel()
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


@contextlib.contextmanager
def on_signals(stop: Callable[[], None] | None) -> Iterator[None]:
    """Call `stop` on each SIGINT and SIGTERM meanwhile, where the event loop can; None: leave
    them alone."""
    loop = asyncio.get_running_loop()
    taken = []
    for number in (signal.SIGINT, signal.SIGTERM):
        if stop is None:
            break
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, stop)
            taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)
