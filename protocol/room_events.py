"""The numbered events of a room, and the field types that other messages share with them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Action,
    AskedBy,
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
    Told,
    WireModel,
)

Termination = Literal[
    "completed", "resigned", "timeout", "disconnect", "illegal", "crash", "aborted", "void"
]
"""The ways in which a match can end. Only `completed` matches end on the board. Matches that are
`aborted` or `void` have no result: a player aborted the match or both stayed away, or the server
could not restore it."""

Scores = Annotated[tuple[Count, Count], Field(description="the score of seat 0 and of seat 1")]
ClockMs = Annotated[
    tuple[Millis, Millis],
    Field(description="milliseconds that seat 0 and seat 1 have left; null without a clock"),
]
Utilities = Annotated[
    tuple[Annotated[float, Field(ge=-1, le=1)], Annotated[float, Field(ge=-1, le=1)]],
    Field(description="1 for the winner and -1 for the loser, by seat; 0 for a draw or no result"),
]
UnixMs = Annotated[int, Field(ge=0, description="milliseconds since 1970, UTC")]
MatchNumber = Annotated[int, Field(ge=1, description="1 for the room's first match")]
Reason = Annotated[str, Field(max_length=300, description="a reason for people; may be empty")]


class BoardState(WireModel):
    """A position, for clients that do not know the rules of the game. Only those receive it; see
    `boards` of hello. The cells and actions are those of `/api/geometry` over HTTP."""

    cells: str = Field(
        description="a character for each cell: the seat that owns it, or `.` for nobody"
    )
    legal: str = Field(
        description="a character for each action: `1` if the seat to move may play it now, else "
        "`0`; all `0` unless a match is in play"
    )
    winning: tuple[Count, ...] = Field(
        description="the cells that decided the game, such as a winning line; usually empty"
    )


Board = Annotated[
    BoardState | None,
    Field(description="the position, for clients that asked for `boards` in their hello"),
]


class RoomEvent(WireModel):
    """Base of the numbered events of a room."""

    room: RoomId
    seq: Annotated[int, Field(ge=1, description="the event's number in its room, without gaps")]
    id: RequestId | None = Field(
        default=None, description="the request that the event answers; only its sender gets it"
    )


class RoomCreated(RoomEvent):
    """A room was opened."""

    type: Literal["room_created"] = "room_created"
    settings: MatchSettings = Field(description="what is played")
    private: bool = Field(description="true: not listed, and needs a join code")
    at: UnixMs
    code: JoinCode | None = None
    origin: OriginId | None = None
    keys: tuple[IdempotencyKey | None, IdempotencyKey | None] = Field(
        description="the idempotency keys of the requests that gave seat 0 and seat 1"
    )
    tag: PairTag | None = Field(default=None, description="set for a game of a tournament")
    asked_by: AskedBy = None
    asked_key: IdempotencyKey | None = Field(
        default=None, description="the idempotency key of the person who arranged the match"
    )


class Seated(RoomEvent):
    """A player took a seat."""

    type: Literal["seated"] = "seated"
    seat: Seat
    player: PlayerInfo = Field(description="the player who took it")


class MatchStarted(RoomEvent):
    """A match begins, because both seats are taken or both players agreed to a rematch. In a
    rematch the players have swapped seats. The mover's clock starts after the server has stored
    and sent this event."""

    type: Literal["match_started"] = "match_started"
    match: MatchNumber
    players: tuple[PlayerName, PlayerName] = Field(description="seat 0 and seat 1")
    to_move: Seat = Field(description="the seat to move")
    clock_ms: ClockMs | None
    at: UnixMs
    board: Board = None


class MoveMade(RoomEvent):
    """`seat` played `action` at `ply`."""

    type: Literal["move"] = "move"
    match: MatchNumber
    ply: Count = Field(description="0 for the first move after the opening")
    seat: Seat
    action: Action
    to_move: Seat | None = Field(description="the seat to move next; null: the game is over")
    scores: Scores
    clock_ms: ClockMs | None
    elapsed_ms: Millis = Field(description="how long the mover thought, in milliseconds")
    expected: float | None = Field(
        default=None, description="the final net score that the mover expects for itself"
    )
    fallback: bool = Field(
        default=False, description="true: a substitute move, because the bot failed to find one"
    )
    takebacks: Count = Field(default=0, description="the number of takebacks before the move")
    board: Board = None


class TakebackAsked(RoomEvent):
    """`seat` asks to take back its move at `ply` and all moves after it. Its opponent may answer
    with `answer_takeback`. The request ends with the next move."""

    type: Literal["takeback_asked"] = "takeback_asked"
    match: MatchNumber
    seat: Seat
    ply: Count = Field(description="how many moves would stay")


class TakebackDeclined(RoomEvent):
    """The request to take back moves has ended, and the match goes on."""

    type: Literal["takeback_declined"] = "takeback_declined"
    match: MatchNumber
    seat: Seat | None = Field(
        description="the seat that declined, or that withdrew its own request; null: nobody "
        "answered in time"
    )


class TakenBack(RoomEvent):
    """The match is back at the position before the move at `ply`, which `seat` had made. This seat
    is to move, and plays this ply again. The clocks keep what is left; the mover's clock starts
    after the server has stored and sent this event."""

    type: Literal["takeback"] = "takeback"
    match: MatchNumber
    seat: Seat
    ply: Count = Field(description="how many moves stay")
    takebacks: Annotated[
        int, Field(ge=1, description="the number of takebacks in the match, this one included")
    ]
    to_move: Seat = Field(description="the seat to move")
    scores: Scores
    clock_ms: ClockMs | None
    board: Board = None


class MatchFinished(RoomEvent):
    """The match is over. `get_record` returns its record by the `game_id`."""

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
    phrase: Told = None
    both_moved: bool = Field(
        default=True, description="both seats have moved; otherwise the match changes no rating"
    )


class RematchOffered(RoomEvent):
    """`seat` offers a rematch."""

    type: Literal["rematch_offered"] = "rematch_offered"
    seat: Seat


RematchOutcome = Literal["declined", "withdrawn", "away", "elsewhere"]
"""How the offer of a rematch has ended; `elsewhere`: its player begins another match."""


class RematchEnded(RoomEvent):
    """The rematch that `seat` has offered does not begin."""

    type: Literal["rematch_ended"] = "rematch_ended"
    seat: Seat
    outcome: RematchOutcome = Field(
        description="`declined` by the opponent, `withdrawn` by the player, who is `away` or "
        "begins a match `elsewhere`"
    )


class RoomClosed(RoomEvent):
    """The room is closed. This is its last event."""

    type: Literal["room_closed"] = "room_closed"
    reason: Reason
    phrase: Told = None


Event = Annotated[
    RoomCreated
    | Seated
    | MatchStarted
    | MoveMade
    | TakebackAsked
    | TakebackDeclined
    | TakenBack
    | MatchFinished
    | RematchOffered
    | RematchEnded
    | RoomClosed,
    Field(discriminator="type"),
]
"""Any numbered event of a room."""
