"""Rank moves with a network where the exact search cannot decide: `NetSearch`."""

from __future__ import annotations

from random import Random
from typing import Final

from doublecross.bots.api import Limit
from doublecross.bots.clock import now
from doublecross.bots.mcts.budget import SimulationBudget
from doublecross.bots.search.exact.solver import SearchWatch
from doublecross.bots.search.forecast import Pace
from doublecross.bots.zero.net import Evaluator
from doublecross.bots.zero.result import ZeroResult
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.dots_and_boxes.board import Board

SIMULATION_NODES: Final = 240
"""So many nodes of playouts take about as long as one simulation of the search with a network."""
_LEAST_S: Final = 1e-3
"""A limit of time must be above 0; after one simulation the watch ends the search anyway."""


class NetSearch:
    """Does what `doublecross.bots.engine.playouts.Playouts` does, by the search of `zero`.

    The tree is kept for the whole game. All tables take about `memory_mb` MiB. `pace` learns the
    speed, in nodes of playouts.

    Raises:
        NetError: the network does not fit.
    """

    def __init__(
        self, board: Board, net: Evaluator, memory_mb: float, rng: Random, pace: Pace
    ) -> None:
        self._board = board
        self._search = ZeroSearch(board, net, rng, memory_mb=memory_mb)
        self._pace = pace
        self._result: ZeroResult | None = None

    def run(self, edges: int, net: int, watch: SearchWatch) -> float:
        """Search a position without captures until `watch` ends the search.

        Returns the expected net score of the player to move from here on; `net` is its net score so
        far.
        """
        if edges == self._board.full:
            return 0.0
        nodes, seconds = watch.nodes_left, watch.seconds_left
        start = now()
        budget = SimulationBudget(
            Limit(time_s=None if seconds is None else max(_LEAST_S, seconds)),
            _Flag(watch),
            None if nodes is None else max(1, nodes // SIMULATION_NODES),
        )
        result = self._search.run(edges, net, 1, gumbel=False, budget=budget)
        self._result = result
        spent = result.simulations * SIMULATION_NODES
        watch.spent(spent if nodes is None else min(spent, nodes))
        self._pace.learn(spent, now() - start)
        return result.score - net

    def ranking(self, edges: int) -> tuple[list[int], float | None]:
        """Return the moves, the best first, and the expected final net score.

        `edges` are the drawn edges of the position that `run` has searched.
        """
        result = self._result
        assert result is not None, "a search comes before its ranking"
        policy = result.policy
        rows = sorted(range(len(policy)), key=lambda i: (i == result.chosen, policy[i]))
        order = [self._search.edge_of(edges, result.moves[i]) for i in reversed(rows)]
        return order or [result.edge], result.score


class _Flag:
    """The stop flag of a search that ends with a watch."""

    def __init__(self, watch: SearchWatch) -> None:
        self._watch = watch

    def is_set(self) -> bool:
        """Return whether the watch is over."""
        return self._watch.over()
