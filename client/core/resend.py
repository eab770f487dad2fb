"""What becomes of a request that was sent when the connection broke, or refused for the moment.

Theory of operation
-------------------
When a connection breaks, a request that was sent may or may not have been done. Moves (by their
ply), requests with an idempotency key and mere questions can simply be sent again. For the rest
the room is caught up first; if the mirror then shows that the request was done, the mirror has
the answer, if not, it is sent again. A request to end something that finds it gone already, when
sent for the second time, has been done.
"""

from __future__ import annotations

from typing import Final

from client.core.room import RoomMirror
from protocol.client_messages import (
    Abort,
    CancelChallenge,
    CancelSeek,
    Claim,
    Crash,
    DeclineChallenge,
    JoinRoom,
    Leave,
    Move,
    Rematch,
    Request,
    Resign,
    Resume,
)
from protocol.errors import ErrorCode
from protocol.server_messages import Done, Failed, RematchOffered, ServerMessage

RETRIED: Final = frozenset({ErrorCode.STORAGE_FAILED, ErrorCode.RATE_LIMITED, ErrorCode.CLOSING})
"""Refusals that say: not now. The request is sent again after a moment."""

_GONE: Final = frozenset(
    {
        ErrorCode.UNKNOWN_ROOM,
        ErrorCode.UNKNOWN_SEEK,
        ErrorCode.UNKNOWN_CHALLENGE,
        ErrorCode.NOT_SEATED,
    }
)


def send_again(
    request: Request, match: int | None, mirror: RoomMirror | None
) -> Request | ServerMessage:
    """Return what to send for a request that was sent before, or the answer that it had.

    `mirror` is its room, which has been caught up, None where it has none. `match` is the number
    of the room's match when the request was made.
    """
    if mirror is None:
        return request
    if mirror.status == "closed":
        return _closed(request, mirror)
    match request:
        case JoinRoom() if mirror.seat is not None:
            return Resume(id=request.id, room=mirror.room, seq=mirror.seq)
        case Resign() | Abort() | Claim() | Crash():
            return _ending(request, match, mirror)
        case Rematch():
            return _rematch(request, match, mirror)
    return request


def done_before(request: Request, failed: Failed) -> Done | None:
    """Return the answer to a request that was sent twice, if its refusal means that it was done
    the first time."""
    if failed.code not in _GONE:
        return None
    if isinstance(request, Leave | CancelSeek | CancelChallenge | DeclineChallenge):
        return Done(id=request.id)
    return None


def _closed(request: Request, mirror: RoomMirror) -> Request | ServerMessage:
    if isinstance(request, Leave):
        return Done(id=request.id)
    if isinstance(request, Move | Resign | Abort | Claim | Crash | Rematch):
        return Failed(
            id=request.id,
            code=ErrorCode.UNKNOWN_ROOM.value,
            message=mirror.sentence or "The room was closed.",
        )
    return request


def _ending(request: Request, match: int | None, mirror: RoomMirror) -> Request | ServerMessage:
    """Return the same for a request that ends a match."""
    if match is None or match == mirror.match:
        if mirror.status != "finished" or mirror.finished is None:
            return request
        return mirror.finished.model_copy(update={"id": request.id})
    # Sent now, it would end the next match.
    return Failed(
        id=request.id,
        code=ErrorCode.WRONG_STATE.value,
        message=f"Match {match} was over before the connection was back.",
    )


def _rematch(request: Request, match: int | None, mirror: RoomMirror) -> Request | ServerMessage:
    """Return the same for the offer of a rematch."""
    if match is not None and mirror.match > match and mirror.started is not None:
        return mirror.started.model_copy(update={"id": request.id})
    if mirror.seat is not None and mirror.rematch[mirror.seat]:
        return RematchOffered(
            room=mirror.room, seq=max(1, mirror.seq), seat=mirror.seat, id=request.id
        )
    return request
