"""What the server says: events of rooms, answers, notices, and their union `ServerMessage`.

*Events* are the numbered facts of a room: the same messages are stored, sent, sent again after a
reconnect and exported. In the copy for the player who asked for it, an event also carries the
request's `id`: it is the answer. *Answers* carry the `id` of their request. *Notices* carry none
and are not numbered: they show what is true now and are never needed to follow a game.

Clients ignore fields and types that they do not know, so a newer server breaks no client.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from protocol.common import (
    Action,
    Count,
    IdempotencyKey,
    Label,
    MatchSettings,
    Millis,
    ObjectId,
    PlayerInfo,
    PlayerName,
    RequestId,
    Seat,
    WireModel,
)

Termination = Literal[
    "completed", "resigned", "timeout", "disconnect", "illegal", "crash", "aborted", "void"
]
"""How a match ended. The first is the only one on the board; `aborted` and `void` have no result:
aborted was called off by the players or by nobody coming, void could not be kept by the server."""

Scores = tuple[Count, Count]
ClockMs = tuple[Millis, Millis]
Utilities = tuple[Annotated[float, Field(ge=-1, le=1)], Annotated[float, Field(ge=-1, le=1)]]
UnixMs = Annotated[int, Field(ge=0, description="milliseconds since 1970, UTC")]
MatchNumber = Annotated[int, Field(ge=1, description="1 for the room's first match")]


class RoomEvent(WireModel):
    """Base of the numbered events of a room."""

    room: ObjectId
    seq: Annotated[int, Field(ge=1, description="1, 2, 3 ... in each room, without gaps")]
    id: RequestId | None = None


class RoomCreated(RoomEvent):
    """A room was opened. `origin` is the seek or challenge that led to it; `keys` are the seats'
    idempotency keys; `code` is what a private room asks for."""

    type: Literal["room_created"] = "room_created"
    settings: MatchSettings
    private: bool
    at: UnixMs
    code: Label | None = None
    origin: ObjectId | None = None
    keys: tuple[IdempotencyKey | None, IdempotencyKey | None]


class Seated(RoomEvent):
    """A player took a seat."""

    type: Literal["seated"] = "seated"
    seat: Seat
    player: PlayerInfo


class MatchStarted(RoomEvent):
    """Both seats are taken and the match begins; in a rematch the players have changed seats.
    The mover's clock starts when this has been stored and sent."""

    type: Literal["match_started"] = "match_started"
    match: MatchNumber
    players: tuple[PlayerName, PlayerName]
    to_move: Seat
    clock_ms: ClockMs | None
    at: UnixMs


class MoveMade(RoomEvent):
    """`seat` played `action` at `ply`. `to_move` is who moves now (null: nobody, the game is
    over), `clock_ms` what is left, `elapsed_ms` what the move took, `expected` the final net
    score that the mover expects for itself, `fallback` a stand-in for a bot that failed."""

    type: Literal["move"] = "move"
    match: MatchNumber
    ply: Count
    seat: Seat
    action: Action
    to_move: Seat | None
    scores: Scores
    clock_ms: ClockMs | None
    elapsed_ms: Millis
    expected: float | None = None
    fallback: bool = False


class MatchFinished(RoomEvent):
    """The match is over. `winner` is null for a draw and where there is no result. The record is
    found under `game_id`."""

    type: Literal["match_finished"] = "match_finished"
    match: MatchNumber
    termination: Termination
    winner: Seat | None
    returns: Utilities
    scores: Scores
    clock_ms: ClockMs | None
    game_id: ObjectId
    at: UnixMs
    reason: Annotated[str, Field(max_length=300)] = ""


class RematchOffered(RoomEvent):
    """`seat` would play again."""

    type: Literal["rematch_offered"] = "rematch_offered"
    seat: Seat


class RoomClosed(RoomEvent):
    """The room is gone; nothing follows."""

    type: Literal["room_closed"] = "room_closed"
    reason: Annotated[str, Field(max_length=300)]


Event = Annotated[
    RoomCreated | Seated | MatchStarted | MoveMade | MatchFinished | RematchOffered | RoomClosed,
    Field(discriminator="type"),
]
"""Any numbered event of a room."""


class SeatPresence(WireModel):
    """Whether a seat's player is connected; if not, when the opponent may claim the match."""

    connected: bool
    claim_in_ms: Millis | None = Field(
        default=None, description="null: connected, or nothing to claim; 0: may be claimed now"
    )


class Presence(WireModel):
    """Notice: who is there, now. Sent when it changes."""

    type: Literal["presence"] = "presence"
    room: ObjectId
    seats: tuple[SeatPresence, SeatPresence]
    spectators: Count


class MatchResult(WireModel):
    """How the current match ended; the fields of `match_finished`."""

    termination: Termination
    winner: Seat | None
    returns: Utilities
    game_id: ObjectId
    reason: str = ""


class Snapshot(WireModel):
    """A room as of event `seq`: all that a client needs to show and to play it."""

    seq: Count
    settings: MatchSettings
    private: bool
    status: Literal["waiting", "playing", "finished", "closed"]
    players: tuple[PlayerInfo | None, PlayerInfo | None]
    match: Annotated[int, Field(ge=0, description="0 while no match has started")]
    moves: tuple[Action, ...]
    to_move: Seat | None
    scores: Scores
    clock_ms: ClockMs | None
    clock_runs: bool = Field(description="whether the mover's clock runs now")
    started_at: UnixMs | None
    rematch: tuple[bool, bool]
    result: MatchResult | None


