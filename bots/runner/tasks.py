"""Background tasks of a runner, requests to stop it, and signals."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable, Coroutine, Iterator, Mapping
from datetime import datetime
from typing import Any

from doublecross.client.core.errors import ClientError

log = logging.getLogger(__name__)


def local_now() -> datetime:
    """Return the time of this machine's clock, in its own time zone."""
    return datetime.now().astimezone()


class StopRequests:
    """Collects requests to stop a runner.

    The first request sets `requested` and `no_new_games`: the runner begins no new games. The
    second one sets `at_once`: it ends at once. `changed` is set whenever the wait for running games
    may be over or has a limit; the task that waits for it clears it.
    """

    def __init__(self) -> None:
        self.requested = False
        self.no_new_games = asyncio.Event()
        self.at_once = asyncio.Event()
        self.changed = asyncio.Event()

    def request(self) -> None:
        """Request a stop; the second request is one to stop at once."""
        if self.requested:
            log.info("Stopping at once.")
            self.at_once.set()
        else:
            log.info("Stopping: no new games.")
            self.requested = True
            self.no_new_games.set()
        self.changed.set()

    def end_new_games(self) -> None:
        """Begin no new games, because there is nothing more to do."""
        self.no_new_games.set()


class Tasks:
    """Runs coroutines in the background, logs their errors, and calls `done` after each."""

    def __init__(self, done: Callable[[], None]) -> None:
        self._done = done
        self._tasks: set[asyncio.Task[None]] = set()

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run `coroutine` in the background."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def end(self, patience_s: float) -> None:
        """Wait up to `patience_s` seconds for the running tasks, and cancel the rest."""
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
            log.error("Unexpected error in the runner.", exc_info=error)


async def finishes_before(task: asyncio.Future[Any], stop: asyncio.Event) -> bool:
    """Wait for `task` and return True, or cancel it and return False if `stop` is set first.

    An error of the task is raised.
    """
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
def on_signals(handlers: Mapping[str, Callable[[], None]]) -> Iterator[None]:
    """Call the handler of each signal, such as ``SIGINT``, while the context lasts.

    Nothing changes for signals that the system does not have, and where the event loop cannot
    handle signals.
    """
    loop = asyncio.get_running_loop()
    taken = []
    for name, handler in handlers.items():
        with contextlib.suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
            number = getattr(signal, name)
            loop.add_signal_handler(number, handler)
            taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)
