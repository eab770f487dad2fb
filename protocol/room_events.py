"""The numbered events of a room, and the field types that other messages share with them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from protocol.common import (
    Action,
    Count,
    GameId,
    IdempotencyKey,
    JoinCode,
    MatchSettings,
    Millis,
    OriginId,
    PairTag,
    PlayerInfo,
    PlayerName,
    RequestId,
    RoomId,
    Seat,
    WireModel,
)

Termination = Literal[
    "completed", "resigned", "timeout", "disconnect", "illegal", "crash", "aborted", "void"
]
"""How a match ended. The first is the only one on the board; `aborted` and `void` have no result:
aborted was called off by the players or by nobody coming, void could not be kept by the server."""

Scores = Annotated[tuple[Count, Count], Field(description="the score of seat 0 and of seat 1")]
ClockMs = Annotated[
    tuple[Millis, Millis],
    Field(description="milliseconds left of seat 0 and of seat 1; null without a clock"),
]
Utilities = Annotated[
    tuple[Annotated[float, Field(ge=-1, le=1)], Annotated[float, Field(ge=-1, le=1)]],
    Field(description="1 for the winner and -1 for the loser, by seat; 0 for a draw or no result"),
]
UnixMs = Annotated[int, Field(ge=0, description="milliseconds since 1970, UTC")]
MatchNumber = Annotated[int, Field(ge=1, description="1 for the room's first match")]
Reason = Annotated[str, Field(max_length=300, description="why, for people; may be empty")]


class RoomEvent(WireModel):
    """Base of the numbered events of a room."""

    room: RoomId
    seq: Annotated[int, Field(ge=1, description="1, 2, 3 ... in each room, without gaps")]
    id: RequestId | None = Field(
        default=None, description="the request that this answers, in the copy for its sender"
    )


class RoomCreated(RoomEvent):
    """A room was opened. `origin` is the seek or challenge that led to it; `keys` are the seats'
    idempotency keys; `code` is what a private room asks for."""

    type: Literal["room_created"] = "room_created"
    settings: MatchSettings = Field(description="what is played")
    private: bool = Field(description="whether it is not listed and has a join code")
    at: UnixMs
    code: JoinCode | None = None
    origin: OriginId | None = None
    keys: tuple[IdempotencyKey | None, IdempotencyKey | None] = Field(
        description="of seat 0 and of seat 1"
    )
    tag: PairTag | None = Field(default=None, description="set for a game of a tournament")


class Seated(RoomEvent):
    """A player took a seat."""

    type: Literal["seated"] = "seated"
    seat: Seat
    player: PlayerInfo = Field(description="who took it")


class MatchStarted(RoomEvent):
    """Both seats are taken and the match begins; in a rematch the players have changed seats.
    The mover's clock starts when this has been stored and sent."""

    type: Literal["match_started"] = "match_started"
    match: MatchNumber
    players: tuple[PlayerName, PlayerName] = Field(description="seat 0 and seat 1")
    to_move: Seat = Field(description="the seat to move")
    clock_ms: ClockMs | None
    at: UnixMs


class MoveMade(RoomEvent):
    """`seat` played `action` at `ply`. `to_move` is who moves now (null: nobody, the game is
    over), `clock_ms` what is left, `elapsed_ms` what the move took, `expected` the final net
    score that the mover expects for itself, `fallback` a stand-in for a bot that failed."""

    type: Literal["move"] = "move"
    match: MatchNumber
    ply: Count = Field(description="0 for the match's first move, the opening apart")
    seat: Seat
    action: Action
    to_move: Seat | None = Field(description="the seat to move; null: nobody")
    scores: Scores
    clock_ms: ClockMs | None
    elapsed_ms: Millis = Field(description="what the move took, in milliseconds")
    expected: float | None = Field(
        default=None, description="the final net score that the mover expects for itself"
    )
    fallback: bool = Field(default=False, description="a stand-in: the bot found no move")


class MatchFinished(RoomEvent):
    """The match is over. `winner` is null for a draw and where there is no result. The record is
    found under `game_id`."""

    type: Literal["match_finished"] = "match_finished"
    match: MatchNumber
    termination: Termination = Field(description="how it ended")
    winner: Seat | None = Field(description="the seat that won; null: a draw, or no result")
    returns: Utilities
    scores: Scores
    clock_ms: ClockMs | None
    game_id: GameId
    at: UnixMs
    reason: Reason = ""


class RematchOffered(RoomEvent):
    """`seat` would play again."""

    type: Literal["rematch_offered"] = "rematch_offered"
    seat: Seat


class RoomClosed(RoomEvent):
    """The room is gone; nothing follows."""

    type: Literal["room_closed"] = "room_closed"
    reason: Reason


Event = Annotated[
    RoomCreated | Seated | MatchStarted | MoveMade | MatchFinished | RematchOffered | RoomClosed,
    Field(discriminator="type"),
]
"""Any numbered event of a room."""
