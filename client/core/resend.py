"""Decide what happens to a request that was sent before, but has no answer yet.

Theory of operation
-------------------
When a connection breaks, the server may or may not have carried out a request that was sent. Moves
and takebacks (identified by their ply and the takebacks before), requests with an idempotency key,
and requests that only read can safely be sent again. Before any other request is repeated, its room
is brought up to date. If the mirror then shows that the server carried the request out, the answer
comes from the mirror. If not, the request is sent again. When a repeated request to end something
fails because that thing no longer exists, its first copy must have succeeded. A phrase is never
sent again.
"""

from __future__ import annotations

from typing import Final

from doublecross.client.core.room import RoomMirror
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.client_messages import (
    Abort,
    AnswerTakeback,
    AskTakeback,
    CancelChallenge,
    CancelSeek,
    Claim,
    Crash,
    DeclineChallenge,
    DeclineRematch,
    JoinRoom,
    Leave,
    Move,
    Rematch,
    Request,
    Resign,
    Resume,
    Say,
    SayPhrase,
)
from doublecross.protocol.common import Phrase
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Done, Failed, RematchOffered, ServerMessage

RETRIED: Final = frozenset({ErrorCode.STORAGE_FAILED, ErrorCode.RATE_LIMITED, ErrorCode.CLOSING})
"""The codes of temporary refusals. The request is sent again after a delay."""

LOST_PHRASE = Sentence(
    "The connection broke, so your phrase may be lost. Say it again if you like."
)

_ALREADY_GONE: Final = frozenset(
    {
        ErrorCode.UNKNOWN_ROOM,
        ErrorCode.UNKNOWN_SEEK,
        ErrorCode.UNKNOWN_CHALLENGE,
        ErrorCode.NOT_SEATED,
    }
)


def is_temporary(request: Request | None, failed: Failed) -> bool:
    """Return whether a refused request is sent again after a delay; None is an unknown request."""
    # Nobody wants to say a phrase a minute later.
    return failed.code in RETRIED and not isinstance(request, SayPhrase | Say)


def send_again(
    request: Request, match: int | None, mirror: RoomMirror | None
) -> Request | ServerMessage:
    """Return the request to send in place of `request`, or the answer to its first copy.

    `mirror` is the request's room, already up to date, or None if it concerns no followed room.
    `match` is the number of the room's match when the request was made.
    """
    if isinstance(request, SayPhrase | Say):
        # It may have been said, and saying it twice or much later would be odd.
        return _failed(request, ErrorCode.WRONG_STATE, LOST_PHRASE)
    if mirror is None:
        return request
    if mirror.status == "closed":
        return _after_close(request, mirror)
    match request:
        # The first copy has taken the seat, so a second one would be refused.
        case JoinRoom() if mirror.seat is not None:
            return Resume(id=request.id, room=mirror.room, seq=mirror.seq)
        case Resign() | Abort() | Claim() | Crash():
            return _ending(request, match, mirror)
        case Rematch():
            return _rematch(request, match, mirror)
    return request


def done_before(request: Request, failed: Failed) -> Done | None:
    """Return the answer to a request that was sent twice, if its refusal shows that the first copy
    succeeded; otherwise None."""
    if failed.code not in _ALREADY_GONE:
        return None
    if isinstance(request, Leave | CancelSeek | CancelChallenge | DeclineChallenge):
        return Done(id=request.id)
    return None


def _after_close(request: Request, mirror: RoomMirror) -> Request | ServerMessage:
    """Return what `send_again` returns for a request about a closed room."""
    if isinstance(request, Leave):
        return Done(id=request.id)
    if isinstance(
        request,
        Move
        | AskTakeback
        | AnswerTakeback
        | Resign
        | Abort
        | Claim
        | Crash
        | Rematch
        | DeclineRematch,
    ):
        why = Sentence(mirror.sentence or "The room was closed.")
        return _failed(request, ErrorCode.UNKNOWN_ROOM, why)
    return request


def _ending(request: Request, match: int | None, mirror: RoomMirror) -> Request | ServerMessage:
    """Return what `send_again` returns for a request that ends a match."""
    if match is None or match == mirror.match:
        if mirror.status != "finished" or mirror.finished is None:
            return request
        return mirror.finished.model_copy(update={"id": request.id})
    # If it were sent now, it would end the next match.
    over = Sentence("Match {match} was over before the connection was back.", match)
    return _failed(request, ErrorCode.WRONG_STATE, over)


def _failed(request: Request, code: ErrorCode, why: Sentence) -> Failed:
    phrase = None if why.phrase is None else Phrase(**why.phrase)
    return Failed(id=request.id, code=code.value, message=why, phrase=phrase)


def _rematch(request: Request, match: int | None, mirror: RoomMirror) -> Request | ServerMessage:
    """Return what `send_again` returns for a rematch offer."""
    # The next match has begun, so the offer was accepted.
    if match is not None and mirror.match > match and mirror.started is not None:
        return mirror.started.model_copy(update={"id": request.id})
    if mirror.seat is not None and mirror.rematch[mirror.seat]:
        return RematchOffered(
            room=mirror.room, seq=max(1, mirror.seq), seat=mirror.seat, id=request.id
        )
    return request
