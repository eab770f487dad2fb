"""Play with the network: captures, exact values, and the search; other games by the search alone.

Theory of operation
-------------------
All captures of a turn lead to one position without captures. If none of them may be declined, they
are played without a search. Otherwise both decisions get half of the simulations: to take all boxes
and move, or to decline the last ones, so that the opponent must move. The decision stays for the
whole turn.

If the exact search can probably solve the position within half of the limits, it tries that first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.api import Limit, StopFlag
from doublecross.bots.mcts.budget import SimulationBudget
from doublecross.bots.search.exact.bounds import Bounds
from doublecross.bots.search.exact.closure import Closure, closure
from doublecross.bots.search.exact.solver import SearchWatch
from doublecross.bots.search.forecast import expected_nodes
from doublecross.bots.turns import next_stroke
from doublecross.bots.zero.generic import GenericSearch
from doublecross.bots.zero.net import Evaluator
from doublecross.bots.zero.result import ZeroResult
from doublecross.bots.zero.search import ZeroSearch
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

SIMULATIONS: Final = 400
"""Simulations for a move without any limit."""
_SHARE: Final = 0.5
"""The part of the limits for an attempt to solve the position."""
_NODES: Final = 200
"""So many nodes of the exact search take as long as one simulation."""
_NODES_A_SECOND: Final = 0.75e6
"""Nodes a second that most machines reach."""
_PIECE: Final = 100
"""Simulations on the opponent's time between two checks of the memory."""
_MOST_PONDERED: Final = 50_000
"""The most simulations on the opponent's time for one position."""
_SOLVED_PONDERING: Final = 5e6
"""The most nodes that the exact search may take on the opponent's time, by its forecast."""


@dataclass(frozen=True, slots=True)
class ZeroSettings:
    """The settings of play: `simulations` (0: as many as the limits allow), `exact`, `temperature`.

    With a `temperature` above 0 a move is drawn with its share of the improved policy to the power
    of 1 / `temperature`. `exact` says whether the exact search helps.
    """

    simulations: int = 0
    exact: bool = True
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class ZeroThought:
    """The chosen action, the expected final score of the mover, and whether that is proved.

    `nodes` counts simulations and the nodes of the exact search.
    """

    action: int
    score: float
    exact: bool
    nodes: int


class Player(Protocol):
    """Plays a game with a network."""

    def think(self, state: Any, limit: Limit, stop: StopFlag) -> ZeroThought:
        """Choose an action for `state`, which is not over."""

    def ponder(self, state: Any, stop: StopFlag) -> None:
        """Search `state`, in which the opponent is to move, until `stop` is set."""


