"""The messages that the server sends: events, answers, notices, and their union `ServerMessage`.

*Events* are the numbered facts of a room. The same messages are stored, sent, sent again after a
reconnect and exported. An event can be the answer to a request; the copy for the sender of the
request then also carries its `id`. *Answers* carry the `id` of their request. *Notices* carry no
`id` and no number: they show the current state, and a client can follow a game without them.

This file has the general answers and the messages about one room as a whole. The events are in
`protocol/room_events.py`, lobby and tournaments in `protocol/lobby_messages.py`, reviews in
`protocol/review_messages.py`, own games in `protocol/history_messages.py`, and other people in
`protocol/social_messages.py`; this file exports their names too. The docstrings and field
descriptions appear in `docs/protocol.md`.

Clients ignore fields and types that they do not know, so a newer server breaks no client.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Action,
    AskedBy,
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
    Told,
    WireModel,
)
from doublecross.protocol.history_messages import GamesFound, OwnGame
from doublecross.protocol.lobby_messages import (
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
from doublecross.protocol.open_games_messages import OpenGame, OpenGames, YourTurn
from doublecross.protocol.plan_messages import PlanState
from doublecross.protocol.review_messages import (
    ExpectedScore,
    ReviewedMove,
    ReviewPhrase,
    ReviewReport,
    ReviewState,
)
from doublecross.protocol.room_events import (
    BoardState,
    ClockMs,
    Event,
    MatchFinished,
    MatchNumber,
    MatchStarted,
    MoveMade,
    Reason,
    RematchEnded,
    RematchOffered,
    RoomClosed,
    RoomCreated,
    RoomEvent,
    Scores,
    Seated,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    Termination,
    UnixMs,
    Utilities,
)
from doublecross.protocol.social_messages import Followed, Said, Talk, Ties

__all__ = [
    "AdviceGiven",
    "Announcement",
    "BoardState",
    "ChallengeSent",
    "Challenged",
    "ClockMs",
    "Closing",
    "Done",
    "EntrantState",
    "EvaluationGiven",
    "Event",
    "ExpectedScore",
    "Failed",
    "Followed",
    "GamesFound",
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
    "OpenGame",
    "OpenGames",
    "OpenTakeback",
    "OwnGame",
    "PhraseSaid",
    "PlanState",
    "Pong",
    "Presence",
    "Reason",
    "RecordFound",
    "RematchEnded",
    "RematchOffered",
    "ReviewPhrase",
    "ReviewReport",
    "ReviewState",
    "ReviewedMove",
    "RoomClosed",
    "RoomCreated",
    "RoomEvent",
    "RoomState",
    "Said",
    "Scores",
    "SeatPresence",
    "Seated",
    "SeekPosted",
    "ServerMessage",
    "Snapshot",
    "TakebackAsked",
    "TakebackDeclined",
    "TakenBack",
    "Talk",
    "Termination",
    "Ties",
    "TournamentState",
    "UnixMs",
    "Utilities",
    "Welcome",
    "YourTurn",
]


class SeatPresence(WireModel):
    """The presence of a seat's player: connected, without a connection, or out of the room.

    While the player is away, it says when the opponent may claim the match.
    """

    connected: bool = Field(description="whether the player follows the room now")
    claim_in_ms: Millis | None = Field(
        default=None,
        description="how long until the opponent may claim the win; 0: now; null: the player is "
        "connected, or no match is in play",
    )
    left: bool = Field(
        default=False, description="whether the player has left the room, and may yet come back"
    )
    takebacks: bool = Field(
        default=False, description="whether the player's client understands takebacks"
    )


class Presence(WireModel):
    """Notice: who follows the room now, and for how long it waits for a first move. Sent when this
    changes, but not when the first move comes."""

    type: Literal["presence"] = "presence"
    room: RoomId
    seats: tuple[SeatPresence, SeatPresence] = Field(description="seat 0 and seat 1")
    spectators: Count = Field(description="the number of spectators")
    first_move_in_ms: Millis | None = Field(
        default=None,
        description="how long the person to move still has for the first move, while no clock "
        "runs; then the match is called off, and in a tournament lost; null: the clock runs",
    )


class PhraseSaid(WireModel):
    """Notice: a player said a phrase, in match number `match` or after it. Nobody receives it
    later: it is not stored. Ignore phrases that you do not know."""

    type: Literal["phrase_said"] = "phrase_said"
    room: RoomId
    match: MatchNumber
    seat: Seat = Field(description="the seat of the player who said it")
    phrase: Label = Field(description="one of the phrases of `say_phrase`, or a newer one")


class MatchResult(WireModel):
    """The result of the current match; the fields are those of `match_finished`."""

    termination: Termination = Field(description="how it ended")
    winner: Seat | None = Field(description="the seat that won; null: a draw, or no result")
    returns: Utilities
    game_id: GameId
    reason: Reason = ""
    phrase: Told = None


class OpenTakeback(WireModel):
    """A request to take back moves that waits for its answer; see `takeback_asked`."""

    seat: Seat = Field(description="the seat that asks")
    ply: Count = Field(description="how many moves would stay")


class Snapshot(WireModel):
    """A room after event `seq`: everything that a client needs to show the room and to play."""

    seq: Count = Field(description="the last event that the snapshot includes")
    settings: MatchSettings = Field(description="what is played")
    private: bool = Field(description="true: not listed, and needs a join code")
    tag: PairTag | None = Field(default=None, description="set for a game of a tournament")
    asked_by: AskedBy = None
    status: Literal["waiting", "playing", "finished", "closed"] = Field(
        description="the status of the room"
    )
    players: tuple[PlayerInfo | None, PlayerInfo | None] = Field(
        description="the players in seat 0 and seat 1; null: the seat is free"
    )
    match: Annotated[
        int, Field(ge=0, description="the number of the current match; 0: none has started")
    ]
    moves: tuple[Action, ...] = Field(
        description="the moves of the current match, without the opening"
    )
    movers: str = Field(
        default="",
        description="the seat that made each of these moves, a character for each, such as 0110",
    )
    to_move: Seat | None = Field(description="the seat to move; null: no match is in play")
    scores: Scores
    clock_ms: ClockMs | None
    clock_runs: bool = Field(description="whether the mover's clock runs now")
    started_at: UnixMs | None
    rematch: tuple[bool, bool] = Field(description="which seats have offered a rematch")
    result: MatchResult | None = Field(description="set once the match is over")
    takebacks: Count = Field(default=0, description="the number of takebacks in the current match")
    takeback: OpenTakeback | None = Field(
        default=None, description="the request to take back moves that waits for its answer"
    )


class RoomState(WireModel):
    """The room that the client now follows, with either a `snapshot` or the missed `events`.
    Without `id` it is a notice: a seek, a challenge or a tournament (`origin`) gave this player a
    seat in the room."""

    type: Literal["room_state"] = "room_state"
    id: RequestId | None = None
    room: RoomId
    seat: Seat | None = Field(description="the client's own seat; null: a spectator")
    origin: OriginId | None = None
    code: JoinCode | None = None
    snapshot: Snapshot | None = Field(default=None, description="the whole room")
    events: tuple[Event, ...] | None = Field(
        default=None, description="the missed events, oldest first"
    )
    clock_ms: ClockMs | None = Field(
        default=None, description="milliseconds that seat 0 and seat 1 have left now"
    )
    clock_runs: bool = Field(default=False, description="whether the mover's clock runs now")
    move_left_ms: Millis | None = Field(
        default=None,
        description="how long the mover has for this move, if single moves have a limit",
    )
    presence: Presence = Field(description="who follows the room")
    board: Annotated[
        BoardState | None,
        Field(
            description="the position after the snapshot or the missed events, for clients that "
            "asked for `boards` in their hello"
        ),
    ] = None


class Limits(WireModel):
    """The limits that the server enforces."""

    frame_bytes: Count = Field(description="the largest frame that the server accepts")
    messages_per_s: float = Field(
        description="the sustained rate of messages to the server; short bursts may be faster"
    )
    grace_ms: Millis = Field(
        description="how long a player may be disconnected before the opponent may claim the win"
    )
    silence_ms: Annotated[
        int, Field(ge=0, description="the longest time between two messages of a client")
    ]


class Welcome(WireModel):
    """Answer to hello. The `token` logs in as this player later: keep it secret. The `epoch`
    changes with every restart of the server; the numbers of events continue."""

    type: Literal["welcome"] = "welcome"
    id: RequestId
    protocol: int = Field(description="the server's protocol version")
    server: Label = Field(description="the name of the server program")
    epoch: ObjectId = Field(description="identifies this run of the server")
    player: PlayerInfo = Field(description="who you are")
    token: str = Field(description="for later hellos; keep it secret")
    rooms: tuple[ObjectId, ...] = Field(description="the rooms in which you have a seat")
    http: str | None = Field(description="the server's HTTP address; null: it has none")
    limits: Limits = Field(description="the limits that the server enforces")
    page: str | None = Field(
        default=None,
        description="identifies the version of the browser page that the server has; null: it has "
        "no page",
    )
    advice: bool = Field(default=False, description="whether the server answers `get_advice`")
    reviews: bool = Field(
        default=False,
        description="whether the server makes reviews; if not, `get_review` finds stored ones only",
    )
    talk: bool = Field(default=False, description="whether people may `say` something in rooms")
    servers: tuple[str, ...] = Field(
        default=(),
        description="the addresses of all nodes of a cluster, for when this one does not answer; "
        "empty: this is the only one",
    )


class Pong(WireModel):
    """Answer to ping."""

    type: Literal["pong"] = "pong"
    id: RequestId


class Done(WireModel):
    """Answer to a request that succeeded and has no other result."""

    type: Literal["done"] = "done"
    id: RequestId


class SeekPosted(WireModel):
    """Answer to seek and quick_match: the seek is open."""

    type: Literal["seek_posted"] = "seek_posted"
    id: RequestId
    seek: SeekId


class ChallengeSent(WireModel):
    """Answer to challenge: the other player has received it."""

    type: Literal["challenge_sent"] = "challenge_sent"
    id: RequestId
    challenge: ChallengeId


class RecordFound(WireModel):
    """Answer to get_record: the text record of a finished game."""

    type: Literal["record"] = "record"
    id: RequestId
    game_id: GameId
    text: str = Field(description="the record as text")


class AdviceGiven(WireModel):
    """Answer to get_advice: the best actions in the position at `ply` of match number `match`."""

    type: Literal["advice"] = "advice"
    id: RequestId
    room: RoomId
    match: MatchNumber
    ply: Count = Field(description="the number of moves before the advice, without the opening")
    takebacks: Count = Field(default=0, description="the number of takebacks before the advice")
    best: tuple[Action, ...] = Field(
        description="the best actions that were found, the first choice first; never empty"
    )
    net: float = Field(
        description="the net score that the seat to move can expect at the end of the game"
    )
    exact: bool = Field(
        description="whether `net` is proved and each of `best` reaches it; otherwise both are "
        "estimates"
    )
    reason: str = Field(
        default="",
        description="a sentence in English about the first of `best`; empty without one",
    )
    phrase: ReviewPhrase | None = Field(
        default=None, description="that sentence for translations; null without one"
    )


class EvaluationGiven(WireModel):
    """Answer to get_evaluation: what the server thinks of the move before the last one of match
    number `match`, in the form of a review."""

    type: Literal["evaluation"] = "evaluation"
    id: RequestId
    room: RoomId
    match: MatchNumber
    takebacks: Count = Field(default=0, description="the number of takebacks before that move")
    move: ReviewedMove = Field(description="that move, as a review of the game describes it")


class Failed(WireModel):
    """Answer: the server refused the request, which changed nothing."""

    type: Literal["error"] = "error"
    id: RequestId | None = Field(description="the request; null: its id was not readable")
    code: str = Field(description="one of the error codes")
    message: str = Field(description="a sentence for people")
    phrase: Told = None


class Closing(WireModel):
    """Notice: the server is shutting down. Rooms and matches are stored; reconnect when the server
    runs again."""

    type: Literal["closing"] = "closing"
    grace_ms: Millis


class Announcement(WireModel):
    """Notice: the host of the server tells all players something, such as when it will be
    restarted. It replaces the announcement before; an empty text only ends that."""

    type: Literal["announcement"] = "announcement"
    text: Annotated[str, Field(max_length=200, description="for people, in one line")]
    until_ms: UnixMs | None = Field(description="when it is out of date; null: nobody knows")


ServerMessage = Annotated[
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
    | RoomClosed
    | RoomState
    | Presence
    | PlanState
    | PhraseSaid
    | Said
    | Talk
    | Ties
    | Welcome
    | Pong
    | Done
    | SeekPosted
    | ChallengeSent
    | RecordFound
    | ReviewState
    | GamesFound
    | OpenGames
    | AdviceGiven
    | EvaluationGiven
    | Failed
    | LobbyState
    | LobbyChanged
    | Challenged
    | OfferEnded
    | TournamentState
    | Announcement
    | YourTurn
    | Closing,
    Field(discriminator="type"),
]
"""Any message of the server."""
