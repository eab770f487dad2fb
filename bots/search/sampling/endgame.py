"""Rollouts on boards of any size in which both players fight for control in the endgame.

Theory of operation
-------------------
The first half is that of `rules_rollout`: take every box, then draw safe edges in random order.
After that every edge opens a chain or loop, and the result depends on who must open next. A rollout
does not play this part but computes its value. It opens the shortest chain or loop each time and
notes the number of boxes, until the board is full. Then it computes the value from the last opening
back to the first. An opening gives n boxes to the opponent, and v is the value of the rest for the
player in control of it. If k of the boxes can be declined, the opening is worth
``n - k + abs(v - k)`` to the player who takes them; if none can be declined, it is worth ``n - v``.

When no junction is left, the order of the openings is that of best play
(`doublecross.bots.search.exact.endgame`). Before that, opening the shortest is a rule of thumb, so
the value is an estimate.

Sources: as in `doublecross.bots.search.exact.endgame`; E. Berlekamp, The Dots and Boxes Game, 2000,
chapter 10.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.exact.endgame import control_value
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.sampling.board import (
    BOXES,
    EDGES,
    MOVER,
    BoardArrays,
    BoardTables,
    Scratch,
)
from doublecross.bots.search.sampling.rollouts import open_chain, play_safe, shortest_handout


@kernel
def has_junction(position: BoardArrays) -> bool:
    """Return whether some box has three or four undrawn edges."""
    for box in range(position.degree.size - 1):  # noqa: SIM110 - numba has no generators
        if position.degree[box] < 2:
            return True
    return False


@kernel
def value_of_openings(
    tables: BoardTables, position: BoardArrays, scratch: Scratch, chance: NDArray[np.uint64]
) -> int:
    """Return the net score from here on of the player to move, who must open a chain or loop.

    The position must have no captures and no safe edges. With junctions the result is an estimate.
    Plays `position` to its end.
    """
    chains, loops, work = scratch.lengths[0], scratch.lengths[1], scratch.lengths[2]
    takes, keeps = scratch.lengths[3], scratch.lengths[4]
    counts = position.counts
    opened = num_chains = num_loops = 0
    alone = False
    while counts[EDGES] > 0:
        alone = alone or not has_junction(position)
        boxes, edges = int(counts[BOXES]), int(counts[EDGES])
        open_chain(
            tables, position, scratch, shortest_handout(tables, position, scratch.seen, chance)
        )
        n, strokes = boxes - int(counts[BOXES]), edges - int(counts[EDGES])
        # A loop has as many edges as boxes, a chain has one more.
        is_loop = strokes == n
        if not alone:
            takes[opened] = n
            keeps[opened] = 4 if is_loop else 2 if n > 2 else 0
            opened += 1
        elif is_loop:
            loops[num_loops] = n
            num_loops += 1
        else:
            chains[num_chains] = n
            num_chains += 1
    value = control_value(chains, num_chains, loops, num_loops, work)
    while opened > 0:
        opened -= 1
        keep = keeps[opened]
        value = takes[opened] - keep + abs(value - keep) if keep else takes[opened] - value
    return -int(value)


@kernel
def control_rollout(
    tables: BoardTables, position: BoardArrays, scratch: Scratch, chance: NDArray[np.uint64]
) -> None:
    """Play `position` to its end: random safe edges, then the value of the fight for control."""
    play_safe(tables, position, scratch, chance)
    counts = position.counts
    left, mover = int(counts[BOXES]), int(counts[MOVER])
    if left == 0:
        return
    first, second = int(counts[0]), int(counts[1])
    value = value_of_openings(tables, position, scratch, chance)
    # The net score and the sum of both players' boxes determine the boxes of each.
    gain = (left + value) // 2
    counts[0] = first + (gain if mover == 0 else left - gain)
    counts[1] = second + (gain if mover == 1 else left - gain)
