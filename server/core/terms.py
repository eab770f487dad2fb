"""The terms of a room, the check of its settings, and how long it waits for its players."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from doublecross.games.api import Game, GameError, UnknownGame
from doublecross.games.api.sentence import Sentence, counted
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, PairTag, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, bad_parameter

SLOW_MS: Final = 3_600_000
"""With more time than this for a move, in milliseconds, the clock runs from the start."""


@dataclass(frozen=True, slots=True)
class RoomTimes:
    """How long a room waits for its players, in milliseconds."""

    grace_ms: int = 30_000
    """How long a player may be disconnected before the opponent may claim the win."""
    join_ms: int = 30 * 60_000
    """How long a waiting room stays open for somebody to take the free seat."""
    away_ms: int = 5 * 60_000
    """How long a room stays open while both players are disconnected."""
    linger_ms: int = 10 * 60_000
    """How long a room stays open for a rematch, once a player has gone after a match."""
    restart_ms: int = 30_000
    """How long the mover's clock waits for the mover to come back after a restart."""
    first_move_ms: int = 30_000
    """How long a person may take for the first move, during which no clock runs."""
    tournament_first_move_ms: int = 60_000
    """The same in a tournament, where a player who does not move in time loses the game."""
    idle_ms: int = 24 * 3_600_000
    """How long a room stays open in which nobody moves: in a match without a clock outside
    tournaments, or after a match, even if both players stay.

    Without this limit, two clients that never leave could keep rooms open for ever.
    """


@dataclass(frozen=True, slots=True)
class RoomTerms:
    """The fixed properties of a room.

    `code` is the join code of a private room. `origin` is the id of the seek, challenge or
    tournament that led to the room. `keys` are the idempotency keys of the requests that gave the
    players their seats, by the seats of the first match. `tag` is set for a game of a tournament.
    `asked_by` is the person who arranged a match of two bots, with the idempotency key `asked_key`.
    """

    room: str
    settings: MatchSettings
    private: bool = False
    code: str | None = None
    origin: str | None = None
    keys: tuple[str | None, str | None] = (None, None)
    tag: PairTag | None = None
    asked_by: str | None = None
    asked_key: str | None = None

    def first_ms(self, player: PlayerInfo | None, times: RoomTimes) -> int | None:
        """Return the limit for a player's first move; None where the clock runs at once.

        A bot needs no time to find its board. A match that lasts days, or has no clock, gives
        people time enough.
        """
        control = self.settings.time
        limits = [ms for ms in (control.base_ms, control.move_ms) if ms is not None]
        if player is None or player.kind == "bot" or not limits or min(limits) > SLOW_MS:
            return None
        return times.first_move_ms if self.tag is None else times.tournament_first_move_ms


def check_settings(settings: MatchSettings) -> Game:
    """Return the game of the settings.

    Raises:
        Refused: the game is unknown, or it does not allow the size, the opening or the start.
    """
    if settings.opening or settings.start:
        return _check(settings)
    return _whole_game(settings.game, tuple(settings.params.items()))


@lru_cache(maxsize=256)
def _whole_game(game: str, given: tuple[tuple[str, int], ...]) -> Game:
    """Return a game from its usual beginning; nearly all rooms have one of the same few."""
    return _check(MatchSettings(game=game, params=dict(given)))


def _check(settings: MatchSettings) -> Game:
    try:
        game = make_game(settings.game, settings.params)
        state = game.replay(settings.opening, settings.start)
    except GameError as error:
        unknown = isinstance(error, UnknownGame)
        code = ErrorCode.UNKNOWN_GAME if unknown else ErrorCode.BAD_PARAMETER
        raise Refused(code, str(error)) from None
    if settings.start and settings.rated:
        raise bad_parameter(
            "A match that begins in the middle of a game is casual: it counts for no rating."
        )
    if state.is_terminal():
        raise bad_parameter("The game is over after these moves; begin at an earlier position.")
    return game


def complete(settings: MatchSettings) -> MatchSettings:
    """Return the settings with the default values of all missing parameters.

    Two requests for the same game then have equal settings.

    Raises:
        Refused: the game is unknown, or it does not allow the size or the opening.
    """
    params = check_settings(settings).params
    # Nobody changes them, so complete ones need no copy.
    same = params == settings.params
    return settings if same else settings.model_copy(update={"params": dict(params)})


def span(ms: int) -> Sentence:
    """Return a time for people, such as ``7 days`` or ``90 seconds``."""
    days, hours, minutes = ms / 86_400_000, ms / 3_600_000, ms / 60_000
    if days == 1 or days >= 2:
        return counted("{count} day", "{count} days", round(days))
    if hours == 1 or hours >= 2:
        return counted("{count} hour", "{count} hours", round(hours))
    if minutes == 1 or minutes >= 2:
        return counted("{count} minute", "{count} minutes", round(minutes))
    return Sentence("{number} seconds", f"{ms / 1000:g}")
