"""The model of Bradley and Terry in arrays: results of couples of players, and the most likely
strengths for one or for many sets of results at once.

Theory of operation
-------------------
Strengths are in log odds: player i scores ``1 / (1 + exp(x_j - x_i))`` against j in expectation;
a draw is half a win. Besides its games each player has `prior` drawn games, spread over its
opponents as its game pairs are: half of each couple's from either side. Such a prior pulls those
together who have met, and by no more than what one has played against the other; drawn games
against a player in the middle of all would pull at a long chain of players with all of them at each
of its links. `MIDDLE` of a drawn game against the middle, at 0, only fixes where all are and how
far apart those that no chain of games joins; with that the likelihood is strictly concave and has
one top.

The top is found by Newton's method. A step is cut so that no distance (between two who met, or to
the middle) changes by more than `REACH`. In each term of the log likelihood the third derivative
is at most the second times the change, so along a step with changes up to r the quadratic part is
at most ``2 * (exp(r) - r - 1) / r ** 2`` times what it is at its start (Bach, proposition 1). Up to
r = 1.79, where that is 2, every step along Newton's direction gains: the search needs no values of
the likelihood and cannot run away.

Sources: R. Bradley and M. Terry, Rank analysis of incomplete block designs, Biometrika 39, 1952;
F. Bach, Self-concordant analysis for logistic regression, Electronic Journal of Statistics 4,
2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stats.pairs import OUTCOMES

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

SCORES: Final[Floats] = np.array(OUTCOMES)
"""The five scores of a pair."""
EXACT: Final = 1e-9
"""A step below this, in log odds, ends the search."""
MIDDLE: Final = 1e-3
"""Drawn games of each player against one in the middle."""
REACH: Final = 1.5
"""The most that a step changes a distance, in log odds."""

_STEPS: Final = 1000
"""Each step goes 1.5 or is Newton's own, so this is far beyond what any results need."""
_AT_ONCE: Final = 2_000_000
"""Numbers in one array while many sets of results are fitted at once: 16 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Couples:
    """All that was played: each two players who met are one couple, with ``first < second``.

    Shapes: `first` and `second` (C,), players' numbers; `counts` (C, 5), the pentanomials from the
    side of `first`, floating.
    """

    players: int
    first: Ints
    second: Ints
    counts: Floats

    @classmethod
    def of(
        cls,
        players: int,
        first: Sequence[int],
        second: Sequence[int],
        counts: Sequence[Sequence[int]],
    ) -> Couples:
        """The couples of these pairings, of which several may be of the same two players; those
        without a pair are left out.

        Raises:
            ValueError: a number that is no player's, or a player paired with itself.
        """
        one, two = np.array(first, dtype=np.intp), np.array(second, dtype=np.intp)
        for numbers in (one, two):
            for number in numbers[(numbers < 0) | (numbers >= players)][:1]:
                raise ValueError(f"There is no player {number} among {players}.")
        for number in one[one == two][:1]:
            raise ValueError(f"Player {number} is paired with itself.")
        table = np.array(counts, dtype=np.float64).reshape(len(one), len(OUTCOMES))
        turned = one > two
        table[turned] = table[turned, ::-1]
        keys = np.minimum(one, two) * players + np.maximum(one, two)
        played = table.sum(axis=1) > 0
        couples, place = np.unique(keys[played], return_inverse=True)
        added = np.zeros((len(couples), len(OUTCOMES)))
        np.add.at(added, place, table[played])
        return cls(players, couples // players, couples % players, added)

    @property
    def points(self) -> Floats:
        """What the first players scored, (C,)."""
        return np.asarray(self.counts @ SCORES)

    @property
    def pairs(self) -> Floats:
        """Pairs of each couple, (C,)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def games(self) -> Floats:
        """Games of each couple, (C,)."""
        return 2.0 * self.pairs

    def take(self, which: Flags) -> Couples:
        """Only some of the couples, marked in (C,)."""
        return Couples(self.players, self.first[which], self.second[which], self.counts[which])

    def sums(self, first: Floats, second: Floats) -> Floats:
        """For each player the sum of what its couples have for it, (players,)."""
        n = self.players
        return np.asarray(np.bincount(self.first, first, n) + np.bincount(self.second, second, n))

    def parts(self) -> Floats:
        """What part of what each player brings falls to each couple, its two players' together and
        halved, (C,): as large a part as of its pairs."""
        pairs = self.pairs
        played = self.sums(pairs, pairs)
        return np.asarray(pairs * (1.0 / played[self.first] + 1.0 / played[self.second]) / 2.0)

    def laplacian(self, weights: Floats) -> Floats:
        """The sum over couples of ``weight * (e_i - e_j) (e_i - e_j)'``: shape (R, C) of `weights`
        gives (R, players, players)."""
        n = self.players
        matrix = np.zeros((len(weights), n, n))
        matrix[:, self.first, self.second] = -weights
        matrix[:, self.second, self.first] = -weights
        matrix[:, np.arange(n), np.arange(n)] = -matrix.sum(axis=2)
        return matrix


