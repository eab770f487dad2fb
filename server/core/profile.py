"""Sum up a player's last games: against whom, in what, and how they began."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

from doublecross.games.api import Game, GameError
from doublecross.games.record import first_moves
from doublecross.games.registry import game_class
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.storage import GameRow

MOVES: Final = 2
"""How many first moves make an opening."""
MOST_OPPONENTS: Final = 50
MOST_OPENINGS: Final = 5
"""How many opponents, and openings of one game and size, are told."""

_Key = TypeVar("_Key")
_Pool = tuple[str, str]
"""A game and a size."""


class Profile:
    """The sums of the games that `add` was given, newest first."""

    def __init__(self, player: str) -> None:
        self._key = player.casefold()
        self._names: dict[str, str] = {}
        # How many games were won, drawn and lost.
        self._opponents: dict[str, list[int]] = {}
        self._pools: dict[_Pool, list[int]] = {}
        self._openings: dict[_Pool, dict[tuple[str, ...], list[int]]] = {}

    def add(self, rows: Iterable[GameRow]) -> None:
        """Add finished games with their records."""
        for row in rows:
            if row.termination in NO_RESULT:
                continue
            seat = 0 if row.players[0].casefold() == self._key else 1
            end = 1 if row.winner is None else 0 if row.winner == seat else 2
            other = row.players[1 - seat]
            pool = row.game, row.size
            self._names.setdefault(other.casefold(), other)
            _count(self._opponents, other.casefold(), end)
            _count(self._pools, pool, end)
            if opening := _opening(row):
                _count(self._openings.setdefault(pool, {}), opening, end)

    def told(self) -> dict[str, Any]:
        """Return the sums for an answer, those of most games first."""
        return {
            "games": sum(map(sum, self._pools.values())),
            "opponents": [
                {"name": self._names[key], **ends}
                for key, ends in _told(self._opponents, MOST_OPPONENTS)
            ],
            "pools": [
                {
                    "game": pool[0],
                    "size": pool[1],
                    **ends,
                    "openings": [
                        {"moves": moves, **ends}
                        for moves, ends in _told(self._openings.get(pool, {}), MOST_OPENINGS)
                    ],
                }
                for pool, ends in _told(self._pools, len(self._pools))
            ],
        }


def _count(ends: dict[_Key, list[int]], key: _Key, end: int) -> None:
    ends.setdefault(key, [0, 0, 0])[end] += 1


def _told(ends: Mapping[_Key, list[int]], most: int) -> list[tuple[_Key, dict[str, int]]]:
    usual = sorted(ends.items(), key=lambda each: -sum(each[1]))[:most]
    return [(key, dict(zip(("won", "drawn", "lost"), end, strict=True))) for key, end in usual]


def _opening(row: GameRow) -> tuple[str, ...]:
    """Return the first moves of a game that began on an empty board, up to symmetry, or nothing."""
    game = _game(row.game, row.size)
    if game is None or "\n[Opening " in row.record or "\n[Start " in row.record:
        return ()
    try:
        actions = [game.parse_action(name) for name in first_moves(row.record, MOVES)]
    except GameError:
        return ()
    least = min(tuple(image[action] for action in actions) for image in game.symmetries)
    return tuple(map(game.action_name, least))


@lru_cache(maxsize=64)
def _game(key: str, size: str) -> Game | None:
    try:
        kind = game_class(key)
        return kind(kind.parse_size(size) if kind.parameters else None)
    except GameError:
        return None  # the games of other packages may be gone
