"""Ratings from game pairs: of two players by their score, of more by all results at once.

Theory of operation
-------------------
Between two players there is nothing to fit: the Elo difference is that of the score, and its
interval and likelihood of superiority are those of `stats.pairs`, with no prior in the estimate.
These are the figures of an arena and of a sequential test, which need no numpy; so two players have
the same figures wherever they met. A score of 0 or 1 is an infinite difference with one bound. Of
more than two, `stats.elo` and `stats.los` rate all at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import Final

from stats.bootstrap import LEVEL, Interval
from stats.elo import ELO, EloPairing, Method, Rating, fitted, rate
from stats.los import los_matrix
from stats.pairs import Pentanomial, elo_interval, elo_of_score, los, score_interval
from stats.results import GamePair, points
from stats.separation import groups, reached

MOST_LOS: Final = 100
"""Players up to whom each two of them are compared by all games."""
_MOST_BOOTSTRAPPED: Final = 50
"""Players up to whom ratings have bootstrap intervals; for more it would take seconds."""

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class RatedField:
    """The ratings of all who have a pair, by number, and their groups, as `stats.elo.RatingList`
    has them. `home` is the group of the zero point: of its players alone a rating is an estimate,
    of others the results only set a bound, if any."""

    ratings: Mapping[int, Rating]
    groups: Groups
    home: tuple[int, ...]


def pairings_of(pairs: Iterable[GamePair]) -> tuple[list[int], list[EloPairing]]:
    """All who have a pair, and their pairings, which call them by their place among these. Those
    without one are left out: each would be a group of its own."""
    scores: dict[tuple[int, int], list[float]] = {}
    for pair in pairs:
        first, second = sorted(pair[0].players)
        scores.setdefault((first, second), []).append(points(pair, first))
    there = sorted({player for both in scores for player in both})
    place = {player: at for at, player in enumerate(there)}
    return there, [
        EloPairing(place[first], place[second], Pentanomial.of(values))
        for (first, second), values in sorted(scores.items())
    ]


def rated(pairs: Sequence[GamePair], rng: Random, anchor: int | None, resamples: int) -> RatedField:
    """The ratings; `anchor`, one who has a pair, is at 0, None: the mean of the home group is."""
    there, pairings = pairings_of(pairs)
    if not there:
        return RatedField({}, (), ())
    if len(there) == 2:
        return _rated_two(there, pairings[0].pairs, rng, anchor)
    zero = None if anchor is None else there.index(anchor)
    method: Method = "bootstrap" if len(there) <= _MOST_BOOTSTRAPPED else "analytic"
    found = rate(len(there), pairings, rng, anchor=zero, method=method, resamples=resamples)
    named = _named(found.groups, there)
    return RatedField(dict(zip(there, found.ratings, strict=True)), named, home_of(named, anchor))


def home_of(groups: Groups, anchor: int | None) -> tuple[int, ...]:
    """The group of the zero point: the anchor's, or the largest (the first of several)."""
    if anchor is None:
        return max(groups, key=len)
    return next(group for group in groups if anchor in group)


def strengths(pairs: Sequence[GamePair]) -> tuple[dict[int, float], Groups]:
    """The ratings after `pairs`, one at least, in Elo points without a zero point of their own and
    without intervals, and their groups. Two who are two groups are infinitely far apart."""
    there, pairings = pairings_of(pairs)
    if len(there) == 2:
        half = elo_of_score(pairings[0].pairs.score) / 2.0
        return {there[0]: half, there[1]: -half}, _two_groups(there, pairings[0].pairs)
    couples, found = fitted(len(there), pairings)
    named = _named(groups(reached(couples), found), there)
    return {player: ELO * float(found[at]) for at, player in enumerate(there)}, named


def superiority(pairs: Sequence[GamePair]) -> dict[tuple[int, int], float]:
    """Likelihoods of superiority, 0 to 1, of every two who have a pair, both ways; none with more
    than `MOST_LOS` players."""
    there, pairings = pairings_of(pairs)
    if len(there) == 2:
        value = los(pairings[0].pairs)
        return {(there[0], there[1]): value, (there[1], there[0]): 1.0 - value}
    if not 1 < len(there) <= MOST_LOS:
        return {}
    matrix = los_matrix(len(there), pairings)
    return {
        (player, other): value
        for player, row in zip(there, matrix, strict=True)
        for other, value in zip(there, row, strict=True)
        if player != other
    }


def _named(groups: Groups, there: Sequence[int]) -> Groups:
    return tuple(tuple(there[at] for at in group) for group in groups)


def _two_groups(there: Sequence[int], pairs: Pentanomial) -> Groups:
    first, second = there
    strong, weak = (first, second) if pairs.score >= 0.5 else (second, first)
    return ((strong,), (weak,)) if pairs.clean else ((strong, weak),)


def _rated_two(
    there: Sequence[int], pairs: Pentanomial, rng: Random, anchor: int | None
) -> RatedField:
    elo, interval = elo_of_score(pairs.score), elo_interval(score_interval(pairs, rng))
    groups = _two_groups(there, pairs)
    clean_zero = groups[0][0] if pairs.clean and anchor is None else anchor
    # What the difference counts for each: all of it for the one who is not at 0.
    weights = {None: (0.5, -0.5), there[1]: (1.0, 0.0), there[0]: (0.0, -1.0)}[clean_zero]
    ratings = {
        player: _part(weight, elo, interval, side)
        for player, weight, side in zip(there, weights, (pairs, pairs.reversed()), strict=True)
    }
    return RatedField(ratings, groups, home_of(groups, clean_zero))


def _part(weight: float, elo: float, interval: Interval, pairs: Pentanomial) -> Rating:
    """The rating of one of two, whose difference counts so much for it."""
    if not weight:
        return Rating(0.0, Interval(0.0, 0.0), pairs.score, pairs.pairs, 0.0)
    ends = sorted((weight * interval.low, weight * interval.high))
    error = (ends[1] - ends[0]) / (2.0 * NormalDist().inv_cdf((1.0 + LEVEL) / 2.0))
    mine = weight * elo + 0.0
    return Rating(
        mine,
        Interval(*ends),
        pairs.score,
        pairs.pairs,
        error if math.isfinite(error) else math.inf,
    )
