"""Call another run or the own one, and wait for its answer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Collection
from typing import Any, Protocol

import structlog

from doublecross.server.background import BackgroundTasks
from doublecross.server.cluster.links.calls import CallError, Handler

_log = structlog.get_logger("cluster")


class Calling(Protocol):
    """The transport of calls to other runs; `server/cluster/links/calls.py` implements it."""

    def serve(self, name: str, handler: Handler) -> None:
        """Let `handler` answer the calls with this name."""

    async def call(self, run: str, name: str, value: Any, timeout_s: float) -> Any:
        """Return the answer of another run.

        Raises:
            CallError: there is no answer.
        """

    async def close(self) -> None:
        """End the handling of all calls, and fail those that wait."""


class NodeCalls:
    """The calls of a node. `reachable` returns the other runs to which a link is up."""

    def __init__(self, own: str, calls: Calling, reachable: Callable[[], Collection[str]]) -> None:
        self.own = own
        self._calls = calls
        self._reachable = reachable
        self._handlers: dict[str, Handler] = {}
        self._tasks = BackgroundTasks()

    def serve(self, name: str, handler: Handler) -> None:
        """Let `handler` answer the calls with this name, those of the own run included."""
        self._handlers[name] = handler
        self._calls.serve(name, handler)

    async def call(self, run: str, name: str, value: Any, timeout_s: float) -> Any:
        """Return the answer of a run.

        Raises:
            CallError: there is no answer; see `server/cluster/links/calls.py`.
        """
        if run != self.own:
            return await self._calls.call(run, name, value, timeout_s)
        result = self._handlers[name](run, value)
        return await result if inspect.isawaitable(result) else result

    async def ask_all(self, name: str, value: Any, timeout_s: float) -> dict[str, Any]:
        """Return the answers of all runs that can be reached and answer, by run."""
        runs = [self.own, *self._reachable()]

        async def one(run: str) -> Any:
            try:
                return await self.call(run, name, value, timeout_s)
            except CallError as error:
                _log.warning("node_not_asked", run=run, what=name, reason=str(error))
                return None

        pairs = zip(runs, await asyncio.gather(*map(one, runs)), strict=True)
        return {run: answer for run, answer in pairs if answer is not None}

    def tell_all(self, name: str, value: Any, timeout_s: float) -> None:
        """Send a call to all runs that can be reached; ignore their answers."""
        self._tasks.start(self._tell(name, value, timeout_s))

    async def _tell(self, name: str, value: Any, timeout_s: float) -> None:
        await self.ask_all(name, value, timeout_s)

    async def close(self) -> None:
        """End all calls."""
        await self._tasks.close()
        await self._calls.close()
