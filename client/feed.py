"""A bounded queue of updates for one consumer that must never hold up the connection."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from typing import Final, Self

from client.core.updates import Missed, Update

FEED_BOUND: Final = 1024
"""Updates that wait for a slow consumer before they are thrown away for one `Missed`."""


class Feed:
    """The updates from the moment of its making, as an asynchronous iterator.

    The session is always as new as the last message; updates say where to look. So a consumer
    that is more than `bound` updates behind loses them and gets one `Missed`, which means: look
    at everything. The iteration ends when the client does.
    """

    def __init__(self, bound: int = FEED_BOUND) -> None:
        self._bound = bound
        self._waiting: deque[Update] = deque()
        self._news = asyncio.Event()
        self._closed = False

    def put(self, updates: Iterable[Update]) -> None:
        """Add updates; called by the client."""
        if self._closed:
            return
        self._waiting.extend(updates)
        if len(self._waiting) > self._bound:
            self._waiting.clear()
            self._waiting.append(Missed())
        if self._waiting:
            self._news.set()

    def close(self) -> None:
        """End the iteration after what is waiting now."""
        self._closed = True
        self._news.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        while not self._waiting:
            if self._closed:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._waiting.popleft()
