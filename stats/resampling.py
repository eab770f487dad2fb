"""Estimate how far ratings may be off, by bootstrap over game pairs or by its first-order formula.

Theory of operation
-------------------
All game pairs of the tournament are one sample. Each resample draws the same number of pairs from
all of them, and the ratings are fitted to what was drawn. So the numbers of pairs in the matchups
vary as well, on purpose. Drawing within each matchup looks more faithful, but measures deviations
from the matchup's own mean. With n pairs in a matchup the variance is then too small by the factor
``(n - 1) / n``, and zero where players meet once, as in a ladder (there such intervals of 95 %
cover 59 %). Around the fitted model, all matchups contribute to one estimate of the spread.

Outcomes that did not occur need a weight too; otherwise ten pairs that all ended 1-1 would leave no
uncertainty. So each player adds `DOUBT` pairs, spread over its matchups in proportion to its own
pairs, with the outcomes of two independent games without draws at the fitted strengths. Their mean
is the fitted one, so they move no rating. With a hundred pairs a player they are one in a hundred.

Matchups in which one player won everything, and which no chain of other results closes into a group
(`doublecross.stats.separation`), are not drawn but kept as they are. They would be clean again, and
say nothing about distances within groups.

`covariance` is that bootstrap to first order, without draws. The weighted squares around the model
give the variance of each matchup's score, and the curvature of the likelihood turns it into a
covariance of strengths (the "sandwich"). Fitted strengths follow the results, so the squares around
them are too small by one pair for each fitted distance. `covariance` corrects that. `draws` need no
correction: resampled strengths lie further apart than the fitted ones, which has the same effect.
Nothing here assumes that the two games of a pair are independent: the pair is the unit.

Sources: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 6 and 9
(cases or residuals); H. White, Maximum likelihood estimation of misspecified models, Econometrica
50, 1982 (the sandwich).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.random import Generator

from doublecross.stats.bradley_terry import (
    SCORES,
    Flags,
    Floats,
    Matchups,
    derivatives,
    expected,
    fit,
    with_prior,
)

DOUBT: Final = 1.0
"""Pairs that each player adds, with the outcomes that the model expects."""

_TOLERANCE: Final = 1e-5
"""The tolerance for resampled strengths, in log odds: a five-hundredth of an Elo point."""
_BATCH_SIZE: Final = 1_000_000
"""The most counts in one array of draws."""


def weights(matchups: Matchups, strengths: Floats) -> Floats:
    """Return the weight of each outcome of each matchup in a draw, in pairs, (C, 5)."""
    i, j = matchups.first, matchups.second
    share = expected(strengths[i] - strengths[j])
    doubt = DOUBT * matchups.parts()
    none = np.zeros_like(share)
    outcomes = [(1.0 - share) ** 2, none, 2.0 * share * (1.0 - share), none, share**2]
    return matchups.counts + doubt[:, None] * np.stack(outcomes, axis=1)


def covariance(matchups: Matchups, kept: Flags, strengths: Floats, prior: float) -> Floats:
    """Return the covariance of all strengths, (players, players), in squared log odds.

    The matchups that `kept` (C,) marks have no variance.
    """
    points, games = with_prior(matchups, matchups.points[None], matchups.games[None], prior)
    _, curve = derivatives(matchups, points, games, strengths[None])
    inverse = np.linalg.inv(curve[0])
    open_ = matchups.take(~kept)
    weight = weights(open_, strengths)
    share = expected(strengths[open_.first] - strengths[open_.second])
    squares = (weight * (SCORES - 2.0 * share[:, None]) ** 2).sum(axis=1)
    if len(squares):
        players = len(np.union1d(open_.first, open_.second))
        squares *= open_.pairs.sum() / (weight.sum() - (players - 1))
    found = inverse @ open_.laplacian(squares[None])[0] @ inverse
    return np.asarray((found + found.T) / 2.0)  # rounding errors make it slightly asymmetric


def draws(
    matchups: Matchups,
    kept: Flags,
    strengths: Floats,
    prior: float,
    generator: Generator,
    resamples: int,
) -> Floats:
    """Return the strengths fitted to `resamples` resampled tournaments, (resamples, players).

    The matchups that `kept` (C,) marks stay as they are.
    """
    open_ = matchups.take(~kept)
    if not len(open_.first):
        return np.tile(strengths, (resamples, 1))
    weight = weights(open_, strengths)
    chances = (weight / weight.sum()).ravel()
    pairs = round(open_.pairs.sum())
    size = max(1, _BATCH_SIZE // len(chances))
    found = []
    for at in range(0, resamples, size):
        count = min(size, resamples - at)
        drawn = generator.multinomial(pairs, chances, size=count).reshape(count, *weight.shape)
        points, games = np.tile(matchups.points, (count, 1)), np.tile(matchups.games, (count, 1))
        points[:, ~kept], games[:, ~kept] = drawn @ SCORES, 2.0 * drawn.sum(axis=2)
        found.append(fit(matchups, points, games, prior, strengths, _TOLERANCE))
    return np.concatenate(found)
