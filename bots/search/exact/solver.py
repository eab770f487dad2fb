"""The exact solver: the value of a position, of each move, and the best line.

Theory of operation
-------------------
The value of a position without captures is found by MTD(f): a row of searches with a window of one
step, each of which says on which side of a guess the value lies, all sharing the transposition
table (A. Plaat et al., Best-first fixed-depth minimax algorithms, 1996). A position with captures
is first reduced to one without (`bots.search.exact.closure`).

A search runs in pieces of some milliseconds. Between them `SearchWatch` is asked whether to go on;
when not, what is known so far are bounds. The table keeps what was found, so asking again is cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from bots.search.exact.closure import Closure, Score, boxes_left, closure, gained
from bots.search.exact.kernel import COUNT, RESULT, begin, new_stack, search
from bots.search.exact.layout import free_twin, layout
from bots.search.exact.structure import scan
from bots.search.exact.table import new_table
from bots.search.jit import warm_up
from games.dots_and_boxes.board import Board, board

PIECE: Final = 20_000
"""Nodes between two looks at the watch: 5 to 15 ms."""


class Bounds(NamedTuple):
    """A value lies in `low`..`high`, both included."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high

    def __neg__(self) -> Bounds:
        """The bounds of minus the value."""
        return Bounds(-self.high, -self.low)

    def plus(self, boxes: int) -> Bounds:
        """The bounds of the value and `boxes` more."""
        return Bounds(self.low + boxes, self.high + boxes)


