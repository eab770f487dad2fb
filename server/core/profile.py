"""Sum up a player's last games: against whom, in what, and how they began."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from doublecross.games.api import Game, GameError
from doublecross.games.record import first_moves
from doublecross.games.registry import game_class
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.storage import GameRow

FIRST: Final = 2
"""How many moves make an opening."""
MOST_OPPONENTS: Final = 50
MOST_OPENINGS: Final = 5
"""How many opponents, and openings of one game and size, are told."""


@dataclass(slots=True)
class Tally:
    """How games ended for a player."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.won + self.drawn + self.lost

    def add(self, seat: int, winner: int | None) -> None:
        """Add a game that the player had in a seat."""
        self.won += winner == seat
        self.drawn += winner is None
        self.lost += winner == 1 - seat

    def told(self) -> dict[str, Any]:
        """Return the numbers for an answer."""
        return {"won": self.won, "drawn": self.drawn, "lost": self.lost}


@dataclass(slots=True)
class PoolTally:
    """The games of one kind and size, all of them and by their first moves."""

    tally: Tally = field(default_factory=Tally)
    openings: dict[tuple[int, ...], Tally] = field(default_factory=dict)


class Profile:
    """The sums of the games that `add` was given, newest first."""

    def __init__(self, player: str) -> None:
        self._key = player.casefold()
        self.games = 0
        self._opponents: dict[str, tuple[str, Tally]] = {}
        self._pools: dict[tuple[str, str], PoolTally] = {}

    def add(self, rows: Iterable[GameRow]) -> None:
        """Add finished games with their records."""
        for row in rows:
            if row.termination not in NO_RESULT:
                self._add(row)

    def _add(self, row: GameRow) -> None:
        seat = 0 if row.players[0].casefold() == self._key else 1
        other = row.players[1 - seat]
        self.games += 1
        self._opponents.setdefault(other.casefold(), (other, Tally()))[1].add(seat, row.winner)
        pool = self._pools.setdefault((row.game, row.size), PoolTally())
        pool.tally.add(seat, row.winner)
        opening = _opening(row)
        if opening:
            pool.openings.setdefault(opening, Tally()).add(seat, row.winner)

    def told(self) -> dict[str, Any]:
        """Return the sums for an answer, those of most games first."""
        opponents = sorted(self._opponents.values(), key=lambda each: -each[1].games)
        pools = sorted(self._pools.items(), key=lambda each: -each[1].tally.games)
        return {
            "games": self.games,
            "opponents": [
                {"name": name, **tally.told()} for name, tally in opponents[:MOST_OPPONENTS]
            ],
            "pools": [
                {
                    "game": game,
                    "size": size,
                    **pool.tally.told(),
                    "openings": _told_openings(game, size, pool.openings),
                }
                for (game, size), pool in pools
            ],
        }


def _told_openings(
    game: str, size: str, openings: dict[tuple[int, ...], Tally]
) -> list[dict[str, Any]]:
    known = _game(game, size)
    if known is None:
        return []
    usual = sorted(openings.items(), key=lambda each: -each[1].games)
    return [
        {"moves": [known.action_name(action) for action in actions], **tally.told()}
        for actions, tally in usual[:MOST_OPENINGS]
    ]


def _opening(row: GameRow) -> tuple[int, ...]:
    """Return the first moves of a game that began on an empty board, up to symmetry, or nothing."""
    game = _game(row.game, row.size)
    if game is None or "\n[Opening " in row.record or "\n[Start " in row.record:
        return ()
    try:
        actions = [game.parse_action(name) for name in first_moves(row.record, FIRST)]
    except GameError:
        return ()
    return min(tuple(image[action] for action in actions) for image in game.symmetries)


@lru_cache(maxsize=64)
def _game(key: str, size: str) -> Game | None:
    try:
        kind = game_class(key)
        return kind(kind.parse_size(size) if kind.parameters else None)
    except GameError:
        return None  # the games of other packages may be gone
