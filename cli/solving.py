"""Solves one position for `doublecross analyse`, the most wanted first, until it is told to stop.

Theory of operation
-------------------
First comes the value, then one best edge and the expected line, which the table mostly knows by
then, then the other best edges, and last the value of every edge that is not best. The edges are
asked in rounds, each with more nodes than the last, so that one that is hard does not keep the
others waiting. What is not known at the end has bounds.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from bots.search.solver import Bounds, Solver, Watch

_FIRST_ROUND: Final = 2_000
"""Nodes for each edge in the first round."""
_FACTOR: Final = 8
"""How many times as many nodes each further round has."""


@dataclass(slots=True)
class Findings:
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


def solve(
    solver: Solver,
    edges: int,
    watch: Watch,
    *,
    every_move: bool,
    tell: Callable[[str], None] = lambda _: None,
) -> Findings:
    """What can be found about the position with the drawn `edges`, which is not over, before
    `watch` is; with `every_move` the value of each free edge too. `tell` hears what is searched
    for and what is known, in some words."""
    found = Findings(_value(solver, edges, watch, tell))
    if found.value.exact:
        value = found.value.low
        tell(f"value {signed(value)}, looking for the best edges")
        one = solver.best(edges, value, watch, every=False)
        if one:
            found.best = one
            found.pv = solver.line(edges, one[0], watch)
            every = solver.best(edges, value, watch, every=True)
            if every is not None:
                found.best, found.best_known = every, True
    if every_move:
        _moves(solver, edges, found, watch, tell)
    return found


def _value(solver: Solver, edges: int, watch: Watch, tell: Callable[[str], None]) -> Bounds:
    """The value, by the same row of guesses as `Solver.bounds`, with a word after each."""
    from bots.search.closure import closure
    from bots.search.solver import Watch

    over = Watch(lambda: True)
    quiet = closure(solver.board, edges).edges
    guess = 0
    while True:
        whole = solver.bounds(edges, over)
        tell(f"value {shown(whole)}")
        known = solver.bounds(quiet, over)
        if known.exact:
            return whole
        guess = min(max(guess, known.low), known.high)
        guess += (guess - known.low) % 2
        answer = solver.at_least(quiet, guess if guess > known.low else guess + 2, watch)
        if answer is None:
            return whole
        known = solver.bounds(quiet, over)
        guess = known.low if answer else known.high


def _moves(
    solver: Solver, edges: int, found: Findings, watch: Watch, tell: Callable[[str], None]
) -> None:
    """Bounds for each free edge into ``found.moves``, and what they say about value and best."""
    from bots.search.solver import Bounds, Watch

    value = found.value
    top = value.low - 2 if found.best_known else value.high
    over = Watch(lambda: True)
    free = solver.board.members(solver.board.full & ~edges)
    for edge in free:
        known = edge in found.best
        found.moves[edge] = value if known else _worth(solver, edges, edge, over, top)
    waiting = [edge for edge in free if not found.moves[edge].exact]
    nodes = _FIRST_ROUND
    while waiting:
        for edge in waiting:
            solved = sum(bounds.exact for bounds in found.moves.values())
            tell(f"value {shown(value)}, {solved} of {len(free)} edges solved")
            if watch.over():
                break
            left = watch.nodes_left
            part = Watch(watch.over, nodes=nodes if left is None else min(nodes, left))
            found.moves[edge] = _worth(solver, edges, edge, part, top)
            watch.spent(part.nodes)
        waiting = [edge for edge in waiting if not found.moves[edge].exact]
        if watch.over():
            break
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


def _worth(solver: Solver, edges: int, edge: int, watch: Watch, top: int) -> Bounds:
    """What drawing `edge` is worth to who draws it, `top` at the most."""
    from bots.search.solver import Bounds

    gain = solver.child(edges, edge).gain
    bounds = solver.bounds(edges | 1 << edge, watch)
    low, high = (bounds if gain else -bounds).plus(gain)
    return Bounds(low, max(low, min(high, top)))


def signed(value: int) -> str:
    """A net score as it is written everywhere: +3, -1, 0."""
    return f"{value:+}" if value else "0"


def shown(value: Bounds) -> str:
    """A value as far as it is known."""
    if value.exact:
        return signed(value.low)
    return f"{signed(value.low)} to {signed(value.high)}"


class Interrupt:
    """While it is entered, the first Ctrl-C only sets `asked`; a second one interrupts."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
