"""Exact values of positions, and what natural players would do there."""

from __future__ import annotations

from dataclasses import replace

from doublecross.analysis.judgement import Estimate, Judgement
from doublecross.analysis.puzzles.grading import NaturalMoves
from doublecross.analysis.values import ActionValue, PositionValues
from doublecross.bots.greedy import best_gain
from doublecross.bots.rules import rule_edges
from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import Solver, prepare
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import double_dealing_edges

_MEMORY_MB = 64


class ExactJudge:
    """Finds the values of all moves on one board, however long that takes.

    Lines take the best move with the smallest number at each ply, so they depend on nothing but the
    position.
    """

    def __init__(self, board: Board) -> None:
        prepare(board)
        self._board = board
        self._solver = Solver(board, _MEMORY_MB)

    def moves_left(self, state: DotsAndBoxesState) -> int:
        """Return how many moves the search has to consider: a measure of the time it takes."""
        return self._solver.count_moves(closure(self._board, state.edges).edges)

    def values(self, state: DotsAndBoxesState) -> PositionValues:
        """Return the values of all moves; the pv has only its first move."""
        seat = state.current_player()
        scores = state.scores()
        so_far, sign = scores[0] - scores[1], 1 if seat == 0 else -1
        found = [(bounds.low, edge) for edge, bounds in self._solver.moves(state.edges).items()]
        found.sort(key=lambda pair: (-pair[0], pair[1]))
        actions = tuple(
            ActionValue(edge, Estimate(float(so_far + sign * net))) for net, edge in found
        )
        return PositionValues(actions[0].value, actions, (actions[0].action,))

    def judge(self, state: DotsAndBoxesState, values: PositionValues, action: int) -> Judgement:
        """Judge a move, given the values of the position."""
        found = values.judgement(action, self.pv(state, action)[1:])
        return replace(found, pv=self.pv(state, found.best[0]))

    def pv(self, state: DotsAndBoxesState, first: int) -> tuple[int, ...]:
        """Return `first` and then the best move at each ply to the end of the game."""
        state, pv = state.clone(), [first]
        state.apply(first)
        while not state.is_terminal():
            pv.append(self.values(state).actions[0].action)
            state.apply(pv[-1])
        return tuple(pv)


def natural_moves(state: DotsAndBoxesState) -> NaturalMoves:
    """Return what the careful, the greedy and the declining player regard as good."""
    return NaturalMoves(
        rule_edges(state)[0],
        best_gain(state, state.legal_actions())[0],
        double_dealing_edges(state),
    )