class ZeroPlayer:
    """Plays games on one board; the tree is kept between the moves."""

    def __init__(
        self, board: Board, net: Evaluator, rng: Random, settings: ZeroSettings, memory_mb: float
    ) -> None:
        self.board = board
        self.search = ZeroSearch(board, net, rng, exact=settings.exact, memory_mb=memory_mb)
        self._rng = rng
        self._settings = settings
        # The decision of a turn: whether to decline, by the position after all captures.
        self._decided: dict[tuple[int, int], bool] = {}

    def think(self, state: DotsAndBoxesState, limit: Limit, stop: StopFlag) -> ZeroThought:
        """Choose an edge for `state`, which is not over."""
        budget = _budget(self._settings, limit, stop)
        edges, mover, scores = state.edges, state.current_player(), state.scores()
        net_score = scores[mover] - scores[1 - mover]
        then = closure(self.board, edges)
        if then.edges == self.board.full:
            final = net_score + then.value(0)
            return ZeroThought(next_stroke(self.board, edges, decline=False), final, True, 1)
        watch = SearchWatch()
        if self._settings.exact:
            watch, value = self._solve(then, budget, stop)
            if value.exact:
                return self._solved(edges, net_score, then, value.low, watch)
        if then.taken:
            return self._capture(edges, mover, net_score, then, budget, stop)
        result = self.search.run(edges, net_score, 1, gumbel=False, budget=budget)
        edge = self._draw(edges, result) if self._settings.temperature > 0 else result.edge
        return ZeroThought(edge, result.score, result.exact, result.simulations + watch.nodes)

    def ponder(self, state: DotsAndBoxesState, stop: StopFlag) -> None:
        """Search `state`, in which the opponent is to move, until `stop` is set.

        The tree stays below the size at which the next search would empty it.
        """
        edges, mover, scores = state.edges, state.current_player(), state.scores()
        net_score = scores[mover] - scores[1 - mover]
        then = closure(self.board, edges)
        if then.edges == self.board.full:
            return
        solver = self.search.solver
        moves = solver.count_moves(then.edges)
        near = self._settings.exact and expected_nodes(moves) <= _SOLVED_PONDERING
        # The table then has the values of most replies too.
        if near and solver.bounds(then.edges, SearchWatch(stop.is_set)).exact:
            return
        # Boxes may be declined: then the player who ponders moves in the same position.
        nets = [net_score + then.taken]
        if then.keeps:
            nets.append(2 * then.keeps - then.taken - net_score)
        for _ in range(0, _MOST_PONDERED, _PIECE):
            for net in nets:
                if stop.is_set() or self.search.full:
                    return
                budget = SimulationBudget(Limit(), stop, _PIECE)
                if self.search.run(then.edges, net, 1, gumbel=False, budget=budget).exact:
                    return

    # -- implementation ----------------------------------------------------------------------

    def _solve(
        self, then: Closure, budget: SimulationBudget, stop: StopFlag
    ) -> tuple[SearchWatch, Bounds]:
        """Try to find the value of the position after all captures."""
        left_s = budget.left_s()
        nodes = math.inf if budget.simulations is None else _SHARE * _NODES * budget.simulations
        can = min(nodes, _SHARE * left_s * _NODES_A_SECOND)
        if expected_nodes(self.search.solver.count_moves(then.edges)) > can:
            return SearchWatch(), Bounds(-self.board.num_boxes, self.board.num_boxes)
        watch = SearchWatch(
            stop.is_set,
            seconds=None if left_s == math.inf else _SHARE * left_s,
            nodes=None if nodes == math.inf else max(1, int(nodes)),
        )
        return watch, self.search.solver.bounds(then.edges, watch)

    def _solved(
        self, edges: int, net_score: int, then: Closure, value: int, watch: SearchWatch
    ) -> ZeroThought:
        """Return a best edge, given the value of the position after all captures."""
        score = net_score + then.value(value)
        if then.taken:
            decline = then.keeps > 0 and value < -then.keeps
            edge = next_stroke(self.board, edges, decline)
        else:
            # Almost all values are in the table by now, so this takes no limit.
            best = self.search.solver.best(edges, value, SearchWatch(), every=False)
            assert best, "a search without limits finds a best move"
            edge = best[0]
        return ZeroThought(edge, score, True, watch.nodes)

    def _capture(
        self,
        edges: int,
        mover: int,
        net_score: int,
        then: Closure,
        budget: SimulationBudget,
        stop: StopFlag,
    ) -> ZeroThought:
        """Play a capture, or decline the last boxes."""
        # The net scores after the turn: of the mover who moves on, or of the opponent who must.
        moves_on, must_move = net_score + then.taken, 2 * then.keeps - then.taken - net_score
        if not then.keeps:
            # The capture is forced; the search only tells what the game is worth.
            result = self.search.run(then.edges, moves_on, 1, gumbel=False)
            return ZeroThought(
                next_stroke(self.board, edges, decline=False), result.score, result.exact, 1
            )
        key = then.edges, mover
        decided = self._decided.get(key)
        nodes = 1
        if decided is None:
            take = self._half(then.edges, moves_on, budget.left_s() / 2, budget, stop)
            decline = self._half(then.edges, must_move, budget.left_s(), budget, stop)
            decided = -decline.utility > take.utility
            nodes = take.simulations + decline.simulations
            score = -decline.score if decided else take.score
            self._decided = {key: decided}
        else:
            seen = self.search.run(then.edges, must_move if decided else moves_on, 1, gumbel=False)
            score = -seen.score if decided else seen.score
        return ZeroThought(next_stroke(self.board, edges, decided), score, False, nodes)

    def _half(
        self, edges: int, net_score: int, left_s: float, whole: SimulationBudget, stop: StopFlag
    ) -> ZeroResult:
        """Search with half of the simulations of the move, for `left_s` seconds at most."""
        simulations = None if whole.simulations is None else max(1, whole.simulations // 2)
        limit = Limit(time_s=None if left_s == math.inf else max(1e-3, left_s))
        return self.search.run(
            edges, net_score, 1, gumbel=False, budget=SimulationBudget(limit, stop, simulations)
        )

    def _draw(self, edges: int, result: ZeroResult) -> int:
        """Draw a move by the improved policy and the temperature."""
        if not result.moves:
            return result.edge
        index = _draw(result.policy, self._settings.temperature, self._rng)
        return self.search.edge_of(edges, result.moves[index])


class GenericPlayer:
    """Plays another game than Dots and Boxes; the tree is kept between the moves."""

    def __init__(self, game: Game, net: Evaluator, rng: Random, settings: ZeroSettings) -> None:
        self._search = GenericSearch(game, net, rng)
        self._rng = rng
        self._settings = settings

    def think(self, state: State, limit: Limit, stop: StopFlag) -> ZeroThought:
        """Choose an action for `state`, which is not over; the score is the expected utility."""
        budget = _budget(self._settings, limit, stop)
        result = self._search.run(state, 1, gumbel=False, budget=budget)
        action = result.action
        if self._settings.temperature > 0:
            index = _draw(result.policy, self._settings.temperature, self._rng)
            action = result.actions[index]
        return ZeroThought(action, result.utility, result.exact, result.simulations)

    def ponder(self, state: State, stop: StopFlag) -> None:
        """Search `state`, in which the opponent is to move, until `stop` is set."""
        for _ in range(0, _MOST_PONDERED, _PIECE):
            if stop.is_set() or self._search.full:
                return
            budget = SimulationBudget(Limit(), stop, _PIECE)
            if self._search.run(state, 1, gumbel=False, budget=budget).exact:
                return


def _budget(settings: ZeroSettings, limit: Limit, stop: StopFlag) -> SimulationBudget:
    """Return the budget of a move."""
    wanted = settings.simulations
    if not wanted and limit.time_s is None and limit.nodes is None:
        wanted = SIMULATIONS
    return SimulationBudget(limit, stop, wanted or None)


def _draw(policy: NDArray[np.float64], temperature: float, rng: Random) -> int:
    """Return the index of a move, drawn by its share to the power of 1 / `temperature`."""
    with np.errstate(divide="ignore"):
        logs = np.log(policy) / temperature
    weights = np.exp(logs - logs.max())
    return rng.choices(range(len(policy)), weights.tolist())[0]
