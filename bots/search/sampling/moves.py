"""Select the edges that a search of Dots and Boxes has to consider, on boards of any size.

Theory of operation
-------------------
A search can leave out most edges without changing the value of any position. Let e be the edge that
completes a capturable box (degree 3), and *beside* the box on the other side of e. A *sweep* is a
group of connected boxes that can be captured one after the other: an open sweep can be captured
from one end, a closed one from both ends.

*Forced.* Unless beside has degree 2, e is a best move. After any other move the opponent can take
the box, and then has the position that we could have had, with one box more. The same holds for the
first box of an open sweep of 3 boxes or more, and of a closed sweep of any number but 4: the player
can still decline the last boxes later.

*Decline.* A choice therefore exists only with two boxes left in an open sweep, or four in a closed
one: capture, or draw the edge on the other side of beside (the double-dealing move). Any other move
is worse than capturing. With several such sweeps, all these edges are candidates.

*Openings.* Without captures, all edges of a chain or loop are equivalent, unless it is a chain of 2
boxes: the opponent takes all boxes, or all but the last two (of a loop four), which leads to the
same position for each edge. The best edge of a chain of 2 is its middle edge, which leaves the
opponent no choice. So the search considers one edge of each chain and loop, and all safe edges.

The value of the position stays exact; only the choice among equally good edges becomes smaller.

Sources: J. Barker and R. Korf, Solving Dots-and-Boxes, AAAI 2012 (all of these); E. Berlekamp, The
Dots and Boxes Game, 2000 (double-dealing, hard-hearted handouts).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from doublecross.bots.search.jit import kernel
from doublecross.bots.search.sampling.board import (
    BoardArrays,
    BoardTables,
    Scratch,
    capturing_edge,
    is_safe,
)
from doublecross.bots.search.sampling.rollouts import handout


@kernel
def box_beyond(tables: BoardTables, edge: int, box: int) -> int:
    """Return the box on the other side of `edge` from `box`; B, the ground, if there is none."""
    a, b = int(tables.edge_boxes[edge, 0]), int(tables.edge_boxes[edge, 1])
    return b if a == box else a


@kernel
def way_on(tables: BoardTables, position: BoardArrays, box: int, came_by: int) -> int:
    """Return the undrawn edge of a box of degree 2 other than `came_by`, which is undrawn too."""
    for side in range(4):
        edge = int(tables.box_edges[box, side])
        if edge != came_by and position.drawn[edge] == 0:
            return edge
    return -1


@kernel
def double_dealing_edge(tables: BoardTables, position: BoardArrays, box: int) -> int:
    """Return the double-dealing move for the sweep that begins at the capturable `box`, or -1.

    There is one only if exactly the boxes to be declined are left: two of an open sweep, or four of
    a closed one.
    """
    degree = position.degree
    taking = capturing_edge(tables, position, box)
    beside = box_beyond(tables, taking, box)
    if degree[beside] != 2:
        return -1
    declining = way_on(tables, position, beside, taking)
    third = box_beyond(tables, declining, beside)
    if degree[third] < 2:  # the ground as well
        return declining
    if degree[third] == 3:
        return -1
    fourth = box_beyond(tables, way_on(tables, position, third, declining), third)
    return declining if degree[fourth] == 3 else -1


@kernel
def _add(order: NDArray[np.int16], found: int, edge: int) -> int:
    """Write `edge` to ``order[found]`` unless it is there already; return the new number."""
    for index in range(found):
        if order[index] == edge:
            return found
    order[found] = edge
    return found + 1


@kernel
def worthwhile_edges(tables: BoardTables, position: BoardArrays, scratch: Scratch) -> int:
    """Write the edges that a search has to consider to the front of ``scratch.order``.

    Returns their number, which is 0 only when the game is over. Overwrites ``scratch.seen``.
    """
    order, seen, degree = scratch.order, scratch.seen, position.degree
    found = 0
    for box in range(seen.size):
        if degree[box] != 3:
            continue
        taking = capturing_edge(tables, position, box)
        declining = double_dealing_edge(tables, position, box)
        if declining < 0:
            # This capture is a best move, so the search need not consider anything else.
            order[0] = taking
            return 1
        found = _add(order, found, taking)
        found = _add(order, found, declining)
    if found > 0:
        return found
    seen[:] = 0
    for box in range(seen.size):
        if degree[box] == 2 and seen[box] == 0:
            order[found], _ = handout(tables, position, seen, box)
            found += 1
    for edge in range(position.drawn.size):
        if position.drawn[edge] == 0 and is_safe(tables, position, edge):
            order[found] = edge
            found += 1
    return found
