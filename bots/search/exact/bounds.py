"""Bounds of values, and what they say about the moves that lead to a position."""

from __future__ import annotations

from typing import NamedTuple

from doublecross.bots.search.exact.closure import Closure, Score


class Bounds(NamedTuple):
    """A value lies in `low`..`high`, both included."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Return whether the value is known."""
        return self.low == self.high

    def __neg__(self) -> Bounds:
        """Return the bounds of the negated value."""
        return Bounds(-self.high, -self.low)

    def plus(self, boxes: int) -> Bounds:
        """Return the bounds of the value plus `boxes`."""
        return Bounds(self.low + boxes, self.high + boxes)


class ChildNode(NamedTuple):
    """The result of a move.

    The move completes `gain` boxes. `again` says whether the same player moves next. `then` has the
    captures of the position after the move.
    """

    gain: int
    again: bool
    then: Closure

    def value(self, rest: Score) -> Score:
        """Return the value of the move for its player, given the value of the rest.

        `rest` is the value of the position after all captures for its player to move.
        """
        value = self.then.value(rest)
        return self.gain + (value if self.again else -value)


def through(then: Closure, rest: Bounds) -> Bounds:
    """Return the bounds of a value from the bounds `rest` of the position after all captures."""
    if not then.keeps:
        return rest.plus(then.taken)
    ends = abs(rest.low + then.keeps), abs(rest.high + then.keeps)
    # If zero lies between the ends, the smallest absolute value is 0 or 1, with their parity.
    least = min(ends) if rest.low + then.keeps > 0 or rest.high + then.keeps < 0 else ends[0] % 2
    return Bounds(least, max(ends)).plus(then.taken - then.keeps)


def seen(child: ChildNode, rest: Bounds) -> Bounds:
    """Return the bounds of a move for its player, from the bounds `rest` after all captures."""
    bounds = through(child.then, rest)
    return (bounds if child.again else -bounds).plus(child.gain)
