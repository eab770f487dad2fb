"""Value every edge of a lesson's position exactly."""

from __future__ import annotations

from functools import cache
from typing import Final

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.values import ActionValue, PositionValues
from doublecross.bots.search.exact.solver import SearchWatch, Solver, prepare
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

NODES: Final = 3_000_000
"""The most nodes for one position. The positions of lessons take a few thousand."""
_PV_NODES: Final = 20_000


class TooEarly(Exception):  # noqa: N818 - the user's mistake
    """A position is too early in the game to be solved here. The text is a sentence."""


@cache
def _solver(board: Board) -> Solver:
    prepare(board)
    return Solver(board, 32)


def exact_values(state: DotsAndBoxesState) -> PositionValues:
    """Return the exact values of a position.

    Raises:
        TooEarly: that would take too long.
    """
    solver, edges = _solver(state.board), state.edges
    sign = 1 if state.current_player() == 0 else -1
    first, second = state.scores()
    found = solver.moves(edges, SearchWatch(nodes=NODES))
    if not all(bounds.exact for bounds in found.values()):
        raise TooEarly("A position is too early in the game to be solved; draw more edges.")
    actions = sorted(found, key=lambda edge: (-found[edge].low, edge))
    values = tuple(
        ActionValue(edge, Estimate(float(first - second + sign * found[edge].low)))
        for edge in actions
    )
    pv = solver.pv(edges, actions[0], SearchWatch(nodes=_PV_NODES))
    return PositionValues(values[0].value, values, pv)
