"""Players whom the results separate: groups between which one side has won everything, and the
bounds that the likelihood sets to such distances.

Theory of operation
-------------------
A player *reaches* another if a chain of scored games leads from it to the other: it scored
something against somebody who scored something ... against the other. Players who reach each
other form a group; within a group the likelihood has a top at finite distances, and between groups
it has none (Ford): the further apart, the more likely. So where i reaches j and j does not reach
i, the results bound the distance of i above j from below only, and where neither reaches the
other, not at all.

The bound is that of the profile likelihood: for each distance d the other strengths are set to
what makes the results most likely; the profile rises with d towards the value that it has when the
groups are infinitely far apart, the sum of the tops within the groups. All d are kept at which it
lacks less than ``-log(1 - level)`` of that. Two players and n clean pairs: ``p ** n >= 1 - level``,
the exact one-sided bound, about ``1 - 3 / n`` at 95 % (the rule of three). The chi-square quantile
of two-sided profile intervals, 1.92 instead of 3.0, would be too little here: at the edge of what
is possible the ratio has another distribution.

Clean pairs cannot say how much the two games of a pair depend on each other. So a pair counts as
one observation here, as if its games always ended alike, which gives the widest bounds.

Only players on the way from the upper to the lower ones have a say: all others can be moved to
infinity, in the order of the groups, at no cost. The constrained tops are found by Newton's method
in the plane of the constraint, with the step rule of `stats.bradley_terry`; the bound by Newton's
method too: the multiplier of the constraint is the slope of the profile, and as that is concave,
steps from below never pass the bound. No prior is used; the middle of the moved players, on which
no distance depends, stays where it was.

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

from stats.bradley_terry import REACH, Couples, Flags, Floats, Ints, expected, log_expected

HELD: Final = 50
"""Where more players than this lie on the way, the largest group is held at its ratings, which are
known far better than the distance: else each bound of a large field would take seconds."""

_EXACT: Final = 1e-7
_STEPS: Final = 500


def reached(couples: Couples) -> Flags:
    """Whether the player of the row reaches that of the column, (players, players); each itself."""
    n = couples.players
    paths = np.eye(n, dtype=np.float32)
    points, games = couples.points, 2.0 * couples.pairs
    paths[couples.first, couples.second] = points > 0
    paths[couples.second, couples.first] = points < games
    while True:
        longer = (paths @ paths > 0).astype(np.float32)
        if np.array_equal(longer, paths):
            return np.asarray(paths > 0)
        paths = longer


def groups(reach: Flags, strengths: Floats) -> tuple[tuple[int, ...], ...]:
    """The groups, each from its strongest player down, that of the strongest player first."""
    both = reach & reach.T
    leader = both.argmax(axis=1)
    members: dict[int, list[int]] = {}
    for player in np.argsort(-strengths, kind="stable"):
        members.setdefault(int(leader[player]), []).append(int(player))
    return tuple(tuple(group) for group in members.values())


class Separation:
    """The likelihood of distances between groups; see the top of the file.

    `strengths` (players,) are the ratings with their prior, in log odds, where searches begin and
    which held players keep. A *contrast* (players,) is a distance: a weighted sum of strengths
    whose weights add up to 0 and are positive for those above.
    """

    def __init__(self, couples: Couples, reach: Flags, strengths: Floats) -> None:
        self._couples = couples
        self._reach = reach
        self._strengths = strengths
        self._both = reach & reach.T
        self._leader = self._both.argmax(axis=1)
        self._searches: dict[tuple[bytes, bytes], tuple[_Search, float]] = {}
        self._tops: dict[int, float] = {}

    def bounded(self, contrast: Floats) -> bool:
        """Whether the results set this distance a lower bound: all above reach all below."""
        return bool(self._reach[np.ix_(contrast > 0, contrast < 0)].all())

    def lower(self, contrast: Floats, level: float) -> float:
        """The least distance that the results leave possible at `level`, minus infinity if none."""
        if not self.bounded(contrast):
            return -math.inf
        search, apart = self._search(contrast)
        distance = 0.0
        for _ in range(_STEPS):
            value, slope = search.top(contrast, distance)
            # From beyond the bound, where the profile is flat, a tangent would lead anywhere.
            step = max((apart + math.log1p(-level) - value) / slope, -REACH)
            distance += step
            if abs(step) < _EXACT:
                return distance
        raise ArithmeticError("The search for a bound does not end.")

    def deficit(self, contrast: Floats) -> float:
        """What the log likelihood lacks, at distance zero, of that at infinity: at least 0.

        Raises:
            ValueError: the distance has no lower bound.
        """
        if not self.bounded(contrast):
            raise ValueError("The results say nothing about this distance.")
        search, apart = self._search(contrast)
        return max(0.0, apart - search.top(contrast, 0.0)[0])

    def _search(self, contrast: Floats) -> tuple[_Search, float]:
        """The search for tops among the players on the way, and the log likelihood with their
        groups infinitely far apart: the same for all players of the same groups."""
        above, below = (np.unique(self._leader[side]) for side in (contrast > 0, contrast < 0))
        key = (above.tobytes(), below.tobytes())
        if key not in self._searches:
            way = self._reach[above].any(axis=0) & self._reach[:, below].any(axis=1)
            leaders, sizes = np.unique(self._leader[way], return_counts=True)
            held = np.zeros_like(way)
            if sizes.sum() > HELD:
                largest = leaders[sizes.argmax()]
                held = self._leader == largest
                leaders = leaders[leaders != largest]
            search = _Search(self._couples, self._strengths, way, held)
            apart = sum(self._group_top(int(leader)) for leader in leaders)
            self._searches[key] = search, apart
        return self._searches[key]

    def _group_top(self, leader: int) -> float:
        """The top of the log likelihood of the games within this player's group."""
        if leader not in self._tops:
            group = self._both[leader]
            search = _Search(self._couples, self._strengths, group, np.zeros_like(group))
            self._tops[leader] = search.top(np.zeros(len(group)), 0.0)[0]
        return self._tops[leader]


