"""Find the structure of a position: junctions, safe edges, chains, loops, openings and its key.

Theory of operation
-------------------
Positions here have no captures: every remaining box has two to four free edges. A box with two is
part of a chain or loop, a box with more is a junction. `scan` finds each chain by a flood fill over
the boxes with two free edges. The ends of a chain determine the position after opening and taking
it:

- Drawing any edge of a chain lets the opponent take its n boxes and no more, because a junction at
  its end keeps at least two free edges. There is one exception: if both ends of the chain lead to
  the same junction, and that junction has only one more free edge, the opponent can also take the
  junction and the chain behind it.
- The opponent can decline the last four boxes of a loop, and the last two of a chain of 3 or more.
  A chain of 2 is opened by its middle edge (the hard-hearted handout), which leaves nothing to
  decline, like a chain of 1.

Three facts reduce the number of openings and of keys. A chain is *independent* if no end of it
leads to a junction.

- Of the independent chains and loops, only the shortest short chain (1 or 2 boxes), the shortest
  long chain and the shortest loop need to be opened. Making a long chain longer by one box changes
  a value by at most one, because this holds for every move in either position, by induction. So if
  m < n, opening the chain of m boxes gives n - m boxes less away, and keeping the chain of n boxes
  costs at most n - m. The same holds for loops, two boxes at a time, and for a chain of 1 compared
  with a chain of 2.
- Two independent chains of 1 cancel, and so do two independent chains of 2: the opponent answers
  the opening of one by opening the other. Then the same player is to move, and both have the same
  number of boxes more.
- A value depends on the junctions and on the lengths of the chains between them, but not on the
  course of these chains.

Sources: as in `doublecross.bots.search.exact.endgame`, and J. Barker and R. Korf, Solving
Dots-and-Boxes, AAAI 2012.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ONE, ZERO, U, bit, has, lowest, narrow, popcount, size
from doublecross.bots.search.exact.endgame import control_value
from doublecross.bots.search.exact.layout import (
    BOTTOM,
    BOX,
    IMAGES,
    LANES,
    LEFT,
    RIGHT,
    STRIDE,
    TOP,
)
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.wide import NARROW, WordKind

# Elements of `Scratch.counts`.
ATTACHED, ONES, TWOS = range(3)
ALONE = LANES
"""The place in `Scratch.sums` after those of the lanes."""


class Scratch(NamedTuple):
    """The working space of `scan`, and what it found about the last position with junctions.

    `lengths` is working space. The rest is for `doublecross.bots.search.exact.children`: the boxes
    of each chain that leads to a junction (`links`) and its part of the key for each lane
    (`parts`), the sum of the key for each lane (`sums`; in the place `ALONE` that of the
    independent loops and long chains), the number of these chains and whether there is an
    independent chain of 1 and of 2 (`counts`). `child` is working space for the sums of a child,
    `keys` and `sizes` for the keys and numbers of boxes of all children.
    """

    lengths: NDArray[np.int64]
    links: NDArray[Any]
    parts: NDArray[np.uint64]
    sums: NDArray[np.uint64]
    counts: NDArray[np.int64]
    child: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    sizes: NDArray[np.int64]


def new_scratch(kind: WordKind = NARROW) -> Scratch:
    """Return working space for words of `kind`."""
    return Scratch(
        np.zeros((3, kind.bits), np.int64),
        kind.array(kind.bits),
        np.zeros((kind.bits, LANES), np.uint64),
        np.zeros(LANES + 1, np.uint64),
        np.zeros(3, np.int64),
        np.zeros(LANES, np.uint64),
        # A move uses an edge that no other move uses, or is the opening of a chain or loop.
        np.zeros(4 * kind.bits, np.uint64),
        np.zeros(4 * kind.bits, np.int64),
    )


@kernel
def settle(h: Any, v: Any, corners: Any) -> Any:
    """Return the words after moving the free ones of interchangeable edges to the first places."""
    for i in range(corners.shape[0]):
        a = corners[i, 1]
        b = corners[i, 3]
        first = has(h if corners[i, 0] == 0 else v, a)
        second = has(h if corners[i, 2] == 0 else v, b)
        if second > first:
            if corners[i, 0] == 0:
                h ^= bit(a, h)
            else:
                v ^= bit(a, v)
            if corners[i, 2] == 0:
                h ^= bit(b, h)
            else:
                v ^= bit(b, v)
    return h, v


@kernel
def valences(h: Any, v: Any, masks: Any) -> Any:
    """Return the boxes with three or four free edges, those with two, and those with four.

    The function adds the four edges of all boxes at once, as binary digits.
    """
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
    """Return the free edges that have a junction or the ground on both sides."""
    safe_h = h & (junctions | masks[BOTTOM]) & (junctions << masks[STRIDE] | masks[TOP])
    safe_v = v & (junctions | masks[RIGHT]) & (junctions << ONE | masks[LEFT])
    return safe_h, safe_v


@kernel
def mixed(key: Any) -> Any:
    """Mix the bits of a sum: the table uses the low ones for the bucket, the high ones as tag."""
    key ^= key >> U(32)
    key *= U(0xD6E8FEB86659FD93)
    key ^= key >> U(32)
    key *= U(0xD6E8FEB86659FD93)
    return key ^ key >> U(32)


@kernel
def insert(lengths: Any, count: int, n: int) -> int:
    """Insert `n` into `count` ascending lengths, and return the new number of lengths."""
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
    """Find the structure of the position with the free edges `h`, `v`, which has no captures.

    Returns (h, v, boxes, value, key, safe_h, safe_v, openings, short, spare). `h` and `v` are the
    words without the chains that cancel, and `boxes` is the number of boxes left. Without
    junctions, `value` is the value for the player to move and `key` is 0. With junctions, `value`
    is 0, `key` is the key of the position, `safe_h` and `safe_v` are the safe edges, and the first
    `openings` rows of the arrays describe the openings: the edges that the opening uses (`open_h`,
    `open_v`), the boxes that it gives away (`open_takes`), and how many of these can be declined:
    0, 2 or 4 (`open_keeps`). `short` has the boxes of the chains of 1 or 2 boxes that lead to a
    junction, and `spare` is 1 if the number of independent chains of 1 or 2 boxes is odd, else 0.
    `scratch` is working space.
    """
    masks, safe_table, pairs, lengths, single, number, corners = tables
    h, v = settle(h, v, corners)
    stride = masks[STRIDE]
    images = masks[IMAGES] != ZERO
    junctions, links, four = valences(h, v, masks)
    boxes = popcount(junctions | links)
    # Within chains: free edges from a box to the one above it, and to the one on its left.
    up = links & h & links << stride
    back = links & v & links << ONE
    chains = scratch.lengths[0]
    loops = scratch.lengths[1]
    num_links = 0
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
    short = ZERO
    # Above the last bit of a word there is no box.
    ground = number[8 * size(h)]
    rest = links
    while rest != ZERO:
        part = rest & (~rest + ONE)
        # Most chains are short: two steps without a test are cheaper than a test for each step.
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
            if n < 3:
                short |= part
            first = number[lowest(ends)]
            others = ends & (ends - ONE)
            second = number[lowest(others)]
            # Both ends are at the same junction if only one box is reached, over two edges.
            if others == ZERO and (
                popcount(j_up) + popcount(j_low) + popcount(j_left) + popcount(j_right) == 2
            ):
                second = first
                if ends & four == ZERO:
                    # Both ends are at one junction, which has one more free edge: the opponent
                    # can take the junction too, with the chain behind it.
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
            scratch.links[num_links] = part
            scratch.parts[num_links, 0] = pairs[row, 0] * m
            a0 += pairs[row, 0] * m
            if images:
                for lane in range(1, LANES):
                    scratch.parts[num_links, lane] = pairs[row, lane] * m
                a1 += pairs[row, 1] * m
                a2 += pairs[row, 2] * m
                a3 += pairs[row, 3] * m
                a4 += pairs[row, 4] * m
                a5 += pairs[row, 5] * m
                a6 += pairs[row, 6] * m
                a7 += pairs[row, 7] * m
            num_links += 1
            open_h[num_open] = mine_h
            open_v[num_open] = mine_v
            open_takes[num_open] = takes
            open_keeps[num_open] = 2 if n > 2 else 0
            num_open += 1
        elif popcount(mine_h) + popcount(mine_v) == n:
            # As many edges as boxes: a loop. A chain has one edge more.
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
            # A second chain of the same length cancels the first; see above.
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
        value = -control_value(chains, num_chains, loops, num_loops, scratch.lengths[2])
        return h, v, boxes, value, ZERO, ZERO, ZERO, 0, ZERO, ZERO
    scratch.counts[ATTACHED] = num_links
    scratch.counts[ONES] = 1 if has1 else 0
    scratch.counts[TWOS] = 1 if has2 else 0
    scratch.sums[ALONE] = alone
    if has1:
        alone += single[0, 1]
        open_h[num_open] = h1
        open_v[num_open] = v1
        open_takes[num_open] = 1
        open_keeps[num_open] = 0
        num_open += 1
    if has2:
        alone += single[0, 2]
        # Only the shortest short chain needs to be opened; see above.
        if not has1:
            open_h[num_open] = h2
            open_v[num_open] = v2
            open_takes[num_open] = 2
            open_keeps[num_open] = 0
            num_open += 1
    safe_h, safe_v = safe_edges(h, v, junctions, masks)
    for half in range(2):
        word = safe_h if half == 0 else safe_v
        row = size(word) * half
        while word != ZERO:
            byte = np.int64(narrow(word) & U(255))
            if byte:
                a0 += safe_table[row, byte, 0]
                if images:
                    a1 += safe_table[row, byte, 1]
                    a2 += safe_table[row, byte, 2]
                    a3 += safe_table[row, byte, 3]
                    a4 += safe_table[row, byte, 4]
                    a5 += safe_table[row, byte, 5]
                    a6 += safe_table[row, byte, 6]
                    a7 += safe_table[row, byte, 7]
            row += 1
            word >>= U(8)
    key = a0
    scratch.sums[0] = a0
    if images:
        scratch.sums[1] = a1
        scratch.sums[2] = a2
        scratch.sums[3] = a3
        scratch.sums[4] = a4
        scratch.sums[5] = a5
        scratch.sums[6] = a6
        scratch.sums[7] = a7
        key = min(min(min(a0, a1), min(a2, a3)), min(min(a4, a5), min(a6, a7)))
    key += alone
    key = mixed(key)
    spare = ONE if has1 != has2 else ZERO
    return h, v, boxes, 0, key, safe_h, safe_v, num_open, short, spare
