"""Live Glicko-2 ratings of players, computed from the finished rated games.

Theory of operation
-------------------
A rating belongs to a player, to the engine and version that a bot ran (people have none), and to a
*pool*: one game in one size, because a player who is strong on 3x3 may be weak on 7x7. Ratings are
not stored. The server computes them at each start from the finished games, in the order in which
these ended. Each game is one rating period for its two players. Before a game their deviations
grow with the days since their last game.

Nobody can play to the top against accounts of their own. Of the games between the same two players
in one pool, the first `PAIR_GAMES` in 24 hours count. Of a player's games against newcomers, whose
first rated game was less than 24 hours before, the first `NEWCOMER_GAMES` in 24 hours count in that
pool. A game can count for one of its players only. Games between two bots count always.

Source: M. Glickman, Example of the Glicko-2 system, 2022.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from doublecross.protocol.common import PROVISIONAL
from doublecross.stats.glicko2 import Glicko, idle, update

PERIOD_MS: Final = 24 * 3_600_000
"""The rating period, in milliseconds: a day."""
PAIR_GAMES: Final = 10
"""How many games a day of the same two players count in a pool."""
NEWCOMER_GAMES: Final = 5
"""How many games a day against newcomers count for a player in a pool."""
HISTORY: Final = 500
"""How many past ratings of a player are kept in each pool."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished rated game with a result.

    `engines` are texts such as ``rules 1``, empty for people. `winner` is a seat, or None for a
    draw. `finished_ms` is milliseconds since 1970.
    """

    game_id: str
    game: str
    size: str
    players: tuple[str, str]
    engines: tuple[str, str]
    winner: int | None
    finished_ms: int


class _Recent(NamedTuple):
    """A game of the last 24 hours. `new` says that the opponent was a newcomer."""

    at_ms: int
    opponent: str
    new: bool


@dataclass(slots=True)
class PlayerRating:
    """A player's rating in one pool after the game at `at_ms` (milliseconds since 1970).

    `games` is the number of rated games. `history` has the last ratings, each with its time, and
    `deviations` the deviation of each.
    """

    player: str
    engine: str
    game: str
    size: str
    glicko: Glicko = field(default_factory=Glicko)
    games: int = 0
    at_ms: int = 0
    history: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=HISTORY))
    deviations: deque[float] = field(default_factory=lambda: deque(maxlen=HISTORY))
    recent: deque[_Recent] = field(default_factory=deque)
    """The games of the last 24 hours that counted, oldest first; none of those between bots."""

    def counts(self, opponent: str, now_ms: int, *, new: bool) -> bool:
        """Return whether a game at `now_ms` counts; `new` says that the opponent is a newcomer."""
        while self.recent and self.recent[0].at_ms <= now_ms - PERIOD_MS:
            self.recent.popleft()
        if new and sum(each.new for each in self.recent) >= NEWCOMER_GAMES:
            return False
        return sum(each.opponent == opponent for each in self.recent) < PAIR_GAMES

    def now(self, now_ms: int) -> Glicko:
        """Return the rating at `now_ms`; its deviation grows with the time since the last game."""
        if not self.games:
            return self.glicko
        return idle(self.glicko, max(0, now_ms - self.at_ms) / PERIOD_MS)


_Key = tuple[str, str, str, str]


class RatingBook:
    """Compute and look up the ratings of all players."""

    def __init__(self) -> None:
        self._rated: dict[_Key, PlayerRating] = {}
        self._of: dict[str, list[PlayerRating]] = {}
        self._known: set[str] = set()
        self._since: dict[str, int] = {}
        """When the first rated game of each player ended."""

    def add(self, played: RatedGame) -> bool:
        """Update the ratings of both players, as far as the game counts; return whether it does.

        Return False, and change nothing, for a game that was added before or in which a player
        played against itself.
        """
        first, second = played.players
        # A game can come twice, see `RoomSubscriber.match_found`.
        if played.game_id in self._known or first.casefold() == second.casefold():
            return False
        self._known.add(played.game_id)
        at_ms, keys = played.finished_ms, (first.casefold(), second.casefold())
        new = [self._since.setdefault(key, at_ms) > at_ms - PERIOD_MS for key in keys]
        both = [self._entry(played, seat) for seat in (0, 1)]
        bots = all(played.engines)
        counts = [
            bots or both[seat].counts(keys[1 - seat], at_ms, new=new[1 - seat]) for seat in (0, 1)
        ]
        # Both updates use the opponent's rating from before the game.
        # The time since the last game is in `before` already, so `periods` is 0 below.
        before = [entry.now(played.finished_ms) for entry in both]
        for seat, entry in enumerate(both):
            if not counts[seat]:
                continue
            if not entry.games:
                self._register(entry)
            if not bots:
                entry.recent.append(_Recent(at_ms, keys[1 - seat], new[1 - seat]))
            score = 0.5 if played.winner is None else float(played.winner == seat)
            entry.glicko = update(before[seat], [(before[1 - seat], score)], periods=0.0)
            entry.games += 1
            entry.at_ms = played.finished_ms
            entry.history.append((played.finished_ms, entry.glicko.rating))
            entry.deviations.append(entry.glicko.deviation)
        return any(counts)

    def rename(self, player: str, name: str) -> None:
        """Give all ratings of a player to a name that has none."""
        if (since := self._since.pop(player.casefold(), None)) is not None:
            self._since[name.casefold()] = since
        for entry in self._of.pop(player.casefold(), ()):
            del self._rated[player.casefold(), entry.engine, entry.game, entry.size]
            entry.player = name
            self._register(entry)

    def of(self, player: str) -> list[PlayerRating]:
        """Return all ratings of a player, for every engine that it ran, most games first."""
        found = self._of.get(player.casefold(), ())
        return sorted(found, key=lambda rated: -rated.games)

    def rating(self, player: str, engine: str, game: str, size: str) -> PlayerRating | None:
        """Return one rating, or None when the player has no rated game in that pool."""
        return self._rated.get((player.casefold(), engine, game, size))

    def best(
        self, game: str, size: str, now_ms: int, most: int, *, bots: bool | None = None
    ) -> list[PlayerRating]:
        """Return at most `most` ratings of a pool, best first, provisional ratings last.

        With `bots` True only ratings of bots, with False only those of people.
        """
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
        """Yield (game, size, number of ratings) for each pool, most ratings first."""
        counts: dict[tuple[str, str], int] = {}
        for rated in self._rated.values():
            pool = rated.game, rated.size
            counts[pool] = counts.get(pool, 0) + 1
        for (game, size), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            yield game, size, count

    def _entry(self, played: RatedGame, seat: int) -> PlayerRating:
        player, engine = played.players[seat], played.engines[seat]
        entry = self.rating(player, engine, played.game, played.size)
        return entry or PlayerRating(player, engine, played.game, played.size)

    def _register(self, entry: PlayerRating) -> None:
        key = entry.player.casefold()
        self._rated[key, entry.engine, entry.game, entry.size] = entry
        self._of.setdefault(key, []).append(entry)
