"""Order the strokes of a turn in Dots and Boxes, for bots that decide turn by turn.

A turn consists of several moves, and some orders of the captures lose boxes or the choice to
decline the last ones. `turn_strokes` knows the right order. `can_decline` says whether there is a
choice, and `next_stroke` is the next move of a turn when the choice is made.
"""

from __future__ import annotations

from doublecross.bots.search.exact.closure import closure, gained
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState


def can_decline(state: DotsAndBoxesState) -> int:
    """Return how many of the boxes to be captured now the mover may decline: 0, 2 or 4."""
    return closure(state.board, state.edges).keeps


def turn_strokes(state: DotsAndBoxesState, decline: bool = False) -> list[int]:
    """Return the captures of the mover's turn in a good order.

    They capture every box that can be captured. With `decline` the last two or four boxes are left
    to the opponent if that is possible, and the list ends with the double-dealing move, after which
    the opponent moves. Otherwise the mover has to move once more after these strokes, unless the
    game is over. The list is empty in a position without captures.
    """
    board, edges = state.board, state.edges
    strokes: list[int] = []
    while closure(board, edges).taken:
        stroke = next_stroke(board, edges, decline)
        strokes.append(stroke)
        if not gained(board, edges, stroke):
            break
        edges |= 1 << stroke
    return strokes


def next_stroke(board: Board, edges: int, decline: bool) -> int:
    """Return the edge to draw now in a position with captures.

    It captures a box, or it is the double-dealing move if `decline` is true and only the boxes to
    be declined are left.
    """
    now = closure(board, edges)
    strokes = board.members(now.edges & ~edges)
    takes = [edge for edge in strokes if gained(board, edges, edge)]
    if not now.keeps:
        return takes[0]
    for edge in takes:
        # After this capture the same number of boxes can still be declined.
        if closure(board, edges | 1 << edge).keeps == now.keeps:
            return edge
    if decline:
        for edge in strokes:
            then = closure(board, edges | 1 << edge)
            # The double-dealing move captures nothing and leaves exactly the boxes to be declined.
            if edge not in takes and then.edges == now.edges and then.taken == now.keeps:
                return edge
    return takes[0]
