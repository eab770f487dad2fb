"""Analyse one position with the exact solver, the most important results first.

Theory of operation
-------------------
The analysis finds the value first, then one best edge and the principal variation, which the table
usually contains by then, then the other best edges, and last the values of the edges that are not
best. It searches the edges in rounds with more and more nodes, so a hard edge does not delay the
others. The watch may end the analysis at any time; values that are not exact by then have bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from doublecross.bots.search.exact.bounds import Bounds
from doublecross.bots.search.exact.solver import SearchWatch, Solver

_FIRST_ROUND: Final = 2_000
"""Nodes for each edge in the first round."""
_FACTOR: Final = 8
"""The number of nodes for an edge grows by this factor in each further round."""


@dataclass(slots=True)
class Analysis:
    """The results for one position so far.

    `value` has the bounds of the net score of the player to move from here on. `best` has best
    edges, all of them if `best_known`. `moves` has the bounds for each free edge, if requested.
    `pv` is the principal variation.
    """

    value: Bounds
    best: tuple[int, ...] = ()
    best_known: bool = False
    moves: dict[int, Bounds] = field(default_factory=dict)
    pv: tuple[int, ...] = ()

    @property
    def exact(self) -> bool:
        """Return whether all requested results are exact."""
        return (
            self.value.exact
            and self.best_known
            and all(bounds.exact for bounds in self.moves.values())
        )


def analyse(
    solver: Solver,
    edges: int,
    watch: SearchWatch,
    *,
    every_move: bool,
    report: Callable[[Analysis], None] = lambda _: None,
) -> Analysis:
    """Analyse the position with the drawn `edges`, which must not be over, until `watch` ends it.

    With `every_move` the analysis includes the value of each free edge. `report` receives the
    results so far before each step of the search.
    """
    value = solver.bounds(edges, watch, report=lambda bounds: report(Analysis(bounds)))
    found = Analysis(value)
    if value.exact:
        report(found)
        one = solver.best(edges, value.low, watch, every=False)
        if one:
            found.best = one
            found.pv = solver.pv(edges, one[0], watch)
            every = solver.best(edges, value.low, watch, every=True)
            if every is not None:
                found.best, found.best_known = every, True
    if every_move:
        _value_moves(solver, edges, found, watch, report)
    return found


def _value_moves(
    solver: Solver,
    edges: int,
    found: Analysis,
    watch: SearchWatch,
    report: Callable[[Analysis], None],
) -> None:
    """Put bounds for each free edge into ``found.moves``, and update the value and the best edges.

    `found` is the result so far.
    """
    value = found.value
    top = value.low - 2 if found.best_known else value.high
    over = SearchWatch(lambda: True)
    free = solver.board.members(solver.board.full & ~edges)
    for edge in free:
        known = edge in found.best
        found.moves[edge] = value if known else _worth(solver, edges, edge, over, top)
    waiting = [edge for edge in free if not found.moves[edge].exact]
    nodes = _FIRST_ROUND
    while waiting and not watch.over():
        for edge in waiting:
            report(found)
            if watch.over():
                break
            left = watch.nodes_left
            part = SearchWatch(watch.over, nodes=nodes if left is None else min(nodes, left))
            found.moves[edge] = _worth(solver, edges, edge, part, top)
            watch.spent(part.nodes)
        waiting = [edge for edge in waiting if not found.moves[edge].exact]
        nodes *= _FACTOR
    low = max(bounds.low for bounds in found.moves.values())
    high = max(bounds.high for bounds in found.moves.values())
    found.value = Bounds(max(low, value.low), min(high, value.high))
    if not found.best_known:
        # An edge is certainly best if no other edge can have a higher value. All best edges are
        # known if every other edge certainly has a lower value.
        best = tuple(edge for edge in free if found.moves[edge].low >= found.value.high)
        found.best = best or found.best
        found.best_known = bool(best) and all(
            edge in best or found.moves[edge].high < found.value.low for edge in free
        )


def _worth(solver: Solver, edges: int, edge: int, watch: SearchWatch, top: int) -> Bounds:
    """Return the bounds of the value of drawing `edge`; no edge has a value above `top`."""
    low, high = solver.move(edges, edge, watch)
    return Bounds(low, max(low, min(high, top)))
