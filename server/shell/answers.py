"""Answers that wait for a commit, and the error answer when that commit fails."""

from __future__ import annotations

from collections.abc import Callable

from protocol.errors import ErrorCode
from server.shell.journal.committer import Committer
from server.shell.peer import Peer


def refuse_unstored(peer: Peer, request_id: int) -> None:
    """Answer a request with `storage_failed`."""
    peer.refuse(
        request_id,
        ErrorCode.STORAGE_FAILED,
        "The server could not store this, so nothing has changed. Send the request again.",
    )


def after_commit(
    committer: Committer, peer: Peer, request_id: int | None, deliver: Callable[[], None]
) -> None:
    """Call `deliver` once everything queued so far is stored.

    If that fails, answer the request with `storage_failed`. A `request_id` of None means that no
    request waits for an answer.
    """

    if committer.idle:
        deliver()
        return

    def settle() -> None:
        peer.waiting -= 1
        deliver()

    def fail() -> None:
        peer.waiting -= 1
        if request_id is not None:
            refuse_unstored(peer, request_id)

    peer.waiting += 1
    committer.after(settle, fail)
