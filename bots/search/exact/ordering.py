"""Order the moves of the exact search: those that win control first, then by the work after them.

Theory of operation
-------------------
A cutoff needs one move that is good enough. If the player to move can win Nimstring
(`doublecross.bots.search.exact.nimstring`), the moves that do so come first. Among equals, a cheap
forecast of the size of the tree below a move decides. That size depends on the structure of the
position that the move leaves: positions with few safe edges, with many boxes in chains and with
long chains need few nodes. The weights were found by coordinate descent on the number of nodes for
random positions of careful play on 3x4, 3x5, 4x4 and 5x5.

`docs/engines.md` has the figures, and what did not help.
"""

from __future__ import annotations

from typing import Any, Final

from doublecross.bots.search.bits import ONE, ZERO, U, narrow, popcount
from doublecross.bots.search.exact.layout import STRIDE
from doublecross.bots.search.exact.nimstring import (
    FIRST,
    PART_H,
    PART_V,
    SECOND,
    Nimbers,
    divide,
    option,
)
from doublecross.bots.search.exact.structure import safe_edges, valences
from doublecross.bots.search.jit import kernel

# The weights of the forecast; the last three are for an opening, see `price`.
SAFE: Final = 400
ODD: Final = -100
LINK: Final = -1350
JOINED: Final = -600
FOUR: Final = 349
JUNCTION: Final = 800
TAKES: Final = 200
KEEPS: Final = 1000
OPENS: Final = 200

FEWEST: Final = 6
"""With fewer moves, a position is not worth the time for Nimstring."""
WINS: Final = 1 << 24
"""More than all forecasts: the bonus of a move that wins Nimstring."""
LATER: Final = -(1 << 32)
"""Below this order moves wait, because another thread searches them."""
DONE: Final = -(1 << 40)
"""The order of a move that is decided: it was searched, or need not be."""


@kernel
def forecast(h: Any, v: Any, masks: Any) -> Any:
    """Return a forecast for a move that leaves the position `h`, `v`; search the highest first."""
    stride = masks[STRIDE]
    junctions, links, four = valences(h, v, masks)
    safe_h, safe_v = safe_edges(h, v, junctions, masks)
    joined = popcount(links & h & links << stride) + popcount(links & v & links << ONE)
    safe = popcount(safe_h) + popcount(safe_v)
    return -(
        SAFE * safe
        + ODD * (safe & 1)
        + LINK * popcount(links)
        + JOINED * joined
        + FOUR * popcount(four)
        + JUNCTION * popcount(junctions)
    )


@kernel
def price(takes: int, keeps: int) -> int:
    """Return what to subtract from the forecast of an opening that gives `takes` boxes away.

    `keeps` of the boxes may be declined.
    """
    return TAKES * takes + OPENS + (KEEPS if keeps else 0)


@kernel
def list_moves(
    ply: int,
    num: int,
    h: Any,
    v: Any,
    safe_h: Any,
    safe_v: Any,
    short: Any,
    spare: Any,
    masks: Any,
    nimbers: Nimbers,
    move_h: Any,
    move_v: Any,
    takes: Any,
    keeps: Any,
    order: Any,
) -> int:
    """Add the safe edges to the `num` openings in the rows `ply`; order all; return their number.

    The other arguments are results of `scan` and the arrays of the search's stack.
    """
    junctions, _, _ = valences(h, v, masks)
    parts = nimbers.parts
    if num + popcount(safe_h) + popcount(safe_v) < FEWEST:
        # The tree below is so small that Nimstring would take more time than it saves.
        count = 1
        nimber = U(16)
        parts[0, PART_H] = h
        parts[0, PART_V] = v
    else:
        count, nimber = divide(h, v, short | junctions, junctions, spare, masks, nimbers)
    # A move wins if the nimber after it is 0. In a lost position no move does.
    winnable = nimber != ZERO and nimber < U(16)
    openings = num
    if winnable:
        for i in range(openings):
            # Of the openings that nothing can be declined after, the independent one leaves 0 or 1.
            # If the chain is part of a component, the loop below sets its place.
            order[ply, i] = 0 if keeps[ply, i] == 0 and nimber == ONE else -WINS - takes[ply, i]
    else:
        for i in range(openings):
            order[ply, i] = 0
    for part in range(count):
        part_h = parts[part, PART_H]
        part_v = parts[part, PART_V]
        first = narrow(parts[part, FIRST])
        second = narrow(parts[part, SECOND])
        wanted = nimber ^ first & U(15)
        number = 0
        left_h = safe_h & part_h
        left_v = safe_v & part_v
        while left_h | left_v != ZERO:
            bit_h = left_h & (~left_h + ONE)
            bit_v = left_v & (~left_v + ONE) if bit_h == ZERO else ZERO
            left_h ^= bit_h
            left_v ^= bit_v
            move_h[ply, num] = bit_h
            move_v[ply, num] = bit_v
            takes[ply, num] = 0
            keeps[ply, num] = 0
            wins = not winnable or option(first, second, number) == wanted
            order[ply, num] = 0 if wins else -WINS
            num += 1
            number += 1
        if winnable:
            for i in range(openings):
                if keeps[ply, i] == 0 and (
                    (move_h[ply, i] & part_h) | (move_v[ply, i] & part_v) != ZERO
                ):
                    wins = option(first, second, number) == wanted
                    order[ply, i] = 0 if wins else -WINS - takes[ply, i]
                    number += 1
    return num


@kernel
def weigh(
    ply: int,
    num: int,
    h: Any,
    v: Any,
    masks: Any,
    move_h: Any,
    move_v: Any,
    takes: Any,
    keeps: Any,
    order: Any,
) -> None:
    """Order those of the `num` moves that `list_moves` left at 0, by the work after them."""
    # The forecast of moves that lose Nimstring is not worth its time.
    for i in range(num):
        if order[ply, i] == 0:
            order[ply, i] = forecast(h & ~move_h[ply, i], v & ~move_v[ply, i], masks)
            if takes[ply, i]:
                order[ply, i] -= price(takes[ply, i], keeps[ply, i])
