"""Calls between runs in memory, which carry what msgpack can carry."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import msgpack

from doublecross.server.cluster.links.calls import (
    CallTimeoutError,
    FailedError,
    Handler,
    LinkDownError,
    LinkResetError,
    RefusedError,
)


class Wires:
    """All runs. `down` cannot be reached; `most` is the longest message that was sent."""

    def __init__(self) -> None:
        self.runs: dict[str, Wired] = {}
        self.down: set[str] = set()
        self.most = 0
        self.lost: asyncio.Event | None = None
        """Set it to lose all calls that are under way."""

    def join(self, run: str) -> Wired:
        self.runs[run] = wired = Wired(self, run)
        return wired

    def packed(self, value: Any) -> Any:
        """Return what arrives of a value."""
        data = msgpack.packb(value)
        self.most = max(self.most, len(data))
        return msgpack.unpackb(data)


class Wired:
    """The calls of one run; see `server/cluster/links/calls.py`."""

    def __init__(self, wires: Wires, run: str) -> None:
        self._wires = wires
        self._run = run
        self._handlers: dict[str, Handler] = {}

    def serve(self, name: str, handler: Handler) -> None:
        self._handlers[name] = handler

    async def call(self, run: str, name: str, value: Any, timeout_s: float) -> Any:
        wires = self._wires
        if run in wires.down or run not in wires.runs:
            raise LinkDownError(run)
        sent = wires.packed(value)
        working = asyncio.ensure_future(wires.runs[run]._handle(self._run, name, sent))
        lost = asyncio.ensure_future((wires.lost or asyncio.Event()).wait())
        try:
            async with asyncio.timeout(timeout_s):
                await asyncio.wait((working, lost), return_when=asyncio.FIRST_COMPLETED)
        except TimeoutError:
            raise CallTimeoutError(name) from None
        finally:
            lost.cancel()
        if not working.done():
            raise LinkResetError(run)
        return wires.packed(working.result())

    async def _handle(self, run: str, name: str, value: Any) -> Any:
        try:
            result = self._handlers[name](run, value)
            return await result if inspect.isawaitable(result) else result
        except RefusedError:
            raise
        except Exception as error:
            raise FailedError(repr(error)) from error

    async def close(self) -> None:
        """Do nothing."""
