"""Queue updates for one consumer, with a bound, so that it never holds up the connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Final, Self

from doublecross.client.core.updates import Missed, Update

FEED_BOUND: Final = 1024
"""How many updates wait for a slow consumer before one `Missed` replaces them all."""


class Feed:
    """An asynchronous iterator over the updates since its creation.

    The session always shows the state after the last message; updates only name what changed. A
    consumer that is more than `bound` updates behind can therefore lose them: it gets one `Missed`
    instead, and must read the whole session again. The iteration ends when the connection ends for
    good.
    """

    def __init__(self, bound: int = FEED_BOUND) -> None:
        self._bound = bound
        self._waiting: deque[Update] = deque()
        self._ready = asyncio.Event()
        self._closed = False

    def put(self, updates: Iterable[Update]) -> None:
        """Add updates; the client calls this."""
        if self._closed:
            return
        self._waiting.extend(updates)
        if len(self._waiting) > self._bound:
            self._waiting.clear()
            self._waiting.append(Missed())
        if self._waiting:
            self._ready.set()

    def close(self) -> None:
        """End the iteration after the updates that are waiting now."""
        self._closed = True
        self._ready.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        while not self._waiting:
            if self._closed:
                raise StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()
        return self._waiting.popleft()
