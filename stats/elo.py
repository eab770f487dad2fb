"""Elo ratings of all players of a tournament at once, from their game pairs.

Theory of operation
-------------------
The model of Bradley and Terry: player i scores ``1 / (1 + 10 ** ((e_j - e_i) / 400))`` against j
in expectation; a draw is half a win. The ratings are those that make the results most likely.
Where one player has won all games, or a group of players all against the others, the likelihood
alone would drive them infinitely far apart; so each player is also given `PRIOR_GAMES` drawn
games against a player in the middle, which keeps everything finite and else hardly counts.
What such distances are worth is told by `RatingList.groups`: between players of one group the
results decide the distance, between groups only the order is known, and the prior makes the
distance.

The likelihood is strictly concave; its top is found by Newton's method with step halving.
Intervals come from the bootstrap over game pairs: each pairing's pairs are drawn again, and the
ratings fitted again. That is right within the group of the anchor. Of pairings between groups, all
of them clean, it would draw nothing but clean ones, so for players of other groups these are drawn
with the prior weights of `stats.pairs`, which gives the distance a lower bound; it has no upper
one, so that end is infinite. Ratings within a group must not be drawn that way: the losses that it
invents press the group together.

Sources: R. Bradley and M. Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952;
L. Ford, Solution of a ranking problem from binary comparisons, 1957 (when it has a solution).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import Final

from stats.bootstrap import LEVEL, Interval, percentile_interval
from stats.pairs import OUTCOMES, Pentanomial

PRIOR_GAMES: Final = 1.0
"""Drawn games against the middle that each player is given."""
RESAMPLES: Final = 1000
"""Tournaments drawn again for the intervals."""

_ELO: Final = 400.0 / math.log(10.0)
_STEPS: Final = 100
_EXACT: Final = 1e-9
"""A Newton step below this, in units of log odds, ends the search."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The game pairs of two players, given by their numbers, from the side of `first`."""

    first: int
    second: int
    pairs: Pentanomial


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating: in Elo points with its interval, both relative to the anchor (or to the
    mean); `score` is its share of all points it played for, 0 to 1; `pairs` how many it played."""

    elo: float
    interval: Interval
    score: float
    pairs: int


@dataclass(frozen=True, slots=True)
class RatingList:
    """Ratings by the number of the player, and the groups within which the results alone decide
    the distances, as numbers of players, strongest group first."""

    ratings: tuple[Rating, ...]
    groups: tuple[tuple[int, ...], ...]


def rate(
    players: int,
    pairings: Sequence[Pairing],
    rng: Random,
    *,
    anchor: int | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    prior_games: float = PRIOR_GAMES,
) -> RatingList:
    """The ratings of `players` players with the bootstrap intervals of level `level`.

    The player `anchor` is at 0, None: the mean is. A pair of players may have several pairings.

    Raises:
        ValueError: a number that is no player's, a player paired with itself, a prior not above
            zero, or no players.
    """
    _check(players, pairings, prior_games, anchor)
    table = _Table(players, prior_games)
    for pairing in pairings:
        table.add(pairing, pairing.pairs.points)
    estimate = table.fit([0.0] * players)
    elos = _placed(estimate, anchor)
    groups = _groups(table, elos)
    rank = {player: at for at, group in enumerate(groups) for player in group}
    home = None if anchor is None else rank[anchor]

    def drawn(clean: bool) -> list[list[float]]:
        """Each player's ratings in tournaments drawn again, those between groups `clean` or not."""
        cumulated = [
            list(
                accumulate(
                    p.pairs.counts
                    if clean or rank[p.first] == rank[p.second]
                    else p.pairs.weights()
                )
            )
            for p in pairings
        ]
        draws: list[list[float]] = [[] for _ in range(players)]
        for _ in range(resamples):
            again = _Table(players, prior_games)
            for pairing, weights in zip(pairings, cumulated, strict=True):
                if count := pairing.pairs.pairs:
                    again.add(pairing, sum(rng.choices(OUTCOMES, cum_weights=weights, k=count)))
            for player, elo in enumerate(_placed(again.fit(estimate), anchor)):
                draws[player].append(elo)
        return draws

    at_home = drawn(clean=True)
    away = at_home if len(groups) == 1 else drawn(clean=False)
    ratings = tuple(
        Rating(
            elo,
            _opened(
                percentile_interval((at_home if rank[player] == home else away)[player], level),
                elo,
                above=rank[player] < (len(groups) - 1 if home is None else home),
                below=rank[player] > (0 if home is None else home),
            ),
            table.share(player),
            sum(p.pairs.pairs for p in pairings if player in (p.first, p.second)),
        )
        for player, elo in enumerate(elos)
    )
    return RatingList(ratings, groups)


def _opened(interval: Interval, elo: float, *, above: bool, below: bool) -> Interval:
    """`interval` of a player at `elo`, without an upper end where its group is `above` another
    one that the zero depends on, without a lower end where it is `below` one."""
    return Interval(
        -math.inf if below else min(interval.low, elo) if above else interval.low,
        math.inf if above else max(interval.high, elo) if below else interval.high,
    )


