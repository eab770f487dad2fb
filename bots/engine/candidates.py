"""Test the most promising moves of a position whose exact value is out of reach.

Theory of operation
-------------------
Playouts put the moves in an order. The exact search then asks of one move after the other: does it
reach the wanted result? To refute a move that loses takes a third to a fifth of the nodes that the
proof of a winning move takes, because one good reply is enough. So the limits often suffice to
refute the first few moves although they do not suffice to prove one. The first move that is proven
is played. If the limits end the search before that, the move under test is played: it has resisted
longest. If all moves are refuted, the best is the one that took most nodes to refute, because its
refutation is hardest to find.

All tests share the transposition table, so a refutation is often found at once for the next move
too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from doublecross.bots.search.exact.closure import Closure
from doublecross.bots.search.exact.solver import SearchWatch, Solver


class Verdict(NamedTuple):
    """The move to play; `proven` says that it reaches the target, `refuted` that no move does."""

    edge: int
    proven: bool
    refuted: bool


def best_candidate(
    solver: Solver, edges: int, order: Sequence[int], target: int, watch: SearchWatch
) -> Verdict:
    """Return the first edge of `order` that can be worth `target`, the net score from here on.

    The position with the drawn `edges` must have no captures. An edge that gives boxes away is not
    tested; if no other edge is left, it counts as one that may be worth `target`.
    """
    refuted: set[Closure] = set()
    untested: list[int] = []
    hardest, most = order[0], -1
    for edge in order:
        then = solver.child(edges, edge).then
        if then.taken:
            untested.append(edge)
            continue
        if then in refuted:
            continue
        before = watch.nodes
        # The opponent moves next, so the move is worth the negative value of the rest.
        enough = solver.at_least(then.edges, 1 - target, watch)
        if enough is None:
            return Verdict(edge, proven=False, refuted=False)
        if not enough:
            return Verdict(edge, proven=True, refuted=False)
        refuted.add(then)
        if watch.nodes - before > most:
            hardest, most = edge, watch.nodes - before
    if untested:
        return Verdict(untested[0], proven=False, refuted=False)
    return Verdict(hardest, proven=False, refuted=True)
