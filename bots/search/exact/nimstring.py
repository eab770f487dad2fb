"""Find the moves that win the fight for control: Nimstring, without counting boxes.

Theory of operation
-------------------
*Nimstring* has the moves of Dots and Boxes, but whoever cannot move loses, and boxes do not count.
Its winner nearly always gets control in the fight for the long chains. So the exact search tries
the winning moves of Nimstring first (`doublecross.bots.search.exact.ordering`). The result only
orders moves: no value depends on it.

To open a long chain or a loop loses Nimstring: the opponent can take all boxes, or all but the last
ones, whichever leaves the other player to move in a lost position. All other moves pass the turn.
So Nimstring is an impartial game, and the Sprague-Grundy theorem holds: a position has a *nimber*,
the smallest number that is not the nimber after any move; the nimber of a sum is the bitwise
exclusive or of its parts; and the player to move loses if and only if the nimber is 0.

The parts are small. The ground separates them, and so does every long chain, because nobody opens
it and it stays long whatever happens at its ends. A *part* therefore consists of junctions that
safe edges and chains of 1 or 2 boxes connect. Its words have all free edges of its boxes; of a long
chain at its rim they have only the first edge, so a box with one edge stands for a long chain. An
independent chain of 1 or 2 boxes has the nimber 1.

A table has the nimber of each part and of all its moves. Parts with more than `MOST` safe edges
have too many descendants; their nimber stays unknown.

Source: E. Berlekamp, J. Conway and R. Guy, Winning Ways, chapter 16; E. Berlekamp, The Dots and
Boxes Game, 2000.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ONE, ZERO, U, fold, lowest, narrow, popcount, size
from doublecross.bots.search.exact.layout import BOX, STRIDE
from doublecross.bots.search.exact.structure import safe_edges, valences
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.wide import NARROW, WordKind

MOST: Final = 7
"""The nimber of a part with more safe edges stays unknown."""
MOST_LARGE: Final = 14
"""On boards with long words, also the nimber of a part with more moves: it could take seconds."""
_LEAST: Final = 1 << 10
_MOST: Final = 1 << 15
SHARE: Final = 1 / 16
"""The memory of all tables of nimbers, as a share of the transposition table."""

# Columns of `Nimbers.entries` and `Nimbers.parts`. The four lowest bits of FIRST are the nimber.
# Then come the nimbers after each move, four bits each: 15 moves in FIRST, 16 in SECOND. The order
# of the moves is that of their lowest bits: safe edges of H, those of V, and short chains.
PART_H, PART_V, FIRST, SECOND = range(4)

# Columns of `Nimbers.frames`: a part, its moves that are left, its nimbers so far, the nimbers that
# occurred (as bits), the number of moves so far; the position after the move of now, the boxes
# that connect its parts, the junctions whose parts are left, and its nimber so far.
(
    OF_H,
    OF_V,
    LEFT_H,
    LEFT_V,
    CHAINS,
    HERE_FIRST,
    HERE_SECOND,
    SEEN,
    COUNT,
    NEXT_H,
    NEXT_V,
    AREA,
    REST,
    SUM,
) = range(14)


class Nimbers(NamedTuple):
    """The table of nimbers with working space; the columns are named above.

    `entries` has a row for each part, in the place that its words determine. `frames` has a row for
    each part that is being computed, `parts` one for each part of a position.
    """

    entries: NDArray[np.uint64]
    frames: NDArray[np.uint64]
    parts: NDArray[np.uint64]


def new_nimbers(memory_mb: float, edges: int, kind: WordKind = NARROW) -> Nimbers:
    """Return an empty table of about `memory_mb` MiB for boards with `edges` edges."""
    entries = _LEAST
    while 2 * entries * kind.bits // 2 <= memory_mb * 2**20 and entries < _MOST:
        entries *= 2
    return Nimbers(
        kind.array((entries, 4)),
        kind.array((edges + 2, 14)),
        kind.array((kind.bits, 4)),
    )


@kernel
def spread(part: Any, up: Any, back: Any, stride: Any) -> Any:
    """Return the boxes that are connected with `part` by the edges `up` and `back`.

    Bit b of `up` connects box b with the box above it, and of `back` with the box on its left.
    """
    # Most parts are small: one step without a test is cheaper than a test for each step.
    part |= (
        (part & up) >> stride | (part << stride & up) | (part & back) >> ONE | (part << ONE & back)
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
            return part
        part = grown


@kernel
def beside(part: Any, h: Any, v: Any, stride: Any) -> Any:
    """Return the boxes that an edge connects with a box of `part`, and places beyond the border."""
    return (
        (part & h) >> stride
        | (part & h >> stride) << stride
        | (part & v) >> ONE
        | (part & v >> ONE) << ONE
    )


@kernel
def survey(h: Any, v: Any, masks: Any) -> Any:
    """Return (area, junctions, nimber) of words in which a box with one edge is a long chain.

    `area` has the junctions and the short chains between them, and `nimber` belongs to the
    independent short chains.
    """
    stride = masks[STRIDE]
    junctions, links, _ = valences(h, v, masks)
    up = links & h & links << stride
    back = links & v & links << ONE
    long = masks[BOX] & ~junctions & ~links
    area = junctions
    nimber = ZERO
    rest = links
    while rest != ZERO:
        chain = spread(rest & (~rest + ONE), up, back, stride)
        rest &= ~chain
        if popcount(chain) < 3:
            ends = beside(chain, h, v, stride)
            if ends & long == ZERO:
                if ends & junctions != ZERO:
                    area |= chain
                else:
                    nimber ^= ONE
    return area, junctions, nimber


@kernel
def place_of(h: Any, v: Any, entries: Any) -> Any:
    """Return the row of `entries` for the part `h`, `v`."""
    word = fold(h) * U(0x9E3779B97F4A7C15)
    word ^= (fold(v) + U(0x7F4A7C15)) * U(0xD6E8FEB86659FD93)
    word ^= word >> U(29)
    word *= U(0xBF58476D1CE4E5B9)
    return np.int64(word >> U(20) & U(entries.shape[0] - 1))


@kernel
def option(first: Any, second: Any, number: int) -> Any:
    """Return the nimber after the move with this number, from the columns FIRST and SECOND."""
    if number < 15:
        return first >> U(4 + 4 * number) & U(15)
    return second >> U(4 * (number - 15)) & U(15)


@kernel
def start(frames: Any, depth: int, h: Any, v: Any, masks: Any) -> None:
    """Begin to compute the part `h`, `v` in the frame `depth`."""
    junctions, links, _ = valences(h, v, masks)
    frames[depth, LEFT_H], frames[depth, LEFT_V] = safe_edges(h, v, junctions, masks)
    frames[depth, OF_H] = h
    frames[depth, OF_V] = v
    frames[depth, CHAINS] = links
    frames[depth, HERE_FIRST] = ZERO
    frames[depth, HERE_SECOND] = ZERO
    frames[depth, SEEN] = ZERO
    frames[depth, COUNT] = ZERO
    frames[depth, REST] = ZERO


@kernel
def solve_part(h: Any, v: Any, masks: Any, nimbers: Nimbers) -> Any:
    """Return the columns FIRST and SECOND of the part `h`, `v`, from the table or computed."""
    entries, frames = nimbers.entries, nimbers.frames
    place = place_of(h, v, entries)
    if entries[place, PART_H] == h and entries[place, PART_V] == v:
        return narrow(entries[place, FIRST]), narrow(entries[place, SECOND])
    stride = masks[STRIDE]
    depth = 0
    begun = False
    start(frames, 0, h, v, masks)
    while True:
        # Step 1: the parts of the position after the move of now.
        rest = frames[depth, REST]
        if rest != ZERO:
            next_h = frames[depth, NEXT_H]
            next_v = frames[depth, NEXT_V]
            area = frames[depth, AREA]
            part = spread(
                rest & (~rest + ONE),
                area & next_h & area << stride,
                area & next_v & area << ONE,
                stride,
            )
            part_h = next_h & (part | part << stride)
            part_v = next_v & (part | part << ONE)
            place = place_of(part_h, part_v, entries)
            if entries[place, PART_H] == part_h and entries[place, PART_V] == part_v:
                frames[depth, REST] = rest & ~part
                frames[depth, SUM] ^= entries[place, FIRST] & U(15)
            else:
                # This frame reads the entry when the next frame has stored it.
                depth += 1
                start(frames, depth, part_h, part_v, masks)
                begun = False
            continue
        # Step 2: the nimber after the move of now is complete.
        if begun:
            nimber = min(narrow(frames[depth, SUM]), U(15))
            number = narrow(frames[depth, COUNT])
            if number < U(15):
                frames[depth, HERE_FIRST] |= nimber << (U(4) + U(4) * number)
            elif number < U(31):
                frames[depth, HERE_SECOND] |= nimber << (U(4) * (number - U(15)))
            frames[depth, SEEN] |= ONE << nimber
            frames[depth, COUNT] = number + ONE
        # Step 3: the next move.
        next_h = frames[depth, OF_H]
        next_v = frames[depth, OF_V]
        left_h = frames[depth, LEFT_H]
        left_v = frames[depth, LEFT_V]
        chains = frames[depth, CHAINS]
        if left_h != ZERO:
            frames[depth, LEFT_H] = left_h & (left_h - ONE)
            next_h ^= left_h & (~left_h + ONE)
        elif left_v != ZERO:
            frames[depth, LEFT_V] = left_v & (left_v - ONE)
            next_v ^= left_v & (~left_v + ONE)
        elif chains != ZERO:
            up = chains & next_h & chains << stride
            back = chains & next_v & chains << ONE
            chain = spread(chains & (~chains + ONE), up, back, stride)
            frames[depth, CHAINS] = chains & ~chain
            next_h &= ~(chain | chain << stride)
            next_v &= ~(chain | chain << ONE)
        else:
            # Step 4: the part has no more moves. Its nimber is the smallest that did not occur.
            place = place_of(next_h, next_v, entries)
            nimber = U(min(lowest(~frames[depth, SEEN]), 15))
            entries[place, PART_H] = next_h
            entries[place, PART_V] = next_v
            entries[place, FIRST] = frames[depth, HERE_FIRST] | nimber
            entries[place, SECOND] = frames[depth, HERE_SECOND]
            if depth == 0:
                return narrow(entries[place, FIRST]), narrow(entries[place, SECOND])
            depth -= 1
            begun = True
            continue
        area, junctions, nimber = survey(next_h, next_v, masks)
        frames[depth, NEXT_H] = next_h
        frames[depth, NEXT_V] = next_v
        frames[depth, AREA] = area
        frames[depth, REST] = junctions
        frames[depth, SUM] = nimber
        begun = True


@kernel
def divide(
    h: Any, v: Any, area: Any, junctions: Any, spare: Any, masks: Any, nimbers: Nimbers
) -> Any:
    """Write the parts of a position to ``nimbers.parts``; return their number and the nimber.

    `area` has the junctions and the short chains that touch them; `spare` is the nimber of the
    independent short chains. The nimber of the position is 16 if that of a part is unknown.
    """
    parts = nimbers.parts
    stride = masks[STRIDE]
    up = area & h & area << stride
    back = area & v & area << ONE
    count = 0
    nimber = spare
    known = True
    rest = junctions
    while rest != ZERO:
        part = spread(rest & (~rest + ONE), up, back, stride)
        rest &= ~part
        part_h = h & (part | part << stride)
        part_v = v & (part | part << ONE)
        safe_h, safe_v = safe_edges(part_h, part_v, junctions & part, masks)
        parts[count, PART_H] = part_h
        parts[count, PART_V] = part_v
        safe = popcount(safe_h) + popcount(safe_v)
        # The number of boxes in short chains is a bound for the number of these chains.
        if safe > MOST or (size(h) > 8 and safe + popcount(part & ~junctions) > MOST_LARGE):
            known = False
        elif known:
            first, second = solve_part(part_h, part_v, masks, nimbers)
            parts[count, FIRST] = first
            parts[count, SECOND] = second
            nimber ^= first & U(15)
        count += 1
    if not known:
        nimber = U(16)
    return count, nimber
