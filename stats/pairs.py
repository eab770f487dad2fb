"""Game pairs: estimate the difference between two players from the pairs that they played.

Theory of operation
-------------------
A game pair is one opening played twice with the seats changed. Its two games are not independent
(an opening that favours a seat gives each player one win), so the pair is the unit of everything
here. Its score for the first player is 0, 1/2, 1, 3/2 or 2. The counts of these five outcomes, the
*pentanomial*, contain all the information.

An estimate from counts needs an assumption about outcomes that did not occur. After ten pairs won
2-0 the plain bootstrap would claim a score of 100 % with certainty. Here a prior gives the five
outcomes together the weight of one pair, a fifth each, before any pair is played; this is the
Dirichlet prior 1/m for m outcomes. The interval of the score is the percentile bootstrap that
draws pairs with these weights. With pairs of many kinds that is the usual bootstrap. With clean
scores it becomes a one-sided bound, about as large as the rule of three says (after n pairs without
an event its rate is below 3/n). The other end stays at 0 % or 100 %, and in Elo, where such a score
has no value, at infinity.

Elo measures the score, so openings that end alike for both players make it small. *Normalised Elo*
measures how many games it takes to see the difference: it divides the surplus over one half by the
standard deviation of a game, which is that of a pair's mean score times the root of 2. The unit is
that of Elo for equal players without draws and with independent games. The deviation has the prior
too, so clean scores, which have none, still set a bound.

Sources: J. Berger, J. Bernardo and D. Sun, Overall objective priors, Bayesian Analysis 10, 2015,
section 3 (the weights); M. Van den Bergh, Normalized Elo for engine testing, and the documents of
the Fishtest server (the pentanomial). fastchess computes normalised Elo without the prior.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Final, Self

from doublecross.stats.bootstrap import RESAMPLES, Interval, bootstrap_interval

OUTCOMES: Final = (0.0, 0.5, 1.0, 1.5, 2.0)
"""The possible scores of a pair, for its first player."""

PRIOR: Final = 1.0
"""The total weight of the outcomes before any pair is played, in pairs; each has a fifth of it."""

_ELO: Final = 400.0 / math.log(10.0)
"""Elo points in one unit of log odds."""


@dataclass(frozen=True, slots=True)
class Pentanomial:
    """How many pairs had each of the `OUTCOMES`, from the side of the first player.

    Raises:
        ValueError: there are not five counts, or one is below zero.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    def __post_init__(self) -> None:
        if len(self.counts) != len(OUTCOMES) or min(self.counts) < 0:
            raise ValueError(f"A pentanomial is five counts from 0, not {self.counts}.")

    @classmethod
    def of(cls, scores: Iterable[float]) -> Self:
        """Return the pentanomial of pairs with these scores, each one of `OUTCOMES`.

        Raises:
            ValueError: a score is not one of `OUTCOMES`.
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
        """The number of pairs."""
        return sum(self.counts)

    @property
    def points(self) -> float:
        """The points of the first player: 1 for a win, half for a draw."""
        _, halves, ones, more, twos = self.counts  # written out, because tables ask this often
        return 0.5 * halves + ones + 1.5 * more + 2.0 * twos

    @property
    def score(self) -> float:
        """The first player's points a game, 0 to 1; 1/2 without games."""
        return self.points / (2 * self.pairs) if self.pairs else 0.5

    @property
    def clean(self) -> bool:
        """Return whether one player has won all games, and there is at least one."""
        return self.pairs > 0 and self.pairs in (self.counts[0], self.counts[-1])

    def reversed(self) -> Pentanomial:
        """Return the same pairs from the side of the other player."""
        a, b, c, d, e = self.counts
        return Pentanomial((e, d, c, b, a))

    @property
    def deviation(self) -> float:
        """The standard deviation of a game's score, from that of the pairs with the `PRIOR`."""
        weights, games = self.weights(), [score / 2 for score in OUTCOMES]
        mean = sum(w * x for w, x in zip(weights, games, strict=True)) / sum(weights)
        return math.sqrt(
            2 * sum(w * (x - mean) ** 2 for w, x in zip(weights, games, strict=True)) / sum(weights)
        )

    def weights(self) -> tuple[float, ...]:
        """Return the counts with the `PRIOR` added."""
        return tuple(count + PRIOR / len(OUTCOMES) for count in self.counts)


