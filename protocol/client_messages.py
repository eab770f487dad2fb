"""What clients say: one class for each request, and their union `ClientMessage`.

Every request has an `id` and gets exactly one answer that carries it: an event, a result or an
error. Who acts is taken from the connection, never from the message.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from protocol.common import (
    Action,
    ChallengeId,
    EngineInfo,
    GameId,
    IdempotencyKey,
    JoinCode,
    Kind,
    Label,
    MatchSettings,
    PlayerName,
    RequestId,
    RoomId,
    Seat,
    SeekId,
    TournamentId,
    TournamentTerms,
    WireModel,
    WireNumber,
)

Token = Annotated[
    str,
    Field(
        min_length=16,
        max_length=128,
        pattern=r"^[\x21-\x7e]+$",
        description="the token of an earlier welcome",
    ),
]
LongKey = Annotated[
    str,
    Field(
        min_length=16,
        max_length=64,
        pattern=r"^[\x21-\x7e]+$",
        description="chosen by the client at random; it is as secret as the token",
    ),
]
MatchIndex = Annotated[int, Field(ge=1, le=1_000_000, description="the room's match, from 1")]
Ply = Annotated[
    int, Field(ge=0, le=1_000_000, description="how many moves the match has, the opening apart")
]


class Request(WireModel):
    """Base of all requests."""

    id: RequestId


class Hello(Request):
    """The first message of a connection. A new player gives a `name`, a known one the `token`
    from its first welcome (the name is then ignored). Bots say which engine they run. A new
    player should give a `key` too, long and by chance: should the welcome be lost, the same name
    with the same key brings the same player back; without it the name would be taken.

    Answer: `welcome`.
    """

    type: Literal["hello"] = "hello"
    protocol: WireNumber = Field(description="the protocol version, now 1")
    kind: Kind
    name: PlayerName | None = None
    token: Token | None = None
    key: LongKey | None = None
    engine: EngineInfo | None = Field(default=None, description="set by bots, and only by bots")
    client: Label = Field(default="", description="the client program, for the host's logs")


class Ping(Request):
    """Asks for a sign of life. Answer: `pong`."""

    type: Literal["ping"] = "ping"


class CreateRoom(Request):
    """Opens a room and takes a seat in it; the match starts when the other seat is taken.
    `seat` null leaves the choice to chance. A private room is not listed and asks for the code
    that its creator is told. Answer: `room_state`.
    """

    type: Literal["create_room"] = "create_room"
    key: IdempotencyKey
    settings: MatchSettings = Field(description="what to play")
    seat: Seat | None = Field(default=None, description="the seat to take; null: by chance")
    private: bool = Field(default=False, description="whether it is not listed and has a code")


class JoinRoom(Request):
    """Takes the free seat of a waiting room. Answer: `room_state`."""

    type: Literal["join_room"] = "join_room"
    room: RoomId
    code: JoinCode | None = None


class Watch(Request):
    """Follows a room as a spectator. Answer: `room_state`."""

    type: Literal["watch"] = "watch"
    room: RoomId
    code: JoinCode | None = None


class Leave(Request):
    """Stops following a room. A player leaves a waiting room (which aborts it) or a finished
    one (which declines a rematch), never a match in play: that is resign. Answer: `done`.
    """

    type: Literal["leave"] = "leave"
    room: RoomId


class Resume(Request):
    """Follows a room again from `seq`, the last event that was seen. Answer: `room_state` with
    exactly the missed events, or with a snapshot when those are no longer at hand or `seq` is 0.
    (Open challenges to a player need no resuming: they are told again right after `welcome`.)
    """

    type: Literal["resume"] = "resume"
    room: RoomId
    seq: WireNumber = Field(description="the last event that was seen; 0: none, send a snapshot")


class Move(Request):
    """Plays `action` at `ply` of match number `match` of the room. The same action for the same
    ply again gets the original answer and is played once. A bot may say what final net score it
    expects for itself, and must say when the action is a stand-in for one that it failed to find.
    Answer: the `move` event, or `match_finished` when the mover's time was over. An illegal action
    is refused and costs nothing; in a tournament it loses the game, and the answer says so.
    """

    type: Literal["move"] = "move"
    room: RoomId
    match: MatchIndex
    ply: Ply
    action: Action
    expected: Annotated[float, Field(ge=-1e6, le=1e6)] | None = Field(
        default=None, description="the final net score that the mover expects for itself"
    )
    fallback: bool = Field(default=False, description="a stand-in: the bot found no move")


class Resign(Request):
    """Gives the match up. Answer: the `match_finished` event."""

    type: Literal["resign"] = "resign"
    room: RoomId


class Abort(Request):
    """Calls a match off before both seats have moved. Answer: the `match_finished` event."""

    type: Literal["abort"] = "abort"
    room: RoomId


class Claim(Request):
    """Claims the win against an opponent who stayed away beyond the grace that `presence` shows.
    Answer: the `match_finished` event.
    """

    type: Literal["claim"] = "claim"
    room: RoomId


class Crash(Request):
    """A bot reports that it failed at `ply`: a rated match is lost by it; in a casual one the
    request is refused (`wrong_state`), and the bot plays on. Answer: the `match_finished` event.
    """

    type: Literal["crash"] = "crash"
    room: RoomId
    match: MatchIndex
    ply: Ply
    message: Annotated[str, Field(max_length=200)] = Field(
        default="", description="what happened, for people"
    )
    illegal: bool = Field(
        default=False,
        description="whether it chose an illegal action; in a tournament that is how it has lost",
    )


class Rematch(Request):
    """Offers or accepts another match in the room, seats swapped. Answer: the `rematch_offered`
    event, or `match_started` when the other seat had offered already.
    """

    type: Literal["rematch"] = "rematch"
    room: RoomId


class Seek(Request):
    """Posts an open offer that anybody may accept. Answer: `seek_posted`, or `room_state` when
    the same key has already led to a room.
    """

    type: Literal["seek"] = "seek"
    key: IdempotencyKey
    settings: MatchSettings = Field(description="what to play")
    seat: Seat | None = Field(default=None, description="the seat to take; null: by chance")


class QuickMatch(Request):
    """Any opponent for these settings: accepts the oldest open seek that has them, or posts one.
    Answer: `room_state` or `seek_posted`.
    """

    type: Literal["quick_match"] = "quick_match"
    key: IdempotencyKey
    settings: MatchSettings = Field(description="what to play")


class CancelSeek(Request):
    """Takes one's own seek back. Answer: `done`."""

    type: Literal["cancel_seek"] = "cancel_seek"
    seek: SeekId


