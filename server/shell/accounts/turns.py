"""Let the requests that change one account take turns.

Such a request reads the account, waits for a password to be hashed, and writes. Without turns, the
change of another request in between would be overwritten, or a former password would still let
somebody in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class Turns:
    """Give each account to one request at a time."""

    def __init__(self) -> None:
        # A lock is forgotten when nobody holds it or waits for it any more.
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def of(self, account_id: str) -> AsyncIterator[None]:
        """Wait until no other request has the account, and keep it until the end of the block."""
        lock = self._locks.get(account_id)
        if lock is None:
            lock = self._locks[account_id] = asyncio.Lock()
        async with lock:
            yield
