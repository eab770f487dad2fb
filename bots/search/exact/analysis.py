"""All that can be found out about one position, the most wanted first, until it is stopped.

Theory of operation
-------------------
First comes the value, then one best edge and the expected line, which the table mostly knows by
then, then the other best edges, and last the value of every edge that is not best. The edges are
asked in rounds, each with more nodes than the last, so that one that is hard does not keep the
others waiting. What is not known at the end has bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from bots.search.exact.solver import Bounds, SearchWatch, Solver

_FIRST_ROUND: Final = 2_000
"""Nodes for each edge in the first round."""
_FACTOR: Final = 8
"""How many times as many nodes each further round has."""


@dataclass(slots=True)
class Analysis:
    """What is known of a position: the bounds of its `value` for the player to move, from here
    on; of each free edge, if asked for; `best` edges, all of them if `best_known`; the expected
    line `pv`."""

    value: Bounds
    best: tuple[int, ...] = ()
    best_known: bool = False
    moves: dict[int, Bounds] = field(default_factory=dict)
    pv: tuple[int, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether nothing that was asked for is left open."""
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
    tell: Callable[[Analysis], None] = lambda _: None,
) -> Analysis:
    """What can be found about the position with the drawn `edges`, which is not over, before
    `watch` is; with `every_move` the value of each free edge too. `tell` hears what is known
    before each step of the search."""
    value = solver.bounds(edges, watch, tell=lambda bounds: tell(Analysis(bounds)))
    found = Analysis(value)
    if value.exact:
        tell(found)
        one = solver.best(edges, value.low, watch, every=False)
        if one:
            found.best = one
            found.pv = solver.line(edges, one[0], watch)
            every = solver.best(edges, value.low, watch, every=True)
            if every is not None:
                found.best, found.best_known = every, True
    if every_move:
        _value_moves(solver, edges, found, watch, tell)
    return found


def _value_moves(
    solver: Solver,
    edges: int,
    found: Analysis,
    watch: SearchWatch,
    tell: Callable[[Analysis], None],
) -> None:
    """Bounds for each free edge into ``found.moves``, and what they say about value and best."""
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
            tell(found)
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
        # An edge is best for certain when no other can be worth more; all are known when each of
        # the others is worth less.
        best = tuple(edge for edge in free if found.moves[edge].low >= found.value.high)
        found.best = best or found.best
        found.best_known = bool(best) and all(
            edge in best or found.moves[edge].high < found.value.low for edge in free
        )


def _worth(solver: Solver, edges: int, edge: int, watch: SearchWatch, top: int) -> Bounds:
    """What drawing `edge` is worth, `top` at the most."""
    low, high = solver.move(edges, edge, watch)
    return Bounds(low, max(low, min(high, top)))
