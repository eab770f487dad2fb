"""Judge moves of Dots and Boxes: exactly where the search reaches the end, else with the network.

Limits are numbers of nodes and simulations, not times. So a report is the same on every machine,
and can be stored.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from analysis.judgement import Estimate, Judgement
from bots.engine.forecast import expected_nodes
from bots.engine.turn import next_stroke
from bots.search.exact.closure import boxes_left, closure
from bots.search.exact.solver import SearchWatch, Solver, prepare
from bots.zero.net import Evaluator, Net
from bots.zero.search import ZeroSearch
from bots.zero.search import prepare as prepare_search
from bots.zero.shipped import shipped
from games.api import Game, State
from games.dots_and_boxes.board import Board
from games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

ERROR: Final = 0.6
"""The standard error of an estimate is so many times the square root of the boxes left."""
_TRIED: Final = 2.0
"""A position is solved if the forecast is at most this many times the limit of nodes."""
_LINE_NODES: Final = 20_000
"""The most nodes for a line."""


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """What a judge may spend on one position: nodes of the exact search, or simulations."""

    nodes: int = 1_500_000
    simulations: int = 200
    memory_mb: int = 128


class BoxesJudge:
    """Judges moves on one board; it keeps its tables from move to move.

    A value without proof is that of the search with the network `net`. Its standard error is
    `error` times the square root of the number of boxes left.
    """

    def __init__(
        self, board: Board, net: Evaluator, limits: ReviewLimits | None = None, error: float = ERROR
    ) -> None:
        self._board = board
        self._limits = limits or ReviewLimits()
        self._error = error
        self._solver = Solver(board, self._limits.memory_mb)
        self._search = ZeroSearch(board, net, Random(1), memory_mb=self._limits.memory_mb / 2)
        self._known: dict[int, _Value] = {}

    def judge(self, state: State, action: int) -> Judgement:
        """Judge the legal `action` in `state`."""
        assert isinstance(state, DotsAndBoxesState)
        return self._exact(state, action) or self._estimated(state, action)

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
        self._known[edges] = _Value(float(value.low), 0.0, best[0])
        first = action if action in best else best[0]
        return Judgement(
            _final(state, float(value.low)),
            _final(state, float(played.low)),
            (first, *(edge for edge in best if edge != first)),
            every=True,
            line=self._line(edges, first),
            answer=self._line(edges, action)[1:],
        )

    def _reachable(self, edges: int) -> bool:
        moves = self._solver.count_moves(closure(self._board, edges).edges)
        return expected_nodes(moves) <= _TRIED * self._limits.nodes

    def _line(self, edges: int, first: int) -> tuple[int, ...]:
        return self._solver.line(edges, first, SearchWatch(nodes=_LINE_NODES))

    # -- estimated ---------------------------------------------------------------------------

    def _estimated(self, state: DotsAndBoxesState, action: int) -> Judgement:
        """Judge by the values of the positions before the move and after it."""
        value = self._value(state)
        before, best = _final(state, value.net, value.spread), value.edge
        after = state.clone()
        after.apply(action)
        then = self._value(after)
        played = _final(after, then.net, then.spread)
        seat = state.current_player()
        if action == best or played.of(seat) >= before.of(seat):
            # The move is what the search prefers, or looks better from closer by.
            before, best = played, action
        return Judgement(before, played, (best,))

    def _value(self, state: DotsAndBoxesState) -> _Value:
        """Return the value of a position, as good as the limits allow."""
        edges = state.edges
        known = self._known.get(edges)
        if known is None:
            known = self._known[edges] = self._searched(state)
        return known

    def _searched(self, state: DotsAndBoxesState) -> _Value:
        board, edges = self._board, state.edges
        then = closure(board, edges)
        if then.edges == board.full:
            edge = next_stroke(board, edges, decline=False) if then.taken else -1
            return _Value(float(then.taken), 0.0, edge)
        sign = 1 if state.current_player() == 0 else -1
        so_far = sign * _score(state) + then.taken
        found = self._search.run(then.edges, so_far, self._limits.simulations, gumbel=False)
        rest = found.score - so_far
        left = boxes_left(board, then.edges)
        spread = 0.0 if found.exact else self._error * math.sqrt(left)
        edge = found.edge
        if then.taken:
            edge = next_stroke(board, edges, decline=then.keeps > 0 and rest < -then.keeps)
        return _Value(then.value(rest), spread, edge)


class _Value(NamedTuple):
    """The net score from here on of the player to move, its standard error, and a good edge."""

    net: float
    spread: float
    edge: int


def _final(state: State, net: float, spread: float = 0.0) -> Estimate:
    """Return the final net score of seat 0, given that from here on of the player to move."""
    sign = 1 if state.current_player() == 0 else -1
    return Estimate(_score(state) + sign * net, spread)


def _score(state: State) -> int:
    scores = state.scores()
    return scores[0] - scores[1]


def judge_for(game: Game) -> BoxesJudge:
    """Return a judge for a game of Dots and Boxes, with the network of the package."""
    assert isinstance(game, DotsAndBoxes)
    prepare(game.board)
    prepare_search(game.board)
    return BoxesJudge(game.board, Net.load(str(shipped(game.key))))
