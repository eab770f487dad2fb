"""The messages about a player's games in play, of which there may be many in correspondence."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Count,
    MatchSettings,
    Millis,
    PlayerInfo,
    PlayerName,
    Request,
    RequestId,
    RoomId,
    Seat,
    WireModel,
)
from doublecross.protocol.room_events import BoardState, MatchNumber, Scores

MOST_OPEN_GAMES: Final = 300
"""The most games in one answer."""


class GetOpenGames(Request):
    """List this player's games in play, those first in which it is the player's turn, and of these
    the most urgent one. Correspondence games are among them, also while nobody follows their rooms,
    and so are casual ones without a clock against a bot; follow one with `resume`. Of those that
    nobody follows, a bot gets only tournament games and those in which it is to move.
    Answer: `open_games`.
    """

    type: Literal["get_open_games"] = "get_open_games"


class OpenGame(WireModel):
    """A game in play of the player who asks."""

    room: RoomId
    match: MatchNumber
    settings: MatchSettings = Field(description="what is played; opening and start are left out")
    players: tuple[PlayerInfo, PlayerInfo] = Field(description="the players of seat 0 and seat 1")
    seat: Seat = Field(description="the seat of the player who asks")
    to_move: Seat | None = Field(description="whose turn it is; null: the server does not say")
    plies: Count | None = Field(description="how many moves were played; null: as above")
    scores: Scores | None = Field(description="the boxes or points; null: as above")
    left_ms: Millis | None = Field(
        description="how long the seat to move has for its move; null: no limit, or as above"
    )
    board: BoardState | None = Field(description="the position; null: as above")
    drawers: str = Field(
        default="",
        description="a character for each action: the seat that played it, or `.` for nobody; "
        "empty: as above",
    )


class OpenGames(WireModel):
    """Answer to get_open_games."""

    type: Literal["open_games"] = "open_games"
    id: RequestId
    games: tuple[OpenGame, ...] = Field(
        max_length=MOST_OPEN_GAMES, description="the games, the most urgent ones first"
    )


class YourTurn(WireModel):
    """Notice: it is your turn in a correspondence game that this connection does not follow. A bot
    also gets it in a casual match without a clock that it has left. A cluster may send it to a
    connection that follows the room, too.
    """

    type: Literal["your_turn"] = "your_turn"
    room: RoomId
    match: MatchNumber
    ply: Count = Field(description="the number of your next move")
    opponent: PlayerName
    left_ms: Millis = Field(description="how long you have for your move")
