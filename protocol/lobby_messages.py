"""Messages about the lobby: who is online, offers, public rooms, ratings and tournaments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from protocol.common import (
    ChallengeId,
    Count,
    Format,
    Label,
    MatchSettings,
    ObjectId,
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
from protocol.room_events import (
    Reason,
)


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