class _Search:
    """Tops of the likelihood of the games among the players of `way`, of whom `held` stay, at
    given values of a contrast; games between held players are left out. It remembers the last top,
    where the next search begins."""

    def __init__(self, couples: Couples, strengths: Floats, way: Flags, held: Flags) -> None:
        i, j = couples.first, couples.second
        counted = way[i] & way[j] & ~(held[i] & held[j])
        self._i, self._j = i[counted], j[counted]
        # Half of the games: a pair is one observation.
        self._points = couples.points[counted] / 2.0
        self._pairs = couples.pairs[counted]
        self._moving: Ints = np.flatnonzero(way & ~held)
        place = np.full(couples.players, -1)
        place[self._moving] = np.arange(len(self._moving))
        self._rows, self._columns = place[self._i], place[self._j]
        self._at = strengths.copy()
        self._way = way
        # Held players say where zero is; without them a step leaves the mean where it was.
        self._gauge = 0.0 if held.any() else 1.0 / len(self._moving)

    def top(self, contrast: Floats, distance: float) -> tuple[float, float]:
        """The log likelihood at its top where the contrast has this value, and the slope of that
        by the value; a contrast of nothing is no condition."""
        contrast = np.where(self._way, contrast, 0.0)
        turn = contrast[self._moving]
        bound = bool(turn.any())
        if bound:
            lacking = distance - contrast @ self._at
            self._at[self._moving] += lacking * turn / (turn @ turn)
        for _ in range(_STEPS):
            slope, curve = self._derivatives()
            step, along = np.linalg.solve(curve, np.stack([slope, turn], axis=1)).T
            multiplier = float((turn @ step) / (turn @ along)) if bound else 0.0
            moved = np.zeros_like(self._at)
            moved[self._moving] = step - multiplier * along
            change = np.abs(moved[self._i] - moved[self._j]).max(initial=0.0)
            self._at += moved * min(1.0, REACH / max(change, REACH))
            if np.abs(moved).max() < _EXACT:
                return self._log_likelihood(), multiplier
        raise ArithmeticError("The search for a top of the likelihood does not end.")

    def _log_likelihood(self) -> float:
        distance = self._at[self._i] - self._at[self._j]
        lost = self._pairs - self._points
        return float(self._points @ log_expected(distance) + lost @ log_expected(-distance))

    def _derivatives(self) -> tuple[Floats, Floats]:
        """As `stats.bradley_terry.derivatives`, of the moving players and without a prior."""
        n = len(self._moving)
        share = expected(self._at[self._i] - self._at[self._j])
        surplus = self._points - self._pairs * share
        bend = self._pairs * share * (1.0 - share)
        slope, curve = np.zeros(n), np.full((n, n), self._gauge)
        for players, sign in ((self._rows, 1.0), (self._columns, -1.0)):
            inside = players >= 0
            np.add.at(slope, players[inside], sign * surplus[inside])
            np.add.at(curve, (players[inside], players[inside]), bend[inside])
        inside = (self._rows >= 0) & (self._columns >= 0)
        rows, columns = self._rows[inside], self._columns[inside]
        curve[rows, columns] -= bend[inside]
        curve[columns, rows] -= bend[inside]
        return slope, curve
