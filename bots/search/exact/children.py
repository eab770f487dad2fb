"""Look up the positions after the moves of a node in the table, before any of them is searched.

Theory of operation
-------------------
A move changes little: the safe edges beside it, and the chains that it removes or joins. So the key
of a child follows from the sums of its parent's key (`doublecross.bots.search.exact.structure`)
without a scan of the whole board: `look_up` subtracts the parts of the key that are gone, and adds
those of the chains that are new. The processor loads the entries of all children at once, which
takes hardly longer than for one of them. The bounds of a child bound its move. A move that is good
enough ends the search of the node, and a move that cannot be good enough is not searched.

Only those moves are looked up that win Nimstring, or all moves if none does: a move that loses it
is seldom good enough.
"""

from __future__ import annotations

from typing import Any

from doublecross.bots.search.bits import ONE, ZERO, lowest, popcount, size
from doublecross.bots.search.exact.layout import IMAGES, LANES, STRIDE
from doublecross.bots.search.exact.ordering import DONE, WINS
from doublecross.bots.search.exact.structure import (
    ALONE,
    ATTACHED,
    ONES,
    TWOS,
    Scratch,
    mixed,
    safe_edges,
    valences,
)
from doublecross.bots.search.exact.table import announce, probe
from doublecross.bots.search.jit import kernel


@kernel
def bounds_after(takes: int, keeps: int, low: int, high: int) -> Any:
    """Return the bounds (lower, upper) of a move, given those of the position that it leaves.

    The move gives `takes` boxes away, of which `keeps` may be declined.
    """
    if keeps:
        a = abs(low + keeps)
        b = abs(high + keeps)
        # If zero lies between the ends, the smallest absolute value is 0 or 1, with their parity.
        least = min(a, b) if low + keeps > 0 or high + keeps < 0 else a & 1
        return -(takes - keeps + max(a, b)), -(takes - keeps + least)
    return -(takes + high), -(takes + low)


@kernel
def look_up(
    ply: int,
    num: int,
    h: Any,
    v: Any,
    boxes: int,
    safe_h: Any,
    safe_v: Any,
    alpha: int,
    beta: int,
    tables: Any,
    table: Any,
    scratch: Scratch,
    move_h: Any,
    move_v: Any,
    takes: Any,
    keeps: Any,
    order: Any,
) -> Any:
    """Look up the children of a node with `num` moves; mark the moves that cannot exceed `alpha`.

    Returns (best, move): the highest lower bound of a move, or upper bound of a marked one, and
    the move that reaches `beta`, or -1. The other arguments are results of `scan` and the arrays of
    the search's stack. Then ``scratch.keys`` has the keys of the children that were looked up, and
    0 for the others and for those without junctions.
    """
    masks, safe_table, pairs, lengths, single, number, _ = tables
    keys, sizes, child = scratch.keys, scratch.sizes, scratch.child
    stride = masks[STRIDE]
    images = masks[IMAGES] != ZERO
    ground = number[8 * size(h)]
    junctions, links, _ = valences(h, v, masks)
    # A call for each child would copy the descriptions of all arrays, so the loop is long.
    for i in range(num):
        keys[i] = ZERO
        if order[ply, i] <= -WINS:
            continue
        next_h = h & ~move_h[ply, i]
        next_v = v & ~move_v[ply, i]
        now_junctions, now_links, _ = valences(next_h, next_v, masks)
        if now_junctions == ZERO:
            continue
        key = scratch.sums[0]
        if images:
            for lane in range(1, LANES):
                child[lane] = scratch.sums[lane]
        alone = scratch.sums[ALONE]
        one = scratch.counts[ONES] == 1
        two = scratch.counts[TWOS] == 1
        took = takes[ply, i]
        left = boxes - took
        # Step 1: the edges that are not safe any more.
        now_h, now_v = safe_edges(next_h, next_v, now_junctions, masks)
        gone_h = safe_h & ~now_h
        gone_v = safe_v & ~now_v
        while gone_h | gone_v != ZERO:
            if gone_h != ZERO:
                j = lowest(gone_h)
                gone_h &= gone_h - ONE
            else:
                j = lowest(gone_v) + 8 * size(h)
                gone_v &= gone_v - ONE
            key -= safe_table[j >> 3, 1 << (j & 7), 0]
            if images:
                for lane in range(1, LANES):
                    child[lane] -= safe_table[j >> 3, 1 << (j & 7), lane]
        # Step 2: the chains with boxes that were junctions.
        taken = links & ~now_links
        gone = taken
        fresh = junctions & now_links
        if fresh != ZERO:
            up = now_links & next_h & now_links << stride
            back = now_links & next_v & now_links << ONE
        while fresh != ZERO:
            part = fresh & (~fresh + ONE)
            while True:
                grown = (
                    part
                    | (part & up) >> stride
                    | (part << stride & up)
                    | (part & back) >> ONE
                    | (part << ONE & back)
                )
                if grown == part:
                    break
                part = grown
            fresh &= ~part
            gone |= part
            n = popcount(part)
            j_up = (part & next_h) >> stride & now_junctions
            j_low = (part & next_h >> stride) << stride & now_junctions
            j_left = (part & next_v) >> ONE & now_junctions
            j_right = (part & next_v >> ONE) << ONE & now_junctions
            ends = j_up | j_low | j_left | j_right
            edges = popcount(next_h & (part | part << stride)) + popcount(
                next_v & (part | part << ONE)
            )
            if ends != ZERO:
                first = number[lowest(ends)]
                others = ends & (ends - ONE)
                second = number[lowest(others)]
                # Both ends are at the same junction if one box is reached over two edges.
                if others == ZERO and (
                    popcount(j_up) + popcount(j_low) + popcount(j_left) + popcount(j_right) == 2
                ):
                    second = first
                row = first * (ground + 1) + second
                key += pairs[row, 0] * lengths[n]
                if images:
                    for lane in range(1, LANES):
                        child[lane] += pairs[row, lane] * lengths[n]
            elif edges == n:
                alone += single[1, n]
            elif n == 1:
                # A second chain of the same length cancels the first.
                if one:
                    left -= 2
                one = not one
            elif n == 2:
                if two:
                    left -= 4
                two = not two
            else:
                alone += single[0, n]
        # Step 3: the chains that are gone.
        attached = False
        if gone != ZERO:
            for j in range(scratch.counts[ATTACHED]):
                if scratch.links[j] & gone != ZERO:
                    key -= scratch.parts[j, 0]
                    if images:
                        for lane in range(1, LANES):
                            child[lane] -= scratch.parts[j, lane]
                    if scratch.links[j] & taken != ZERO:
                        attached = True
        if took and not attached:
            # The opening of an independent chain or loop.
            if keeps[ply, i] == 4:
                alone -= single[1, took]
            elif took == 1:
                one = False
            elif took == 2:
                two = False
            else:
                alone -= single[0, took]
        if images:
            for lane in range(1, LANES):
                key = min(key, child[lane])
        if one:
            alone += single[0, 1]
        if two:
            alone += single[0, 2]
        keys[i] = mixed(key + alone)
        sizes[i] = left
        announce(table, keys[i])
    # Step 4: the bounds.
    best = -boxes
    for i in range(num):
        if keys[i] == ZERO:
            continue
        low, high = probe(table, keys[i], sizes[i])
        low, high = bounds_after(takes[ply, i], keeps[ply, i], low, high)
        if low >= beta:
            return low, i
        if high <= alpha:
            order[ply, i] = DONE
            best = max(best, high)
        else:
            best = max(best, low)
            alpha = max(alpha, low)
    return best, -1
