"""The kernels of the teacher `labels`: list and value moves, play at random, label a game.

`doublecross.bots.training.teachers.labels` explains them. They are in one file, because numba sees
changes only in the file of the kernel that Python calls.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.bits import ONE, ZERO, U, lowest, popcount
from doublecross.bots.search.chance import random_below
from doublecross.bots.search.exact.kernel import COUNT, RESULT, Stack, after, begin, search
from doublecross.bots.search.exact.layout import BOX, STRIDE, layout
from doublecross.bots.search.exact.structure import scan
from doublecross.bots.search.jit import kernel
from doublecross.games.dots_and_boxes.board import Board

UNKNOWN: Final = 1000
"""Stands for the value of a move that took too many nodes."""


class MoveRow(NamedTuple):
    """The moves of one position: their edges, what they give away, and their values."""

    move_h: NDArray[np.uint64]
    move_v: NDArray[np.uint64]
    takes: NDArray[np.int64]
    keeps: NDArray[np.int64]
    values: NDArray[np.int64]


class LabelRows(NamedTuple):
    """The samples of one game, a row for each position.

    `words` (n, 2): the free edges. `policy` (n, E): the weight of each edge, the sum of a row is 1.
    `legal` (n, E): 1 for the edges of moves. `value` (n,). `ownership` (n, B): how probably the
    player to move gets each box. `owned` (n,): 1 if the ownership is known. `chosen` (n, 4): the
    boxes given away by the move that was played, how many could be declined, the value of the
    position after it, and whether it was a best move.
    """

    words: NDArray[np.uint64]
    policy: NDArray[np.float32]
    legal: NDArray[np.uint8]
    value: NDArray[np.int64]
    ownership: NDArray[np.float32]
    owned: NDArray[np.uint8]
    chosen: NDArray[np.int64]


class Places(NamedTuple):
    """The edge at each bit of the words H and V (2, 64), and the bit of each box (B,)."""

    edge_at: NDArray[np.int64]
    box_bit: NDArray[np.int64]


@kernel
def list_all_moves(h: Any, v: Any, row: MoveRow, stack: Stack, tables: Any) -> Any:
    """List the moves of a position without captures in `row`.

    Returns (h, v, number of moves, value). Without junctions there are no moves, and `value` is the
    value for the player to move. The returned `h`, `v` are those of `scan`: chains that cancel are
    gone, and of interchangeable edges the first is free. The moves belong to this position.
    """
    move_h, move_v, takes, keeps, _ = row
    h, v, _, value, key, safe_h, safe_v, num, _, _ = scan(
        h, v, tables, move_h, move_v, takes, keeps, stack.scratch
    )
    if key == ZERO:
        return h, v, 0, value
    for half in range(2):
        word = safe_h if half == 0 else safe_v
        while word != ZERO:
            bit = word & (~word + ONE)
            word ^= bit
            move_h[num] = bit if half == 0 else ZERO
            move_v[num] = bit if half == 1 else ZERO
            takes[num] = 0
            keeps[num] = 0
            num += 1
    return h, v, num, 0


@kernel
def boxes_with_edges(h: Any, v: Any, tables: Any) -> Any:
    """Return the boxes that have a free edge, as a word."""
    masks = tables.masks
    return (h | h >> masks[STRIDE] | v | v >> ONE) & masks[BOX]


@kernel
def find_value(
    h: Any, v: Any, guess: int, nodes: int, stack: Stack, table: Any, tables: Any
) -> Any:
    """Return (value, nodes searched) of a position without captures, for the player to move.

    The value is `UNKNOWN` if the search would take more than `nodes` nodes.
    """
    left = popcount(boxes_with_edges(h, v, tables))
    low, high = -left, left
    used = 0
    if (guess - low) & 1:
        guess += 1
    while low < high:
        guess = min(max(guess, low), high)
        bound = guess if guess > low else guess + 2
        begin(stack, h, v, bound - 1, bound)
        done = search(nodes - used, stack, table, tables)
        used += stack.registers[COUNT]
        if not done:
            return UNKNOWN, used
        guess = stack.registers[RESULT]
        if guess >= bound:
            low = max(low, guess)
        else:
            high = min(high, guess)
    return low, used


@kernel
def value_moves(
    h: Any, v: Any, count: int, nodes: int, row: MoveRow, stack: Stack, table: Any, tables: Any
) -> Any:
    """Find the values of the `count` moves in `row`; return (best value, nodes searched).

    The best value is `UNKNOWN` if this would take more than `nodes` nodes.
    """
    move_h, move_v, takes, keeps, values = row
    best = -UNKNOWN
    used = 0
    guess = 0
    for i in range(count):
        value, cost = find_value(
            h & ~move_h[i], v & ~move_v[i], guess, nodes - used, stack, table, tables
        )
        used += cost
        if value == UNKNOWN:
            return UNKNOWN, used
        guess = value
        values[i] = after(takes[i], keeps[i], value)
        best = max(best, values[i])
    return best, used


@kernel
def play_at_random(
    h: Any, v: Any, free: int, slope: float, row: MoveRow, random: Any, stack: Stack, tables: Any
) -> Any:
    """Play safe edges, and with probability `slope` openings, until `free` edges are free.

    Returns the free edges (h, v); both are 0 if no junction is left before that.
    """
    while popcount(h) + popcount(v) > free:
        h, v, count, _ = list_all_moves(h, v, row, stack, tables)
        if count == 0:
            return ZERO, ZERO
        openings = 0
        while openings < count and row.takes[openings] > 0:
            openings += 1
        # `list_all_moves` puts the openings first.
        risky = openings == count
        if openings and not risky:
            risky = random_below(random, 1 << 20) < slope * (1 << 20)
        if risky:
            i = random_below(random, openings)
        else:
            i = openings + random_below(random, count - openings)
        h &= ~row.move_h[i]
        v &= ~row.move_v[i]
    return h, v


@kernel
def label_game(
    h: Any,
    v: Any,
    mistakes: float,
    sharpness: float,
    nodes: int,
    row: MoveRow,
    rows: LabelRows,
    places: Places,
    random: Any,
    stack: Stack,
    table: Any,
    tables: Any,
) -> int:
    """Label the positions of a game from `h`, `v` to its end in `rows`; return their number."""
    words, policy, legal, value, chosen = rows[0], rows[1], rows[2], rows[3], rows[6]
    n = 0
    end_value = 0
    while n < words.shape[0]:
        h, v, count, end_value = list_all_moves(h, v, row, stack, tables)
        if count == 0:
            break
        best, _ = value_moves(h, v, count, nodes, row, stack, table, tables)
        if best == UNKNOWN:
            # The samples so far would have no end. Continue as if the game began later.
            n = 0
            i = random_below(random, count)
            h &= ~row.move_h[i]
            v &= ~row.move_v[i]
            continue
        words[n, 0] = h
        words[n, 1] = v
        value[n] = best
        policy[n] = 0
        legal[n] = 0
        total = 0.0
        ties = 0
        for i in range(count):
            total += np.exp(sharpness * (row.values[i] - best))
            ties += row.values[i] == best
        for i in range(count):
            weight = np.exp(sharpness * (row.values[i] - best)) / total
            spread_weight(row.move_h[i], row.move_v[i], weight, policy[n], legal[n], places)
        pick = random_below(random, ties)
        at = 0
        for i in range(count):
            if row.values[i] == best:
                if pick == 0:
                    at = i
                pick -= 1
        if random_below(random, 1 << 20) < mistakes * (1 << 20):
            at = random_below(random, count)
        chosen[n, 0] = row.takes[at]
        chosen[n, 1] = row.keeps[at]
        chosen[n, 3] = row.values[at] == best
        # The value of the position after the move, from `after` backwards, is found again; the
        # table has it.
        h &= ~row.move_h[at]
        v &= ~row.move_v[at]
        chosen[n, 2], _ = find_value(h, v, 0, nodes, stack, table, tables)
        n += 1
    own_boxes(h, v, end_value, n, rows, places, tables)
    return n


@kernel
def spread_weight(h: Any, v: Any, weight: float, policy: Any, legal: Any, places: Places) -> None:
    """Spread the weight of a move evenly among its edges, and mark these as legal."""
    share = weight / (popcount(h) + popcount(v))
    for half in range(2):
        word = h if half == 0 else v
        while word != ZERO:
            edge = places.edge_at[half, lowest(word)]
            policy[edge] += share
            legal[edge] = 1
            word &= word - ONE


@kernel
def own_boxes(
    h: Any, v: Any, end_value: int, n: int, rows: LabelRows, places: Places, tables: Any
) -> None:
    """Fill in who gets each box, from the end of a game of `n` labelled positions backwards.

    `h`, `v` is the position at its end and `end_value` its value for the player to move.
    """
    words, _, _, _, ownership, owned, chosen = rows
    boxes = places.box_bit.shape[0]
    later = boxes_with_edges(h, v, tables)
    left = popcount(later)
    share = 0.5 if left == 0 else (left + end_value) / (2.0 * left)
    known = 1
    for i in range(n - 1, -1, -1):
        now = boxes_with_edges(words[i, 0], words[i, 1], tables)
        takes, keeps, rest = chosen[i, 0], chosen[i, 1], chosen[i, 2]
        declines = keeps > 0 and rest < -keeps
        # Boxes that are gone without being given away were in chains that cancel, half for each.
        gone = popcount(now & ~later)
        mine = 0.0
        if gone:
            mine = ((keeps if declines else 0) + 0.5 * (gone - takes)) / gone
        if chosen[i, 3] == 0:
            known = 0
        owned[i] = known
        for box in range(boxes):
            bit = U(places.box_bit[box])
            if later >> bit & ONE != ZERO:
                x = share if i == n - 1 else ownership[i + 1, box]
                # After declining, the player who opened moves again.
                ownership[i, box] = x if declines else 1.0 - x
            elif now >> bit & ONE != ZERO:
                ownership[i, box] = mine
            else:
                ownership[i, box] = 0.0
        later = now


def new_row(edges: int) -> MoveRow:
    """Return an empty row of moves for boards with `edges` edges."""
    most = 2 * edges + 2
    return MoveRow(
        np.zeros(most, np.uint64),
        np.zeros(most, np.uint64),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
    )


def places_of(board: Board) -> Places:
    """Return where the edges and boxes of `board` are in the words."""
    edge_at = np.zeros((2, 64), np.int64)
    for edge, (word, bit) in enumerate(layout(board).place):
        edge_at[word, bit] = edge
    stride = board.cols + 1
    bits = [box // board.cols * stride + box % board.cols for box in range(board.num_boxes)]
    return Places(edge_at, np.array(bits, np.int64))
