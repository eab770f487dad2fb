"""What a room is opened with: its terms, its settings checked, and how long it waits for people."""

from __future__ import annotations

from dataclasses import dataclass

from games.api import Game, GameError, UnknownGame
from games.registry import make_game
from protocol.common import MatchSettings, PairTag
from protocol.errors import ErrorCode
from server.core.errors import Refused


@dataclass(frozen=True, slots=True)
class RoomTimes:
    """How long a room waits for people, in milliseconds.

    `grace_ms`: for a disconnected player before the opponent may claim. `join_ms`: for somebody
    to take the free seat. `away_ms`: for anybody to come back. `linger_ms`: for a rematch.
    `restart_ms`: after a restart, for the mover to come back before the clock runs.
    """

    grace_ms: int = 30_000
    join_ms: int = 30 * 60_000
    away_ms: int = 5 * 60_000
    linger_ms: int = 10 * 60_000
    restart_ms: int = 30_000


@dataclass(frozen=True, slots=True)
class RoomTerms:
    """What a room was opened with; `code` is what a private room asks for, `keys` are the
    seats' idempotency keys, `origin` the seek, challenge or tournament behind it. With a `tag`
    it is for one game of a tournament."""

    room: str
    settings: MatchSettings
    private: bool = False
    code: str | None = None
    origin: str | None = None
    keys: tuple[str | None, str | None] = (None, None)
    tag: PairTag | None = None


def check_settings(settings: MatchSettings) -> Game:
    """The game of the settings.

    Raises:
        Refused: an unknown game, or a size or opening that it does not allow.
    """
    try:
        game = make_game(settings.game, settings.params)
        game.initial_state(settings.opening)
    except GameError as error:
        unknown = isinstance(error, UnknownGame)
        code = ErrorCode.UNKNOWN_GAME if unknown else ErrorCode.BAD_PARAMETER
        raise Refused(code, str(error)) from None
    return game