class SearchWatch:
    """Says when to stop, and is told how it goes; the base never stops.

    `nodes_left` (None: no end) counts down.
    """

    def __init__(
        self,
        stop: Callable[[], bool] = lambda: False,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> None:
        self._stop = stop
        self.started = perf_counter()
        self._end = None if seconds is None else self.started + seconds
        self._tell = tell
        self.nodes_left = nodes
        self.nodes = 0

    def piece(self) -> int:
        """How many nodes may be searched before the next question."""
        return PIECE if self.nodes_left is None else max(1, min(PIECE, self.nodes_left))

    def spent(self, nodes: int) -> None:
        """So many nodes were searched."""
        self.nodes += nodes
        if self.nodes_left is not None:
            self.nodes_left -= nodes
        if self._tell is not None:
            self._tell(self.nodes)

    def over(self) -> bool:
        """Whether to stop."""
        if self.nodes_left is not None and self.nodes_left <= 0:
            return True
        return self._stop() or (self._end is not None and perf_counter() >= self._end)


class ChildNode(NamedTuple):
    """What a move leads to: `gain` boxes, then `then`, whose mover is the same player or not."""

    gain: int
    again: bool
    then: Closure

    def value(self, rest: Score) -> Score:
        """What the move is worth, for who plays it, when what is left after all captures is worth
        `rest` for its mover."""
        value = self.then.value(rest)
        return self.gain + (value if self.again else -value)


class Solver:
    """Solves positions of one board; it keeps a table of at most `memory_mb` MiB.

    `table`, `stack` and `tables` are what the kernels work on (`bots.search.exact.kernel`);
    playouts share them.

    Raises:
        TooLarge: the board has more than 64 dots.
    """

    def __init__(self, board: Board, memory_mb: float = 128.0) -> None:
        self.board = board
        self._layout = layout(board)
        self.tables = self._layout.tables
        self.table = new_table(memory_mb)
        self.stack = new_stack(board.num_edges)
        self._known: dict[int, Bounds] = {}

    def clear(self) -> None:
        """Forget everything."""
        self.table[:] = 0
        self._known.clear()

    @property
    def filled(self) -> float:
        """The part of the table that is in use, estimated from its beginning."""
        return float(np.count_nonzero(self.table[:65536])) / min(65536, len(self.table))

    # -- values ------------------------------------------------------------------------------

    def bounds(
        self,
        edges: int,
        watch: SearchWatch | None = None,
        *,
        guess: int = 0,
        tell: Callable[[Bounds], None] = lambda _: None,
    ) -> Bounds:
        """The value, for the player to move, of the position with the drawn `edges`; bounds
        when the watch stops it before it is known.

        Whether the value of what is left after the captures reaches `guess` is asked first.
        `tell` hears what is known before each pass.
        """
        then = closure(self.board, edges)
        return _through(
            then,
            self._quiet(
                then.edges, watch or SearchWatch(), guess, lambda rest: tell(_through(then, rest))
            ),
        )

    def at_least(self, edges: int, value: int, watch: SearchWatch) -> bool | None:
        """Whether the value of a position without captures is at least `value`; None: stopped."""
        known = self._of(edges)
        if known.low >= value or known.high < value:
            return known.low >= value
        result = self._window(edges, value - 1, value, watch)
        if result is None:
            return None
        self._learn(edges, result, value)
        return result >= value

    def _quiet(
        self,
        edges: int,
        watch: SearchWatch,
        guess: int = 0,
        tell: Callable[[Bounds], None] = lambda _: None,
    ) -> Bounds:
        """As `bounds`, nothing to be captured."""
        known = self._of(edges)
        while not known.exact:
            tell(known)
            guess = min(max(guess, known.low), known.high)
            if (guess - known.low) % 2:
                guess += 1
            bound = guess if guess > known.low else guess + 2
            result = self._window(edges, bound - 1, bound, watch)
            if result is None:
                break
            self._learn(edges, result, bound)
            guess = result
            known = self._of(edges)
        return known

    def _window(self, edges: int, alpha: int, beta: int, watch: SearchWatch) -> int | None:
        """The fail-soft result of one search, None when the watch stopped it."""
        stack = self.stack
        begin(stack, *self.words(edges), alpha, beta)
        before = 0
        while True:
            if watch.over():
                return None
            done = search(watch.piece(), stack, self.table, self.tables)
            count = int(stack.registers[COUNT])
            watch.spent(count - before)
            before = count
            if done:
                return int(stack.registers[RESULT])

    def _of(self, edges: int) -> Bounds:
        """What is known of a position without captures."""
        known = self._known.get(edges)
        if known is None:
            left = boxes_left(self.board, edges)
            known = Bounds(-left, left)
        return known

    def _learn(self, edges: int, result: int, bound: int) -> None:
        low, high = self._of(edges)
        if len(self._known) > 200_000:
            self._known.clear()
        if result >= bound:
            self._known[edges] = Bounds(max(low, result), high)
        else:
            self._known[edges] = Bounds(low, min(high, result))

    # -- words -------------------------------------------------------------------------------

    def words(self, edges: int) -> tuple[np.uint64, np.uint64]:
        """H and V of the free edges."""
        h, v = self._layout.words(edges)
        return np.uint64(h), np.uint64(v)

    def count_moves(self, edges: int) -> int:
        """How many moves the search has in a position without captures: its safe edges and
        openings, 0 where the value is known at once."""
        stack = self.stack
        row = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
        *_, safe_h, safe_v, openings = scan(*self.words(edges), self.tables, *row, stack.scratch)
        return int(safe_h).bit_count() + int(safe_v).bit_count() + int(openings)

    def edge_of(self, edges: int, h: int, v: int) -> int:
        """The edge to draw for a move of the search that uses up the edges `h`, `v`: a free one
        that leaves least to decline.

        The search may have moved a free edge to the place of an interchangeable one, which is
        drawn on the board: then the move is the free one of the two.
        """
        free = self.board.full & ~edges
        wanted = [
            edge
            for edge, (word, bit) in enumerate(self._layout.place)
            if (v if word else h) >> bit & 1
        ]
        candidates = [edge for edge in wanted if free >> edge & 1]
        if not candidates:
            candidates = [free_twin(self.board, edges, edge) for edge in wanted]
        return min(candidates, key=lambda edge: closure(self.board, edges | 1 << edge).keeps)

    def cheapest(self, edges: int) -> int:
        """A free edge that hands over as little as any."""
        return min(
            self.board.members(self.board.full & ~edges),
            key=lambda edge: closure(self.board, edges | 1 << edge).taken,
        )

    # -- moves -------------------------------------------------------------------------------

    def child(self, edges: int, edge: int) -> ChildNode:
        """What drawing `edge` leads to."""
        gain = gained(self.board, edges, edge)
        return ChildNode(gain, gain > 0, closure(self.board, edges | 1 << edge))

    def move(self, edges: int, edge: int, watch: SearchWatch | None = None) -> Bounds:
        """What drawing `edge` is worth: the net score from here on of who draws it."""
        child = self.child(edges, edge)
        return _seen(child, self._quiet(child.then.edges, watch or SearchWatch()))

    def moves(self, edges: int, watch: SearchWatch | None = None) -> dict[int, Bounds]:
        """What each free edge is worth."""
        watch = watch or SearchWatch()
        free = self.board.members(self.board.full & ~edges)
        return {edge: self.move(edges, edge, watch) for edge in free}

    def best(
        self, edges: int, value: int, watch: SearchWatch, *, every: bool
    ) -> tuple[int, ...] | None:
        """The free edges that are worth `value`, the value of the position; only one of them
        unless `every`. None when the watch stopped it first.

        A look at all moves costs little where the table knows the answer, so the moves are asked
        in rounds, each with more nodes than the last.
        """
        waiting = {
            edge: self.child(edges, edge) for edge in self.board.members(self.board.full & ~edges)
        }
        found: list[int] = []
        answers: dict[tuple[Closure, int, bool], bool] = {}
        nodes = 50
        while waiting:
            for edge, child in list(waiting.items()):
                if watch.over():
                    return tuple(sorted(found)) if found and not every else None
                answer = answers.get(child_key := (child.then, child.gain, child.again))
                if answer is None:
                    left = watch.nodes_left
                    part = SearchWatch(
                        watch.over, nodes=nodes if left is None else min(nodes, left)
                    )
                    answer = self._worth(child, value, part)
                    watch.spent(part.nodes)
                if answer is None:
                    continue
                answers[child_key] = answer
                del waiting[edge]
                if answer:
                    found.append(edge)
                    if not every:
                        return (edge,)
            nodes *= 8
        return tuple(sorted(found))

    def _worth(self, child: ChildNode, value: int, watch: SearchWatch) -> bool | None:
        """Whether the move is worth at least `value`; None: the watch stopped it."""
        then = child.then
        if not child.again and not then.taken:
            answer = self.at_least(then.edges, 1 - value, watch)
            return None if answer is None else not answer
        bounds = _seen(child, self._quiet(then.edges, watch))
        if bounds.low >= value:
            return True
        return False if bounds.high < value else None

    def line(self, edges: int, first: int, watch: SearchWatch, most: int = 60) -> tuple[int, ...]:
        """The principal variation: `first`, then a best move for whoever moves, as far as the
        watch lets it go, `most` plies at the most."""
        pv = [first]
        edges |= 1 << first
        while edges != self.board.full and len(pv) < most:
            value = self.bounds(edges, watch)
            if not value.exact:
                break
            best = self.best(edges, value.low, watch, every=False)
            if not best:
                break
            pv.append(best[0])
            edges |= 1 << best[0]
        return tuple(pv)


def prepare() -> None:
    """Have the kernels compiled, once for this machine."""
    warm_up("solver", lambda: Solver(board(2, 2), memory_mb=1).bounds(0))


def _through(then: Closure, rest: Bounds) -> Bounds:
    """The bounds of a value from those of what is left after the captures."""
    if not then.keeps:
        return rest.plus(then.taken)
    ends = abs(rest.low + then.keeps), abs(rest.high + then.keeps)
    # Between the ends the absolute value falls to its least, which has the parity of the ends.
    least = min(ends) if rest.low + then.keeps > 0 or rest.high + then.keeps < 0 else ends[0] % 2
    return Bounds(least, max(ends)).plus(then.taken - then.keeps)


def _seen(child: ChildNode, rest: Bounds) -> Bounds:
    """The value of a move, for who plays it, from the bounds of what is left after it."""
    bounds = _through(child.then, rest)
    return (bounds if child.again else -bounds).plus(child.gain)
