"""Let many peers share a scarce resource evenly: the peer that asks most waits longest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Final

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused

MOST_EACH: Final = 64
"""How many requests of one peer may wait."""


class FairTurns:
    """Give turns, at most `at_once` at the same time, and one at the same time to each peer.

    Each peer waits in the common queue with one request only, so a peer that sends many requests
    does not delay the others.
    """

    def __init__(self, at_once: int) -> None:
        self._common = asyncio.Semaphore(at_once)
        self._own: dict[Hashable, asyncio.Lock] = {}
        self._asked: dict[Hashable, int] = {}

    @property
    def waiting(self) -> int:
        """How many requests wait or have their turn."""
        return sum(self._asked.values())

    @asynccontextmanager
    async def turn(self, peer: Hashable) -> AsyncIterator[None]:
        """Wait for a turn of `peer` and hold it.

        Raises:
            Refused: too many requests of this peer wait already.
        """
        asked = self._asked.get(peer, 0)
        if asked >= MOST_EACH:
            raise Refused(
                ErrorCode.RATE_LIMITED,
                "{most} of your requests for records wait already; ask again when they are"
                " answered.",
                MOST_EACH,
            )
        self._asked[peer] = asked + 1
        try:
            # First its own lock, so that a peer has only one place in the common queue.
            async with self._own.setdefault(peer, asyncio.Lock()), self._common:
                yield
        finally:
            self._asked[peer] -= 1
            # Otherwise peers who have gone would take memory for ever.
            if not self._asked[peer]:
                del self._asked[peer]
                self._own.pop(peer, None)
