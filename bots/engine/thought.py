"""The result of a search of the engine."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.bots.search.exact.bounds import Bounds


@dataclass(frozen=True, slots=True)
class EngineThought:
    """The result of a search of the engine.

    `edge` is the chosen edge. `value` has the bounds of the final net score of the player to move,
    and `estimate` is the estimate of that score. `pv` is the principal variation, `nodes` the
    number of nodes searched.
    """

    edge: int
    value: Bounds
    estimate: float
    pv: tuple[int, ...]
    nodes: int

    @property
    def exact(self) -> bool:
        """Return whether the final net score is known exactly."""
        return self.value.exact
