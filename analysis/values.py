"""The value of every action in one position: `PositionValues`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from doublecross.analysis.judgement import Estimate, Judgement


@dataclass(frozen=True, slots=True)
class ActionValue:
    """An action, and the final net score of seat 0 after it if both play best."""

    action: int
    value: Estimate


@dataclass(frozen=True, slots=True)
class PositionValues:
    """The values of all legal actions in a position that is not over.

    `actions` has the best action for the mover first. Among equal ones exact values come first,
    then lower actions. `value` is that of the first action. `pv` is a principal variation that
    begins with it; it may end early.
    """

    value: Estimate
    actions: tuple[ActionValue, ...]
    pv: tuple[int, ...]

    @property
    def exact(self) -> bool:
        """Return whether all values are exact."""
        return all(each.value.exact for each in self.actions)

    @property
    def best(self) -> tuple[int, ...]:
        """All actions that keep the value, in the order of `actions`."""
        return tuple(each.action for each in self.actions if each.value.mean == self.value.mean)

    def losses(self, seat: int) -> dict[int, int]:
        """Return how many boxes each action of the mover `seat` loses; all values must be exact."""
        best = self.value.of(seat)
        return {each.action: round((best - each.value.of(seat)) / 2) for each in self.actions}

    def judgement(self, action: int, answer: tuple[int, ...] = ()) -> Judgement:
        """Return the judgement of a legal action; `answer` is the pv after it.

        Raises:
            KeyError: the action is not legal in this position.
        """
        return Judgement(
            self.value, self.of(action), self.best, every=self.exact, pv=self.pv, answer=answer
        )

    def of(self, action: int) -> Estimate:
        """Return the value of a legal action.

        Raises:
            KeyError: the action is not legal in this position.
        """
        for each in self.actions:
            if each.action == action:
                return each.value
        raise KeyError(action)


def ordered(values: Mapping[int, Estimate], seat: int) -> tuple[ActionValue, ...]:
    """Return actions and their values, the best for `seat` first; see `PositionValues`."""

    def rank(action: int) -> tuple[float, bool, int]:
        value = values[action]
        return -value.of(seat), not value.exact, action

    return tuple(ActionValue(action, values[action]) for action in sorted(values, key=rank))
