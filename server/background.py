"""Tasks that run beside their caller: kept alive, and ended together."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


class BackgroundTasks:
    """Own the tasks that nobody awaits.

    The event loop keeps only weak references to its tasks, so somebody has to hold them. The work
    must handle its own errors.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` beside the caller."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        """Cancel everything that still runs."""
        for task in list(self._tasks):
            task.cancel()

    async def close(self) -> None:
        """Cancel everything that still runs and wait until it has ended."""
        tasks = list(self._tasks)
        self.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
