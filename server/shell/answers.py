"""Answers that wait for a commit, and the one that says that the commit failed."""

from __future__ import annotations

from collections.abc import Callable

from protocol.errors import ErrorCode
from server.shell.journal.committer import Committer
from server.shell.peer import Peer


def refuse_unstored(peer: Peer, request_id: int) -> None:
    """Answer a request that could not be stored."""
    peer.refuse(
        request_id,
        ErrorCode.STORAGE_FAILED,
        "The server could not store this; nothing was done, send it again.",
    )


def after_commit(
    committer: Committer, peer: Peer, request_id: int | None, deliver: Callable[[], None]
) -> None:
    """Call `deliver` once all that is queued is stored; refuse the request if that fails."""

    def fail() -> None:
        if request_id is not None:
            refuse_unstored(peer, request_id)

    committer.after(deliver, fail)
