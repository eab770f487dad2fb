"""The sequential probability ratio test: which of two Elo differences the game pairs speak for.

Theory of operation
-------------------
Of two hypotheses, H0 that the first player is `elo0` points stronger and H1 that it is `elo1`, the
test accepts one as soon as the results are enough more likely under it. Their measure is the log
likelihood ratio (LLR); Wald's bounds on it keep the chance of accepting H1 where H0 holds at
`alpha`, and that of accepting H0 where H1 holds at `beta`. It is looked at after every pair, and
needs on average far fewer of them than a test of fixed length.

An Elo difference says what the expected score is, not how often a pair has each of its five
outcomes. So the likelihood under a hypothesis is that of the most likely pentanomial distribution
with that expected score (the generalised test, GSPRT). With s the expected score of a pair for each
game, x_i the outcomes so measured and q_i their observed shares, it is

    p_i = q_i / (1 + t (x_i - s))    where    sum q_i (x_i - s) / (1 + t (x_i - s)) = 0

and the sum falls all the way between the two t at which an outcome's denominator vanishes, so its
zero is found by bisection with Newton's steps. The LLR is the number of pairs times the sum of
q_i log(p1_i / p0_i).

An outcome that has not occurred has no share, and would be held for impossible: after a clean start
no distribution would be left that has the expected score at all. It is given the weight of a
thousandth of a pair (`UNSEEN`). That decides nothing: it lets the most likely distribution have a
mass where the mean demands one, and the LLR of n pairs won 2-0 becomes that of n coins that all
showed heads, n log(s1 / s0), which is bounded for every pair and so bounds the first few too.

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

from stats.pairs import OUTCOMES, Pentanomial, score_of_elo

Verdict = Literal["H0", "H1"]
"""The hypothesis that is accepted."""

MOST_ELO: Final = 1000.0
"""The greatest Elo difference of a hypothesis; further out a score is all but clean, and no number
of pairs tells two of them apart."""
UNSEEN: Final = 1e-3
"""Weight, in pairs, of an outcome that has not occurred."""

_SCORES: Final = tuple(outcome / 2.0 for outcome in OUTCOMES)
_EXACT: Final = 1e-13
_STEPS: Final = 200


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of H0, a difference of `elo0` (logistic, in points), against H1, one of `elo1`.

    `alpha` is the chance of accepting H1 where H0 holds, `beta` that of accepting H0 where H1
    holds.

    Raises:
        ValueError: an interval upside down or beyond `MOST_ELO`, or an error rate that is not
            between 0 and 0.5; in one sentence.
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

    def llr(self, pairs: Pentanomial) -> float:
        """How much more likely these pairs are under H1 than under H0, as a natural logarithm;
        0 without pairs."""
        if not pairs.pairs:
            return 0.0
        weights = [count or UNSEEN for count in pairs.counts]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        score0, score1 = score_of_elo(self.elo0), score_of_elo(self.elo1)
        tilt0, tilt1 = _tilt(shares, score0), _tilt(shares, score1)
        return sum(
            weight * math.log((1.0 + tilt0 * (x - score0)) / (1.0 + tilt1 * (x - score1)))
            for weight, x in zip(weights, _SCORES, strict=True)
        )

    def verdict(self, pairs: Pentanomial) -> Verdict | None:
        """The hypothesis that these pairs make the test accept; None: it goes on.

        It is the test's only if the same was asked after each pair, in an order that does not
        depend on the results, and was None until now.
        """
        llr = self.llr(pairs)
        if llr <= self.lower:
            return "H0"
        return "H1" if llr >= self.upper else None


def _tilt(shares: Sequence[float], score: float) -> float:
    """t at the top of the file, for the distribution nearest to `shares` with the mean `score`.

    All shares are above zero, and so are all ``1 + t (x - score)``.
    """
    away = [x - score for x in _SCORES]
    low, high = -1.0 / away[-1], -1.0 / away[0]
    t = 0.0
    for _ in range(_STEPS):
        value = slope = 0.0
        for share, distance in zip(shares, away, strict=True):
            part = distance / (1.0 + t * distance)
            value += share * part
            slope += share * part * part
        if value > 0.0:
            low = t
        else:
            high = t
        # The derivative is minus `slope`.
        step = value / slope
        if abs(step) <= _EXACT * (1.0 + abs(t)):
            break
        t += step
        if not low < t < high:
            t = (low + high) / 2.0
            if high - low <= _EXACT * (1.0 + abs(t)):
                break
    return t
