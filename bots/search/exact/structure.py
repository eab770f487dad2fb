"""Takes a position apart: junctions, safe edges, chains, loops; its key and what may be opened.

Theory of operation
-------------------
Positions here have nothing to capture: every box that is left has two to four free edges. A box
with two is part of a chain or loop, one with more is a junction. `scan` finds all chains at once
by flooding the boxes with two free edges, and what is left when a chain is opened and taken
follows from its ends alone:

- drawing any edge of a chain lets the opponent take its n boxes, and no more: a junction at its
  end keeps at least two edges. Only a chain that leaves a junction and comes back to it, when that
  junction has just one edge more, hands that junction and the chain behind it on as well;
- a loop hands over its boxes, and can be declined down to its last four; a chain of 3 and more
  down to its last two; a chain of 2 is opened in its middle (the hard-hearted handout), which
  leaves nothing to decline, just as a chain of 1.

Three facts thin out the openings and the keys:

- Of chains that stand alone only the shortest short one, the shortest long one and the shortest
  loop need be opened. Lengthening a long chain by one box changes a value by at most one, since
  that holds for every move in either position, by induction; so if m < n, opening m costs at
  least n - m less and loses at most n - m by keeping n. The same for loops, two boxes at a time,
  and for a chain of 1 against a chain of 2.
- Two chains of 1 that stand alone cancel, and two chains of 2: whoever opens one is answered in
  the other, after which the same player is to move and each has got the same number of boxes.
- A value depends on junctions and on the lengths of what joins them, not on where that runs.

Sources: as in `bots.search.exact.endgame`, and J. Barker and R. Korf, Solving Dots-and-Boxes, AAAI
2012.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.search.bits import ONE, ZERO, U, lowest, popcount
from bots.search.exact.endgame import control_value
from bots.search.exact.layout import BOTTOM, BOX, LEFT, RIGHT, STRIDE, TOP
from bots.search.jit import kernel


@kernel
def settle(h: Any, v: Any, corners: Any) -> Any:
    """The words with the free ones of interchangeable edges moved to the first places."""
    for i in range(corners.shape[0]):
        a = U(corners[i, 1])
        b = U(corners[i, 3])
        first = (h if corners[i, 0] == 0 else v) >> a & ONE
        second = (h if corners[i, 2] == 0 else v) >> b & ONE
        if second > first:
            if corners[i, 0] == 0:
                h ^= ONE << a
            else:
                v ^= ONE << a
            if corners[i, 2] == 0:
                h ^= ONE << b
            else:
                v ^= ONE << b
    return h, v


@kernel
def valences(h: Any, v: Any, masks: Any) -> Any:
    """The boxes with three or four free edges, those with two, and those with four; the four
    sides of all boxes are added up at once, as binary digits."""
    box = masks[BOX]
    stride = masks[STRIDE]
    top = h & box
    low = h >> stride & box
    left = v & box
    right = v >> ONE & box
    some = top ^ low
    both = top & low
    more = left ^ right
    most = left & right
    odd = some ^ more
    two = both ^ most ^ (some & more)
    four = both & most
    return (two & odd) | four, two & ~odd, four


@kernel
def safe_edges(h: Any, v: Any, junctions: Any, masks: Any) -> Any:
    """The free edges both of whose sides are junctions or the ground."""
    safe_h = h & (junctions | masks[BOTTOM]) & (junctions << masks[STRIDE] | masks[TOP])
    safe_v = v & (junctions | masks[RIGHT]) & (junctions << ONE | masks[LEFT])
    return safe_h, safe_v


@kernel
def insert(lengths: Any, count: int, n: int) -> int:
    """Put `n` in its place among `count` ascending lengths, and return how many there are now."""
    k = count
    while k > 0 and lengths[k - 1] > n:
        lengths[k] = lengths[k - 1]
        k -= 1
    lengths[k] = n
    return count + 1


@kernel
def scan(
    h: Any,
    v: Any,
    tables: Any,
    open_h: Any,
    open_v: Any,
    open_takes: Any,
    open_keeps: Any,
    scratch: Any,
) -> Any:
    """The structure of the position with the free edges `h`, `v`, nothing to capture in it.

    Returns (h, v, boxes, value, key, safe_h, safe_v, openings): the words without what cancels,
    the boxes left, and, where no junction is left, the value for the player to move and the key
    0. Otherwise value is 0, safe_h and safe_v are the safe edges, and the first `openings` rows
    say for each opening which edges go with it (open_h, open_v), the boxes handed over
    (open_takes), and how many of the last boxes may be declined: 0, 2 or 4 (open_keeps).
    """
    masks, safe_table, pairs, lengths, single, number, corners = tables
    h, v = settle(h, v, corners)
    stride = masks[STRIDE]
    junctions, links, four = valences(h, v, masks)
    boxes = popcount(junctions | links)
    # Within chains: free edges from a box to the one above it, and to the one on its left.
    up = links & h & links << stride
    back = links & v & links << ONE
    chains = scratch[0]
    loops = scratch[1]
    num_chains = 0
    num_loops = 0
    num_open = 0
    at_long = -1
    at_loop = -1
    has1 = False
    has2 = False
    h1 = v1 = h2 = v2 = ZERO
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = ZERO
    alone = ZERO
    ground = number[63]
    rest = links
    while rest != ZERO:
        part = rest & (~rest + ONE)
        # Two steps without a look are cheaper than looking at each: most chains are short.
        part |= (
            (part & up) >> stride
            | (part << stride & up)
            | (part & back) >> ONE
            | (part << ONE & back)
        )
        part |= (
            (part & up) >> stride
            | (part << stride & up)
            | (part & back) >> ONE
            | (part << ONE & back)
        )
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
        rest &= ~part
        n = popcount(part)
        mine_h = h & (part | part << stride)
        mine_v = v & (part | part << ONE)
        j_up = (part & h) >> stride & junctions
        j_low = (part & h >> stride) << stride & junctions
        j_left = (part & v) >> ONE & junctions
        j_right = (part & v >> ONE) << ONE & junctions
        ends = j_up | j_low | j_left | j_right
        if ends != ZERO:
            takes = n
            first = number[lowest(ends)]
            others = ends & (ends - ONE)
            second = number[lowest(others)]
            if others == ZERO and (
                popcount(j_up) + popcount(j_low) + popcount(j_left) + popcount(j_right) == 2
            ):
                second = first
                if ends & four == ZERO:
                    # It comes back to its junction, which has one edge more: that goes as well,
                    # with all links behind it.
                    here = ends
                    while here != ZERO:
                        takes += 1
                        out_h = h & ~mine_h & (here | here << stride)
                        out_v = v & ~mine_v & (here | here << ONE)
                        mine_h |= out_h
                        mine_v |= out_v
                        here = (
                            (here & out_h) >> stride
                            | (here & out_h >> stride) << stride
                            | (here & out_v) >> ONE
                            | (here & out_v >> ONE) << ONE
                        ) & links
            row = first * (ground + 1) + second
            m = lengths[n]
            a0 += pairs[row, 0] * m
            a1 += pairs[row, 1] * m
            a2 += pairs[row, 2] * m
            a3 += pairs[row, 3] * m
            a4 += pairs[row, 4] * m
            a5 += pairs[row, 5] * m
            a6 += pairs[row, 6] * m
            a7 += pairs[row, 7] * m
            open_h[num_open] = mine_h
            open_v[num_open] = mine_v
            open_takes[num_open] = takes
            open_keeps[num_open] = 2 if n > 2 else 0
            num_open += 1
        elif popcount(mine_h) + popcount(mine_v) == n:
            alone += single[1, n]
            if at_loop < 0 or n < open_takes[at_loop]:
                if at_loop < 0:
                    at_loop = num_open
                    num_open += 1
                open_h[at_loop] = mine_h
                open_v[at_loop] = mine_v
                open_takes[at_loop] = n
                open_keeps[at_loop] = 4
            num_loops = insert(loops, num_loops, n)
        elif n == 1:
            if has1:
                h ^= mine_h | h1
                v ^= mine_v | v1
                boxes -= 2
            h1 = mine_h
            v1 = mine_v
            has1 = not has1
        elif n == 2:
            if has2:
                h ^= mine_h | h2
                v ^= mine_v | v2
                boxes -= 4
            h2 = mine_h
            v2 = mine_v
            has2 = not has2
        else:
            alone += single[0, n]
            if at_long < 0 or n < open_takes[at_long]:
                if at_long < 0:
                    at_long = num_open
                    num_open += 1
                open_h[at_long] = mine_h
                open_v[at_long] = mine_v
                open_takes[at_long] = n
                open_keeps[at_long] = 2
            num_chains = insert(chains, num_chains, n)
    if junctions == ZERO:
        if has2:
            num_chains = insert(chains, num_chains, 2)
        if has1:
            num_chains = insert(chains, num_chains, 1)
        value = -control_value(chains, num_chains, loops, num_loops, scratch[2])
        return h, v, boxes, value, ZERO, ZERO, ZERO, 0
    if has1:
        alone += single[0, 1]
        open_h[num_open] = h1
        open_v[num_open] = v1
        open_takes[num_open] = 1
        open_keeps[num_open] = 0
        num_open += 1
    if has2:
        alone += single[0, 2]
        if not has1:
            open_h[num_open] = h2
            open_v[num_open] = v2
            open_takes[num_open] = 2
            open_keeps[num_open] = 0
            num_open += 1
    safe_h, safe_v = safe_edges(h, v, junctions, masks)
    for half in range(2):
        word = safe_h if half == 0 else safe_v
        row = 8 * half
        while word != ZERO:
            byte = np.int64(word & U(255))
            if byte:
                a0 += safe_table[row, byte, 0]
                a1 += safe_table[row, byte, 1]
                a2 += safe_table[row, byte, 2]
                a3 += safe_table[row, byte, 3]
                a4 += safe_table[row, byte, 4]
                a5 += safe_table[row, byte, 5]
                a6 += safe_table[row, byte, 6]
                a7 += safe_table[row, byte, 7]
            row += 1
            word >>= U(8)
    key = min(min(min(a0, a1), min(a2, a3)), min(min(a4, a5), min(a6, a7))) + alone
    key ^= key >> U(32)
    key *= U(0xD6E8FEB86659FD93)
    key ^= key >> U(32)
    key *= U(0xD6E8FEB86659FD93)
    key ^= key >> U(32)
    return h, v, boxes, 0, key, safe_h, safe_v, num_open
