"""Hubs in memory that carry calls, as bytes like the real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

from nats.errors import NoRespondersError

from doublecross.server.cluster.links.hub import Hub

MOST_BYTES = 1 << 20


class Wires:
    """All runs. `down` cannot be reached; `most` is the longest message that was sent."""

    def __init__(self) -> None:
        self.runs: dict[str, Wired] = {}
        self.down: set[str] = set()
        self.most = 0

    def join(self, run: str) -> Hub:
        self.runs[run] = wired = Wired(self, run)
        return cast("Hub", wired)

    def reset(self, run: str) -> None:
        """Break the links to a run."""
        for wired in self.runs.values():
            for tell in wired.on_reset:
                tell(run)


class Wired:
    """The calls of one run; see `Hub`."""

    most_bytes = MOST_BYTES

    def __init__(self, wires: Wires, run: str) -> None:
        self._wires = wires
        self.run = run
        self.on_call: Callable[[Any], Awaitable[None]] | None = None
        self.on_reset: list[Callable[[str], None]] = []

    def reachable(self) -> list[str]:
        return sorted(self._wires.runs.keys() - self._wires.down - {self.run})

    async def request(self, run: str, payload: bytes, timeout_s: float) -> bytes:
        take = self._wires.runs[run].on_call
        if take is None:
            raise NoRespondersError
        message = Message(payload)
        await take(message)
        answer = await message.answer
        self._wires.most = max(self._wires.most, len(payload), len(answer))
        return answer


class Message:
    """A request under way."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def respond(self, answer: bytes) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)
