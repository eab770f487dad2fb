"""Keep long-lived tasks running: restart one that fails, and give up when that does not help.

A task that ends by an error is started again after a short pause. One that keeps failing, or that
cannot be continued, makes the supervisor give up: `failed` then has a sentence for the host, and
the server ends, so that whatever started it can start it again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog

RESTARTS: Final = 5
"""How often one task may be restarted within `WINDOW_S`."""
WINDOW_S: Final = 60.0
"""Failures longer ago than this, in seconds, are forgotten."""
PAUSE_S: Final = 0.2
"""Seconds before a task is started again."""

_log = structlog.get_logger("supervisor")


class UnrecoverableError(Exception):
    """Raised by a task that cannot be continued.

    The message tells the host what happened and what to do.
    """


class Supervisor:
    """Run long-lived tasks by name, and know which of them are down."""

    def __init__(self, pause_s: float = PAUSE_S) -> None:
        self._pause_s = pause_s
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._down: dict[str, str] = {}
        self._stopping = False
        self.failed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Done when the supervisor has given up, with the reason in one sentence."""

    @property
    def tasks(self) -> Mapping[str, asyncio.Task[None]]:
        """The tasks by name."""
        return self._tasks

    @property
    def down(self) -> Mapping[str, str]:
        """The reasons why tasks are down, by the names of the tasks."""
        return self._down

    def watch(
        self, name: str, work: Callable[[], Awaitable[None]], *, restarts: int = RESTARTS
    ) -> None:
        """Run `work()` as a task that must not end before `stopping` is called."""
        task = asyncio.get_running_loop().create_task(self._run(name, work, restarts), name=name)
        task.add_done_callback(self._note_end)
        self._tasks[name] = task

    def _note_end(self, task: asyncio.Task[None]) -> None:
        """Give up when supervising itself has failed, for example because a log call raised."""
        error = None if task.cancelled() else task.exception()
        if error is not None and not self.failed.done():
            self._down[task.get_name()] = str(error)
            self.failed.set_result(_hopeless(f"its task {task.get_name()!r} has ended: {error}"))

    async def _run(self, name: str, work: Callable[[], Awaitable[None]], restarts: int) -> None:
        loop = asyncio.get_running_loop()
        failures: deque[float] = deque()
        while True:
            try:
                # In a task of its own, so that its steps do not pass through this one.
                await asyncio.ensure_future(work())
                if self._stopping:
                    return
                reason = "it has ended"
                _log.error("task_ended", task=name)
            except UnrecoverableError as error:
                self._down[name] = str(error)
                self._give_up(str(error))
                return
            except (Exception, asyncio.CancelledError) as error:
                current = asyncio.current_task()
                assert current is not None
                if isinstance(error, asyncio.CancelledError) and current.cancelling():
                    raise  # by `cancel`; otherwise the task has cancelled something of its own
                reason = f"{type(error).__name__}: {error}"
                _log.exception("task_failed", task=name)
                if self._stopping:
                    return
            self._down[name] = reason
            failures.append(loop.time())
            while failures[0] < failures[-1] - WINDOW_S:
                failures.popleft()
            if len(failures) > restarts:
                self._give_up(_hopeless(f"its task {name!r} fails: {reason}"))
                return
            await asyncio.sleep(self._pause_s)
            if self._stopping:
                return
            del self._down[name]
            _log.warning("task_restarted", task=name)

    def _give_up(self, sentence: str) -> None:
        if not self.failed.done():
            self.failed.set_result(sentence)
        _log.critical("server_failed", reason=sentence)

    def stopping(self) -> None:
        """Let tasks end from now on, and restart none."""
        self._stopping = True

    def cancel(self, *names: str) -> None:
        """Cancel the tasks with these names, or all tasks."""
        for name in names or tuple(self._tasks):
            if name in self._tasks:
                self._tasks[name].cancel()

    async def close(self, timeout_s: float) -> None:
        """Wait until all tasks have ended; cancel those that have not after `timeout_s`."""
        self._stopping = True
        tasks = list(self._tasks.values())
        if tasks:
            _, pending = await asyncio.wait(tasks, timeout=timeout_s)
            for task in pending:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _hopeless(reason: str) -> str:
    """Return what to tell the host when a new start may help."""
    what = reason.rstrip(".")
    return f"The server cannot go on, because {what}. Start it again to continue all games."
