"""Fit the model of Bradley and Terry: the most likely strengths of players, given their results.

`fit` handles many sets of results at once, as arrays; the bootstrap needs that.

Theory of operation
-------------------
Strengths are in log odds: the expected score of player i against j is
``1 / (1 + exp(x_j - x_i))``, and a draw is half a win. All results between the same two players
form one *matchup*.

The *prior* gives each player some drawn games, in addition to its real ones. They are spread over
its matchups in proportion to its game pairs; a matchup gets half of what each of its two players
brings. So the prior pulls together only players who have met, and only in proportion to their
games. Drawn games against one common opponent would be worse: in a long chain of players, all
players beyond a link would pull at that link.

A much smaller prior, `MIDDLE` drawn games of each player against a fixed player of strength 0,
only fixes the zero point and the distances between players that no chain of games joins. It makes
the log likelihood strictly concave, so that there is exactly one maximum.

Newton's method finds the maximum. Each step is shortened until it changes no distance (between two
players who met, or to strength 0) by more than `MAX_STEP`. In each term of the log likelihood the
third derivative is at most the second derivative times the change. Therefore, along a step with
changes up to r, the quadratic part is at most ``2 * (exp(r) - r - 1) / r ** 2`` times its value at
the start (Bach, proposition 1). That factor is 2 at r = 1.79. Below it every step in Newton's
direction increases the likelihood, so the search cannot diverge and need not compare likelihoods.

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

from doublecross.stats.pairs import OUTCOMES

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Flags = NDArray[np.bool_]

SCORES: Final[Floats] = np.array(OUTCOMES)
"""The five possible scores of a game pair."""
TOLERANCE: Final = 1e-9
"""The search ends with a step below this, in log odds."""
MIDDLE: Final = 1e-3
"""Drawn games of each player against a fixed player of strength 0."""
MAX_STEP: Final = 1.5
"""The greatest change of a distance in one step, in log odds; it must stay below 1.79."""

_MAX_STEPS: Final = 1000
"""A step either changes a distance by `MAX_STEP` or is a full Newton step, so real searches need
far fewer steps than this."""
_BATCH_SIZE: Final = 2_000_000
"""The most floats in one array while `fit` handles many sets of results: 16 MB."""


@dataclass(frozen=True, slots=True, eq=False)
class Matchups:
    """The results of all matchups: any two players who met are one, with ``first < second``.

    Shapes: `first` and `second` (C,), numbers of players; `counts` (C, 5), the pentanomials from
    the side of `first`, as floats.
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
    ) -> Matchups:
        """Return the matchups of these pairings.

        Several pairings of the same two players are added up; pairings without game pairs are left
        out.

        Raises:
            ValueError: a number is not that of a player, or a player is paired with itself.
        """
        one, two = np.array(first, dtype=np.intp), np.array(second, dtype=np.intp)
        for numbers in (one, two):
            for number in numbers[(numbers < 0) | (numbers >= players)][:1]:
                raise ValueError(f"There is no player {number} among {players}.")
        for number in one[one == two][:1]:
            raise ValueError(f"Player {number} is paired with itself.")
        table = np.array(counts, dtype=np.float64).reshape(len(one), len(OUTCOMES))
        swapped = one > two
        # From the other player's side, the five outcomes are in the opposite order.
        table[swapped] = table[swapped, ::-1]
        keys = np.minimum(one, two) * players + np.maximum(one, two)
        played = table.sum(axis=1) > 0
        matchups, place = np.unique(keys[played], return_inverse=True)
        added = np.zeros((len(matchups), len(OUTCOMES)))
        np.add.at(added, place, table[played])
        return cls(players, matchups // players, matchups % players, added)

    @property
    def points(self) -> Floats:
        """The points of the first players, (C,)."""
        return np.asarray(self.counts @ SCORES)

    @property
    def pairs(self) -> Floats:
        """The game pairs of each matchup, (C,)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def games(self) -> Floats:
        """The games of each matchup, (C,)."""
        return 2.0 * self.pairs

    def take(self, which: Flags) -> Matchups:
        """Return only the matchups that `which` (C,) marks."""
        return Matchups(self.players, self.first[which], self.second[which], self.counts[which])

    def sums(self, first: Floats, second: Floats) -> Floats:
        """Return the sum over the matchups of each player, (players,).

        `first` (C,) are the values for the first players, `second` (C,) those for the second ones.
        """
        n = self.players
        return np.asarray(np.bincount(self.first, first, n) + np.bincount(self.second, second, n))

    def parts(self) -> Floats:
        """Return the share of the prior that each matchup gets, (C,).

        Each player spreads 1 over its matchups in proportion to their game pairs. A matchup gets
        half of what its two players give it.
        """
        pairs = self.pairs
        played = self.sums(pairs, pairs)
        return np.asarray(pairs * (1.0 / played[self.first] + 1.0 / played[self.second]) / 2.0)

    def laplacian(self, weights: Floats) -> Floats:
        """Return the sum over matchups of ``weight * (e_i - e_j) (e_i - e_j)'``.

        Shapes: `weights` (R, C); the result (R, players, players).
        """
        n = self.players
        matrix = np.zeros((len(weights), n, n))
        matrix[:, self.first, self.second] = -weights
        matrix[:, self.second, self.first] = -weights
        matrix[:, np.arange(n), np.arange(n)] = -matrix.sum(axis=2)
        return matrix


def expected(distance: Floats) -> Floats:
    """Return the expected scores of a game at these distances in log odds."""
    # The exponent is never positive, so nothing overflows.
    small = np.exp(-np.abs(distance))
    return np.asarray(np.where(distance >= 0, 1.0, small) / (1.0 + small))


def log_expected(distance: Floats) -> Floats:
    """Return the logarithms of the expected scores, accurate for tiny scores too."""
    return np.asarray(-np.logaddexp(0.0, -distance))


def fit(
    matchups: Matchups,
    points: Floats,
    games: Floats,
    prior: float,
    start: Floats,
    tolerance: float = TOLERANCE,
) -> Floats:
    """Return the most likely strengths for each of R sets of results.

    Shapes: `points` (R, C), those of the first players; `games` (R, C); `start` (players,), where
    the search begins; the result (R, players). The search ends when a step is below `tolerance`, in
    log odds.
    """
    size = max(1, _BATCH_SIZE // max(matchups.players**2, 1))
    parts = [
        _fit(matchups, points[at : at + size], games[at : at + size], prior, start, tolerance)
        for at in range(0, len(points), size)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, matchups.players))


def _fit(
    matchups: Matchups, points: Floats, games: Floats, prior: float, start: Floats, tolerance: float
) -> Floats:
    i, j = matchups.first, matchups.second
    points, games = with_prior(matchups, points, games, prior)
    found = np.tile(start, (len(points), 1))
    rows = np.arange(len(points))  # the sets whose search has not ended
    for _ in range(_MAX_STEPS):
        at = found[rows]
        slope, curve = derivatives(matchups, points[rows], games[rows], at)
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        length = np.abs(step).max(axis=1, initial=0.0)
        change = np.abs(step[:, i] - step[:, j]).max(axis=1, initial=0.0)
        change = np.maximum(change, length)
        found[rows] = at + step * np.minimum(1.0, MAX_STEP / np.maximum(change, MAX_STEP))[:, None]
        rows = rows[length >= tolerance]
        if not len(rows):
            return found
    raise ArithmeticError("The search for the most likely strengths does not converge.")


def with_prior(
    matchups: Matchups, points: Floats, games: Floats, prior: float
) -> tuple[Floats, Floats]:
    """Return `points` and `games`, both (R, C), with the drawn games of the prior added."""
    drawn = prior * matchups.parts()
    return points + drawn / 2.0, games + drawn


def derivatives(
    matchups: Matchups, points: Floats, games: Floats, at: Floats
) -> tuple[Floats, Floats]:
    """Return the derivatives of the log likelihood at the strengths `at` (R, players).

    The first array is the slope (R, players). The second is the negated matrix of second
    derivatives (R, players, players), which is positive definite. `points` and `games` (R, C)
    include the prior.
    """
    i, j, n = matchups.first, matchups.second, matchups.players
    share = expected(at[:, i] - at[:, j])
    curve = matchups.laplacian(games * share * (1.0 - share))
    surplus = points - games * share
    middle = expected(at)
    slope = MIDDLE * (0.5 - middle)
    if len(at) == 1:
        # This needs no array of players by players, but works for one set of results only.
        slope += matchups.sums(surplus[0], -surplus[0])
    else:
        square = np.zeros_like(curve)
        square[:, i, j] = surplus
        square[:, j, i] = -surplus
        slope += square.sum(axis=2)
    curve[:, np.arange(n), np.arange(n)] += MIDDLE * middle * (1.0 - middle)
    return slope, curve
