"""How far the ratings of a tournament may be off: the bootstrap over its game pairs, and the same
in one formula.

Theory of operation
-------------------
All game pairs of the tournament are one sample: each resample draws as many again from all of them,
and the ratings are fitted to what was drawn. Who met whom how often varies with that, by design. To
draw within each couple instead looks more faithful, but takes its deviations from the couple's own
mean: with n pairs a couple the variance is too small by the factor ``(n - 1) / n``, and it is
nothing where players meet once, as in a ladder (there such intervals of 95 % cover 59 %). Around
the fitted model all couples share what they say about the spread.

What did not occur needs a weight too, or ten pairs that all ended 1-1 would claim to know
everything. So each player brings `DOUBT` pairs, spread over the couples it played in as its
own pairs are, with the outcomes of two independent games without draws at the fitted strengths.
Their mean is the fitted one, so they move no rating, neither apart nor together; with a hundred
pairs a player they are one in a hundred.

Couples of which one player won everything and which no chain of other results closes into a group
(`stats.separation`) are not drawn but kept as they are: they would be as clean again, and say
nothing about distances within groups.

`covariance` is that bootstrap to first order, without drawing: the score of a couple varies as the
weighted squares around the model say, and the curvature of the likelihood turns this into
strengths ("sandwich"). As fitted strengths follow the results, squares around them are too small
by one pair for each distance that was fitted; that is put right here, while the resampled
strengths, which lie further apart than the fitted ones, make up for it by themselves. No
independence within a pair is assumed anywhere: the pair is the unit.

Sources: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 6 and 9
(cases or residuals); H. White, Maximum likelihood estimation of misspecified models, Econometrica
50, 1982 (the sandwich).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator

from stats.bradley_terry import (
    SCORES,
    Couples,
    Flags,
    Floats,
    derivatives,
    expected,
    fit,
    with_prior,
)

DOUBT: Final = 1.0
"""Pairs that each player brings, with the outcomes that the model expects."""

_EXACT: Final = 1e-5
"""Strengths of resamples, in log odds: a five-hundredth of an Elo point."""
_AT_ONCE: Final = 1_000_000
"""Counts that are drawn in one go."""


def weights(couples: Couples, strengths: Floats) -> Floats:
    """What each outcome of each couple weighs in a draw, in pairs, (C, 5)."""
    i, j = couples.first, couples.second
    share = expected(strengths[i] - strengths[j])
    doubt = DOUBT * couples.parts()
    none = np.zeros_like(share)
    outcomes = [(1.0 - share) ** 2, none, 2.0 * share * (1.0 - share), none, share**2]
    return couples.counts + doubt[:, None] * np.stack(outcomes, axis=1)


def covariance(couples: Couples, kept: Flags, strengths: Floats, prior: float) -> Floats:
    """The covariance of all strengths, (players, players), in squared log odds, where the couples
    `kept` (C,) stay as they are."""
    points, games = with_prior(couples, couples.points[None], couples.games[None], prior)
    _, curve = derivatives(couples, points, games, strengths[None])
    turn = np.linalg.inv(curve[0])
    open_ = couples.take(~kept)
    weight = weights(open_, strengths)
    share = expected(strengths[open_.first] - strengths[open_.second])
    squares = (weight * (SCORES - 2.0 * share[:, None]) ** 2).sum(axis=1)
    if len(squares):
        players = len(np.union1d(open_.first, open_.second))
        squares *= open_.pairs.sum() / (weight.sum() - (players - 1))
    found = turn @ open_.laplacian(squares[None])[0] @ turn
    return np.asarray((found + found.T) / 2.0)  # rounding leaves it not quite symmetric


def draws(
    couples: Couples,
    kept: Flags,
    strengths: Floats,
    prior: float,
    generator: Generator,
    resamples: int,
) -> Floats:
    """Strengths fitted to `resamples` tournaments drawn again, (resamples, players), where the
    couples `kept` (C,) stay as they are."""
    open_ = couples.take(~kept)
    if not len(open_.first):
        return np.tile(strengths, (resamples, 1))
    weight = weights(open_, strengths)
    chances = (weight / weight.sum()).ravel()
    pairs = round(open_.pairs.sum())
    size = max(1, _AT_ONCE // len(chances))
    found = []
    for at in range(0, resamples, size):
        count = min(size, resamples - at)
        drawn = generator.multinomial(pairs, chances, size=count).reshape(count, *weight.shape)
        points, games = np.tile(couples.points, (count, 1)), np.tile(couples.games, (count, 1))
        points[:, ~kept], games[:, ~kept] = drawn @ SCORES, 2.0 * drawn.sum(axis=2)
        found.append(fit(couples, points, games, prior, strengths, _EXACT))
    return np.concatenate(found)
