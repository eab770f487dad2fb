"""Likelihood of superiority: how probable it is that one player of a tournament is stronger than
another, for every two of them.

Theory of operation
-------------------
Within a group (`stats.separation`) it is the normal distribution of the distance: the rating
difference over its standard error, from the covariance of all ratings that is the bootstrap over
game pairs to first order (`stats.resampling`). That rather than the share of resamples in which
the one came out ahead: a share of a thousand knows nothing between 99.9 % and certainty, and calls
certain what merely did not occur.

Where only one of two reaches the other there is no distance to have an error; the signed root of
the likelihood ratio takes its place: how much less likely the results are if both are equally
strong, with a pair as one observation. Where neither reaches the other the results say nothing:
one half.

Source: O. Barndorff-Nielsen and D. Cox, Inference and Asymptotics, 1994, section 3.4 (signed root).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stats import resampling
from stats.elo import PRIOR_GAMES, EloPairing, fitted
from stats.separation import Separation, reached


def los_matrix(
    players: int, pairings: Sequence[EloPairing], *, prior_games: float = PRIOR_GAMES
) -> tuple[tuple[float, ...], ...]:
    """The likelihood, 0 to 1, that the player of the row is stronger than that of the column; one
    half on the diagonal. The two of a couple add up to 1.

    Raises:
        ValueError: as `stats.elo.rate` does.
    """
    couples, strengths = fitted(players, pairings, prior_games)
    reach = reached(couples)
    both = reach & reach.T
    kept = ~both[couples.first, couples.second]
    spread = resampling.covariance(couples, kept, strengths, prior_games)
    own = np.diag(spread)
    errors = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2.0 * spread, 0.0))
    distances = strengths[:, None] - strengths[None, :]
    roots = np.divide(distances, errors, out=np.zeros_like(distances), where=both & (errors > 0))
    separation = Separation(couples, reach, strengths)
    for above, below in np.argwhere(reach & ~both):
        contrast = np.zeros(players)
        contrast[above], contrast[below] = 1.0, -1.0
        root = math.sqrt(2.0 * separation.deficit(contrast))
        roots[above, below], roots[below, above] = root, -root
    return tuple(
        tuple(0.5 * math.erfc(-root / math.sqrt(2.0)) for root in row) for row in roots.tolist()
    )
