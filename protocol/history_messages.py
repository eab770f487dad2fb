"""The messages with which players list all their own finished games, private ones included."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Count,
    GameId,
    Millis,
    PlayerName,
    Request,
    RequestId,
    Seat,
    WireModel,
)

MOST_GAMES: Final = 200
"""The most games in one answer."""


class GetGames(Request):
    """List this player's own finished games, newest first, those in private rooms included. To get
    the next page, give the time and the id of the last game of the page before. Answer: `games`.
    """

    type: Literal["get_games"] = "get_games"
    limit: Annotated[int, Field(ge=1, le=MOST_GAMES, description="the most games to send")] = 50
    before_ms: Millis | None = Field(
        default=None, description="only games that ended before this time; null: all"
    )
    before_id: GameId | None = Field(
        default=None,
        description="also the games that ended at `before_ms` exactly and whose id is smaller than "
        "this one",
    )


class OwnGame(WireModel):
    """A finished game of the player who asks; `get_record` has its moves."""

    game_id: GameId
    game: str = Field(description="the key of the game")
    size: str = Field(description="such as `5x5`, or empty")
    title: str = Field(description="the game and its size, for people")
    seat: Seat = Field(description="the seat of the player who asks")
    players: tuple[PlayerName, PlayerName] = Field(description="the players of seat 0 and seat 1")
    engines: tuple[str, str] = Field(
        description="the name and version of a bot's program; empty: a person"
    )
    rated: bool = Field(description="whether it counted for ratings")
    private: bool = Field(description="whether it was played in a private room")
    finished_ms: Millis = Field(description="when it ended, in milliseconds since 1970, UTC")
    termination: str = Field(description="why it ended, as in `match_finished`")
    outcome: Literal["won", "drawn", "lost", "none"] = Field(
        description="for the player who asks; none: it ended without a result"
    )
    scores: tuple[int, int] = Field(description="the boxes or points of seat 0 and seat 1")
    plies: Count = Field(description="how many moves were played")


class GamesFound(WireModel):
    """Answer to get_games: a page of the player's own games, newest first."""

    type: Literal["games"] = "games"
    id: RequestId
    games: tuple[OwnGame, ...] = Field(description="the games of this page")
    more: bool = Field(description="whether older games follow on the next page")
