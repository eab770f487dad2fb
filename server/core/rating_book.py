"""Live ratings: Glicko-2 for each player and board, from the rated games that have finished.

Theory of operation
-------------------
A rating belongs to a player, to the program and version that it ran (people run none), and to a
*pool*: a game in one size, since who is good on 3x3 need not be on 7x7. Nothing of it is stored:
ratings follow from the finished games, in the order in which they ended, and are computed anew when
the server starts. A game is a rating period of its own for its two players; the time since their
last one, in days, lets their deviations grow before it.

Source: M. Glickman, Example of the Glicko-2 system, 2022.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from protocol.common import PROVISIONAL
from stats.glicko2 import Glicko, idle, update

PERIOD_MS: Final = 24 * 3_600_000
"""The rating period, in milliseconds: a day."""
HISTORY: Final = 500
"""The last ratings that are kept of a player in a pool."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished rated game with a result. `engines` are such as ``rules 1``, empty for people;
    `winner` is a seat, None for a draw; `finished_ms` is UNIX time."""

    game_id: str
    game: str
    size: str
    players: tuple[str, str]
    engines: tuple[str, str]
    winner: int | None
    finished_ms: int


@dataclass(slots=True)
class PlayerRating:
    """A player's rating in a pool as it was at `at_ms` (UNIX time), after `games` games. `history`
    has the last ones, each with when it came about."""

    player: str
    engine: str
    game: str
    size: str
    glicko: Glicko = field(default_factory=Glicko)
    games: int = 0
    at_ms: int = 0
    history: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=HISTORY))

    def now(self, now_ms: int) -> Glicko:
        """What it is worth at `now_ms`: less is known of who has not played for long."""
        if not self.games:
            return self.glicko
        return idle(self.glicko, max(0, now_ms - self.at_ms) / PERIOD_MS)


_Key = tuple[str, str, str, str]


class RatingBook:
    """All ratings of a server."""

    def __init__(self) -> None:
        self._rated: dict[_Key, PlayerRating] = {}
        self._of: dict[str, list[PlayerRating]] = {}
        self._known: set[str] = set()

    def add(self, played: RatedGame) -> bool:
        """Count a game; whether it counts: not twice, and not against oneself."""
        first, second = played.players
        if played.game_id in self._known or first.casefold() == second.casefold():
            return False
        self._known.add(played.game_id)
        both = [self._entry(played, seat) for seat in (0, 1)]
        # Both from what they were before the game, when time had passed already.
        before = [entry.now(played.finished_ms) for entry in both]
        for seat, entry in enumerate(both):
            score = 0.5 if played.winner is None else float(played.winner == seat)
            entry.glicko = update(before[seat], [(before[1 - seat], score)], periods=0.0)
            entry.games += 1
            entry.at_ms = played.finished_ms
            entry.history.append((played.finished_ms, entry.glicko.rating))
        return True

    def of(self, player: str) -> list[PlayerRating]:
        """All ratings of a player, of every program that it ran, most games first."""
        found = self._of.get(player.casefold(), ())
        return sorted(found, key=lambda rated: -rated.games)

    def rating(self, player: str, engine: str, game: str, size: str) -> PlayerRating | None:
        """One rating; None without a game."""
        return self._rated.get((player.casefold(), engine, game, size))

    def best(
        self, game: str, size: str, now_ms: int, most: int, *, bots: bool | None = None
    ) -> list[PlayerRating]:
        """The `most` best of a pool whose ratings say something; the others after them. Only of
        `bots`, or only of people; None: of all."""
        found = [
            rated
            for rated in self._rated.values()
            if (rated.game, rated.size) == (game, size)
            and (bots is None or bots == bool(rated.engine))
        ]
        found.sort(
            key=lambda r: (r.now(now_ms).deviation > PROVISIONAL, -r.glicko.rating, r.player)
        )
        return found[:most]

    def pools(self) -> Iterator[tuple[str, str, int]]:
        """Each game and size with how many ratings there are, most first."""
        counts: dict[tuple[str, str], int] = {}
        for rated in self._rated.values():
            pool = rated.game, rated.size
            counts[pool] = counts.get(pool, 0) + 1
        for (game, size), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            yield game, size, count

    def _entry(self, played: RatedGame, seat: int) -> PlayerRating:
        player, engine = played.players[seat], played.engines[seat]
        key = player.casefold(), engine, played.game, played.size
        entry = self._rated.get(key)
        if entry is None:
            entry = self._rated[key] = PlayerRating(player, engine, played.game, played.size)
            self._of.setdefault(player.casefold(), []).append(entry)
        return entry
