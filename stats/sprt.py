"""The sequential probability ratio test: decide between two Elo differences as game pairs come in.

Theory of operation
-------------------
There are two hypotheses: H0 says that the first player is `elo0` points stronger, H1 that it is
`elo1`. The test accepts one of them as soon as it makes the results sufficiently more likely than
the other does. It measures this by the log likelihood ratio (LLR). Wald's bounds keep the chance of
accepting H1 where H0 holds at `alpha`, and that of accepting H0 where H1 holds at `beta`. The test
looks at the LLR after every pair, and needs on average far fewer pairs than one of fixed length.

An Elo difference determines the expected score, not how often a pair has each of its five outcomes.
So the likelihood under a hypothesis is that of the most likely pentanomial distribution with that
expected score (the generalised test, GSPRT). Let s be the expected score of a game, x_i the score a
game in outcome i, and q_i the observed share of that outcome. The distribution is

    p_i = q_i / (1 + t (x_i - s))    where    sum q_i (x_i - s) / (1 + t (x_i - s)) = 0

The sum falls strictly between the two t at which the denominator of an outcome vanishes, so
bisection with Newton's steps finds its zero. The LLR is the number of pairs times the sum of
q_i log(p1_i / p0_i).

An outcome that has not occurred has no share and would count as impossible. After a clean start no
distribution would then have the expected score at all. So each such outcome gets the weight of a
thousandth of a pair (`UNSEEN`). This does not decide a test. It lets the most likely distribution
put some mass where the expected score requires it. The LLR of n pairs won 2-0 becomes that of n
coins that all showed heads, n log(s1 / s0). It is bounded for every pair, so the first few pairs
have a bounded effect too.

The LLR is a random walk. Its steps are log(p1_i / p0_i), so the shares of the outcomes so far give
their mean and variance. Brownian motion with this drift and variance leaves the bounds after a
known time on average. The test says how many games that is (`games_left`).

Close hypotheses need many pairs, however clear the score is: both are far from it, so it is hardly
more likely under one than under the other. With pairs won 2-0 only, H1 needs as many as
`clean_pairs` says: 53 for 20 Elo against 0, but 207 for 5. fastchess (app/src/matchmaking/sprt,
model "logistic") gives unseen outcomes the same weight and has the same LLR. Its default model is
"normalized", in which as many points of Elo are a larger difference.

Sources: A. Wald, Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16,
1945 (the bounds); X. Li, J. Liu and Z. Ying, Generalized sequential probability ratio test for
separate families of hypotheses, Sequential Analysis 33, 2014; M. Van den Bergh, A practical
introduction to the GSPRT, and The generalized maximum likelihood ratio for the expectation value of
a distribution, both among the documents of the Fishtest server (the distribution under a mean; that
each pair counts as one result of five kinds).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from doublecross.stats.pairs import OUTCOMES, Pentanomial, score_of_elo

Verdict = Literal["H0", "H1"]
"""The accepted hypothesis."""

MOST_ELO: Final = 1000.0
"""The greatest Elo difference of a hypothesis. Beyond it nearly all pairs end 2-0, and no number of
pairs could distinguish two hypotheses."""
UNSEEN: Final = 1e-3
"""The weight, in pairs, of an outcome that has not occurred."""

_SCORES: Final = tuple(outcome / 2.0 for outcome in OUTCOMES)
_TOLERANCE: Final = 1e-13
_MAX_STEPS: Final = 200


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0, a difference of `elo0` (logistic, in points), against H1, one of `elo1`.

    `alpha` is the chance of accepting H1 where H0 holds, `beta` that of accepting H0 where H1
    holds.

    Raises:
        ValueError: `elo0` is not below `elo1`, one of them is beyond `MOST_ELO`, or an error rate
            is not between 0 and 0.5. The message is one sentence for users.
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name, elo in (("elo0", self.elo0), ("elo1", self.elo1)):
            if not -MOST_ELO <= elo <= MOST_ELO:
                raise ValueError(f"{name} is from {-MOST_ELO:g} to {MOST_ELO:g}, not {elo:g}.")
        if self.elo0 >= self.elo1:
            raise ValueError(
                f"elo0 must be below elo1: {self.elo0:g} to {self.elo1:g} is an interval"
                f" {'without length' if self.elo0 == self.elo1 else 'upside down'}."
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0.0 < rate < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, not {rate:g}.")

    @property
    def lower(self) -> float:
        """The LLR, below zero, at which H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """The LLR, above zero, at which H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    @property
    def clean_pairs(self) -> int:
        """How many pairs won 2-0, and no others, make the test accept H1."""
        return math.ceil(self.upper / math.log(score_of_elo(self.elo1) / score_of_elo(self.elo0)))

    def llr(self, pairs: Pentanomial) -> float:
        """Return the log likelihood ratio of H1 to H0 for these pairs; 0 without pairs.

        The logarithm is natural.
        """
        if not pairs.pairs:
            return 0.0
        return sum(weight * step for weight, step in self._steps(pairs))

    def games_left(self, pairs: Pentanomial) -> float:
        """Return how many more games the test needs on average if the shares of outcomes remain.

        Without pairs nothing is known, so it is infinite.
        """
        if not pairs.pairs:
            return math.inf
        steps = self._steps(pairs)
        total = sum(weight for weight, _ in steps)
        llr = sum(weight * step for weight, step in steps)
        drift = llr / total
        variance = sum(weight * (step - drift) ** 2 for weight, step in steps) / total
        return 2.0 * _exit_time(llr - self.lower, self.upper - llr, drift, variance)

    def _steps(self, pairs: Pentanomial) -> list[tuple[float, float]]:
        """Return the weight of each outcome in pairs, and what one such pair adds to the LLR."""
        weights = [count or UNSEEN for count in pairs.counts]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        score0, score1 = score_of_elo(self.elo0), score_of_elo(self.elo1)
        tilt0, tilt1 = _tilt(shares, score0), _tilt(shares, score1)
        return [
            (weight, math.log((1.0 + tilt0 * (x - score0)) / (1.0 + tilt1 * (x - score1))))
            for weight, x in zip(weights, _SCORES, strict=True)
        ]

    def verdict(self, pairs: Pentanomial) -> Verdict | None:
        """Return the hypothesis that the test accepts after these pairs, or None when it continues.

        The error rates hold only if the caller asked after each pair so far, in an order that does
        not depend on the results, and always received None before.
        """
        llr = self.llr(pairs)
        if llr <= self.lower:
            return "H0"
        return "H1" if llr >= self.upper else None


def _exit_time(below: float, above: float, drift: float, variance: float) -> float:
    """Return the mean time until Brownian motion reaches one of two bounds at these distances."""
    if below <= 0.0 or above <= 0.0:
        return 0.0
    if drift < 0.0:
        below, above, drift = above, below, -drift
    pull = 2.0 * drift / variance
    if pull * (below + above) < 1e-6:
        return below * above / variance
    share = math.expm1(-pull * below) / math.expm1(-pull * (below + above))
    return (above * share - below * (1.0 - share)) / drift


def _tilt(shares: Sequence[float], score: float) -> float:
    """Return t of the formula above, for the distribution nearest to `shares` with mean `score`.

    All shares must be above zero; then so are all ``1 + t (x - score)``.
    """
    away = [x - score for x in _SCORES]
    low, high = -1.0 / away[-1], -1.0 / away[0]
    t = 0.0
    for _ in range(_MAX_STEPS):
        value = slope = 0.0
        for share, distance in zip(shares, away, strict=True):
            part = distance / (1.0 + t * distance)
            value += share * part
            slope += share * part * part
        if value > 0.0:
            low = t
        else:
            high = t
        # `slope` is the negated derivative, so Newton's step has this sign.
        step = value / slope
        if abs(step) <= _TOLERANCE * (1.0 + abs(t)):
            break
        t += step
        if not low < t < high:
            t = (low + high) / 2.0
            if high - low <= _TOLERANCE * (1.0 + abs(t)):
                break
    return t
