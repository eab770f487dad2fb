"""The exact solver: find the value of a position, of each move, and the principal variation.

Theory of operation
-------------------
MTD(f) finds the value of a position without captures: a sequence of searches with minimal windows
that share the transposition table. Each search decides on which side of a guess the value lies
(A. Plaat et al., Best-first fixed-depth minimax algorithms, 1996). The solver first reduces a
position with captures to one without (`doublecross.bots.search.exact.closure`).

A search runs in pieces of some milliseconds. Between the pieces, a `SearchWatch` decides whether to
continue. If it ends the search, the result is bounds. The table keeps the results of all searches,
so repeating a search is cheap.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from doublecross.bots.clock import now
from doublecross.bots.search.exact.bounds import Bounds, ChildNode, seen, through
from doublecross.bots.search.exact.closure import Closure, boxes_left, closure, gained
from doublecross.bots.search.exact.helpers import Helpers
from doublecross.bots.search.exact.kernel import COUNT, RESULT, begin, new_busy, new_stack, search
from doublecross.bots.search.exact.layout import IMAGES, corner, free_twin, kernels_for, layout
from doublecross.bots.search.exact.nimstring import SHARE
from doublecross.bots.search.exact.structure import scan
from doublecross.bots.search.exact.table import enlarged, first_part, new_table
from doublecross.bots.search.jit import warm_up
from doublecross.games.dots_and_boxes.board import Board

PIECE: Final = 8_000
"""Nodes between two checks of the watch: 5 to 15 ms."""

ONE_IMAGE: Final = 12
"""With so many drawn edges a search does not look for images of its positions."""


class SearchWatch:
    """Decides when a search must end, and counts its nodes.

    A search ends when `stop` returns True, `seconds` seconds from now, or after `nodes` nodes. By
    default it never ends early. `report` receives the number of nodes after each piece.
    `nodes_left` is None without a limit of nodes.
    """

    def __init__(
        self,
        stop: Callable[[], bool] = lambda: False,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        report: Callable[[int], None] | None = None,
    ) -> None:
        self._stop = stop
        self.started = now()
        self._end = None if seconds is None else self.started + seconds
        self._report = report
        self.nodes_left = nodes
        self.nodes = 0

    def piece(self) -> int:
        """Return how many nodes to search before the next check."""
        return PIECE if self.nodes_left is None else max(1, min(PIECE, self.nodes_left))

    def spent(self, nodes: int) -> None:
        """Count `nodes` nodes as searched."""
        self.nodes += nodes
        if self.nodes_left is not None:
            self.nodes_left -= nodes
        if self._report is not None:
            self._report(self.nodes)

    @property
    def seconds_left(self) -> float | None:
        """The seconds until the search must end, at least 0; None without a limit of time."""
        return None if self._end is None else max(0.0, self._end - now())

    def over(self) -> bool:
        """Return whether the search must end."""
        if self.nodes_left is not None and self.nodes_left <= 0:
            return True
        return self._stop() or (self._end is not None and now() >= self._end)


class Solver:
    """Solves positions of one board, with a transposition table of at most `memory_mb` MiB.

    Tables of nimbers take up to a sixteenth of that in addition. Searches without a limit of nodes
    use up to `threads` threads. Their values do not depend on the number of threads, but the number
    of their nodes does.

    `table`, `stack` and `tables` are arguments of the kernels
    (`doublecross.bots.search.exact.kernel`); the playouts of the engine use them too. `kind` makes
    their words. `table` is the part of the table `whole` that is in use.
    """

    def __init__(self, board: Board, memory_mb: float = 128.0, threads: int = 1) -> None:
        self.board = board
        self._layout = layout(board)
        self.kind = self._layout.kind
        # A copy, because this solver chooses the kind of its keys.
        tables = self._layout.tables
        self.tables = tables._replace(masks=tables.masks.copy())
        self.whole = new_table(memory_mb)
        self.table = first_part(self.whole)
        threads = max(1, threads)
        busy = new_busy(threads)
        self.stack, *self.helpers = (
            new_stack(board.num_edges, memory_mb * SHARE / threads, self.kind, busy)
            for _ in range(threads)
        )
        self._known: dict[int, Bounds] = {}

    def clear(self) -> None:
        """Empty the table."""
        self.table[:] = 0
        self.table = first_part(self.whole)
        self._known.clear()

    @property
    def filled(self) -> float:
        """The fraction of the table that is in use, estimated from its beginning."""
        sample = self.table[:65536]
        return float(np.count_nonzero(sample)) / len(sample) * len(self.table) / len(self.whole)

    def make_room(self) -> None:
        """Use more of the table if the part in use is half full."""
        self.table = enlarged(self.whole, self.table)

    # -- values ------------------------------------------------------------------------------

    def bounds(
        self,
        edges: int,
        watch: SearchWatch | None = None,
        *,
        guess: int = 0,
        report: Callable[[Bounds], None] = lambda _: None,
    ) -> Bounds:
        """Find the value, for the player to move, of the position with the drawn `edges`.

        If `watch` ends the search early, the result is bounds. The first search tests whether the
        value of the position after all captures reaches `guess`. `report` receives the bounds so
        far before each search.
        """
        then = closure(self.board, edges)
        return through(
            then,
            self._quiet(
                then.edges, watch or SearchWatch(), guess, lambda rest: report(through(then, rest))
            ),
        )

    def at_least(self, edges: int, value: int, watch: SearchWatch) -> bool | None:
        """Return whether the value of a position without captures is at least `value`.

        Returns None if `watch` ends the search early.
        """
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
        report: Callable[[Bounds], None] = lambda _: None,
    ) -> Bounds:
        """Find the value of a position without captures; see `bounds`."""
        known = self._of(edges)
        while not known.exact:
            report(known)
            guess = min(max(guess, known.low), known.high)
            # All values have the parity of the number of boxes left, as both bounds do.
            if (guess - known.low) % 2:
                guess += 1
            # The search tests whether the value reaches `bound`, which is certain at the lower end.
            bound = guess if guess > known.low else guess + 2
            result = self._window(edges, bound - 1, bound, watch)
            if result is None:
                break
            self._learn(edges, result, bound)
            # MTD(f): the fail-soft result is the next guess.
            guess = result
            known = self._of(edges)
        return known

    def _window(self, edges: int, alpha: int, beta: int, watch: SearchWatch) -> int | None:
        """Return the fail-soft result of one search, or None if `watch` ends it early."""
        stack = self.stack
        h, v = self.words(edges)
        # With many edges drawn, hardly any two positions of a search are images of each other.
        self.tables.masks[IMAGES] = edges.bit_count() < ONE_IMAGE
        begin(stack, h, v, alpha, beta)
        stack.busy[:] = 0
        before = 0
        self.make_room()
        with Helpers(self.helpers, self.table, self.tables) as helpers:
            while True:
                if watch.over():
                    return None
                done = search(watch.piece(), stack, self.table, self.tables)
                count = int(stack.registers[COUNT]) + helpers.nodes()
                watch.spent(count - before)
                before = count
                if done:
                    return int(stack.registers[RESULT])
                if helpers.result is not None:
                    return helpers.result
                self.make_room()
                helpers.table = self.table
                # With a limit of nodes one thread searches, so that the search can be repeated.
                if watch.nodes_left is None:
                    helpers.start(h, v, alpha, beta)

    def _of(self, edges: int) -> Bounds:
        """Return the bounds found so far for a position without captures."""
        known = self._known.get(edges)
        if known is None:
            left = boxes_left(self.board, edges)
            known = Bounds(-left, left)
        return known

    def _learn(self, edges: int, result: int, bound: int) -> None:
        low, high = self._of(edges)
        # This bounds the memory. The transposition table still has most of these results.
        if len(self._known) > 200_000:
            self._known.clear()
        if result >= bound:
            self._known[edges] = Bounds(max(low, result), high)
        else:
            self._known[edges] = Bounds(low, min(high, result))

    # -- words -------------------------------------------------------------------------------

    def words(self, edges: int) -> tuple[Any, Any]:
        """Return the words H and V of the free edges.

        See `doublecross.bots.search.exact.layout`.
        """
        h, v = self._layout.words(edges)
        return self.kind.word(h), self.kind.word(v)

    def count_moves(self, edges: int) -> int:
        """Return the number of moves in a position without captures: safe edges and openings.

        It is 0 if there is no junction, because the search then needs no moves.
        """
        stack = self.stack
        row = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
        _, _, _, _, _, safe_h, safe_v, openings, _, _ = scan(
            *self.words(edges), self.tables, *row, stack.scratch
        )
        return int(safe_h).bit_count() + int(safe_v).bit_count() + int(openings)

    def edge_of(self, edges: int, h: int, v: int) -> int:
        """Return the edge to draw for a move of the search that uses the edges `h`, `v`.

        Of the free edges among these it is one that gives all boxes of the move away, and after
        which fewest boxes can be declined. The search may have exchanged a free edge with an
        interchangeable edge that is drawn on the board. Then the result is the free one of the two.
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
        # An opening may use edges behind a junction that do not open all of it.
        after = {edge: closure(self.board, edges | 1 << edge) for edge in candidates}
        return min(candidates, key=lambda edge: (-after[edge].taken, after[edge].keeps))

    def cheapest(self, edges: int) -> int:
        """Return a free edge that gives fewest boxes away."""
        return min(
            self.board.members(self.board.full & ~edges),
            key=lambda edge: closure(self.board, edges | 1 << edge).taken,
        )

    # -- moves -------------------------------------------------------------------------------

    def child(self, edges: int, edge: int) -> ChildNode:
        """Return the result of drawing `edge`."""
        gain = gained(self.board, edges, edge)
        return ChildNode(gain, gain > 0, closure(self.board, edges | 1 << edge))

    def move(self, edges: int, edge: int, watch: SearchWatch | None = None) -> Bounds:
        """Find the value of drawing `edge`: the net score from here on of the player who does."""
        child = self.child(edges, edge)
        return seen(child, self._quiet(child.then.edges, watch or SearchWatch()))

    def moves(self, edges: int, watch: SearchWatch | None = None) -> dict[int, Bounds]:
        """Find the value of each free edge."""
        watch = watch or SearchWatch()
        free = self.board.members(self.board.full & ~edges)
        return {edge: self.move(edges, edge, watch) for edge in free}

    def best(
        self, edges: int, value: int, watch: SearchWatch, *, every: bool
    ) -> tuple[int, ...] | None:
        """Find the best edges, given the value of the position; only one of them unless `every`.

        Returns None if `watch` ends the search early. The table often has the answer for a move, so
        the moves are searched in rounds with more and more nodes.
        """
        waiting = {
            edge: self.child(edges, edge) for edge in self.board.members(self.board.full & ~edges)
        }
        found: list[int] = []
        # Moves with equal results need only one search.
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
        """Return whether the move is worth at least `value`; None if `watch` ends the search."""
        then = child.then
        # The opponent moves next and has no captures, so one minimal window decides.
        if not child.again and not then.taken:
            answer = self.at_least(then.edges, 1 - value, watch)
            return None if answer is None else not answer
        bounds = seen(child, self._quiet(then.edges, watch))
        if bounds.low >= value:
            return True
        return False if bounds.high < value else None

    def pv(self, edges: int, first: int, watch: SearchWatch, most: int = 60) -> tuple[int, ...]:
        """Return the principal variation: `first`, then a best move at each ply.

        It ends at the end of the game, after `most` plies, or when `watch` ends the search.
        """
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


def prepare(shape: Board | None = None) -> None:
    """Compile the kernels for boards like `shape`; this takes time only once on each machine.

    Without `shape`, they are those for boards of up to 64 dots.
    """
    name, tried = kernels_for("solver", shape)
    warm_up(name, lambda: Solver(tried, memory_mb=1).bounds(corner(tried)))
