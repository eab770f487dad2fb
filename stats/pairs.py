"""Game pairs: what they say about the difference of two players.

Theory of operation
-------------------
A game pair is one opening played twice with the seats changed. Its two games are not independent
(an opening that favours a seat gives each player one win), so the pair is the unit of everything
here: its score for the first player is 0, 1/2, 1, 3/2 or 2, and the counts of these five outcomes,
the pentanomial, hold all that there is to know.

Whoever estimates from counts must say what outcomes that did not occur are worth: after ten pairs
won 2-0 the plain bootstrap would claim a score of 100 % with no doubt at all. Here the five
outcomes have, before any pair is played, the weight of one pair together, a fifth each; this is
the Dirichlet prior 1/m for m outcomes. The interval of the score is the percentile bootstrap that
draws pairs with these weights. With pairs of many kinds that is the usual bootstrap; with clean
scores it becomes a bound on one side, in size about that of the rule of three (after n pairs
without an event its rate is below 3/n): the other end stays at 0 % or 100 %, and in Elo, where
such a score has no value, at infinity.

Sources: J. Berger, J. Bernardo and D. Sun, Overall objective priors, Bayesian Analysis 10, 2015,
section 3 (the weights); M. Vandenbergh, the documents of the Fishtest server (the pentanomial).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final, Self

from stats.bootstrap import LEVEL, RESAMPLES, Interval, percentile_interval, resampled_means

OUTCOMES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
"""The scores that a pair can have, for its first player."""

PRIOR: Final = 1.0
"""Weight of all outcomes before any pair is played, in pairs; each has the same share of it."""

_ELO: Final = 400.0 / math.log(10.0)
"""Elo points in one unit of log odds."""


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How many pairs had each of the `OUTCOMES`, from the first player's side.

    Raises:
        ValueError: not five counts, or one below zero.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.counts) != len(OUTCOMES) or min(self.counts) < 0:
            raise ValueError(f"A pentanomial is five counts from 0, not {self.counts}.")

    @classmethod
    def of(cls, scores: Iterable[float]) -> Self:
        """The counts of pairs with these scores, each one of `OUTCOMES`.

        Raises:
            ValueError: another score.
        """
        counts = [0] * len(OUTCOMES)
        for score in scores:
            if score not in OUTCOMES:
                raise ValueError(f"A game pair cannot have the score {score!r}.")
            counts[int(2 * score)] += 1
        a, b, c, d, e = counts
        return cls((a, b, c, d, e))

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self.counts)

    @property
    def points(self) -> float:
        """Points of the first player: 1 for a game won, half for a draw."""
        return sum(score * count for score, count in zip(OUTCOMES, self.counts, strict=True))

    @property
    def score(self) -> float:
        """Points of the first player for each game, 0 to 1; 1/2 without games."""
        return self.points / (2 * self.pairs) if self.pairs else 0.5

    @property
    def clean(self) -> bool:
        """Whether one player has won all games."""
        return self.pairs > 0 and self.pairs in (self.counts[0], self.counts[-1])

    def reversed(self) -> Pentanomial:
        """The same pairs from the other player's side."""
        a, b, c, d, e = self.counts
        return Pentanomial((e, d, c, b, a))

    def weights(self) -> tuple[float, ...]:
        """The counts with the `PRIOR` added."""
        return tuple(count + PRIOR / len(OUTCOMES) for count in self.counts)


def score_interval(
    pairs: Pentanomial, rng: Random, level: float = LEVEL, resamples: int = RESAMPLES
) -> Interval:
    """The interval of the score (0 to 1) by bootstrap over game pairs; see the top of the file.
    All of 0 to 1 without pairs."""
    if not pairs.pairs:
        return Interval(0.0, 1.0)
    games = [score / 2 for score in OUTCOMES]
    means = resampled_means(games, pairs.weights(), pairs.pairs, rng, resamples)
    return percentile_interval(means, level)


def elo_of_score(score: float) -> float:
    """The Elo difference at which `score` (0 to 1) is expected; minus or plus infinity at 0 or 1.

    Raises:
        ValueError: no score from 0 to 1.
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"A score is from 0 to 1, not {score}.")
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return _ELO * math.log(score / (1.0 - score))


def score_of_elo(difference: float) -> float:
    """The score (0 to 1) that is expected at an Elo difference."""
    # Written so that no exponential overflows.
    small = math.exp(-abs(difference) / _ELO)
    share = 1.0 / (1.0 + small)
    return share if difference >= 0 else small * share


def elo_interval(score: Interval) -> Interval:
    """The Elo differences of the ends of a score's interval.

    Percentiles go along with every ascending function, so this is the bootstrap interval of the
    Elo difference.
    """
    return Interval(elo_of_score(score.low), elo_of_score(score.high))


def los(pairs: Pentanomial) -> float:
    """Likelihood of superiority: how probable it is, 0 to 1, that the first player's expected
    score is above one half; 1/2 without pairs.

    The mean above one half, over its standard error, as a quantile of the normal distribution,
    with the outcomes' prior weights counted in. The error is the one that the mean would have if
    the players were equal (the score test): with clean scores there is no other, and elsewhere
    it is much the same.
    """
    weights = pairs.weights()
    total = sum(weights)
    above = [score / 2 - 0.5 for score in OUTCOMES]
    mean = sum(w * x for w, x in zip(weights, above, strict=True)) / total
    square = sum(w * x * x for w, x in zip(weights, above, strict=True)) / total
    return 0.5 * math.erfc(-mean / math.sqrt(2.0 * square / (total + 1.0)))
