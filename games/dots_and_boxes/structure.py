"""Find chains, loops, junctions and sweeps of a position, and the boxes each edge gives away.

Theory of operation
-------------------
In the dual game (strings and coins) a box is a coin, an undrawn edge is a string between two
coins or between a coin and the *ground*, which is everything outside the board. The *valence* of
a box is its number of undrawn edges. Every incomplete box belongs to exactly one part:

*Junction*: a box of valence 3 or 4 (a joint in Berlekamp's book).

*Chain*: a longest path of boxes of valence 2, each joined to the next by an undrawn edge, whose
two end edges lead to the ground or to a junction (both may lead to the same one). A chain is
*long* from 3 boxes on. The ground joins no chains: two chains that end there stay two chains.

*Loop*: a closed path of boxes of valence 2, 4 boxes or more.

*Sweep*: the boxes that a player can capture one after the other from a *capturable* box (valence
1): that box and the boxes of valence 2 behind it, in the order of capture. A sweep is *closed*
when it ends in another capturable box (an opened loop, or a chain opened at both ends). Its last
stroke is then a double-cross. The last stroke of an open sweep is the far end edge of the chain,
to the ground or to a junction.

Opening a chain or a loop hands it to the opponent. From 2 boxes (4 in a loop) the opponent may
decline the last ones by a *double-dealing move* and force us to move next; such an opening is a
*loony* move. A player may also open a chain of 2 boxes by its middle edge. This *hard-hearted*
handout leaves no double-dealing answer; drawing an end edge is the *half-hearted* handout.

Sources: E. Berlekamp, The Dots and Boxes Game, 2000; E. Berlekamp, J. Conway and R. Guy, Winning
Ways, chapter 16; D. Wilson, Dots-and-Boxes analysis (loony moves, notation); K. Buzzard and
M. Ciere, Playing simple loony dots and boxes endgames optimally, arXiv 1305.2156 (chains, loops,
controlled value); J. Barker and R. Korf, Solving Dots-and-Boxes, AAAI 2012 (in an opened chain a
player need only consider capturing and double-dealing).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from doublecross.games.api import IllegalAction
from doublecross.games.dots_and_boxes.board import GROUND, Board, DrawnEdges

LONG: Final = 3
"""The number of boxes in the shortest long chain."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of n boxes in order, with its n + 1 edges: ``edges[i]`` comes before ``boxes[i]``.

    The first and last edge are the end edges; `ends` are the junctions (box indices) beyond them,
    or `GROUND`. Of the two directions the chain has the one with the smaller end edge first.
    """

    boxes: tuple[int, ...]
    edges: tuple[int, ...]
    ends: tuple[int, int]

    def __len__(self) -> int:
        """Return the number of boxes."""
        return len(self.boxes)

    @property
    def is_long(self) -> bool:
        """Return whether the chain has 3 boxes or more."""
        return len(self.boxes) >= LONG

    @property
    def half_hearted(self) -> tuple[int, ...]:
        """The half-hearted handouts: the end edges of a chain of 2; empty for other chains."""
        return (self.edges[0], self.edges[2]) if len(self.boxes) == 2 else ()

    @property
    def hard_hearted(self) -> int | None:
        """The hard-hearted handout: the middle edge of a chain of 2; None for other chains."""
        return self.edges[1] if len(self.boxes) == 2 else None


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of n boxes in order with its n edges: ``edges[i]`` joins box i to the next one.

    The loop starts at its smallest box, and `edges` at the smaller undrawn edge of that box.
    """

    boxes: tuple[int, ...]
    edges: tuple[int, ...]

    def __len__(self) -> int:
        """Return the number of boxes."""
        return len(self.boxes)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Boxes that a player can capture one after the other, in the order of capture.

    Drawing ``edges[i]`` captures ``boxes[i]``. In an open sweep the last edge leads to `end`, the
    ground or a junction. A closed sweep has one edge less: its last edge captures two boxes, and
    `end` is None. It starts at the smaller of its two capturable boxes.
    """

    boxes: tuple[int, ...]
    edges: tuple[int, ...]
    end: int | None

    def __len__(self) -> int:
        """Return the number of boxes."""
        return len(self.boxes)

    @property
    def is_closed(self) -> bool:
        """Return whether the sweep ends in another capturable box."""
        return self.end is None

    @property
    def can_double_deal(self) -> bool:
        """Return whether the sweep is long enough to decline the last: 2 boxes open, 4 closed."""
        return len(self.boxes) >= (4 if self.is_closed else 2)

    @property
    def double_dealing(self) -> int | None:
        """The double-dealing move, when only the boxes that it declines are left; else None."""
        return self.edges[1] if len(self.boxes) == (4 if self.is_closed else 2) else None

    @property
    def double_cross(self) -> int | None:
        """The edge that captures two boxes, when it is the only one left; else None."""
        return self.edges[0] if self.is_closed and len(self.boxes) == 2 else None


@dataclass(frozen=True, slots=True)
class Structure:
    """The parts of a position; each incomplete box is in exactly one of them."""

    junctions: tuple[int, ...]
    chains: tuple[Chain, ...]
    loops: tuple[Loop, ...]
    opened: tuple[Sweep, ...]

    @property
    def long_chains(self) -> tuple[Chain, ...]:
        """The chains of 3 boxes or more, which the long chain rule counts."""
        return tuple(chain for chain in self.chains if chain.is_long)


def analyse(state: DrawnEdges) -> Structure:
    """Return the parts of a position, in time linear in the number of boxes."""
    return analyse_edges(state.board, state.edges)


def analyse_edges(board: Board, edges: int) -> Structure:
    """Return the parts of a position given by its set of drawn edges."""
    valences = [4 - (edges & mask).bit_count() for mask in board.box_masks]
    seen = [False] * board.num_boxes
    opened, chains, loops = [], [], []
    for box, valence in enumerate(valences):
        if valence == 1 and not seen[box]:
            opened.append(_sweep(board, edges, box, valences, seen))
    # Start each chain at an end edge. The walk marks its boxes as seen, so no chain is found twice.
    for box, valence in enumerate(valences):
        if valence == 2 and not seen[box]:
            for edge in board.box_edges[box]:
                if not edges >> edge & 1:
                    beyond = _other(board, edge, box)
                    if beyond == GROUND or valences[beyond] >= 3:
                        chains.append(_chain(board, edges, edge, box, valences, seen))
                        break
    for box, valence in enumerate(valences):
        if valence == 2 and not seen[box]:
            loops.append(_loop(board, edges, box, seen))
    return Structure(
        tuple(box for box, valence in enumerate(valences) if valence >= 3),
        tuple(sorted(chains, key=lambda chain: chain.edges)),
        tuple(loops),
        tuple(opened),
    )


def _other(board: Board, edge: int, box: int) -> int:
    """Return the neighbour of `edge` that is not `box`: another box or `GROUND`."""
    a, b = board.edge_boxes[edge]
    return b if a == box else a


def _exit_edge(board: Board, edges: int, box: int, entered_by: int) -> int:
    """Return the undrawn edge of a box of valence 2 that is not `entered_by`."""
    rest = board.box_masks[box] & ~edges & ~(1 << entered_by)
    return rest.bit_length() - 1


def _sweep(board: Board, edges: int, start: int, valences: list[int], seen: list[bool]) -> Sweep:
    edge = (board.box_masks[start] & ~edges).bit_length() - 1
    boxes, strokes = [start], [edge]
    seen[start] = True
    while (box := _other(board, edge, boxes[-1])) != GROUND and valences[box] < 3:
        boxes.append(box)
        seen[box] = True
        if valences[box] == 1:
            return Sweep(tuple(boxes), tuple(strokes), None)
        edge = _exit_edge(board, edges, box, edge)
        strokes.append(edge)
    return Sweep(tuple(boxes), tuple(strokes), box)


def _chain(
    board: Board, edges: int, edge: int, box: int, valences: list[int], seen: list[bool]
) -> Chain:
    first_end = _other(board, edge, box)
    boxes: list[int] = []
    path = [edge]
    while box != GROUND and valences[box] == 2:
        boxes.append(box)
        seen[box] = True
        edge = _exit_edge(board, edges, box, edge)
        path.append(edge)
        box = _other(board, edge, box)
    if path[0] <= path[-1]:
        return Chain(tuple(boxes), tuple(path), (first_end, box))
    return Chain(tuple(boxes[::-1]), tuple(path[::-1]), (box, first_end))


def _loop(board: Board, edges: int, start: int, seen: list[bool]) -> Loop:
    undrawn = board.box_masks[start] & ~edges
    edge = (undrawn & -undrawn).bit_length() - 1  # the lowest bit
    boxes, path = [start], [edge]
    seen[start] = True
    while (box := _other(board, edge, boxes[-1])) != start:
        boxes.append(box)
        seen[box] = True
        edge = _exit_edge(board, edges, box, edge)
        path.append(edge)
    return Loop(tuple(boxes), tuple(path))


def capturable_boxes(state: DrawnEdges) -> tuple[int, ...]:
    """Return the boxes with three edges drawn, ascending."""
    return _with_three(state.board, state.edges)


def capturing_edges(state: DrawnEdges) -> tuple[int, ...]:
    """Return the undrawn edges that complete a box, ascending."""
    masks, edges = state.board.box_masks, state.edges
    last = {(masks[box] & ~edges).bit_length() - 1 for box in capturable_boxes(state)}
    return tuple(sorted(last))


def double_cross_edges(state: DrawnEdges) -> tuple[int, ...]:
    """Return the undrawn edges that complete two boxes each, ascending."""
    masks, edges = state.board.box_masks, state.edges
    last = [(masks[box] & ~edges).bit_length() - 1 for box in capturable_boxes(state)]
    return tuple(sorted({edge for edge in last if last.count(edge) == 2}))


def double_dealing_edges(state: DrawnEdges) -> tuple[int, ...]:
    """Return the double-dealing moves of this position, ascending.

    Each declines the last two boxes of an opened chain or the last four of an opened loop. A
    sweep with more boxes has no such move yet: the player must capture the others first.
    """
    found = {part.double_dealing for part in analyse(state).opened}
    return tuple(sorted(edge for edge in found if edge is not None))


def safe_edges(state: DrawnEdges) -> tuple[int, ...]:
    """Return the undrawn edges that give no box its third or fourth edge, ascending."""
    board, edges = state.board, state.edges
    free = board.full & ~edges
    for mask in board.box_masks:
        if (edges & mask).bit_count() >= 2:
            free &= ~mask
    return tuple(board.members(free))


def boxes_given(state: DrawnEdges, action: int) -> int:
    """Return how many boxes the opponent can take in one turn after `action`, capturing greedily.

    This counts all boxes that are capturable then, wherever they are. It is 0 for an action that
    captures a box, since that keeps the turn.

    Raises:
        IllegalAction: `action` is not an undrawn edge.
    """
    board, edges = state.board, state.edges
    if type(action) is not int or not 0 <= action < board.num_edges or edges >> action & 1:
        raise IllegalAction(f"{action!r} is not an edge that may be drawn now.")
    return _given(board, edges, action, _with_three(board, edges))


def handouts(state: DrawnEdges) -> dict[int, int]:
    """Return `boxes_given` for every undrawn edge, in ascending order of edges."""
    board, edges = state.board, state.edges
    ready = _with_three(board, edges)
    return {edge: _given(board, edges, edge, ready) for edge in board.members(board.full & ~edges)}


def greedy_captures(board: Board, edges: int) -> int:
    """Return how many boxes a player can capture in one turn, given a set of drawn edges.

    A capture never prevents another one, so the number does not depend on their order.
    """
    return _take(board, edges, list(_with_three(board, edges)))


def _with_three(board: Board, edges: int) -> tuple[int, ...]:
    """Return the boxes with three edges in a set of drawn edges, ascending."""
    return tuple(box for box, mask in enumerate(board.box_masks) if (edges & mask).bit_count() == 3)


def _given(board: Board, edges: int, edge: int, ready: tuple[int, ...]) -> int:
    """Return `boxes_given`; `ready` are the boxes that have three edges before `edge` is drawn."""
    edges |= 1 << edge
    capturable = list(ready)
    for box in board.edge_boxes[edge]:
        if box != GROUND:
            drawn = (edges & board.box_masks[box]).bit_count()
            if drawn == 4:
                return 0
            if drawn == 3:
                capturable.append(box)
    return _take(board, edges, capturable)


def _take(board: Board, edges: int, capturable: list[int]) -> int:
    """Complete boxes until none has three edges, and return their number.

    `capturable` are the boxes that have three edges in `edges`; this empties the list.
    """
    masks = board.box_masks
    taken = 0
    while capturable:
        box = capturable.pop()
        missing = masks[box] & ~edges
        if not missing:
            continue  # A double-cross completed this box together with its neighbour.
        edges |= missing
        for side in board.edge_boxes[missing.bit_length() - 1]:
            if side != GROUND:
                drawn = (edges & masks[side]).bit_count()
                if drawn == 4:
                    taken += 1
                elif drawn == 3:
                    capturable.append(side)
    return taken
