"""Define the result of a search with the network: `ZeroResult`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from doublecross.games.dots_and_boxes.board import Board


@dataclass(frozen=True, slots=True)
class ZeroMove:
    """A move of a position without captures: the edges that it uses, and what it gives away.

    The opponent gets `takes` boxes, and may decline `keeps` of them. `ZeroSearch.edge_of` says
    which of the edges to draw.
    """

    edges: tuple[int, ...]
    takes: int
    keeps: int


@dataclass(frozen=True, slots=True)
class ZeroResult:
    """The result of a search, for the player to move.

    `edges` are the drawn edges of the position that the network saw: chains that cancel are gone
    from it, and free edges may have changed places with equivalent ones. The numbers of a move
    belong to that position. `moves`, `priors`, `visits` (in the tree), `tries` (of this search) and
    `policy` (the improved policy) have an entry for each move. They are empty if the exact search
    knew the value at once.

    `edge` is the edge to draw, `chosen` the index of its move (-1 without moves). `utility` is from
    -1 to 1. `score` is the expected final net score, and `low` and `high` its bounds. `simulations`
    and `evaluations` of the network belong to this search.
    """

    edges: int
    moves: tuple[ZeroMove, ...]
    priors: NDArray[np.float64]
    visits: NDArray[np.int64]
    tries: NDArray[np.int64]
    policy: NDArray[np.float64]
    edge: int
    chosen: int
    utility: float
    score: float
    low: int
    high: int
    simulations: int
    evaluations: int

    @property
    def exact(self) -> bool:
        """Return whether the final net score is proved."""
        return self.low == self.high

    def policy_by_edge(self, board: Board) -> NDArray[np.float64]:
        """Return the improved policy as a weight for each edge; a move's edges share its weight."""
        weights = np.zeros(board.num_edges)
        for move, weight in zip(self.moves, self.policy, strict=True):
            weights[list(move.edges)] += weight / len(move.edges)
        return weights
