"""Requests that wait for their answer, and what becomes of them when the connection breaks.

Theory of operation
-------------------
When a connection breaks, a request that was sent may or may not have been done. Moves (by their
ply), requests with an idempotency key and mere questions can simply be sent again. For the rest
the room is caught up first; if the mirror then shows that the request was done, the mirror has
the answer, if not, it is sent again. A request to end something that finds it gone already, when
sent for the second time, has been done.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from client.core.errors import RequestRefused
from client.core.room import RoomMirror
from client.core.session import Session
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


@dataclass(slots=True, eq=False)
class Pending:
    """One request without an answer yet.

    `future` is None for the client's own requests (pings, resumes). `match` is the number of the
    room's match when the request was made, None without a room. `sends` counts how often it was
    sent, `tries` refusals of the kind "not now"; `sent_at` is when it was last sent, in seconds.
    `queued` says that it waits to be sent, `held` that it waits until its room is caught up,
    `resting` that it will be queued again after a delay.
    """

    request: Request
    future: asyncio.Future[ServerMessage] | None = None
    match: int | None = None
    sends: int = 0
    tries: int = 0
    sent_at: float = 0.0
    queued: bool = False
    held: bool = False
    resting: bool = False

    @property
    def room(self) -> str | None:
        """The room that the request is about."""
        return getattr(self.request, "room", None)

    @property
    def over(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return self.future is not None and self.future.done()

    def answer(self, message: ServerMessage) -> None:
        """Hand the answer to whoever waits, once."""
        if self.future is not None and not self.future.done():
            if isinstance(message, Failed):
                self.future.set_exception(RequestRefused(message.code, message.message))
            else:
                self.future.set_result(message)

    def fail(self, error: Exception) -> None:
        """Hand an error to whoever waits, once."""
        if self.future is not None and not self.future.done():
            self.future.set_exception(error)


def sent_again(pending: Pending, session: Session) -> Request | ServerMessage:
    """What to do about a request that was sent before: a request to send now, or its answer.

    The room that it is about has been caught up.
    """
    request = pending.request
    mirror = None if pending.room is None else session.rooms.get(pending.room)
    if mirror is None:
        return request
    if mirror.status == "closed":
        return _closed(request, mirror)
    match request:
        case JoinRoom() if mirror.seat is not None:
            return Resume(id=request.id, room=mirror.room, seq=mirror.seq)
        case Resign() | Abort() | Claim() | Crash():
            return _ending(request, pending.match, mirror)
        case Rematch():
            return _rematch(request, pending.match, mirror)
    return request


def done_before(pending: Pending, failed: Failed) -> ServerMessage | None:
    """The answer to a request that was sent twice, when its refusal means that it was done."""
    request = pending.request
    if pending.sends < 2 or failed.code not in _GONE:
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
    """A request that ends a match, in a room that has been caught up."""
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
    """The offer of a rematch, in a room that has been caught up."""
    if match is not None and mirror.match > match and mirror.started is not None:
        return mirror.started.model_copy(update={"id": request.id})
    if mirror.seat is not None and mirror.rematch[mirror.seat]:
        return RematchOffered(
            room=mirror.room, seq=max(1, mirror.seq), seat=mirror.seat, id=request.id
        )
    return request
