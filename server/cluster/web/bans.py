"""Keep the bans at each node: refuse banned addresses, and end the connections of banned players.

The leader stores bans and notifies all nodes, which then read them again. Nodes also read them from
time to time, because such a notice can be lost.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Final

import structlog

from doublecross.protocol.version import CloseCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Ban
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.accounts.bans import Bans
from doublecross.server.shell.peer import Peer

READ_S: Final = 15.0
"""Seconds between two readings without a notice."""
RETRY_S: Final = 1.0
"""Seconds until bans that could not be read are read again."""
CHANGED: Final = "bans"
"""The name of the call that says that bans have changed."""

_log = structlog.get_logger("cluster")


class NodeBans:
    """Keep the bans of a cluster. `read` reads them all, and `peers` returns the connections here.

    `date` returns milliseconds since 1970, UTC.
    """

    def __init__(
        self,
        read: Callable[[], Awaitable[Sequence[Ban]]],
        peers: Callable[[], Iterable[Peer]],
        date: Callable[[], int],
    ) -> None:
        self.known = Bans(date)
        self._read = read
        self._peers = peers
        self._rows: list[Ban] = []
        self._wake = asyncio.Event()

    def changed(self, run: str, value: Any) -> None:
        """Read the bans again soon; this handles the call `CHANGED`."""
        self._wake.set()

    async def run(self) -> None:
        """Read the bans, again and again."""
        while True:
            self._wake.clear()
            wait_s = READ_S
            try:
                await self.load()
            except StoreError as error:
                _log.warning("bans_not_read", reason=str(error))
                wait_s = RETRY_S
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()

    async def load(self) -> None:
        """Read the bans, and end the connections that they concern.

        Raises:
            StoreError: the database failed.
        """
        rows = list(await self._read())
        if rows == self._rows:
            return
        self._rows = rows
        self.known.load(rows)
        for peer in list(self._peers()):
            try:
                self.known.check_address(peer.address)
                self.known.check_account(peer.rights.account_id, peer.rights.run_by)
            except Refused as refused:
                peer.end(CloseCode.REVOKED, refused.sentence)
