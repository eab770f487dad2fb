"""Define how moves are judged: `Estimate`, `Judgement`, and the protocol `Evaluator`.

The package computes no values itself. The code that makes a report brings an evaluator: the exact
search where it reaches the end of the game, and a weaker judge before that.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Protocol

from doublecross.games.api import State


@dataclass(frozen=True, slots=True)
class Estimate:
    """The final net score of seat 0 if both play best from some position on.

    `mean` is the expected score, and `spread` its standard error. An exact value has the spread 0.
    In games without boxes the net score is 1, 0 or -1.
    """

    mean: float
    spread: float = 0.0

    @property
    def exact(self) -> bool:
        """Return whether this is the true value."""
        return self.spread == 0

    def of(self, seat: int) -> float:
        """Return the expected net score of `seat`."""
        return self.mean if seat == 0 else -self.mean

    def winner(self) -> int | None:
        """Return the sign of the score: 1 if seat 0 wins, -1 if seat 1 does, 0 for a draw.

        Return None if that is not certain: the score is an estimate within two standard errors of
        another result.
        """
        if self.exact:
            return (self.mean > 0) - (self.mean < 0)
        if abs(self.mean) <= 2 * self.spread:
            return None
        return 1 if self.mean > 0 else -1


@dataclass(frozen=True, slots=True)
class Judgement:
    """An evaluator's judgement of one move.

    `before` is the value of the position, that is of its best actions `best`, which come in the
    order of preference. `every` says that no other action is as good. `played` is the value after
    the move. `pv` is the principal variation, which begins with the first of `best`, and
    `answer` the one after the move. Both may be short or empty.
    """

    before: Estimate
    played: Estimate
    best: tuple[int, ...]
    every: bool = False
    pv: tuple[int, ...] = ()
    answer: tuple[int, ...] = ()

    @property
    def exact(self) -> bool:
        """Return whether both values are exact."""
        return self.before.exact and self.played.exact

    def cost(self, seat: int) -> Cost:
        """Return what the move of `seat` cost."""
        lost = max(0.0, self.before.of(seat) - self.played.of(seat))
        return Cost(lost, hypot(self.before.spread, self.played.spread))


@dataclass(frozen=True, slots=True)
class Cost:
    """The net score that a player lost by a move, and its standard error."""

    net: float
    spread: float = 0.0

    @property
    def boxes(self) -> float:
        """How many boxes fewer the player gets in the end; the opponent gets as many more."""
        return self.net / 2

    @property
    def sure(self) -> bool:
        """Return whether the move certainly cost something."""
        return self.net > 2 * self.spread


class Evaluator(Protocol):
    """Judges moves. It may take long, and it may keep what it learns for the next move."""

    def judge(self, state: State, action: int) -> Judgement:
        """Judge the legal `action` in `state`, which must be left as it is."""