def expected(distance: Floats) -> Floats:
    """The expected score of a game at these distances in log odds."""
    small = np.exp(-np.abs(distance))
    return np.asarray(np.where(distance >= 0, 1.0, small) / (1.0 + small))


def log_expected(distance: Floats) -> Floats:
    """The logarithm of the expected score, exact however small that is."""
    return np.asarray(-np.logaddexp(0.0, -distance))


def fit(
    couples: Couples,
    points: Floats,
    games: Floats,
    prior: float,
    start: Floats,
    exact: float = EXACT,
) -> Floats:
    """The most likely strengths for each of R sets of results.

    Shapes: `points` of the first players and `games`, both (R, C); `start` (players,), where the
    search begins; the answer (R, players).
    """
    size = max(1, _AT_ONCE // max(couples.players**2, 1))
    parts = [
        _fit(couples, points[at : at + size], games[at : at + size], prior, start, exact)
        for at in range(0, len(points), size)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, couples.players))


def _fit(
    couples: Couples, points: Floats, games: Floats, prior: float, start: Floats, exact: float
) -> Floats:
    i, j = couples.first, couples.second
    points, games = with_prior(couples, points, games, prior)
    found = np.tile(start, (len(points), 1))
    rows = np.arange(len(points))  # those still searched
    for _ in range(_STEPS):
        at = found[rows]
        slope, curve = derivatives(couples, points[rows], games[rows], at)
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        length = np.abs(step).max(axis=1, initial=0.0)
        change = np.abs(step[:, i] - step[:, j]).max(axis=1, initial=0.0)
        change = np.maximum(change, length)
        found[rows] = at + step * np.minimum(1.0, REACH / np.maximum(change, REACH))[:, None]
        rows = rows[length >= exact]
        if not len(rows):
            return found
    raise ArithmeticError("The search for the most likely strengths does not end.")


def with_prior(
    couples: Couples, points: Floats, games: Floats, prior: float
) -> tuple[Floats, Floats]:
    """Points and games (R, C) with the drawn games of the prior."""
    drawn = prior * couples.parts()
    return points + drawn / 2.0, games + drawn


def derivatives(
    couples: Couples, points: Floats, games: Floats, at: Floats
) -> tuple[Floats, Floats]:
    """The slope (R, players) of the log likelihood at the strengths `at` (R, players), and its
    curvature with the sign changed (R, players, players), which is positive definite. `points` and
    `games` are with those of the prior."""
    i, j, n = couples.first, couples.second, couples.players
    share = expected(at[:, i] - at[:, j])
    curve = couples.laplacian(games * share * (1.0 - share))
    surplus = points - games * share
    middle = expected(at)
    slope = MIDDLE * (0.5 - middle)
    if len(at) == 1:
        slope += couples.sums(surplus[0], -surplus[0])
    else:
        square = np.zeros_like(curve)
        square[:, i, j] = surplus
        square[:, j, i] = -surplus
        slope += square.sum(axis=2)
    curve[:, np.arange(n), np.arange(n)] += MIDDLE * middle * (1.0 - middle)
    return slope, curve
