"""Likelihood of superiority: the probability that one player is stronger than another, for any two.

Theory of operation
-------------------
Within a group (`doublecross.stats.separation`) it follows from the normal distribution of the
distance: the rating difference over its standard error. The error comes from the covariance of all
ratings, the first-order form of the bootstrap over game pairs (`doublecross.stats.resampling`). The
share of resamples in which one player is ahead would be a worse measure: a thousand resamples have
no value between 99.9 % and certainty, and call certain what merely did not occur.

When only one of two players reaches the other, their distance has no standard error. Then the
signed root of the likelihood ratio takes its place. It measures how much less likely the results
are if both players are equally strong, with each pair as one observation. When neither reaches the
other, the results say nothing, and the likelihood is one half.

Source: O. Barndorff-Nielsen and D. Cox, Inference and Asymptotics, 1994, section 3.4 (signed root).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from doublecross.stats import resampling
from doublecross.stats.elo import PRIOR_GAMES, EloPairing, fitted
from doublecross.stats.separation import Separation, reached


def los_matrix(players: int, pairings: Sequence[EloPairing]) -> tuple[tuple[float, ...], ...]:
    """Return the likelihoods, 0 to 1, that the row's player is stronger than the column's.

    The diagonal is one half. The two values for the same two players add up to 1.

    Raises:
        ValueError: as `doublecross.stats.elo.rate` does.
    """
    matchups, strengths = fitted(players, pairings)
    reach = reached(matchups)
    both = reach & reach.T
    kept = ~both[matchups.first, matchups.second]
    spread = resampling.covariance(matchups, kept, strengths, PRIOR_GAMES)
    own = np.diag(spread)
    errors = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2.0 * spread, 0.0))
    distances = strengths[:, None] - strengths[None, :]
    roots = np.divide(distances, errors, out=np.zeros_like(distances), where=both & (errors > 0))
    separation = Separation(matchups, reach, strengths)
    for above, below in np.argwhere(reach & ~both):
        contrast = np.zeros(players)
        contrast[above], contrast[below] = 1.0, -1.0
        root = math.sqrt(2.0 * separation.deficit(contrast))
        roots[above, below], roots[below, above] = root, -root
    return tuple(
        tuple(0.5 * math.erfc(-root / math.sqrt(2.0)) for root in row) for row in roots.tolist()
    )
