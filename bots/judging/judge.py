"""Judge moves of Dots and Boxes: exactly where the search reaches the end, else with the network.

Limits are numbers of nodes and simulations, not times. So a report is the same on every machine,
and can be stored. Tables stay from question to question: what was proved before needs no search.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from doublecross.analysis.judgement import Estimate, Judgement
from doublecross.analysis.values import PositionValues, ordered
from doublecross.bots.judging.guess import ERROR, Guesser
from doublecross.bots.judging.limits import MOST_PV, Stopped
from doublecross.bots.search.exact.bounds import Bounds
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver, prepare
from doublecross.bots.search.forecast import expected_nodes
from doublecross.bots.zero.net import Evaluator, Net
from doublecross.bots.zero.search import prepare as prepare_search
from doublecross.bots.zero.shipped import shipped
from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

_TRIED: Final = 2.0
"""A position is solved if the forecast is at most this many times the limit of nodes."""
_PV_NODES: Final = 20_000
"""The most nodes for a principal variation."""
_CLOSER: Final = 4
"""How many edges that look better than the best one are searched as thoroughly as that."""
_DECIMALS: Final = 2
_LESS: Final = 0.01
"""The least difference between the best edge and one with a rough estimate, in net score."""


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """The limits of a judge for one position: nodes of the exact search, or simulations.

    `nodes` is also the limit for the values of all edges of a position together. They share
    `shared_simulations`, of which each gets at least 6 and at most 24.
    """

    nodes: int = 1_500_000
    simulations: int = 200
    shared_simulations: int = 1_440
    memory_mb: int = 128

    def edge_simulations(self, edges: int) -> int:
        """Return the simulations for each of so many edges."""
        return max(6, min(24, self.shared_simulations // edges))


QUICK: Final = ReviewLimits(nodes=400_000, memory_mb=64)
"""For people who wait for values: 0.4 to 0.9 s of a processor on 5x5, 1.4 s on 10x10."""


class BoxesJudge:
    """Judges moves on one board; it keeps its tables from move to move.

    A value without proof is that of the search with the network `net`. Its standard error is
    `ERROR` times the square root of the number of boxes left. Values have two decimals.
    """

    def __init__(self, board: Board, net: Evaluator, limits: ReviewLimits | None = None) -> None:
        self._board = board
        self._limits = limits or ReviewLimits()
        self._solver = Solver(board, self._limits.memory_mb)
        self._guesser = Guesser(board, net, self._limits.memory_mb / 2, ERROR)

    def judge(self, state: State, action: int) -> Judgement:
        """Judge the legal `action` in `state`."""
        assert isinstance(state, DotsAndBoxesState)
        return self._exact(state, action) or self._estimated(state, action)

    def values(self, state: State, stop: Callable[[], bool] = lambda: False) -> PositionValues:
        """Return the values of all legal actions in `state`, which must not be over.

        They are exact as far as the limit of nodes allows, and estimates beyond.

        Raises:
            Stopped: `stop` has returned True.
        """
        assert isinstance(state, DotsAndBoxesState)
        proved = self._proved(state.edges, stop)
        values = {
            edge: _final(state, float(bounds.low))
            for edge, bounds in proved.items()
            if bounds.exact
        }
        if len(values) < len(proved):
            values |= self._guessed(state, proved, stop)
        if stop():
            raise Stopped
        actions = ordered(values, state.current_player())
        best = actions[0]
        if best.value.exact:
            pv = self._pv(state.edges, best.action)
        else:
            pv = self._guessed_pv(state, best.action)
        return PositionValues(best.value, actions, pv)

    # -- exact -------------------------------------------------------------------------------

    def _exact(self, state: DotsAndBoxesState, action: int) -> Judgement | None:
        """Judge by exact values; None if that takes too many nodes."""
        solver, edges = self._solver, state.edges
        if not self._reachable(edges):
            return None
        watch = SearchWatch(nodes=self._limits.nodes)
        value = solver.bounds(edges, watch)
        if not value.exact:
            return None
        best = solver.best(edges, value.low, watch, every=True)
        played = solver.move(edges, action, watch)
        if not (best and played.exact):
            return None
        self._guesser.know(state, float(value.low), best[0])
        first = action if action in best else best[0]
        return Judgement(
            _final(state, float(value.low)),
            _final(state, float(played.low)),
            (first, *(edge for edge in best if edge != first)),
            every=True,
            pv=self._pv(edges, first),
            answer=self._pv(edges, action)[1:],
        )

    def _proved(self, edges: int, stop: Callable[[], bool]) -> dict[int, Bounds]:
        """Return what is proved about the net score from here on after each edge.

        The search finds the best edges first, and then the values of the others.
        """
        solver = self._solver
        if not self._reachable(edges):
            return solver.moves(edges, SearchWatch(nodes=0))  # what is known already
        watch = SearchWatch(stop, nodes=self._limits.nodes)
        value = solver.bounds(edges, watch)
        if value.exact:
            solver.best(edges, value.low, watch, every=True)
        found = solver.moves(edges, watch)
        # No edge is better than the position.
        return {edge: Bounds(low, min(high, value.high)) for edge, (low, high) in found.items()}

    def _reachable(self, edges: int) -> bool:
        moves = self._solver.count_moves(closure(self._board, edges).edges)
        return expected_nodes(moves) <= _TRIED * self._limits.nodes

    def _pv(self, edges: int, first: int) -> tuple[int, ...]:
        return self._solver.pv(edges, first, SearchWatch(nodes=_PV_NODES), MOST_PV)

    # -- estimated ---------------------------------------------------------------------------

    def _estimated(self, state: DotsAndBoxesState, action: int) -> Judgement:
        """Judge by the values of the positions before the move and after it."""
        simulations = self._limits.simulations
        value = self._guesser.guess(state, simulations)
        before, best = _final(state, value.net, value.spread), value.edge
        played = self._after(state, action, simulations)
        seat = state.current_player()
        if action == best or played.of(seat) >= before.of(seat):
            # The move is what the search prefers, or looks better from closer by.
            before, best = played, action
        pv = self._guessed_pv(state, best)
        answer = pv if best == action else self._guessed_pv(state, action)
        return Judgement(before, played, (best,), pv=pv, answer=answer[1:])

    def _guessed(
        self, state: DotsAndBoxesState, proved: dict[int, Bounds], stop: Callable[[], bool]
    ) -> dict[int, Estimate]:
        """Estimate the edges whose values are not proved, within their bounds.

        The best edge of the search has the value of the search. Each other one gets a short search.
        Some that then look better are searched as thoroughly as in `judge`. The others may not
        come before those: the highest of many rough estimates is too high.

        Raises:
            Stopped: `stop` has returned True.
        """
        limits, seat = self._limits, state.current_player()
        found = self._guesser.guess(state, limits.simulations)
        values: dict[int, Estimate] = {}
        short = limits.edge_simulations(len(proved))
        for edge, bounds in proved.items():
            if stop():
                raise Stopped
            if bounds.exact:
                continue
            value = _final(state, found.net, found.spread)
            if edge != found.edge:
                value = self._after(state, edge, short)
            values[edge] = _within(state, value, bounds)
        thorough = {found.edge} & values.keys()
        for _ in range(_CLOSER):
            first = ordered(values, seat)[0].action
            if first in thorough:
                break
            if stop():
                raise Stopped
            thorough.add(first)
            closer = self._after(state, first, limits.simulations)
            values[first] = _within(state, closer, proved[first])
        most = max((values[edge].of(seat) for edge in thorough), default=math.inf)
        return {
            edge: value
            if edge in thorough
            else _within(state, _at_most(value, most - _LESS, seat), proved[edge])
            for edge, value in values.items()
        }

    def _guessed_pv(self, state: DotsAndBoxesState, first: int) -> tuple[int, ...]:
        return self._guesser.pv(state, first, MOST_PV, self._limits.simulations)

    def _after(self, state: DotsAndBoxesState, edge: int, simulations: int) -> Estimate:
        """Return the value after `edge`."""
        after = state.clone()
        after.apply(edge)
        value = self._guesser.guess(after, simulations)
        return _final(after, value.net, value.spread)


def _at_most(value: Estimate, most: float, seat: int) -> Estimate:
    """Return an estimate that is at most `most` for `seat`."""
    mine = round(min(value.of(seat), most), _DECIMALS)
    return Estimate(mine if seat == 0 else -mine, value.spread)


def _within(state: State, value: Estimate, bounds: Bounds) -> Estimate:
    """Return an estimate that keeps to `bounds`, the net score from here on of the mover."""
    ends = _final(state, float(bounds.low)).mean, _final(state, float(bounds.high)).mean
    low, high = min(ends), max(ends)
    spread = min(value.spread, (high - low) / 2)
    # The search with the network also proves values, which then lie between the bounds.
    return Estimate(min(max(value.mean, low), high), round(spread, _DECIMALS))


def _final(state: State, net: float, spread: float = 0.0) -> Estimate:
    """Return the final net score of seat 0, given that from here on of the player to move."""
    sign = 1 if state.current_player() == 0 else -1
    scores = state.scores()
    return Estimate(round(scores[0] - scores[1] + sign * net, _DECIMALS), round(spread, _DECIMALS))


def judge_for(game: Game, limits: ReviewLimits | None = None) -> BoxesJudge:
    """Return a judge for a game of Dots and Boxes, with the network of the package."""
    assert isinstance(game, DotsAndBoxes)
    prepare(game.board)
    prepare_search(game.board)
    return BoxesJudge(game.board, Net.load(str(shipped(game.key))), limits)