class AcceptSeek(Request):
    """Accepts another player's seek. Answer: `room_state`."""

    type: Literal["accept_seek"] = "accept_seek"
    key: IdempotencyKey
    seek: SeekId


class Challenge(Request):
    """Offers a match to one connected player. Answer: `challenge_sent`, or `room_state` when the
    same key has already led to a room.
    """

    type: Literal["challenge"] = "challenge"
    key: IdempotencyKey
    player: PlayerName = Field(description="who is challenged")
    settings: MatchSettings = Field(description="what to play")
    seat: Seat | None = Field(default=None, description="the seat to take; null: by chance")


class CancelChallenge(Request):
    """Takes one's own challenge back. Answer: `done`."""

    type: Literal["cancel_challenge"] = "cancel_challenge"
    challenge: ChallengeId


class AcceptChallenge(Request):
    """Accepts a challenge to oneself. Answer: `room_state`."""

    type: Literal["accept_challenge"] = "accept_challenge"
    key: IdempotencyKey
    challenge: ChallengeId


class DeclineChallenge(Request):
    """Declines a challenge to oneself. Answer: `done`."""

    type: Literal["decline_challenge"] = "decline_challenge"
    challenge: ChallengeId
    reason: Label = Field(default="", description="why, for people")


class FollowLobby(Request):
    """Follows (or, with `on` false, stops following) who is online, open seeks and public rooms.
    Answer: `lobby_state`, or `done`.
    """

    type: Literal["follow_lobby"] = "follow_lobby"
    on: bool = Field(default=True, description="whether to follow")


class GetRecord(Request):
    """Asks for a finished game by its id. Answer: `record`."""

    type: Literal["get_record"] = "get_record"
    game_id: GameId


AtOnce = Annotated[int, Field(ge=1, le=256, description="how many games at once")]


class CreateTournament(Request):
    """Opens a tournament for others to join; whoever creates it organises it.
    Answer: `tournament_state`.
    """

    type: Literal["create_tournament"] = "create_tournament"
    key: IdempotencyKey
    terms: TournamentTerms = Field(description="what it is about")


class JoinTournament(Request):
    """Enters a tournament, or comes back into it. Its games come as `room_state` notices, as soon
    as this player and an opponent are free; a bot says how many it plays at once, and may say
    another number by joining again.
    Answer: `tournament_state`.
    """

    type: Literal["join_tournament"] = "join_tournament"
    tournament: TournamentId
    at_once: AtOnce = 1


class LeaveTournament(Request):
    """Gets no more games of a tournament; those that are being played go on. Answer: `done`."""

    type: Literal["leave_tournament"] = "leave_tournament"
    tournament: TournamentId


class StartTournament(Request):
    """Its organiser starts a tournament. Answer: `tournament_state`."""

    type: Literal["start_tournament"] = "start_tournament"
    tournament: TournamentId


class EndTournament(Request):
    """Its organiser ends a tournament: no game is begun any more, what is played counts.
    Answer: `tournament_state`.
    """

    type: Literal["end_tournament"] = "end_tournament"
    tournament: TournamentId


class SetAside(Request):
    """Its organiser sets a player of a tournament aside, who gets no more games of it.
    Answer: `tournament_state`.
    """

    type: Literal["set_aside"] = "set_aside"
    tournament: TournamentId
    player: PlayerName = Field(description="who is set aside")
    reason: Label = Field(default="", description="why, for people")


class GetTournament(Request):
    """Asks how a tournament stands. Answer: `tournament_state`."""

    type: Literal["get_tournament"] = "get_tournament"
    tournament: TournamentId


ClientMessage = Annotated[
    Hello
    | Ping
    | CreateRoom
    | JoinRoom
    | Watch
    | Leave
    | Resume
    | Move
    | Resign
    | Abort
    | Claim
    | Crash
    | Rematch
    | Seek
    | QuickMatch
    | CancelSeek
    | AcceptSeek
    | Challenge
    | CancelChallenge
    | AcceptChallenge
    | DeclineChallenge
    | FollowLobby
    | GetRecord
    | CreateTournament
    | JoinTournament
    | LeaveTournament
    | StartTournament
    | EndTournament
    | SetAside
    | GetTournament,
    Field(discriminator="type"),
]
"""Any request."""
