"""The numbered events of a room: their types, and the functions that build them.

An event is a plain dict, because the server builds it once and then only encodes it for the
journal, the seats and the spectators; a pydantic model would be slower.
`doublecross.protocol.room_events` defines the same shapes as models, and a test validates every
event with them. Each kind of event is a `TypedDict`: a dict at run time, whose fields the type
checker knows after ``if event["type"] == "move":``.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.common import Kind, MatchSettings, PairTag, PlayerInfo
from doublecross.protocol.room_events import RematchOutcome
from doublecross.protocol.server_messages import Termination

# -- parts -------------------------------------------------------------------------------------


class EngineDict(TypedDict):
    """The program that a bot runs; see `doublecross.protocol.common.EngineInfo`."""

    name: str
    version: str


class PlayerDict(TypedDict):
    """A player; see `doublecross.protocol.common.PlayerInfo`."""

    name: str
    kind: Kind
    engine: EngineDict | None


class TimeControlDict(TypedDict):
    """A time control in milliseconds; see `doublecross.protocol.common.TimeControl`."""

    base_ms: int | None
    increment_ms: int
    move_ms: int | None


class SettingsDict(TypedDict):
    """The settings of a match; see `doublecross.protocol.common.MatchSettings`."""

    game: str
    params: dict[str, int]
    opening: tuple[int, ...]
    start: tuple[int, ...]
    time: TimeControlDict
    rated: bool
    evaluation: bool


class PairTagDict(TypedDict):
    """The game of a tournament; see `doublecross.protocol.common.PairTag`."""

    tournament: str
    pairing: int
    game: int
    attempt: int


def settings_dict(settings: MatchSettings) -> SettingsDict:
    """Return the settings as a dict for messages."""
    return cast(SettingsDict, settings.model_dump())


def player_dict(player: PlayerInfo) -> PlayerDict:
    """Return the player as a dict for messages."""
    return cast(PlayerDict, player.model_dump())


def pair_tag_dict(tag: PairTag) -> PairTagDict:
    """Return the tag as a dict for messages."""
    return cast(PairTagDict, tag.model_dump())


# -- kinds of events ---------------------------------------------------------------------------


class RoomCreatedEvent(TypedDict):
    """A room was opened. This is event 1 of every room.

    See `doublecross.protocol.room_events.RoomCreated`.
    """

    type: Literal["room_created"]
    room: str
    seq: int
    settings: SettingsDict
    private: bool
    at: int
    code: str | None
    origin: str | None
    keys: tuple[str | None, str | None]
    tag: NotRequired[PairTagDict]
    asked_by: NotRequired[str]
    asked_key: NotRequired[str]


class SeatedEvent(TypedDict):
    """A player took a seat; see `doublecross.protocol.room_events.Seated`."""

    type: Literal["seated"]
    room: str
    seq: int
    seat: int
    player: PlayerDict


class MatchStartedEvent(TypedDict):
    """A match began; see `doublecross.protocol.room_events.MatchStarted`."""

    type: Literal["match_started"]
    room: str
    seq: int
    match: int
    players: tuple[str, str]
    to_move: int
    clock_ms: tuple[int, int] | None
    at: int


class MoveEvent(TypedDict):
    """A move was played; see `doublecross.protocol.room_events.MoveMade`."""

    type: Literal["move"]
    room: str
    seq: int
    match: int
    ply: int
    seat: int
    action: int
    to_move: int | None
    scores: tuple[int, int]
    clock_ms: tuple[int, int] | None
    elapsed_ms: int
    expected: NotRequired[float]
    fallback: NotRequired[bool]
    takebacks: NotRequired[int]


class TakebackAskedEvent(TypedDict):
    """A seat asks to take back a move; see `doublecross.protocol.room_events.TakebackAsked`."""

    type: Literal["takeback_asked"]
    room: str
    seq: int
    match: int
    seat: int
    ply: int


class TakebackDeclinedEvent(TypedDict):
    """Such a request has ended; see `doublecross.protocol.room_events.TakebackDeclined`."""

    type: Literal["takeback_declined"]
    room: str
    seq: int
    match: int
    seat: int | None


class TakebackEvent(TypedDict):
    """Moves were taken back; see `doublecross.protocol.room_events.TakenBack`."""

    type: Literal["takeback"]
    room: str
    seq: int
    match: int
    seat: int
    ply: int
    takebacks: int
    to_move: int
    scores: tuple[int, int]
    clock_ms: tuple[int, int] | None


class MatchFinishedEvent(TypedDict):
    """A match ended; see `doublecross.protocol.room_events.MatchFinished`."""

    type: Literal["match_finished"]
    room: str
    seq: int
    match: int
    termination: Termination
    winner: int | None
    returns: tuple[float, float]
    scores: tuple[int, int]
    clock_ms: tuple[int, int] | None
    game_id: str
    at: int
    reason: str
    phrase: NotRequired[dict[str, Any] | None]
    both_moved: NotRequired[bool]


class RematchOfferedEvent(TypedDict):
    """A seat offers a rematch; see `doublecross.protocol.room_events.RematchOffered`."""

    type: Literal["rematch_offered"]
    room: str
    seq: int
    seat: int


class RematchEndedEvent(TypedDict):
    """An offer has ended; see `doublecross.protocol.room_events.RematchEnded`."""

    type: Literal["rematch_ended"]
    room: str
    seq: int
    seat: int
    outcome: RematchOutcome


class RoomClosedEvent(TypedDict):
    """The room is closed; see `doublecross.protocol.room_events.RoomClosed`."""

    type: Literal["room_closed"]
    room: str
    seq: int
    reason: str
    phrase: NotRequired[dict[str, Any] | None]


Event = (
    RoomCreatedEvent
    | SeatedEvent
    | MatchStartedEvent
    | MoveEvent
    | TakebackAskedEvent
    | TakebackDeclinedEvent
    | TakebackEvent
    | MatchFinishedEvent
    | RematchOfferedEvent
    | RematchEndedEvent
    | RoomClosedEvent
)
"""An event as it is stored and sent.

