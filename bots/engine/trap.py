"""Choose among equally good edges, when the game is not won, the one that is hardest to answer.

Theory of operation
-------------------
Against best play all these edges give the same result. But far from the end of the game most
opponents do not find best play: they choose among their safe edges. After some of our edges nearly
all of these replies keep the opponent's win, after others only one or two do. For each pair of an
edge and a safe reply a search asks whether the reply gives away a win or a draw. The searches run
in rounds with more and more nodes, as long as there is time. The edge with the highest share of
such mistakes is chosen. Replies without an answer count as the average of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.dots_and_boxes.board import Board

_FIRST_ROUND: Final = 200
"""Nodes for each pair of an edge and a reply in the first round."""
_FACTOR: Final = 8
"""The number of nodes for a pair grows by this factor in each further round."""


def best_trap(
    solver: Solver, edges: int, best: Sequence[int], target: int, watch: SearchWatch
) -> int | None:
    """Return the edge of `best` after which most of the opponent's safe replies are mistakes.

    A reply is a mistake if the player to move now can then reach the net score `target` from here
    on, which is more than the value of the position. The position with the drawn `edges` must have
    no captures. Returns None if no edge or no reply is safe, or if the time was too short.
    """
    board = solver.board
    safe = [edge for edge in board.members(board.full & ~edges) if is_safe(board, edges, edge)]
    waiting = []
    for edge in (edge for edge in best if edge in safe):
        if watch.over():
            return None
        after = edges | 1 << edge
        # Only edges that are safe now can be safe replies: an unsafe edge never becomes safe.
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
    answered = sum(map(len, slips.values()))
    if not answered:
        return None
    average = sum(map(sum, slips.values())) / answered

    def share(edge: int) -> float:
        open_ones = replies[edge] - len(slips[edge])
        return (sum(slips[edge]) + average * open_ones) / replies[edge]

    return max(slips, key=share)


def is_safe(board: Board, edges: int, edge: int) -> bool:
    """Return whether drawing `edge` gives no box away, in a position without captures."""
    return not closure(board, edges | 1 << edge).taken
