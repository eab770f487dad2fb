"""Find the groups of players whom the results separate, and bound the distances between groups.

Theory of operation
-------------------
A player *reaches* another if a chain of scored games leads from it to the other: it scored
something against somebody who scored something ... against the other. Players who reach each other
form a *group*. Within a group the likelihood has a maximum at finite distances. Between groups it
has none (Ford): the further apart they are, the more likely are the results. So when i reaches j
and j does not reach i, the results bound the distance of i above j from below only. When neither
reaches the other, they do not bound it at all.

The bound comes from the profile likelihood: for each distance d the other strengths are set to the
values that make the results most likely. The profile rises with d towards its supremum, the value
when the groups are infinitely far apart, which is the sum of the maxima within the groups. The
interval contains all d at which the profile lacks less than ``-log(1 - level)`` of the supremum.
For two players and n clean pairs that is ``p ** n >= 1 - level``, the exact one-sided bound, about
``1 - 3 / n`` at 95 % (the rule of three). The chi-square quantile of two-sided profile intervals,
1.92 instead of 3.0, would be too small here: at the edge of the possible distances the likelihood
ratio has another distribution.

Clean pairs cannot show how much the two games of a pair depend on each other. So each pair counts
as one observation here, as if its games always ended alike. This gives the widest bounds.

Only players *between* the upper and the lower ones matter, those whom an upper one reaches and who
reach a lower one. All others can be moved to infinity, in the order of the groups, at no cost.
Newton's method finds the constrained maxima in the plane of the constraint, with the step rule of
`doublecross.stats.bradley_terry`. It finds the bound too: the multiplier of the constraint is the
slope of the profile, and since the profile is concave, steps from below never pass the bound. There
is no prior. The mean of the moved players, on which no distance depends, stays where it was.

Sources: L. Ford, Solution of a ranking problem from binary comparisons, American Mathematical
Monthly 64, 1957; D. Venzon and S. Moolgavkar, A method for computing profile-likelihood-based
confidence intervals, Applied Statistics 37, 1988; S. Self and K.-Y. Liang, Asymptotic properties
of maximum likelihood estimators and likelihood ratio tests under nonstandard conditions, Journal
of the American Statistical Association 82, 1987.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from doublecross.stats.bradley_terry import (
    MAX_STEP,
    Flags,
    Floats,
    Ints,
    Matchups,
    expected,
    log_expected,
)

MAX_FREE_PLAYERS: Final = 50
"""If more players than this lie between, the largest group keeps its ratings: they are known far
better than the distance, and moving them all would take seconds for each bound."""

_TOLERANCE: Final = 1e-7
_MAX_STEPS: Final = 500


def reached(matchups: Matchups) -> Flags:
    """Return whether the row's player reaches the column's, (players, players).

    Each player reaches itself.
    """
    n = matchups.players
    # As floats, because numpy multiplies matrices of booleans slowly.
    paths = np.eye(n, dtype=np.float32)
    points, games = matchups.points, 2.0 * matchups.pairs
    paths[matchups.first, matchups.second] = points > 0
    paths[matchups.second, matchups.first] = points < games
    # Each product doubles the length of the chains that it covers.
    while True:
        longer = (paths @ paths > 0).astype(np.float32)
        if np.array_equal(longer, paths):
            return np.asarray(paths > 0)
        paths = longer


def groups(reach: Flags, strengths: Floats) -> tuple[tuple[int, ...], ...]:
    """Return the groups, strongest first, each from its strongest player down."""
    both = reach & reach.T
    leader = both.argmax(axis=1)
    members: dict[int, list[int]] = {}
    for player in np.argsort(-strengths, kind="stable"):
        members.setdefault(int(leader[player]), []).append(int(player))
    return tuple(tuple(group) for group in members.values())


class Separation:
    """The likelihood of distances between groups; see the top of the file.

    `strengths` (players,) are the ratings with their prior, in log odds. Fits start from them, and
    fixed players keep them. A *contrast* (players,) describes a distance: a weighted sum of
    strengths, whose weights add up to 0 and are positive for the upper players.
    """

    def __init__(self, matchups: Matchups, reach: Flags, strengths: Floats) -> None:
        self._matchups = matchups
        self._reach = reach
        self._strengths = strengths
        self._both = reach & reach.T
        self._leader = self._both.argmax(axis=1)
        self._fits: dict[tuple[bytes, bytes], tuple[_ConstrainedFit, float]] = {}
        self._group_maxima: dict[int, float] = {}

    def bounded(self, contrast: Floats) -> bool:
        """Return whether this distance has a lower bound: all upper players reach all lower."""
        return bool(self._reach[np.ix_(contrast > 0, contrast < 0)].all())

    def lower(self, contrast: Floats, level: float) -> float:
        """Return the least distance that the results allow at `level`; minus infinity for none."""
        if not self.bounded(contrast):
            return -math.inf
        fit, supremum = self._fit_between(contrast)
        distance = 0.0
        for _ in range(_MAX_STEPS):
            value, slope = fit.maximum(contrast, distance)
            # Beyond the bound the profile is flat, and a full step along its tangent could go far
            # astray.
            step = max((supremum + math.log1p(-level) - value) / slope, -MAX_STEP)
            distance += step
            if abs(step) < _TOLERANCE:
                return distance
        raise ArithmeticError("The search for a bound does not converge.")

    def deficit(self, contrast: Floats) -> float:
        """Return how far the log likelihood at distance zero is below its supremum: at least 0.

        Raises:
            ValueError: the distance has no lower bound.
        """
        if not self.bounded(contrast):
            raise ValueError("The results say nothing about this distance.")
        fit, supremum = self._fit_between(contrast)
        return max(0.0, supremum - fit.maximum(contrast, 0.0)[0])

    def _fit_between(self, contrast: Floats) -> tuple[_ConstrainedFit, float]:
        """Return the fit of the players between the two sides of a contrast, and its supremum.

        The supremum is the log likelihood with their groups infinitely far apart. Both are the same
        for all players of the same groups, so they are cached.
        """
        above, below = (np.unique(self._leader[side]) for side in (contrast > 0, contrast < 0))
        key = (above.tobytes(), below.tobytes())
        if key not in self._fits:
            between = self._reach[above].any(axis=0) & self._reach[:, below].any(axis=1)
            leaders, sizes = np.unique(self._leader[between], return_counts=True)
            fixed = np.zeros_like(between)
            if sizes.sum() > MAX_FREE_PLAYERS:
                largest = leaders[sizes.argmax()]
                fixed = self._leader == largest
                leaders = leaders[leaders != largest]
            fit = _ConstrainedFit(self._matchups, self._strengths, between, fixed)
            supremum = sum(self._group_maximum(int(leader)) for leader in leaders)
            self._fits[key] = fit, supremum
        return self._fits[key]

    def _group_maximum(self, leader: int) -> float:
        """Return the maximum of the log likelihood of the games within this player's group."""
        if leader not in self._group_maxima:
            group = self._both[leader]
            fit = _ConstrainedFit(self._matchups, self._strengths, group, np.zeros_like(group))
            self._group_maxima[leader] = fit.maximum(np.zeros(len(group)), 0.0)[0]
        return self._group_maxima[leader]


