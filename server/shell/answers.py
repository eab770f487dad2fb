"""Answer requests as the storage allows: refuse them, or wait for a commit or a read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, storage_silent
from doublecross.server.core.storage import StoreError
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.peer import Peer

READ_S: Final = 20.0
"""How long a request may wait for the storage to answer its reads, in seconds."""


class Availability:
    """Refuse requests while the server stops, drains, or has a storage that is far behind."""

    def __init__(self, committer: Committer) -> None:
        self._committer = committer
        self.closing = False
        """True when the server is stopping."""
        self.draining = False
        """True when nothing new begins, because the server will stop soon."""

    def check_open(self) -> None:
        """Check that the server accepts requests that change something.

        Raises:
            Refused: the server is stopping, or its storage is far behind.
        """
        if self.closing:
            raise Refused(ErrorCode.CLOSING, "The server is stopping; connect again in a moment.")
        if self._committer.full:
            raise Refused(
                ErrorCode.STORAGE_FAILED, "The server's storage is behind; try again in a moment."
            )

    def check_accepting(self) -> None:
        """Check that something new may begin, such as a room, a match or a player.

        Raises:
            Refused: the server is stopping, or will soon.
        """
        self.check_open()
        if self.draining:
            # Not `CLOSING`: clients send such requests again at once, and draining takes minutes.
            raise Refused(
                ErrorCode.DRAINING,
                "The server will stop soon, so nothing new begins; games in play go on.",
            )


@asynccontextmanager
async def reading() -> AsyncIterator[None]:
    """Bound how long the reads in the `with` block take.

    Raises:
        Refused: the storage failed, or did not answer in time.
    """
    try:
        async with asyncio.timeout(READ_S):
            yield
    except (StoreError, TimeoutError):
        raise storage_silent() from None


def refuse_unstored(peer: Peer, request_id: int) -> None:
    """Answer a request with `storage_failed`."""
    peer.refuse(
        request_id,
        ErrorCode.STORAGE_FAILED,
        "The server could not store this, so nothing has changed. Send the request again.",
    )


def after_commit(
    committer: Committer,
    peer: Peer,
    request_id: int | None,
    deliver: Callable[[], None],
    failed: Callable[[], None] = lambda: None,
) -> None:
    """Call `deliver` once everything queued so far is stored.

    If that fails, call `failed` and answer the request with `storage_failed`. A `request_id` of
    None means that no request waits for an answer.
    """

    # Usually nothing waits, so nothing is counted and no function is made.
    if committer.idle:
        deliver()
        return

    def settle() -> None:
        peer.waiting -= 1
        deliver()

    def fail() -> None:
        peer.waiting -= 1
        failed()
        if request_id is not None:
            refuse_unstored(peer, request_id)

    peer.waiting += 1
    committer.after(settle, fail, peer, request_id)
