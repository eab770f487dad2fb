"""Which edges a search of Dots and Boxes has to look at, on boards of any size.

Theory of operation
-------------------
Most edges can be left out of a search without changing the value of any position. With e the edge
that completes a capturable box (degree 3) and *beside* the box on the other side of e:

*Forced.* Unless beside has degree 2, e is a best move: drawing anything else first leaves the box
to the opponent, who takes it and stands where we could have stood with one box more. The same
holds for a box that begins an opened chain of 3 boxes or more, or a closed sweep (capturable at
both ends) of other than 4 boxes: the option to decline the last ones stays.

*Decline.* So a choice comes up only with two boxes left in an open sweep, or four in a closed
one: take on, or draw the edge beyond beside (the double-dealing move). All else is worse than
taking. Of several such sweeps all these edges are candidates.

*Openings of chains.* With nothing to take, all edges of a chain or loop of other than 2 boxes are
alike: whoever answers takes all of it, or all but the pair (or two pairs) that is declined, and
stands before the same position. A chain of 2 is best opened by its middle edge, which leaves the
opponent no choice. So each chain and loop is looked at once, beside all safe edges.

The value of the position stays exact, the choice among equally good edges gets smaller.

Sources: J. Barker and R. Korf, Solving Dots-and-Boxes, AAAI 2012 (all of these); E. Berlekamp, The
Dots and Boxes Game, 2000 (double-dealing, hard-hearted handouts).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bots.search.jit import kernel
from bots.search.sampling.board import (
    BoardArrays,
    BoardTables,
    Scratch,
    capturing_edge,
    handout,
    is_safe,
)


@kernel
def box_beyond(tables: BoardTables, edge: int, box: int) -> int:
    """The box beyond `edge` as seen from `box`; B, the ground, where there is none."""
    a, b = int(tables.edge_boxes[edge, 0]), int(tables.edge_boxes[edge, 1])
    return b if a == box else a


@kernel
def way_on(tables: BoardTables, position: BoardArrays, box: int, came_by: int) -> int:
    """The undrawn edge of a box of degree 2 other than `came_by`, itself undrawn."""
    for side in range(4):
        edge = int(tables.box_edges[box, side])
        if edge != came_by and position.drawn[edge] == 0:
            return edge
    return -1


@kernel
def double_dealing_edge(tables: BoardTables, position: BoardArrays, box: int) -> int:
    """The edge that declines what can be taken from the capturable `box` on, when just the boxes
    to be declined are left (two of an open sweep, four of a closed one); otherwise -1."""
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
    """Write `edge` to ``order[found]`` unless it stands before; how many there are then."""
    for index in range(found):
        if order[index] == edge:
            return found
    order[found] = edge
    return found + 1


@kernel
def worthwhile_edges(tables: BoardTables, position: BoardArrays, scratch: Scratch) -> int:
    """Write the edges that a search has to look at to the front of ``scratch.order``; how many
    there are: 0 only when the game is over. Uses ``scratch.seen``."""
    order, seen, degree = scratch.order, scratch.seen, position.degree
    found = 0
    for box in range(seen.size):
        if degree[box] != 3:
            continue
        taking = capturing_edge(tables, position, box)
        declining = double_dealing_edge(tables, position, box)
        if declining < 0:
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