It has at most 14 keys. A short msgpack map has at most 15, so `MsgpackCodec.with_id` can add the
request's id to the encoded event without decoding it.
"""


# -- builders ----------------------------------------------------------------------------------


def room_created(
    room: str,
    settings: MatchSettings,
    private: bool,
    at: int,
    code: str | None,
    origin: str | None,
    keys: tuple[str | None, str | None],
    tag: PairTag | None,
    asked_by: str | None = None,
    asked_key: str | None = None,
) -> RoomCreatedEvent:
    """Return event 1 of a room. Unset values of `tag`, `asked_by` and `asked_key` are left out."""
    event: RoomCreatedEvent = {
        "type": "room_created",
        "room": room,
        "seq": 1,
        "settings": settings_dict(settings),
        "private": private,
        "at": at,
        "code": code,
        "origin": origin,
        "keys": keys,
    }
    if tag is not None:
        event["tag"] = pair_tag_dict(tag)
    if asked_by is not None:
        event["asked_by"] = asked_by
    if asked_key is not None:
        event["asked_key"] = asked_key
    return event


def seated(room: str, seq: int, seat: int, player: PlayerInfo) -> SeatedEvent:
    """Return the event of a player who takes a seat."""
    return {
        "type": "seated",
        "room": room,
        "seq": seq,
        "seat": seat,
        "player": player_dict(player),
    }


def match_started(
    room: str,
    seq: int,
    match: int,
    players: tuple[str, str],
    to_move: int,
    clock_ms: tuple[int, int] | None,
    at: int,
) -> MatchStartedEvent:
    """Return the event of a match that begins."""
    return {
        "type": "match_started",
        "room": room,
        "seq": seq,
        "match": match,
        "players": players,
        "to_move": to_move,
        "clock_ms": clock_ms,
        "at": at,
    }


def move_made(
    room: str,
    seq: int,
    match: int,
    ply: int,
    seat: int,
    action: int,
    to_move: int | None,
    scores: tuple[int, int],
    clock_ms: tuple[int, int] | None,
    elapsed_ms: int,
    expected: float | None,
    fallback: bool,
    takebacks: int = 0,
) -> MoveEvent:
    """Return the event of a move. Defaults of the last three values are left out."""
    event: MoveEvent = {
        "type": "move",
        "room": room,
        "seq": seq,
        "match": match,
        "ply": ply,
        "seat": seat,
        "action": action,
        "to_move": to_move,
        "scores": scores,
        "clock_ms": clock_ms,
        "elapsed_ms": elapsed_ms,
    }
    if expected is not None:
        event["expected"] = expected
    if fallback:
        event["fallback"] = True
    if takebacks:
        event["takebacks"] = takebacks
    return event


def takeback_asked(room: str, seq: int, match: int, seat: int, ply: int) -> TakebackAskedEvent:
    """Return the event of a seat that asks to return to `ply`."""
    return {
        "type": "takeback_asked",
        "room": room,
        "seq": seq,
        "match": match,
        "seat": seat,
        "ply": ply,
    }


def takeback_declined(room: str, seq: int, match: int, seat: int | None) -> TakebackDeclinedEvent:
    """Return the event of a request for a takeback that ends, by `seat` or by itself (None)."""
    return {"type": "takeback_declined", "room": room, "seq": seq, "match": match, "seat": seat}


def taken_back(
    room: str,
    seq: int,
    match: int,
    seat: int,
    ply: int,
    takebacks: int,
    to_move: int,
    scores: tuple[int, int],
    clock_ms: tuple[int, int] | None,
) -> TakebackEvent:
    """Return the event of a match that goes back to `ply`; `takebacks` includes this one."""
    return {
        "type": "takeback",
        "room": room,
        "seq": seq,
        "match": match,
        "seat": seat,
        "ply": ply,
        "takebacks": takebacks,
        "to_move": to_move,
        "scores": scores,
        "clock_ms": clock_ms,
    }


def match_finished(
    room: str,
    seq: int,
    match: int,
    termination: Termination,
    winner: int | None,
    returns: tuple[float, float],
    scores: tuple[int, int],
    clock_ms: tuple[int, int] | None,
    game_id: str,
    at: int,
    reason: str,
    *,
    both_moved: bool = True,
) -> MatchFinishedEvent:
    """Return the event of a match that ends."""
    return {
        "type": "match_finished",
        "room": room,
        "seq": seq,
        "match": match,
        "termination": termination,
        "winner": winner,
        "returns": returns,
        "scores": scores,
        "clock_ms": clock_ms,
        "game_id": game_id,
        "at": at,
        "reason": reason,
        "phrase": Sentence(reason).phrase,
        "both_moved": both_moved,
    }


def rematch_offered(room: str, seq: int, seat: int) -> RematchOfferedEvent:
    """Return the event of a seat that offers a rematch."""
    return {"type": "rematch_offered", "room": room, "seq": seq, "seat": seat}


def rematch_ended(room: str, seq: int, seat: int, outcome: RematchOutcome) -> RematchEndedEvent:
    """Return the event of the end of a rematch that a seat has offered."""
    return {"type": "rematch_ended", "room": room, "seq": seq, "seat": seat, "outcome": outcome}


def room_closed(room: str, seq: int, reason: str) -> RoomClosedEvent:
    """Return the last event of a room."""
    phrase = Sentence(reason).phrase
    return {"type": "room_closed", "room": room, "seq": seq, "reason": reason, "phrase": phrase}
