"""The error codes that the server can answer, and the exceptions of the codec.

The server answers a client's mistake with an `ErrorCode` and a sentence. A client can rely on the
code and show the sentence to people. The server logs its own bugs and answers them with `INTERNAL`.

::

    ProtocolError(ValueError)
    +-- DecodeError        bytes that are not a message of this protocol; has the code to answer
"""

from __future__ import annotations

from enum import StrEnum


class ErrorCode(StrEnum):
    """Stable names for the reasons why the server refuses a request."""

    BAD_MESSAGE = "bad_message"
    """The message cannot be decoded, or a field is missing, unknown or of the wrong type."""
    UNKNOWN_TYPE = "unknown_type"
    """This server does not know the message type."""
    HELLO_FIRST = "hello_first"
    """The first message must be hello, and a connection sends hello only once."""
    UNSUPPORTED_VERSION = "unsupported_version"
    """The server uses another protocol version."""
    BAD_TOKEN = "bad_token"  # noqa: S105 - a code, no password
    """No player has this token."""
    TOKEN_EXPIRED = "token_expired"  # noqa: S105 - a code, no password
    """The token has ended. Log in again, or make a new one."""
    MISSING_SCOPE = "missing_scope"
    """The token lacks the scope that the request needs."""
    WRONG_KIND = "wrong_kind"
    """The account of a bot cannot play as a person, nor that of a person as a bot."""
    BANNED = "banned"
    """The account or the address may not come in; the sentence says until when."""
    BAD_LOGIN = "bad_login"
    """The name or the password is wrong."""
    CODE_NEEDED = "code_needed"
    """The account also needs a code of an app, or a recovery code."""
    WEAK_PASSWORD = "weak_password"  # noqa: S105 - a code, no password
    """The password is too short, too long or easy to guess."""
    UNKNOWN_TOKEN = "unknown_token"  # noqa: S105 - a code, no password
    """You have no token with that id."""
    UNKNOWN_BAN = "unknown_ban"
    """There is no ban with that id."""
    NAME_TAKEN = "name_taken"
    """Another player has this name."""
    RATE_LIMITED = "rate_limited"
    """Too many messages; the server ignored this one. Send it again later."""
    TOO_MANY = "too_many"
    """The player has too many open rooms, seeks or challenges, or the server is full."""
    UNKNOWN_GAME = "unknown_game"
    """The server has no such game."""
    BAD_PARAMETER = "bad_parameter"
    """The game does not allow this size, opening or time control."""
    UNKNOWN_ROOM = "unknown_room"
    """The room does not exist or is closed. `get_record` still finds its finished games."""
    UNKNOWN_SEEK = "unknown_seek"
    """The seek does not exist, or it was accepted or cancelled."""
    UNKNOWN_CHALLENGE = "unknown_challenge"
    """The challenge does not exist, or it was answered or cancelled."""
    DECLINED = "declined"
    """A bot declined the match that was arranged for it, or did not answer in time."""
    UNKNOWN_PLAYER = "unknown_player"
    """No player of that name is connected."""
    UNKNOWN_TOURNAMENT = "unknown_tournament"
    """The tournament does not exist."""
    UNKNOWN_RECORD = "unknown_record"
    """No finished game has that id."""
    WRONG_CODE = "wrong_code"
    """The room is private, and the join code is missing or wrong."""
    ROOM_FULL = "room_full"
    """Both seats are taken."""
    NOT_SEATED = "not_seated"
    """Only a player seated in the room may do that."""
    NOT_YOURS = "not_yours"
    """The seek, challenge or tournament belongs to, or is meant for, another player."""
    WRONG_STATE = "wrong_state"
    """The current state of the room, match or tournament does not allow the request."""
    NOT_YOUR_TURN = "not_your_turn"
    """The other seat is to move."""
    STALE_PLY = "stale_ply"
    """The match is at another ply, or another action was already played at this one."""
    ILLEGAL_ACTION = "illegal_action"
    """The rules do not allow this action now. Nothing changed, and the clock continues to run."""
    TOO_EARLY = "too_early"
    """The opponent still has time to come back before the win can be claimed."""
    NO_ADVICE = "no_advice"
    """The server has no advice, or too many ask for it now; the sentence says which."""
    NO_REVIEW = "no_review"
    """The server has no review of this game, or too many wait for one; the sentence says which."""
    STORAGE_FAILED = "storage_failed"
    """The server could not store the request and did not carry it out. Send it again."""
    CLOSING = "closing"
    """The server is shutting down and accepts no new requests."""
    ENDED = "ended"
    """The server ends this connection. The sentence says why, and a close frame follows."""
    DRAINING = "draining"
    """The server will stop soon, so nothing new begins. Games in play go on."""
    INTERNAL = "internal"
    """The server has a bug, which it has logged."""


class ProtocolError(ValueError):
    """Raised for input that does not follow the protocol."""


class DecodeError(ProtocolError):
    """Raised for bytes that are not a valid message.

    The server sends `code` and `sentence` to the peer. `request_id` is the request's id, or None
    when it is not readable.
    """

    def __init__(self, code: ErrorCode, sentence: str, request_id: int | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.request_id = request_id
