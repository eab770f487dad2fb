"""Which of several equally good edges to draw when the game is not won: the one after which most
of the opponent's natural replies let it slip.

Theory of operation
-------------------
Against best play all these edges give the same. But far from the end an opponent does not know
best play: it chooses among its safe edges, and after some of our edges nearly all of them keep its
win, after others only one or two. So each pair of an edge and a safe reply is asked whether the
reply costs the opponent a win or a draw, in rounds with more nodes each, as long as there is time;
the edge with the highest share of such replies is drawn. What is not answered counts as the
average of what is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bots.search.exact.closure import closure
from bots.search.exact.solver import SearchWatch, Solver
from games.dots_and_boxes.board import Board

_FIRST_ROUND: Final = 200
"""Nodes for a pair in the first round."""
_FACTOR: Final = 8
"""How many times as many nodes each further round has."""


def best_trap(
    solver: Solver, edges: int, best: Sequence[int], target: int, watch: SearchWatch
) -> int | None:
    """The edge of `best` after which the largest share of the safe replies lets the player to
    move get `target` from there on, more than the position is worth. Nothing can be captured when
    `edges` are drawn. None when no edge or reply is safe, or nothing was found out in time."""
    board = solver.board
    safe = [edge for edge in board.members(board.full & ~edges) if is_safe(board, edges, edge)]
    waiting = []
    for edge in (edge for edge in best if edge in safe):
        if watch.over():
            return None
        after = edges | 1 << edge
        # An edge that is not safe will not be so again.
        waiting += [
            (edge, after | 1 << reply)
            for reply in safe
            if reply != edge and is_safe(board, after, reply)
        ]
    if not waiting:
        return None
    slips: dict[int, list[bool]] = {edge: [] for edge, _ in waiting}
    replies = Counter(edge for edge, _ in waiting)
    nodes = _FIRST_ROUND
    while waiting and not watch.over():
        unknown = []
        for edge, after in waiting:
            if watch.over():
                break
            left = watch.nodes_left
            part = SearchWatch(watch.over, nodes=nodes if left is None else min(nodes, left))
            answer = solver.at_least(after, target, part)
            watch.spent(part.nodes)
            if answer is None:
                unknown.append((edge, after))
            else:
                slips[edge].append(answer)
        waiting = unknown
        nodes *= _FACTOR
    asked = sum(map(len, slips.values()))
    if not asked:
        return None
    average = sum(map(sum, slips.values())) / asked

    def share(edge: int) -> float:
        open_ones = replies[edge] - len(slips[edge])
        return (sum(slips[edge]) + average * open_ones) / replies[edge]

    return max(slips, key=share)


def is_safe(board: Board, edges: int, edge: int) -> bool:
    """Whether drawing `edge` hands nothing over, where nothing can be captured."""
    return not closure(board, edges | 1 << edge).taken