class _ConstrainedFit:
    """Maximise the likelihood of some games at a given value of a contrast.

    The games are those among the players that `between` marks. Those of them that `fixed` marks
    keep their strengths, and games between fixed players are left out. Each search starts at the
    last maximum.
    """

    def __init__(self, matchups: Matchups, strengths: Floats, between: Flags, fixed: Flags) -> None:
        i, j = matchups.first, matchups.second
        counted = between[i] & between[j] & ~(fixed[i] & fixed[j])
        self._i, self._j = i[counted], j[counted]
        # Half of the points, since a pair counts as one observation.
        self._points = matchups.points[counted] / 2.0
        self._pairs = matchups.pairs[counted]
        self._moving: Ints = np.flatnonzero(between & ~fixed)
        place = np.full(matchups.players, -1)
        place[self._moving] = np.arange(len(self._moving))
        self._rows, self._columns = place[self._i], place[self._j]
        self._at = strengths.copy()
        self._between = between
        # Fixed players determine the zero point. Without them this term keeps the mean unchanged.
        self._gauge = 0.0 if fixed.any() else 1.0 / len(self._moving)

    def maximum(self, contrast: Floats, distance: float) -> tuple[float, float]:
        """Return the maximum of the log likelihood where the contrast has the value `distance`.

        The second result is the slope of that maximum as a function of the distance. A contrast of
        zeros sets no condition.
        """
        contrast = np.where(self._between, contrast, 0.0)
        direction = contrast[self._moving]
        bound = bool(direction.any())
        # Newton's steps stay in the plane of the constraint, so start in it.
        if bound:
            shortfall = distance - contrast @ self._at
            self._at[self._moving] += shortfall * direction / (direction @ direction)
        for _ in range(_MAX_STEPS):
            slope, curve = self._derivatives()
            step, along = np.linalg.solve(curve, np.stack([slope, direction], axis=1)).T
            multiplier = float((direction @ step) / (direction @ along)) if bound else 0.0
            moved = np.zeros_like(self._at)
            moved[self._moving] = step - multiplier * along
            change = np.abs(moved[self._i] - moved[self._j]).max(initial=0.0)
            self._at += moved * min(1.0, MAX_STEP / max(change, MAX_STEP))
            if np.abs(moved).max() < _TOLERANCE:
                return self._log_likelihood(), multiplier
        raise ArithmeticError("The search for a maximum of the likelihood does not converge.")

    def _log_likelihood(self) -> float:
        distance = self._at[self._i] - self._at[self._j]
        lost = self._pairs - self._points
        return float(self._points @ log_expected(distance) + lost @ log_expected(-distance))

    def _derivatives(self) -> tuple[Floats, Floats]:
        """Return the derivatives as `doublecross.stats.bradley_terry.derivatives` does.

        They are those by the strengths of the moving players only, without a prior.
        """
        n = len(self._moving)
        share = expected(self._at[self._i] - self._at[self._j])
        surplus = self._points - self._pairs * share
        curvature = self._pairs * share * (1.0 - share)
        slope, curve = np.zeros(n), np.full((n, n), self._gauge)
        for players, sign in ((self._rows, 1.0), (self._columns, -1.0)):
            inside = players >= 0
            np.add.at(slope, players[inside], sign * surplus[inside])
            np.add.at(curve, (players[inside], players[inside]), curvature[inside])
        inside = (self._rows >= 0) & (self._columns >= 0)
        rows, columns = self._rows[inside], self._columns[inside]
        curve[rows, columns] -= curvature[inside]
        curve[columns, rows] -= curvature[inside]
        return slope, curve
