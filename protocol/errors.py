"""Every error code that the server can answer, and the errors of the codec.

The peer's mistakes become `ErrorCode`s with a sentence for people; a client can rely on the code
and show the sentence. Bugs of the server's own are logged there and answered with `INTERNAL`.

::

    ProtocolError(ValueError)
    +-- DecodeError        bytes that are no message of this protocol; carries the code to answer
"""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Stable names of what can go wrong with a request."""

    BAD_MESSAGE = "bad_message"
    """Not decodable, or fields that are missing, unknown or of the wrong type."""
    UNKNOWN_TYPE = "unknown_type"
    """A message type that this server does not know."""
    HELLO_FIRST = "hello_first"
    """The first message must be hello, and hello comes once."""
    UNSUPPORTED_VERSION = "unsupported_version"
    """The server speaks another protocol version."""
    BAD_TOKEN = "bad_token"  # noqa: S105 - a code, no password
    """No player has this token."""
    NAME_TAKEN = "name_taken"
    """Another player has this name."""
    RATE_LIMITED = "rate_limited"
    """Too many messages; this one was not looked at, send it again later."""
    TOO_MANY = "too_many"
    """Too many open rooms, seeks or challenges of this player, or the server is full."""
    UNKNOWN_GAME = "unknown_game"
    """The server has no such game."""
    BAD_PARAMETER = "bad_parameter"
    """A size, opening or time control that the game does not allow."""
    UNKNOWN_ROOM = "unknown_room"
    """No such room, or it was closed; a finished game is still found by its id."""
    UNKNOWN_SEEK = "unknown_seek"
    """No such seek, or it was taken or cancelled."""
    UNKNOWN_CHALLENGE = "unknown_challenge"
    """No such challenge, or it was answered or cancelled."""
    UNKNOWN_PLAYER = "unknown_player"
    """No player of that name is connected."""
    UNKNOWN_TOURNAMENT = "unknown_tournament"
    """No such tournament."""
    UNKNOWN_RECORD = "unknown_record"
    """No finished game has that id."""
    WRONG_CODE = "wrong_code"
    """The room is private and the join code is missing or wrong."""
    ROOM_FULL = "room_full"
    """Both seats are taken."""
    NOT_SEATED = "not_seated"
    """Only a player seated in the room may do that."""
    NOT_YOURS = "not_yours"
    """The seek, challenge or tournament belongs to, or is meant for, somebody else."""
    WRONG_STATE = "wrong_state"
    """The match or tournament is not in a state in which that can be done."""
    NOT_YOUR_TURN = "not_your_turn"
    """The other seat is to move."""
    STALE_PLY = "stale_ply"
    """The match is at another ply, or another action was already played at this one."""
    ILLEGAL_ACTION = "illegal_action"
    """The rules do not allow this action now; nothing changed, the clock runs on."""
    TOO_EARLY = "too_early"
    """The opponent's time to come back is not over yet."""
    STORAGE_FAILED = "storage_failed"
    """The server could not store the request; it was not done, send it again."""
    CLOSING = "closing"
    """The server is going down and takes no new requests."""
    INTERNAL = "internal"
    """A bug of the server; it was logged there."""


class ProtocolError(ValueError):
    """Something on the wire that does not follow the protocol."""


class DecodeError(ProtocolError):
    """Bytes that are no message; `code` and the sentence go back to the peer.

    `request_id` is the request's id where one could still be read.
    """

    def __init__(self, code: ErrorCode, sentence: str, request_id: int | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.request_id = request_id