def _check(
    players: int, pairings: Sequence[Pairing], prior_games: float, anchor: int | None
) -> None:
    if players < 1:
        raise ValueError("Ratings need a player.")
    if prior_games <= 0:
        raise ValueError(f"The prior must be above zero games, not {prior_games}.")
    numbers = [n for p in pairings for n in (p.first, p.second)]
    numbers += [] if anchor is None else [anchor]
    for number in numbers:
        if not 0 <= number < players:
            raise ValueError(f"There is no player {number} among {players}.")
    for pairing in pairings:
        if pairing.first == pairing.second:
            raise ValueError(f"Player {pairing.first} is paired with itself.")


def _placed(strengths: Sequence[float], anchor: int | None) -> list[float]:
    """Strengths in log odds as Elo points, the anchor (None: the mean) at zero."""
    zero = math.fsum(strengths) / len(strengths) if anchor is None else strengths[anchor]
    return [_ELO * (strength - zero) for strength in strengths]


class _Table:
    """Points and games between all players, and the most likely strengths for them."""

    def __init__(self, players: int, prior_games: float) -> None:
        self.players = players
        self._prior = prior_games
        self.points = [[0.0] * players for _ in range(players)]
        """What the first index scored against the second."""

    def add(self, pairing: Pairing, points: float) -> None:
        """Add the pairs of `pairing`, of which its first player made `points`."""
        self.points[pairing.first][pairing.second] += points
        self.points[pairing.second][pairing.first] += 2 * pairing.pairs.pairs - points

    def share(self, player: int) -> float:
        """What `player` scored of what it played for; 1/2 without games."""
        won = sum(self.points[player])
        games = won + sum(row[player] for row in self.points)
        return won / games if games else 0.5

    def fit(self, start: Sequence[float]) -> list[float]:
        """The most likely strengths, in log odds around the middle, searched from `start`."""
        at = list(start)
        value = self._log_likelihood(at)
        for _ in range(_STEPS):
            step = self._newton_step(at)
            length = max(map(abs, step))
            if length < _EXACT:
                break
            scale = 1.0
            while True:
                there = [x + scale * s for x, s in zip(at, step, strict=True)]
                found = self._log_likelihood(there)
                if found >= value or scale * length < _EXACT:
                    break
                scale /= 2.0
            at, value = there, found
        return at

    def _log_likelihood(self, at: Sequence[float]) -> float:
        total = 0.0
        for i, row in enumerate(self.points):
            for j, points in enumerate(row):
                if points:
                    total -= points * _softplus(at[j] - at[i])
            total -= 0.5 * self._prior * (_softplus(at[i]) + _softplus(-at[i]))
        return total

    def _newton_step(self, at: Sequence[float]) -> list[float]:
        n = self.players
        slope = [0.0] * n
        curve = [[0.0] * n for _ in range(n)]
        for i in range(n):
            share = _sigmoid(at[i])
            slope[i] += self._prior * (0.5 - share)
            curve[i][i] += self._prior * share * (1.0 - share)
            for j in range(i):
                games = self.points[i][j] + self.points[j][i]
                if not games:
                    continue
                share = _sigmoid(at[i] - at[j])
                surplus = self.points[i][j] - games * share
                slope[i] += surplus
                slope[j] -= surplus
                bend = games * share * (1.0 - share)
                curve[i][i] += bend
                curve[j][j] += bend
                curve[i][j] -= bend
                curve[j][i] -= bend
        return _solved(curve, slope)


def _sigmoid(x: float) -> float:
    small = math.exp(-abs(x))
    return 1.0 / (1.0 + small) if x >= 0 else small / (1.0 + small)


def _softplus(x: float) -> float:
    """``log(1 + exp(x))`` without overflow."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """x with ``matrix @ x == right``, for a symmetric positive definite matrix: by Cholesky.

    It is diagonally dominant by the prior's share, so no pivoting is needed.
    """
    n = len(right)
    lower: list[list[float]] = []
    x: list[float] = []
    for i in range(n):
        row: list[float] = []
        for j in range(i):
            dot = sum(a * b for a, b in zip(row, lower[j], strict=False))
            row.append((matrix[i][j] - dot) / lower[j][j])
        row.append(math.sqrt(matrix[i][i] - sum(a * a for a in row)))
        lower.append(row)
        x.append((right[i] - sum(a * b for a, b in zip(row, x, strict=False))) / row[i])
    for i in reversed(range(n)):
        x[i] = (x[i] - sum(lower[k][i] * x[k] for k in range(i + 1, n))) / lower[i][i]
    return x


def _groups(table: _Table, elos: Sequence[float]) -> tuple[tuple[int, ...], ...]:
    """The strongly connected groups of "scored something against", strongest first."""
    n = table.players
    reach = [[i == j or table.points[i][j] > 0 for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            if reach[i][k]:
                reach[i] = [a or b for a, b in zip(reach[i], reach[k], strict=True)]
    found: list[tuple[int, ...]] = []
    for i in range(n):
        group = tuple(j for j in range(n) if reach[i][j] and reach[j][i])
        if group[0] == i:
            found.append(tuple(sorted(group, key=lambda j: -elos[j])))
    return tuple(sorted(found, key=lambda group: -elos[group[0]]))
