"""The messages that clients send: one class for each request, and their union `ClientMessage`.

Every request has an `id` and gets exactly one answer that carries this `id`: an event, a result
or an error. The connection identifies the player who acts, never the message.

The requests about tournaments are in `protocol/tournament_requests.py`, that for reviews is in
`protocol/review_messages.py`, that for own games in `protocol/history_messages.py`, and those about
other people in `protocol/social_messages.py`; this file exports their names too.

The docstrings and field descriptions appear in `docs/protocol.md`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Action,
    EngineInfo,
    GameId,
    IdempotencyKey,
    JoinCode,
    Kind,
    Label,
    MatchIndex,
    MatchSettings,
    PlayerName,
    Ply,
    Request,
    RoomId,
    Seat,
    Takebacks,
    WireNumber,
)
from doublecross.protocol.history_messages import GetGames
from doublecross.protocol.offer_messages import (
    AcceptChallenge,
    AcceptSeek,
    ArrangeMatch,
    CancelChallenge,
    CancelSeek,
    Challenge,
    DeclineChallenge,
    QuickMatch,
    Seek,
)
from doublecross.protocol.open_games_messages import GetOpenGames
from doublecross.protocol.plan_messages import GetPlan, SetPlan
from doublecross.protocol.review_messages import GetReview
from doublecross.protocol.social_messages import GetTalk, GetTies, ReportPlayer, Say, SetTie
from doublecross.protocol.tournament_requests import (
    AddBots,
    CreateTournament,
    EndTournament,
    GetTournament,
    JoinTournament,
    LeaveTournament,
    NextSeason,
    SetAside,
    StartTournament,
    TakeBack,
)

__all__ = [
    "Abort",
    "AcceptChallenge",
    "AcceptSeek",
    "AddBots",
    "AllowAdvice",
    "AnswerTakeback",
    "ArrangeMatch",
    "AskTakeback",
    "CancelChallenge",
    "CancelSeek",
    "Challenge",
    "Claim",
    "ClientMessage",
    "Crash",
    "CreateRoom",
    "CreateTournament",
    "DeclineChallenge",
    "DeclineRematch",
    "EndTournament",
    "FollowLobby",
    "GetAdvice",
    "GetEvaluation",
    "GetGames",
    "GetOpenGames",
    "GetPlan",
    "GetRecord",
    "GetReview",
    "GetTalk",
    "GetTies",
    "GetTournament",
    "Hello",
    "JoinRoom",
    "JoinTournament",
    "Leave",
    "LeaveTournament",
    "Move",
    "NextSeason",
    "Phrase",
    "Ping",
    "QuickMatch",
    "Rematch",
    "ReportPlayer",
    "Request",
    "Resign",
    "Resume",
    "Say",
    "SayPhrase",
    "Seek",
    "SetAside",
    "SetPlan",
    "SetTie",
    "StartTournament",
    "TakeBack",
    "Watch",
]

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
        description="chosen by the client at random; keep it as secret as the token",
    ),
]
BotFailure = Literal["crash", "illegal", "timeout"]
"""How a match ends in which a bot fails."""
Phrase = Literal[
    "hello",
    "good_luck",
    "have_fun",
    "well_played",
    "thanks",
    "oops",
    "nice_move",
    "good_game",
    "one_more",
    "goodbye",
]
"""The phrases that a player can say. Each client shows them in words of its own language."""


class Hello(Request):
    """Log in. This is the first message of a connection. A new player gives a `name`; a returning
    player gives the `token` from its first welcome, and the name is ignored. Bots state which
    engine they run. A new player should also give a long random `key`: when the welcome gets lost,
    the same name with the same key logs in as the same player again. Without a key, the answer
    would then be `name_taken`.

    Answer: `welcome`.
    """

    type: Literal["hello"] = "hello"
    protocol: WireNumber = Field(description="the protocol version, currently 2")
    kind: Kind
    name: PlayerName | None = None
    token: Token | None = None
    key: LongKey | None = None
    engine: EngineInfo | None = Field(default=None, description="set by bots, and only by bots")
    client: Label = Field(default="", description="the client program, for the host's logs")
    boards: bool = Field(
        default=False,
        description="true: this client does not know the rules, so the server sends it the "
        "position with `match_started`, `move`, `takeback` and `room_state`",
    )
    takebacks: bool = Field(
        default=False,
        description="true: this client understands `takeback`, and a person at it can answer "
        "`takeback_asked`; without it, no moves are taken back in its matches",
    )
    exclusive: bool | None = Field(
        default=None,
        description="true: the player's other connections end; false: they stay, up to 16 of "
        "them; by default a bot is alone, and a person is not",
    )


class Ping(Request):
    """Check that the server still answers. Answer: `pong`."""

    type: Literal["ping"] = "ping"


class CreateRoom(Request):
    """Open a room and take a seat in it. The match starts when another player takes the other
    seat. With `seat` null the server picks a seat at random. A private room is not listed, and
    players need its join code to enter; the creator receives the code in the answer.
    Answer: `room_state`.
    """

    type: Literal["create_room"] = "create_room"
    key: IdempotencyKey
    settings: MatchSettings = Field(description="what to play")
    seat: Seat | None = Field(default=None, description="the seat to take; null: a random one")
    private: bool = Field(default=False, description="true: not listed, and needs a join code")


class JoinRoom(Request):
    """Take the free seat of a waiting room. Answer: `room_state`."""

    type: Literal["join_room"] = "join_room"
    room: RoomId
    code: JoinCode | None = None


class Watch(Request):
    """Follow a room as a spectator. Answer: `room_state`."""

    type: Literal["watch"] = "watch"
    room: RoomId
    code: JoinCode | None = None


class Leave(Request):
    """Stop following a room. A player can leave a waiting room, which closes it, or a finished
    room, which declines a rematch. A player cannot leave a match in play: use `resign`.
    Answer: `done`.
    """

    type: Literal["leave"] = "leave"
    room: RoomId


class Resume(Request):
    """Follow a room again after a reconnect; `seq` is the last event that the client received.
    Answer: `room_state` with exactly the missed events, or with a snapshot when the server no
    longer keeps these events or `seq` is 0. (Challenges need no `resume`: the server sends the
    open challenges to a player again right after `welcome`.)
    """

    type: Literal["resume"] = "resume"
    room: RoomId
    seq: WireNumber = Field(description="the last event received; 0: none, send a snapshot")


class Move(Request):
    """Play `action` at `ply` of match number `match` of the room. Sending the same action for the
    same ply again returns the original answer and plays the move only once. A client that
    understands takebacks gives their number, so that a late move is not played in another position
    of the same ply; without the number the move is for the present position. A bot may report the
    final net score that it expects for itself. It must set `fallback` when it failed to find a
    move and sends a substitute. Answer: the `move` event, or `match_finished` when the mover's
    time had run out. An illegal action is refused without a penalty; in a tournament it loses the
    game, and the answer is `match_finished`.
    """

    type: Literal["move"] = "move"
    room: RoomId
    match: MatchIndex
    ply: Ply
    action: Action
    expected: Annotated[float, Field(ge=-1e6, le=1e6)] | None = Field(
        default=None, description="the final net score that the mover expects for itself"
    )
    fallback: bool = Field(
        default=False, description="true: a substitute move, because the bot failed to find one"
    )
    takebacks: Takebacks | None = None


class AskTakeback(Request):
    """Ask to take back the own move at `ply` and all moves after it. Only a person may ask, in a
    match that is neither rated nor arranged nor part of a tournament, and only once in a position.
    A bot agrees at once. A person has a minute to answer with `answer_takeback`, and the next move
    ends the request. Both need clients that understand takebacks; `presence` shows which do. The
    clocks keep what is left. Answer: the `takeback` event, or `takeback_asked` when a person has to
    agree, or `match_finished` when the mover's time had run out.
    """

    type: Literal["ask_takeback"] = "ask_takeback"
    room: RoomId
    match: MatchIndex
    ply: Ply
    takebacks: Takebacks


class AnswerTakeback(Request):
    """Accept or decline the opponent's request for a takeback, or withdraw one's own. The fields
    are those of the request. Answer: the `takeback` or `takeback_declined` event, or
    `match_finished` when the mover's time had run out.
    """

    type: Literal["answer_takeback"] = "answer_takeback"
    room: RoomId
    match: MatchIndex
    ply: Ply
    takebacks: Takebacks
    accept: bool = Field(description="true: take the moves back; false: decline, or withdraw")


class Resign(Request):
    """Give up the match. Answer: the `match_finished` event."""

    type: Literal["resign"] = "resign"
    room: RoomId


class Abort(Request):
    """Cancel a match before both seats have moved. Answer: the `match_finished` event."""

    type: Literal["abort"] = "abort"
    room: RoomId


class Claim(Request):
    """Claim the win against an opponent who has been disconnected for longer than the grace
    period; `presence` shows the time that remains. Answer: the `match_finished` event.
    """

    type: Literal["claim"] = "claim"
    room: RoomId


class Crash(Request):
    """Report that this bot failed at `ply`. The bot loses a rated match or a game of a tournament.
    In a casual match the request is refused (`wrong_state`), and the bot has to play another legal
    action. Answer: the `match_finished` event.
    """

    type: Literal["crash"] = "crash"
    room: RoomId
    match: MatchIndex
    ply: Ply
    message: Annotated[str, Field(max_length=200)] = Field(
        default="", description="what happened, for people"
    )
    output: Annotated[str, Field(max_length=2000)] = Field(
        default="",
        description="the last lines that the bot has written; only who runs it sees them",
    )
    termination: BotFailure = Field(
        default="crash",
        description="how the match ends: `illegal` after an illegal action, `timeout` if the bot "
        "did not answer in time, `crash` otherwise",
    )


class Rematch(Request):
    """Offer or accept another match in the room, with the seats swapped. Answer: the
    `rematch_offered` event, or `match_started` when the other seat had already offered one.
    """

    type: Literal["rematch"] = "rematch"
    room: RoomId


class DeclineRematch(Request):
    """Decline the rematch that the opponent offers, or withdraw one's own offer. Answer: the
    `rematch_ended` event.
    """

    type: Literal["decline_rematch"] = "decline_rematch"
    room: RoomId


class FollowLobby(Request):
    """Follow the lobby: players online, open seeks, public rooms, tournaments and ratings. With
    `on` false, stop following it. Answer: `lobby_state`, or `done`.
    """

    type: Literal["follow_lobby"] = "follow_lobby"
    on: bool = Field(default=True, description="true: follow; false: stop following")


class GetRecord(Request):
    """Get the record of a finished game by its id. The record of a game in a private room is for
    its players, for those who follow the room, and for those who give its join code; for others it
    is an `unknown_record`. Answer: `record`.
    """

    type: Literal["get_record"] = "get_record"
    game_id: GameId
    code: JoinCode | None = None


class AllowAdvice(Request):
    """Allow both players of the current match to ask for advice, as two people at one screen do.
    It counts once the other player has sent it, too. The server keeps it for this match, but not
    when it restarts. Rated matches and tournaments have no advice. Answer: `done`.
    """

    type: Literal["allow_advice"] = "allow_advice"
    room: RoomId


class GetAdvice(Request):
    """Get the best actions in the current position. Only a person may ask, at that person's own
    turn, in a match that is neither rated nor part of a tournament: against a bot, or if both
    players have sent `allow_advice`. `advice` in `welcome` says whether the server has advice.
    Answer: `advice`.
    """

    type: Literal["get_advice"] = "get_advice"
    room: RoomId


class GetEvaluation(Request):
    """Get what the server thinks of the move before the last one, and so of the position after it.
    Only people who watch a match in play may ask, if its settings have `evaluation`: never one of
    its two players, and no bot. Ask at most once for each move. Answer: `evaluation`.
    """

    type: Literal["get_evaluation"] = "get_evaluation"
    room: RoomId


class SayPhrase(Request):
    """Say one of a few phrases to the opponent, in a match between two people or after it. The
    server sends `phrase_said` to all who follow the room, the speaker included. It stores nothing:
    a phrase that gets lost with a connection is lost, so do not send it again. A player says at
    most five phrases a minute; more are `rate_limited`, and the sentence says when the next one
    is possible. Spectators, bots and opponents of bots say nothing, nor do the players of a
    tournament whose organiser wants none. Answer: `done`.
    """

    type: Literal["say_phrase"] = "say_phrase"
    room: RoomId
    match: MatchIndex
    phrase: Phrase = Field(description="what to say")


ClientMessage = Annotated[
    Hello
    | Ping
    | CreateRoom
    | JoinRoom
    | Watch
    | Leave
    | Resume
    | Move
    | AskTakeback
    | AnswerTakeback
    | Resign
    | Abort
    | Claim
    | Crash
    | Rematch
    | DeclineRematch
    | Seek
    | QuickMatch
    | CancelSeek
    | AcceptSeek
    | Challenge
    | CancelChallenge
    | AcceptChallenge
    | DeclineChallenge
    | ArrangeMatch
    | FollowLobby
    | GetRecord
    | GetReview
    | GetGames
    | GetOpenGames
    | AllowAdvice
    | GetAdvice
    | GetEvaluation
    | SetPlan
    | GetPlan
    | SayPhrase
    | Say
    | GetTalk
    | SetTie
    | GetTies
    | ReportPlayer
    | CreateTournament
    | JoinTournament
    | LeaveTournament
    | StartTournament
    | EndTournament
    | NextSeason
    | SetAside
    | TakeBack
    | AddBots
    | GetTournament,
    Field(discriminator="type"),
]
"""Any request of a client."""
