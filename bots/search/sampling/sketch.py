"""Estimate the value of a position on a large board by one quick random game.

Theory of operation
-------------------
On a large board the exact search cannot finish the end of a playout: without safe edges there are
still twenty chains and loops, often joined. A sketch draws random safe edges until none is left.
Then it opens the chain or loop that gives fewest boxes away, again and again, until no junction is
left and the value is known. On the way back, the player in control takes all boxes of a chain or
declines the last ones, whichever is better for the rest.

To open the shortest is a rule of thumb while there are junctions, so the result is an estimate.
"""

from __future__ import annotations

from typing import Any

from doublecross.bots.search.bits import ONE, ZERO, popcount
from doublecross.bots.search.chance import random_below
from doublecross.bots.search.exact.kernel import Stack, after
from doublecross.bots.search.exact.layout import LayoutTables
from doublecross.bots.search.exact.structure import safe_edges, scan, valences
from doublecross.bots.search.jit import kernel


@kernel
def pick(word: Any, n: int) -> Any:
    """Return the n-th set bit of `word`, counted from 0, as a word."""
    for _ in range(n):
        word &= word - ONE
    return word & (~word + ONE)


@kernel
def draw_safe(h: Any, v: Any, masks: Any, random: Any) -> Any:
    """Draw random safe edges until none is left; return the free edges and the number drawn."""
    steps = 0
    while True:
        junctions, _, _ = valences(h, v, masks)
        safe_h, safe_v = safe_edges(h, v, junctions, masks)
        many_h = popcount(safe_h)
        many = many_h + popcount(safe_v)
        if many == 0:
            return h, v, steps
        r = random_below(random, many)
        if r < many_h:
            h ^= pick(safe_h, r)
        else:
            v ^= pick(safe_v, r - many_h)
        steps += 1


@kernel
def open_all(h: Any, v: Any, stack: Stack, tables: LayoutTables) -> int:
    """Return an estimate of the value of a position with neither captures nor safe edges."""
    move_h, move_v, takes, keeps = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
    # The row 1 is free: it keeps the openings so far.
    given, declined = stack.takes[1], stack.keeps[1]
    depth = 0
    while True:
        h, v, _, value, key, _, _, num, _, _ = scan(
            h, v, tables, move_h, move_v, takes, keeps, stack.scratch
        )
        if key == ZERO:
            break
        best = 0
        for i in range(1, num):
            if takes[i] < takes[best]:
                best = i
        h &= ~move_h[best]
        v &= ~move_v[best]
        given[depth] = takes[best]
        declined[depth] = keeps[best]
        depth += 1
    for i in range(depth - 1, -1, -1):
        value = after(given[i], declined[i], value)
    return int(value)


@kernel
def sketch(h: Any, v: Any, random: Any, stack: Stack, tables: LayoutTables) -> int:
    """Return the net score of a quick random game, for the player to move at `h`, `v`."""
    h, v, steps = draw_safe(h, v, tables.masks, random)
    value = open_all(h, v, stack, tables)
    return int(-value if steps & 1 else value)