class RoomState(WireModel):
    """A room that the client now follows: either `snapshot`, or `events` that were missed.
    Without `id` it is a notice: a seek or challenge (`origin`) of this player led to the room.
    `seat` is the client's own seat, null for a spectator."""

    type: Literal["room_state"] = "room_state"
    id: RequestId | None = None
    room: ObjectId
    seat: Seat | None
    origin: ObjectId | None = None
    code: Label | None = None
    snapshot: Snapshot | None = None
    events: tuple[Event, ...] | None = None
    clock_ms: ClockMs | None = Field(default=None, description="what is left right now")
    clock_runs: bool = Field(default=False, description="whether the mover's clock runs right now")
    presence: Presence


class Limits(WireModel):
    """What the server allows."""

    frame_bytes: Count
    messages_per_s: float
    grace_ms: Millis
    silence_ms: Annotated[int, Field(ge=0, description="say something at least this often")]


class Welcome(WireModel):
    """Answer to hello. `token` brings this player back later: keep it secret. `rooms` are those
    in which the player has a seat. `epoch` is new after every restart of the server; numbers of
    events go on all the same."""

    type: Literal["welcome"] = "welcome"
    id: RequestId
    protocol: int
    server: Label
    epoch: ObjectId
    player: PlayerInfo
    token: str
    rooms: tuple[ObjectId, ...]
    http: str | None
    limits: Limits


class Pong(WireModel):
    """Answer to ping."""

    type: Literal["pong"] = "pong"
    id: RequestId


class Done(WireModel):
    """Answer to a request that has nothing else to say."""

    type: Literal["done"] = "done"
    id: RequestId


class SeekPosted(WireModel):
    """Answer to seek and quick_match: the seek is open."""

    type: Literal["seek_posted"] = "seek_posted"
    id: RequestId
    seek: ObjectId


class ChallengeSent(WireModel):
    """Answer to challenge: the other player has been asked."""

    type: Literal["challenge_sent"] = "challenge_sent"
    id: RequestId
    challenge: ObjectId


class RecordFound(WireModel):
    """Answer to get_record: the text record of a finished game."""

    type: Literal["record"] = "record"
    id: RequestId
    game_id: ObjectId
    text: str


class Failed(WireModel):
    """Answer: the request was refused and changed nothing. `id` is null when the message's own
    id could not be read. `code` is one of the documented codes, `message` a sentence for people.
    """

    type: Literal["error"] = "error"
    id: RequestId | None
    code: str
    message: str


class LobbySeek(WireModel):
    """An open seek in the lobby; `seat` is the one its owner wants."""

    seek: ObjectId
    player: PlayerInfo
    settings: MatchSettings
    seat: Seat | None


class LobbyRoom(WireModel):
    """A public room in the lobby."""

    room: ObjectId
    settings: MatchSettings
    status: Literal["waiting", "playing", "finished"]
    players: tuple[PlayerInfo | None, PlayerInfo | None]


class LobbyState(WireModel):
    """Answer to follow_lobby: everything as it is now; `lobby_changed` notices follow."""

    type: Literal["lobby_state"] = "lobby_state"
    id: RequestId
    players: tuple[PlayerInfo, ...]
    seeks: tuple[LobbySeek, ...]
    rooms: tuple[LobbyRoom, ...]


class LobbyChanged(WireModel):
    """Notice: what is new, changed or gone in the lobby since the last one."""

    type: Literal["lobby_changed"] = "lobby_changed"
    players: tuple[PlayerInfo, ...] = ()
    players_gone: tuple[PlayerName, ...] = ()
    seeks: tuple[LobbySeek, ...] = ()
    seeks_gone: tuple[ObjectId, ...] = ()
    rooms: tuple[LobbyRoom, ...] = ()
    rooms_gone: tuple[ObjectId, ...] = ()


class Challenged(WireModel):
    """Notice: `player` offers you a match; `seat` is the seat that player wants."""

    type: Literal["challenged"] = "challenged"
    challenge: ObjectId
    player: PlayerInfo
    settings: MatchSettings
    seat: Seat | None


class OfferEnded(WireModel):
    """Notice: a seek of yours, or a challenge from or to you, has ended without a match."""

    type: Literal["offer_ended"] = "offer_ended"
    offer: ObjectId
    outcome: Literal["cancelled", "declined", "expired", "left"]
    reason: Label = ""


class Closing(WireModel):
    """Notice: the server goes down; nothing is lost, come back when it is up again."""

    type: Literal["closing"] = "closing"
    grace_ms: Millis


ServerMessage = Annotated[
    RoomCreated
    | Seated
    | MatchStarted
    | MoveMade
    | MatchFinished
    | RematchOffered
    | RoomClosed
    | RoomState
    | Presence
    | Welcome
    | Pong
    | Done
    | SeekPosted
    | ChallengeSent
    | RecordFound
    | Failed
    | LobbyState
    | LobbyChanged
    | Challenged
    | OfferEnded
    | Closing,
    Field(discriminator="type"),
]
"""Anything the server says."""
