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
    Format,
    GameId,
    IdempotencyKey,
    JoinCode,
    Label,
    MatchSettings,
    Millis,
    ObjectId,
    OriginId,
    PairTag,
    PlayerInfo,
    PlayerName,
    RequestId,
    RoomId,
    Seat,
    SeekId,
    TournamentId,
    TournamentTerms,
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


class EntrantState(WireModel):
    """A player in a tournament. `games` are those that count, `points` 1 for a win and 1/2 for a
    draw, `net` the boxes (or whatever the game counts) more than the opponents' in sum."""

    player: PlayerName
    engine: Label = Field(description="a bot's engine and version; empty for people")
    state: Literal["in", "left", "aside"] = Field(description="whether it gets games")
    reason: Reason = ""
    online: bool = Field(description="whether it is connected")
    playing: Count = Field(description="its games of the tournament that are being played")
    place: Annotated[int, Field(ge=1, description="1 for the first; equals share a place")]
    games: Count = Field(description="its games that count")
    points: Annotated[float, Field(ge=0)] = Field(description="of these games")
    net: int = Field(description="what it has more than its opponents, in sum")


class TournamentState(WireModel):
    """How a tournament stands. Without `id` it is a notice to those in it: it has started or
    ended, or this player was set aside. `entrants` come in the order of their places; on a large
    tournament only the first 200 are listed. More is told over HTTP."""

    type: Literal["tournament_state"] = "tournament_state"
    id: RequestId | None = None
    tournament: TournamentId
    terms: TournamentTerms = Field(description="what it is about")
    owner: PlayerName = Field(description="who organises it")
    status: Literal["open", "running", "finished", "cancelled"] = Field(
        description="open: players join; cancelled: ended before its time"
    )
    entrants: tuple[EntrantState, ...] = Field(description="in the order of their places")
    entrants_total: Count = Field(description="players in it")
    games_played: Count = Field(description="that count")
    games_planned: Count | None = Field(description="null: nobody knows, or without an end")
    note: Reason = ""


class LobbyTournament(WireModel):
    """A tournament in the lobby, open or running."""

    tournament: TournamentId
    name: Label = Field(description="for people")
    format: Format
    settings: MatchSettings = Field(description="what is played")
    owner: PlayerName = Field(description="who organises it")
    status: Literal["open", "running"] = Field(description="open: players join")
    entrants: Count = Field(description="players in it")
    people: bool = Field(description="whether people may join now, as far as they are invited")


class LobbyRating(WireModel):
    """What a player is worth in a game and size, by its rated games there (Glicko-2). The truth
    lies within two deviations in 19 of 20 cases; with a deviation above 110 little is known."""

    player: PlayerName
    game: Label = Field(description="the key of the game")
    size: Label = Field(description="such as 5x5")
    rating: float = Field(description="1500 in the middle")
    deviation: Annotated[float, Field(ge=0)] = Field(description="its standard error")
    games: Count = Field(description="that it follows from")


class LobbySeek(WireModel):
    """An open seek in the lobby; `seat` is the one its owner wants."""

    seek: SeekId
    player: PlayerInfo = Field(description="who offers")
    settings: MatchSettings = Field(description="what is played")
    seat: Seat | None


class LobbyRoom(WireModel):
    """A public room in the lobby."""

    room: RoomId
    settings: MatchSettings = Field(description="what is played; its opening is left out here")
    status: Literal["waiting", "playing", "finished"] = Field(description="of the room")
    players: tuple[PlayerInfo | None, PlayerInfo | None] = Field(
        description="seat 0 and seat 1; null: free"
    )


class LobbyState(WireModel):
    """Answer to follow_lobby: the lobby as it is now; `lobby_changed` notices follow. On a full
    server only the newest of each kind are listed; the totals count all, private rooms too."""

    type: Literal["lobby_state"] = "lobby_state"
    id: RequestId
    players: tuple[PlayerInfo, ...] = Field(description="who is online")
    seeks: tuple[LobbySeek, ...] = Field(description="the open seeks")
    rooms: tuple[LobbyRoom, ...] = Field(description="the public rooms")
    tournaments: tuple[LobbyTournament, ...] = Field(
        default=(), description="those that are open or running"
    )
    ratings: tuple[LobbyRating, ...] = Field(
        default=(), description="of those who are online, of the programs that they run"
    )
    players_total: Count = Field(description="players online")
    seeks_total: Count = Field(description="open seeks")
    rooms_total: Count = Field(description="open rooms")


class LobbyChanged(WireModel):
    """Notice: what is new, changed or gone in the lobby since the last one."""

    type: Literal["lobby_changed"] = "lobby_changed"
    players: tuple[PlayerInfo, ...] = Field(default=(), description="who is new online, or changed")
    players_gone: tuple[PlayerName, ...] = Field(default=(), description="who is offline now")
    seeks: tuple[LobbySeek, ...] = Field(default=(), description="new open seeks")
    seeks_gone: tuple[ObjectId, ...] = Field(default=(), description="seeks that have ended")
    rooms: tuple[LobbyRoom, ...] = Field(
        default=(), description="new public rooms, or changed ones"
    )
    rooms_gone: tuple[ObjectId, ...] = Field(default=(), description="rooms that have closed")
    tournaments: tuple[LobbyTournament, ...] = Field(
        default=(), description="new tournaments, or changed ones"
    )
    tournaments_gone: tuple[ObjectId, ...] = Field(
        default=(), description="tournaments that have ended"
    )
    ratings: tuple[LobbyRating, ...] = Field(
        default=(), description="changed ones, and those of players who are new online"
    )


class Challenged(WireModel):
    """Notice: `player` offers you a match; `seat` is the seat that player wants."""

    type: Literal["challenged"] = "challenged"
    challenge: ChallengeId
    player: PlayerInfo = Field(description="who offers")
    settings: MatchSettings = Field(description="what is played")
    seat: Seat | None


class OfferEnded(WireModel):
    """Notice: a seek of yours, or a challenge from or to you, has ended without a match."""

    type: Literal["offer_ended"] = "offer_ended"
    offer: ObjectId = Field(description="the seek or challenge")
    outcome: Literal["cancelled", "declined", "expired", "left"] = Field(description="how it ended")
    reason: Label = Field(default="", description="why, for people; may be empty")


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
