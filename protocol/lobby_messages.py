"""Messages about the lobby: who is online, offers, public rooms, ratings and tournaments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from doublecross.protocol.common import (
    AskedBy,
    ChallengeId,
    Count,
    Format,
    Label,
    MatchSettings,
    Millis,
    ObjectId,
    PlayerInfo,
    PlayerName,
    RequestId,
    RoomId,
    Seat,
    SeekId,
    Told,
    TournamentId,
    TournamentTerms,
    WireModel,
)
from doublecross.protocol.room_events import Reason


class EntrantState(WireModel):
    """A player in a tournament."""

    player: PlayerName
    engine: Label = Field(description="a bot's engine and version; empty for people")
    state: Literal["in", "left", "aside"] = Field(
        description="in: gets games; left: has left the tournament; aside: is excluded from it"
    )
    reason: Reason = ""
    online: bool = Field(description="whether the player is connected")
    loses_in_ms: Count | None = Field(
        default=None,
        description="time until this player, who is away, loses a game, because nothing else can "
        "be played; null: nothing waits for the player",
    )
    playing: Count = Field(description="the player's games of this tournament now in play")
    busy: bool = Field(
        default=False,
        description="whether the player is in a match with a clock elsewhere: the next game here "
        "begins when it ends, or after ten minutes if the opponent waits",
    )
    place: Annotated[int, Field(ge=1, description="1 is the best; equal players share a place")]
    games: Count = Field(description="the player's games that count")
    points: Annotated[float, Field(ge=0)] = Field(
        description="1 for each win and 1/2 for each draw in these games; in an arena 2 and 1, or "
        "double that"
    )
    net: int = Field(
        description="the sum of the net scores of these games: own boxes (or whatever the game "
        "counts) minus the opponent's"
    )
    tie_breaks: tuple[float, ...] = Field(
        default=(),
        description="the values of the `tie_breaks` of the terms, in their order; empty "
        "where only the net score decides",
    )
    rating: float | None = Field(
        default=None,
        description="the Glicko-2 rating in this ladder or arena; null in other formats",
    )
    deviation: Annotated[float, Field(ge=0)] | None = Field(
        default=None,
        description="the deviation of this rating: the true strength is within two of them with a "
        "probability of 95%; 0: the rating is fixed",
    )
    on_fire: bool = Field(
        default=False,
        description="whether the player has won two games in a row in an arena, or more, so that "
        "points count double until a game is not won",
    )
    last_ms: Millis | None = Field(
        default=None, description="when the player's last game ended; null: it has played none"
    )


class TournamentState(WireModel):
    """The current state of a tournament. Without `id` it is a notice to a player in the tournament:
    the tournament started or ended, or the player was excluded. Of a large tournament it lists
    only the first 200 entrants and the receiver; `/api/tournaments` over HTTP lists them all."""

    type: Literal["tournament_state"] = "tournament_state"
    id: RequestId | None = None
    tournament: TournamentId
    terms: TournamentTerms = Field(description="format, settings and limits")
    owner: PlayerName = Field(description="the organiser")
    status: Literal["open", "running", "finished", "cancelled"] = Field(
        description="open: players can join, games have not started; cancelled: ended early"
    )
    entrants: tuple[EntrantState, ...] = Field(description="the players, best place first")
    entrants_total: Count = Field(description="the number of players in the tournament")
    games_played: Count = Field(description="the number of finished games that count")
    games_planned: Count | None = Field(
        description="the number of games in all; null: not known yet, or unlimited"
    )
    next_ms: Millis | None = Field(
        default=None,
        description="when the tournament starts by itself, or when its next round begins, in "
        "milliseconds since 1970; null: it waits for no moment",
    )
    ends_ms: Millis | None = Field(
        default=None,
        description="when an arena ends, in milliseconds since 1970; null before its start, and "
        "in other formats",
    )
    next_season: TournamentId | None = Field(
        default=None,
        description="the running season of a ladder of which this is an earlier one; its players "
        "are in it already",
    )
    note: Reason = ""
    phrase: Told = None


class LobbyTournament(WireModel):
    """An open or running tournament in the lobby."""

    tournament: TournamentId
    name: Label = Field(description="the tournament's name")
    format: Format
    settings: MatchSettings = Field(description="what is played")
    owner: PlayerName = Field(description="the organiser")
    status: Literal["open", "running"] = Field(
        description="open: players can join, games have not started"
    )
    entrants: Count = Field(description="the number of players in the tournament")
    people: bool = Field(description="whether people (not only bots) may join now if invited")
    starts_ms: Millis | None = Field(
        default=None, description="when it starts by itself; null: it has started, or has no time"
    )
    ends_ms: Millis | None = Field(default=None, description="when a running arena ends")
    wanted: tuple[PlayerName, ...] = Field(
        default=(), description="the bots that should join now, if they like to"
    )


class LobbyRating(WireModel):
    """A player's Glicko-2 rating in one game and size, from the rated games. The true strength is
    within two deviations of the rating with a probability of 95%. A rating with a deviation above
    110 is provisional."""

    player: PlayerName
    game: Label = Field(description="the key of the game")
    size: Label = Field(description="the board size, such as 5x5")
    rating: float = Field(description="the rating; new players start at 1500")
    deviation: Annotated[float, Field(ge=0)] = Field(description="the rating's standard error")
    games: Count = Field(description="the number of rated games behind it")


class LobbySeek(WireModel):
    """An open seek in the lobby; `seat` is the seat that its owner wants, null for any."""

    seek: SeekId
    player: PlayerInfo = Field(description="the player who posted it")
    settings: MatchSettings = Field(description="what is played")
    seat: Seat | None


class LobbyRoom(WireModel):
    """A public room in the lobby."""

    room: RoomId
    settings: MatchSettings = Field(description="what is played; opening and start are left out")
    status: Literal["waiting", "playing", "finished"] = Field(description="the status of the room")
    players: tuple[PlayerInfo | None, PlayerInfo | None] = Field(
        description="the players in seat 0 and seat 1; null: the seat is free"
    )


class LobbyState(WireModel):
    """Answer to follow_lobby: the current lobby; `lobby_changed` notices follow. A busy server
    lists only some of the players, seeks and rooms, and tells of their changes only; bots and rooms
    that wait for a player come first. The totals count all of them, private rooms included."""

    type: Literal["lobby_state"] = "lobby_state"
    id: RequestId
    players: tuple[PlayerInfo, ...] = Field(description="the players online")
    seeks: tuple[LobbySeek, ...] = Field(description="the open seeks")
    rooms: tuple[LobbyRoom, ...] = Field(description="the public rooms")
    tournaments: tuple[LobbyTournament, ...] = Field(
        default=(), description="the open and the running tournaments"
    )
    ratings: tuple[LobbyRating, ...] = Field(
        default=(),
        description="the ratings of the players online; for a bot those of its current engine",
    )
    players_total: Count = Field(description="the number of players online")
    seeks_total: Count = Field(description="the number of open seeks")
    rooms_total: Count = Field(description="the number of open rooms")


class LobbyChanged(WireModel):
    """Notice: what was added, changed or removed in the lobby since the last notice."""

    type: Literal["lobby_changed"] = "lobby_changed"
    players: tuple[PlayerInfo, ...] = Field(
        default=(), description="players who came online or changed"
    )
    players_gone: tuple[PlayerName, ...] = Field(default=(), description="players who went offline")
    seeks: tuple[LobbySeek, ...] = Field(default=(), description="new open seeks")
    seeks_gone: tuple[ObjectId, ...] = Field(default=(), description="seeks that have ended")
    rooms: tuple[LobbyRoom, ...] = Field(default=(), description="new or changed public rooms")
    rooms_gone: tuple[ObjectId, ...] = Field(default=(), description="rooms that have closed")
    tournaments: tuple[LobbyTournament, ...] = Field(
        default=(), description="new or changed tournaments"
    )
    tournaments_gone: tuple[ObjectId, ...] = Field(
        default=(), description="tournaments that have ended"
    )
    ratings: tuple[LobbyRating, ...] = Field(
        default=(), description="changed ratings, and those of players who came online"
    )
    players_total: Count | None = Field(
        default=None, description="the number of players online; null: the same as before"
    )
    seeks_total: Count | None = Field(
        default=None, description="the number of open seeks; null: the same as before"
    )
    rooms_total: Count | None = Field(
        default=None, description="the number of open rooms; null: the same as before"
    )


class Challenged(WireModel):
    """Notice: `player` challenges you to a match; `seat` is the seat that `player` wants, null for
    any."""

    type: Literal["challenged"] = "challenged"
    challenge: ChallengeId
    player: PlayerInfo = Field(description="the challenger")
    settings: MatchSettings = Field(description="what is played")
    seat: Seat | None
    asked_by: AskedBy = None


class OfferEnded(WireModel):
    """Notice: a seek of yours, or a challenge from or to you, has ended without a match."""

    type: Literal["offer_ended"] = "offer_ended"
    offer: ObjectId = Field(description="the seek or challenge")
    outcome: Literal["cancelled", "declined", "expired", "left"] = Field(description="how it ended")
    reason: Label = Field(default="", description="a reason for people; may be empty")
