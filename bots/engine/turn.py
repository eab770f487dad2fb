"""How a turn with captures is played when it is known whether to keep control.

The strokes of one turn are several moves. Those that take boxes come first, and of these the ones
that leave the choice open; a turn that declines its last boxes ends with the double-dealing move.
"""

from __future__ import annotations

from bots.search.exact.closure import closure, gained
from games.dots_and_boxes.board import Board


def next_stroke(board: Board, edges: int, decline: bool) -> int:
    """The edge to draw now, in a position with captures: one that takes a box, or, when the last
    ones are to be declined and no others are left, the double-dealing move."""
    now = closure(board, edges)
    strokes = board.members(now.edges & ~edges)
    takes = [edge for edge in strokes if gained(board, edges, edge)]
    if not now.keeps:
        return takes[0]
    for edge in takes:
        # After this stroke as many boxes can still be declined.
        if closure(board, edges | 1 << edge).keeps == now.keeps:
            return edge
    if decline:
        for edge in strokes:
            then = closure(board, edges | 1 << edge)
            if edge not in takes and then.edges == now.edges and then.taken == now.keeps:
                return edge
    return takes[0]