def score_interval(pairs: Pentanomial, rng: Random, resamples: int = RESAMPLES) -> Interval:
    """Return the interval of the score (0 to 1) by bootstrap over game pairs.

    Without pairs it is all of 0 to 1.
    """
    if not pairs.pairs:
        return Interval(0.0, 1.0)
    games = [score / 2 for score in OUTCOMES]
    return bootstrap_interval(games, pairs.weights(), pairs.pairs, rng, resamples)


def elo_of_score(score: float) -> float:
    """Return the Elo difference for an expected `score` (0 to 1).

    It is minus infinity at 0 and plus infinity at 1.

    Raises:
        ValueError: `score` is not from 0 to 1.
    """
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"A score is from 0 to 1, not {score}.")
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return _ELO * math.log(score / (1.0 - score))


def score_of_elo(difference: float) -> float:
    """Return the expected score (0 to 1) for an Elo difference."""
    # The exponent is never positive, so nothing overflows.
    small = math.exp(-abs(difference) / _ELO)
    share = 1.0 / (1.0 + small)
    return share if difference >= 0 else small * share


def elo_interval(score: Interval) -> Interval:
    """Return the Elo differences for the ends of a score's interval.

    Ascending functions map percentiles to percentiles, so this is the bootstrap interval of the Elo
    difference.
    """
    return Interval(elo_of_score(score.low), elo_of_score(score.high))


def normalised_elo(score: float, deviation: float) -> float:
    """Return the normalised Elo difference for a score (0 to 1) and the deviation of a game.

    Like the Elo difference, it is infinite at 0 and 1.
    """
    if score in (0.0, 1.0):
        return elo_of_score(score)
    return 2.0 * _ELO * (score - 0.5) / deviation


def los(pairs: Pentanomial) -> float:
    """Return the likelihood of superiority of the first player, 0 to 1; 1/2 without pairs.

    This is the probability that the expected score of the first player is above one half. It is the
    surplus of the mean over one half, divided by its standard error, as a quantile of the normal
    distribution; the prior weights of the outcomes count. The error is the one that the mean would
    have if the players were equal (the score test): with clean scores there is no other, and for
    other scores it is nearly the same.
    """
    weights = pairs.weights()
    total = sum(weights)
    above = [score / 2 - 0.5 for score in OUTCOMES]
    mean = sum(w * x for w, x in zip(weights, above, strict=True)) / total
    square = sum(w * x * x for w, x in zip(weights, above, strict=True)) / total
    return 0.5 * math.erfc(-mean / math.sqrt(2.0 * square / (total + 1.0)))


@dataclass(frozen=True, slots=True)
class PairFigures:
    """What `pairs` say about the difference between two players.

    The intervals have the level `doublecross.stats.bootstrap.LEVEL`. Elo differences and the ends
    of their intervals are infinite if the pairs set no bound (one player won all games).
    """

    pairs: Pentanomial
    score: float
    score_interval: Interval
    elo: float
    elo_interval: Interval
    normalised_elo: float
    normalised_elo_interval: Interval
    los: float

    @classmethod
    def of(cls, pairs: Pentanomial, rng: Random) -> Self:
        """Compute the figures; `rng` draws the bootstrap samples."""
        score, span, deviation = pairs.score, score_interval(pairs, rng), pairs.deviation
        return cls(
            pairs=pairs,
            score=score,
            score_interval=span,
            elo=elo_of_score(score),
            elo_interval=elo_interval(span),
            normalised_elo=normalised_elo(score, deviation),
            normalised_elo_interval=Interval(
                normalised_elo(span.low, deviation), normalised_elo(span.high, deviation)
            ),
            los=los(pairs),
        )

    def as_json(self) -> dict[str, object]:
        """Return the figures as data for JSON: null for infinite numbers, lists for intervals."""
        data: dict[str, object] = {"pentanomial": self.pairs.counts, "score": self.score}
        for name, value, span in (
            ("elo", self.elo, self.elo_interval),
            ("normalised_elo", self.normalised_elo, self.normalised_elo_interval),
        ):
            data |= {name: _finite(value), f"{name}_interval": interval_json(span)}
        return data | {"score_interval": interval_json(self.score_interval), "los": self.los}


def interval_json(interval: Interval) -> list[float | None]:
    """Return the ends of an interval for JSON, null where there is no bound."""
    return [_finite(interval.low), _finite(interval.high)]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
