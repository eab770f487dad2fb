"""Play a turn with captures, given the decision whether to decline the last boxes.

A turn consists of several moves. Captures come first, beginning with those that leave the decision
open. A turn that declines the last boxes ends with the double-dealing move.
"""

from __future__ import annotations

from doublecross.bots.search.exact.closure import closure, gained
from doublecross.games.dots_and_boxes.board import Board


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
