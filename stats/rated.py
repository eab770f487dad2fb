"""Rate players by their game pairs: two by their score, more by all results at once.

Theory of operation
-------------------
Between two players there is nothing to fit. The Elo difference is that of the score, and its
interval and likelihood of superiority come from `doublecross.stats.pairs`, with no prior in the
estimate. Arenas and sequential tests, which do not need numpy, show the same figures; so two
players have the same figures wherever they met. A score of 0 or 1 means an infinite difference with
one bound. More than two players are rated by `doublecross.stats.elo` and `doublecross.stats.los`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import Final

from doublecross.stats.bootstrap import LEVEL, Interval
from doublecross.stats.elo import ELO, EloPairing, Method, Rating, fitted, rate
from doublecross.stats.los import los_matrix
from doublecross.stats.pairs import Pentanomial, elo_interval, elo_of_score, los, score_interval
from doublecross.stats.results import GamePair, points
from doublecross.stats.separation import groups, reached

MOST_LOS: Final = 100
"""The most players for whom `superiority` compares any two."""
_MAX_BOOTSTRAPPED: Final = 50
"""The most players who get bootstrap intervals; for more these would take seconds."""

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class RatedField:
    """The ratings of all players who have a pair, by number, and their groups, as in `RatingList`.

    `home` is the group of the zero point. Only its players have ratings that the results decide;
    for others the results set a bound on one side or none.
    """

    ratings: Mapping[int, Rating]
    groups: Groups
    home: tuple[int, ...]


def pairings_of(pairs: Iterable[GamePair]) -> tuple[list[int], list[EloPairing]]:
    """Return the players who have a pair, ascending, and their pairings.

    The pairings number the players by their place in that list. Players without a pair are left
    out, since each of them would be a group of its own.
    """
    scores: dict[tuple[int, int], list[float]] = {}
    for pair in pairs:
        first, second = sorted(pair[0].players)
        scores.setdefault((first, second), []).append(points(pair, first))
    numbers = sorted({player for both in scores for player in both})
    place = {player: at for at, player in enumerate(numbers)}
    return numbers, [
        EloPairing(place[first], place[second], Pentanomial.of(values))
        for (first, second), values in sorted(scores.items())
    ]


def rated(pairs: Sequence[GamePair], rng: Random, anchor: int | None, resamples: int) -> RatedField:
    """Return the ratings of all players who have a pair.

    `anchor` is a player with a pair, whose rating is 0. Without an anchor the mean of the home
    group is 0.
    """
    numbers, pairings = pairings_of(pairs)
    if not numbers:
        return RatedField({}, (), ())
    if len(numbers) == 2:
        return _rated_two(numbers, pairings[0].pairs, rng, anchor)
    zero = None if anchor is None else numbers.index(anchor)
    method: Method = "bootstrap" if len(numbers) <= _MAX_BOOTSTRAPPED else "analytic"
    found = rate(len(numbers), pairings, rng, anchor=zero, method=method, resamples=resamples)
    named = _named(found.groups, numbers)
    return RatedField(dict(zip(numbers, found.ratings, strict=True)), named, home_of(named, anchor))


def home_of(groups: Groups, anchor: int | None) -> tuple[int, ...]:
    """Return the group of the zero point: the anchor's, or the first one of the largest."""
    if anchor is None:
        return max(groups, key=len)
    return next(group for group in groups if anchor in group)


def strengths(pairs: Sequence[GamePair]) -> tuple[dict[int, float], Groups]:
    """Return ratings and groups after `pairs`, at least one.

    The ratings are in Elo points, without intervals, and their zero point has no meaning. Two
    players who are two groups are infinitely far apart.
    """
    numbers, pairings = pairings_of(pairs)
    if len(numbers) == 2:
        half = elo_of_score(pairings[0].pairs.score) / 2.0
        return {numbers[0]: half, numbers[1]: -half}, _two_groups(numbers, pairings[0].pairs)
    matchups, found = fitted(len(numbers), pairings)
    named = _named(groups(reached(matchups), found), numbers)
    return {player: ELO * float(found[at]) for at, player in enumerate(numbers)}, named


def superiority(pairs: Sequence[GamePair]) -> dict[tuple[int, int], float]:
    """Return the likelihoods of superiority, 0 to 1, of any two players who have a pair, both ways.

    The result is empty for more than `MOST_LOS` players.
    """
    numbers, pairings = pairings_of(pairs)
    if len(numbers) == 2:
        value = los(pairings[0].pairs)
        return {(numbers[0], numbers[1]): value, (numbers[1], numbers[0]): 1.0 - value}
    if not 1 < len(numbers) <= MOST_LOS:
        return {}
    matrix = los_matrix(len(numbers), pairings)
    return {
        (player, other): value
        for player, row in zip(numbers, matrix, strict=True)
        for other, value in zip(numbers, row, strict=True)
        if player != other
    }


def _named(groups: Groups, numbers: Sequence[int]) -> Groups:
    return tuple(tuple(numbers[at] for at in group) for group in groups)


def _two_groups(numbers: Sequence[int], pairs: Pentanomial) -> Groups:
    """Return the groups of two players: two for a clean score, else one."""
    first, second = numbers
    strong, weak = (first, second) if pairs.score >= 0.5 else (second, first)
    return ((strong,), (weak,)) if pairs.clean else ((strong, weak),)


def _rated_two(
    numbers: Sequence[int], pairs: Pentanomial, rng: Random, anchor: int | None
) -> RatedField:
    elo, interval = elo_of_score(pairs.score), elo_interval(score_interval(pairs, rng))
    groups = _two_groups(numbers, pairs)
    clean_zero = groups[0][0] if pairs.clean and anchor is None else anchor
    # The share of the difference in each rating: all of it for the player who is not at 0.
    weights = {None: (0.5, -0.5), numbers[1]: (1.0, 0.0), numbers[0]: (0.0, -1.0)}[clean_zero]
    ratings = {
        player: _part(weight, elo, interval, side)
        for player, weight, side in zip(numbers, weights, (pairs, pairs.reversed()), strict=True)
    }
    return RatedField(ratings, groups, home_of(groups, clean_zero))


def _part(weight: float, elo: float, interval: Interval, pairs: Pentanomial) -> Rating:
    """Return the rating of one of two players, who gets `weight` times the Elo difference."""
    if not weight:
        return Rating(0.0, Interval(0.0, 0.0), pairs.score, pairs.pairs, 0.0)
    ends = sorted((weight * interval.low, weight * interval.high))
    error = (ends[1] - ends[0]) / (2.0 * NormalDist().inv_cdf((1.0 + LEVEL) / 2.0))
    # Adding zero turns minus zero into zero.
    mine = weight * elo + 0.0
    return Rating(
        mine,
        Interval(*ends),
        pairs.score,
        pairs.pairs,
        error if math.isfinite(error) else math.inf,
    )
