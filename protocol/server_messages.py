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
    ChallengeId,
    Count,
    GameId,
    JoinCode,
    Label,
    MatchSettings,
    Millis,
    ObjectId,
    OriginId,
    PairTag,
    PlayerInfo,
    RequestId,
    RoomId,
    Seat,
    SeekId,
    WireModel,
)
from protocol.lobby_messages import (
    Challenged,
    EntrantState,
    LobbyChanged,
    LobbyRating,
    LobbyRoom,
    LobbySeek,
    LobbyState,
    LobbyTournament,
    OfferEnded,
    TournamentState,
)
from protocol.room_events import (
    ClockMs,
    Event,
    MatchFinished,
    MatchNumber,
    MatchStarted,
    MoveMade,
    Reason,
    RematchOffered,
    RoomClosed,
    RoomCreated,
    RoomEvent,
    Scores,
    Seated,
    Termination,
    UnixMs,
    Utilities,
)

__all__ = [
    "ChallengeSent",
    "Challenged",
    "ClockMs",
    "Closing",
    "Done",
    "EntrantState",
    "Event",
    "Failed",
    "Limits",
    "LobbyChanged",
    "LobbyRating",
    "LobbyRoom",
    "LobbySeek",
    "LobbyState",
    "LobbyTournament",
    "MatchFinished",
    "MatchNumber",
    "MatchResult",
    "MatchStarted",
    "MoveMade",
    "OfferEnded",
    "Pong",
    "Presence",
    "Reason",
    "RecordFound",
    "RematchOffered",
    "RoomClosed",
    "RoomCreated",
    "RoomEvent",
    "RoomState",
    "Scores",
    "SeatPresence",
    "Seated",
    "SeekPosted",
    "ServerMessage",
    "Snapshot",
    "Termination",
    "TournamentState",
    "UnixMs",
    "Utilities",
    "Welcome",
]


class SeatPresence(WireModel):
    """Whether a seat's player is connected; if not, when the opponent may claim the match."""

    connected: bool = Field(description="whether the player follows the room now")
    claim_in_ms: Millis | None = Field(
        default=None, description="null: connected, or nothing to claim; 0: may be claimed now"
    )


class Presence(WireModel):
    """Notice: who is there, now. Sent when it changes."""

    type: Literal["presence"] = "presence"
    room: RoomId
    seats: tuple[SeatPresence, SeatPresence] = Field(description="seat 0 and seat 1")
    spectators: Count = Field(description="how many others follow the room")


class MatchResult(WireModel):
    """How the current match ended; the fields of `match_finished`."""

    termination: Termination = Field(description="how it ended")
    winner: Seat | None = Field(description="the seat that won; null: a draw, or no result")
    returns: Utilities
    game_id: GameId
    reason: Reason = ""


class Snapshot(WireModel):
    """A room as of event `seq`: all that a client needs to show and to play it."""

    seq: Count = Field(description="the last event that it includes")
    settings: MatchSettings = Field(description="what is played")
    private: bool = Field(description="whether it is not listed and has a join code")
    tag: PairTag | None = Field(default=None, description="set for a game of a tournament")
    status: Literal["waiting", "playing", "finished", "closed"] = Field(description="of the room")
    players: tuple[PlayerInfo | None, PlayerInfo | None] = Field(
        description="seat 0 and seat 1; null: free"
    )
    match: Annotated[int, Field(ge=0, description="0 while no match has started")]
    moves: tuple[Action, ...] = Field(description="of the match, the opening apart")
    to_move: Seat | None = Field(description="the seat to move; null: nobody")
    scores: Scores
    clock_ms: ClockMs | None
    clock_runs: bool = Field(description="whether the mover's clock runs now")
    started_at: UnixMs | None
    rematch: tuple[bool, bool] = Field(description="which seats would play again")
    result: MatchResult | None = Field(description="set once the match is over")


class RoomState(WireModel):
    """A room that the client now follows: either `snapshot`, or `events` that were missed.
    Without `id` it is a notice: a seek or challenge (`origin`) of this player led to the room.
    `seat` is the client's own seat, null for a spectator."""

    type: Literal["room_state"] = "room_state"
    id: RequestId | None = None
    room: RoomId
    seat: Seat | None = Field(description="the client's own; null: a spectator")
    origin: OriginId | None = None
    code: JoinCode | None = None
    snapshot: Snapshot | None = Field(default=None, description="the room as a whole")
    events: tuple[Event, ...] | None = Field(
        default=None, description="what was missed, oldest first"
    )
    clock_ms: ClockMs | None = Field(default=None, description="what is left right now")
    clock_runs: bool = Field(default=False, description="whether the mover's clock runs right now")
    presence: Presence = Field(description="who is there")


class Limits(WireModel):
    """What the server allows."""

    frame_bytes: Count = Field(description="of one frame to the server")
    messages_per_s: float = Field(description="sustained; short bursts may be faster")
    grace_ms: Millis = Field(description="for a player to come back, before the other may claim")
    silence_ms: Annotated[int, Field(ge=0, description="say something at least this often")]


class Welcome(WireModel):
    """Answer to hello. `token` brings this player back later: keep it secret. `rooms` are those
    in which the player has a seat. `epoch` is new after every restart of the server; numbers of
    events go on all the same."""

    type: Literal["welcome"] = "welcome"
    id: RequestId
    protocol: int = Field(description="the version that the server speaks")
    server: Label = Field(description="the server's program")
    epoch: ObjectId = Field(description="of this run of the server")
    player: PlayerInfo = Field(description="who you are")
    token: str = Field(description="for later hellos; keep it secret")
    rooms: tuple[ObjectId, ...] = Field(description="in which you have a seat")
    http: str | None = Field(description="where the server answers HTTP; null: nowhere")
    limits: Limits = Field(description="what the server allows")


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
    seek: SeekId


class ChallengeSent(WireModel):
    """Answer to challenge: the other player has been asked."""

    type: Literal["challenge_sent"] = "challenge_sent"
    id: RequestId
    challenge: ChallengeId


class RecordFound(WireModel):
    """Answer to get_record: the text record of a finished game."""

    type: Literal["record"] = "record"
    id: RequestId
    game_id: GameId
    text: str = Field(description="the record")


class Failed(WireModel):
    """Answer: the request was refused and changed nothing. `id` is null when the message's own
    id could not be read. `code` is one of the documented codes, `message` a sentence for people.
    """

    type: Literal["error"] = "error"
    id: RequestId | None = Field(description="the request; null: its id could not be read")
    code: str = Field(description="one of the error codes")
    message: str = Field(description="a sentence for people")


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
    | TournamentState
    | Closing,
    Field(discriminator="type"),
]
"""Anything the server says."""
