"""The value of every action of one position: `PositionValues`, and its form as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from analysis.judgement import Estimate

VERSION: Final = 1
"""Goes up when the form of the JSON values changes."""


@dataclass(frozen=True, slots=True)
class ActionValue:
    """An action, and the final net score of seat 0 if it is played now."""

    action: int
    value: Estimate


@dataclass(frozen=True, slots=True)
class PositionValues:
    """The values of a position.

    `actions` has every legal action, the best for the mover first, equal ones by their number.
    `value` is that of the best action. `line` is a best line that begins with the first action. All
    estimates are final net scores of seat 0.
    """

    value: Estimate
    actions: tuple[ActionValue, ...]
    line: tuple[int, ...]


def values_to_json(values: PositionValues) -> dict[str, Any]:
    """Return the values of a position as JSON values."""
    return {
        "version": VERSION,
        "value": _estimate(values.value),
        "actions": [{"action": each.action, **_estimate(each.value)} for each in values.actions],
        "line": list(values.line),
    }


def _estimate(estimate: Estimate) -> dict[str, float]:
    return {"net": round(estimate.mean, 2), "spread": round(estimate.spread, 2)}
