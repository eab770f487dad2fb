"""The exact search: alpha-beta on net scores with a transposition table, resumable at any node.

Theory of operation
-------------------
Nodes are positions without captures. The value V of a node is the net score of the player to move
from there on. A move either draws a safe edge and is worth -V(rest), or opens a chain or loop and
gives T boxes away. The opponent takes them all and must move again, or, if `keeps` is 2 or 4, can
decline the last 2 or 4 of them, which leaves the next move to the player who opened. Such a move is
worth -(T + V(rest)) if nothing can be declined, else -(T - keeps + abs(V(rest) + keeps)). Captures
are therefore no nodes, and the turn passes with every move.

V is even if and only if the number of boxes is even. If that number is odd, abs(V + keeps) is at
least 1.

The stack consists of arrays, so the search can stop after any number of nodes and continue later.
The search is fail-soft: a result outside its window is still a bound.

Source: J. Barker and R. Korf, Solving Dots-and-Boxes, AAAI 2012, for captures that are no nodes.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ONE, ZERO, U, fold, narrow
from doublecross.bots.search.exact.children import look_up
from doublecross.bots.search.exact.layout import LayoutTables
from doublecross.bots.search.exact.nimstring import Nimbers, new_nimbers
from doublecross.bots.search.exact.ordering import DONE, LATER, list_moves, weigh
from doublecross.bots.search.exact.structure import Scratch, new_scratch, scan
from doublecross.bots.search.exact.table import probe, store
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.wide import NARROW, WordKind

# Columns of `Stack.nodes`.
ALPHA, BETA, FLOOR, BEST, BOXES, MOVES, CHOSEN, NODES, SHARED = range(9)
# Columns of `Stack.words`.
H, V, KEY = range(3)
# Elements of `Stack.registers`.
PLY, COUNT, ENTERING, RESULT = range(4)

_MARKS: Final = 1 << 12
"""The places for marks. If two positions have the same place, one mark is lost."""
_LEAST_SHARED: Final = 10
"""With fewer moves a node is too small to be shared."""


class Stack(NamedTuple):
    """The state of a search: each array has a row for each ply, with the columns named above.

    `registers` has the current state of the search. `scratch` is working space of `scan`. A row has
    for each move the free edges that it uses (`move_h`, `move_v`), the boxes that it gives away
    (`takes`), how many of these may be declined (`keeps`), and its place in the order (`order`; the
    highest comes first). `nimbers` is the table for that order. The threads of a search share
    `busy`, the marks of the positions that they search; it has one element if there is one thread.
    """

    registers: NDArray[np.int64]
    nodes: NDArray[np.int64]
    words: NDArray[np.uint64]
    move_h: NDArray[np.uint64]
    move_v: NDArray[np.uint64]
    takes: NDArray[np.int64]
    keeps: NDArray[np.int64]
    order: NDArray[np.int64]
    scratch: Scratch
    nimbers: Nimbers
    busy: NDArray[np.uint64]


def new_busy(threads: int) -> NDArray[np.uint64]:
    """Return an array for the marks of `threads` threads."""
    return np.zeros(1 if threads == 1 else _MARKS, np.uint64)


def new_stack(
    edges: int,
    nimbers_mb: float = 1.0,
    kind: WordKind = NARROW,
    busy: NDArray[np.uint64] | None = None,
) -> Stack:
    """Return a stack for boards with `edges` edges, with a table of nimbers of `nimbers_mb` MiB.

    Threads that search together have stacks with the same `busy`.
    """
    plies, moves = edges + 2, 2 * edges + 2
    return Stack(
        np.zeros(4, np.int64),
        np.zeros((plies, 9), np.int64),
        kind.array((plies, 3)),
        kind.array((plies, moves)),
        kind.array((plies, moves)),
        np.zeros((plies, moves), np.int64),
        np.zeros((plies, moves), np.int64),
        np.zeros((plies, moves), np.int64),
        new_scratch(kind),
        new_nimbers(nimbers_mb, edges, kind),
        new_busy(1) if busy is None else busy,
    )


@kernel
def after(takes: int, keeps: int, x: int) -> Any:
    """Return the value of a move that gives `takes` boxes away, of which `keeps` may be declined.

    `x` is the value of the position that the move leaves. If it is a bound, so is the result.
    """
    if keeps:
        return -(takes - keeps + abs(x + keeps))
    return -(takes + x)


@kernel
def marked(h: Any, v: Any) -> Any:
    """Return the mark of the position `h`, `v` among those that threads search; it is not 0."""
    word = fold(h) * U(0x9E3779B97F4A7C15) ^ fold(v)
    return word * U(0xD6E8FEB86659FD93) | ONE


@kernel
def begin(stack: Stack, h: Any, v: Any, alpha: int, beta: int) -> None:
    """Start a search of the position `h`, `v` with the window `alpha`, `beta`."""
    stack.words[0, H] = h
    stack.words[0, V] = v
    stack.nodes[0, ALPHA] = alpha
    stack.nodes[0, BETA] = beta
    stack.registers[PLY] = 0
    stack.registers[COUNT] = 0
    stack.registers[ENTERING] = 1


@kernel
def search(budget: int, stack: Stack, table: Any, tables: LayoutTables) -> bool:
    """Continue the search for at most `budget` nodes, and return whether it is finished.

    Then the result is in ``stack.registers``. `table` is a transposition table of
    `doublecross.bots.search.exact.table`, `tables` those of the board's layout.
    """
    registers, nodes, words, move_h, move_v, takes, keeps, order, scratch, nimbers, busy = stack
    masks = tables.masks
    ply = registers[PLY]
    count = registers[COUNT]
    entering = registers[ENTERING] == 1
    result = registers[RESULT]
    end = count + budget
    last = U(busy.shape[0] - 1)
    while ply >= 0:
        if entering:
            # Stop only here: between two nodes the stack contains the whole state of the search.
            if count >= end:
                registers[PLY] = ply
                registers[COUNT] = count
                registers[ENTERING] = 1
                return False
            count += 1
            entering = False
            nodes[ply, CHOSEN] = -1
            # Step 1: the structure. Without junctions the value is known.
            h, v, boxes, value, key, safe_h, safe_v, num, short, spare = scan(
                words[ply, H],
                words[ply, V],
                tables,
                move_h[ply],
                move_v[ply],
                takes[ply],
                keeps[ply],
                scratch,
            )
            if key == ZERO:
                result = value
                ply -= 1
                continue
            # Step 2: the transposition table.
            alpha = nodes[ply, ALPHA]
            beta = nodes[ply, BETA]
            low, high = probe(table, key, boxes)
            if low >= beta or low == high:
                result = low
                ply -= 1
                continue
            if high <= alpha:
                result = high
                ply -= 1
                continue
            alpha = max(alpha, low)
            beta = min(beta, high)
            # Step 3: the moves and their order: the openings found by `scan`, then safe edges.
            num = list_moves(
                ply,
                num,
                h,
                v,
                safe_h,
                safe_v,
                short,
                spare,
                masks,
                nimbers,
                move_h,
                move_v,
                takes,
                keeps,
                order,
            )
            # Step 4: the bounds of the moves in the table.
            best, chosen = look_up(
                ply,
                num,
                h,
                v,
                boxes,
                safe_h,
                safe_v,
                alpha,
                beta,
                tables,
                table,
                scratch,
                move_h,
                move_v,
                takes,
                keeps,
                order,
            )
            if chosen < 0:
                weigh(ply, num, h, v, masks, move_h, move_v, takes, keeps, order)
            nodes[ply, ALPHA] = max(alpha, best)
            nodes[ply, BETA] = beta
            nodes[ply, FLOOR] = alpha
            nodes[ply, BEST] = best
            nodes[ply, BOXES] = boxes
            nodes[ply, CHOSEN] = chosen
            # After a cutoff no other move matters.
            nodes[ply, MOVES] = num if chosen < 0 else 0
            # The difference at the end is the size of this subtree, which the table uses.
            nodes[ply, NODES] = count
            nodes[ply, SHARED] = 1 if last != ZERO and num >= _LEAST_SHARED else 0
            words[ply, H] = h
            words[ply, V] = v
            words[ply, KEY] = key
        else:
            # Step 5: the value of the chosen move, or a bound of it.
            i = nodes[ply, CHOSEN]
            if nodes[ply, SHARED]:
                # The child's words may have changed: `scan` exchanges equal edges.
                mark = marked(words[ply, H] & ~move_h[ply, i], words[ply, V] & ~move_v[ply, i])
                if busy[mark >> U(32) & last] == mark:
                    busy[mark >> U(32) & last] = ZERO
            value = after(takes[ply, i], keeps[ply, i], result)
            # The move that refutes a safe edge is refuted by this edge: both orders lead to the
            # same position. The boxes that it gives away are then given by this player.
            k = nodes[ply + 1, CHOSEN]
            if takes[ply, i] == 0 and k >= 0 and keeps[ply + 1, k] == 0:
                most = value - 2 * takes[ply + 1, k]
                if result >= nodes[ply + 1, BETA] and most <= nodes[ply, ALPHA]:
                    for j in range(nodes[ply, MOVES]):
                        if (
                            move_h[ply, j] == move_h[ply + 1, k]
                            and move_v[ply, j] == move_v[ply + 1, k]
                            and takes[ply, j] == takes[ply + 1, k]
                            and keeps[ply, j] == 0
                            and order[ply, j] != DONE
                        ):
                            order[ply, j] = DONE
                            nodes[ply, BEST] = max(nodes[ply, BEST], most)
            nodes[ply, BEST] = max(nodes[ply, BEST], value)
            nodes[ply, ALPHA] = max(nodes[ply, ALPHA], value)
            if value >= nodes[ply, BETA]:
                # A cutoff: no other move of this node matters.
                nodes[ply, MOVES] = 0
        # Step 6: choose the next move that can matter.
        alpha = nodes[ply, ALPHA]
        beta = nodes[ply, BETA]
        num = nodes[ply, MOVES]
        chosen = -1
        while num:
            i = 0
            for j in range(1, num):
                if order[ply, j] > order[ply, i]:
                    i = j
            if order[ply, i] == DONE:
                break
            if nodes[ply, SHARED] and order[ply, i] > LATER:
                # A move that another thread searches waits until all others have been searched.
                mark = marked(words[ply, H] & ~move_h[ply, i], words[ply, V] & ~move_v[ply, i])
                if busy[mark >> U(32) & last] == mark:
                    order[ply, i] += 2 * LATER
                    continue
            order[ply, i] = DONE
            took = takes[ply, i]
            keep = keeps[ply, i]
            left = nodes[ply, BOXES] - took
            # An upper bound of the move's value: the mover gets all boxes that are left. If boxes
            # may be declined, abs(V + keeps) is at least 0, or 1 for an odd number of boxes.
            most = -(took - keep + (left & 1)) if keep else left - took
            if most > alpha:
                chosen = i
                break
            # A skipped move still bounds the value of the node, because the search is fail-soft.
            nodes[ply, BEST] = max(nodes[ply, BEST], most)
        if chosen >= 0:
            words[ply + 1, H] = words[ply, H] & ~move_h[ply, chosen]
            words[ply + 1, V] = words[ply, V] & ~move_v[ply, chosen]
            if keep:
                # The value depends on abs(V + keep), so the child's window is symmetric around
                # -keep.
                room = keep - took - alpha
                nodes[ply + 1, ALPHA] = -keep - room
                nodes[ply + 1, BETA] = -keep + room
            else:
                nodes[ply + 1, ALPHA] = -beta - took
                nodes[ply + 1, BETA] = -alpha - took
            nodes[ply, CHOSEN] = chosen
            if nodes[ply, SHARED]:
                mark = marked(words[ply + 1, H], words[ply + 1, V])
                busy[mark >> U(32) & last] = mark
            ply += 1
            entering = True
            continue
        # Step 7: all moves are searched, or one caused a cutoff.
        best = nodes[ply, BEST]
        boxes = nodes[ply, BOXES]
        # At or below the window the best value is only an upper bound, above it only a lower one.
        low = best if best > nodes[ply, FLOOR] else -boxes
        high = best if best < beta else boxes
        store(table, narrow(words[ply, KEY]), boxes, low, high, count - nodes[ply, NODES])
        result = best
        ply -= 1
    registers[COUNT] = count
    registers[RESULT] = result
    return True
