"""Find all captures of a position and how many boxes may be declined, in plain Python.

Theory of operation
-------------------
Capturing is always right except for one decision: whether to decline the last boxes and leave the
next move to the opponent. The set of boxes that can be captured now does not depend on the order of
the captures (the *closure*). Each connected group of them has k boxes, and either one edge that
leads out of the group, to the ground or to a box that stays, or none:

- With such an edge and k >= 2, the player can decline the last two boxes by drawing that edge.
- Without one, and with an edge between two boxes that both have another neighbour in the group,
  the player can decline the last four boxes, as two pairs.
- Otherwise the player can decline nothing.

Declining two boxes is better than declining four. A player declines in at most one group, since
that ends the turn.

Source: J. Barker and R. Korf, Solving Dots-and-Boxes, AAAI 2012, section 3; E. Berlekamp, The
Dots and Boxes Game, 2000, chapter 5.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from doublecross.games.dots_and_boxes.board import GROUND, Board

Score = TypeVar("Score", int, float)


class Closure(NamedTuple):
    """The result of all captures of a position.

    `edges` has the drawn edges after all captures, `taken` the number of captured boxes, and
    `keeps` how many of these may be declined: 0, 2 or 4.
    """

    edges: int
    taken: int
    keeps: int

    def value(self, rest: Score) -> Score:
        """Return the net score for the player to move, given the net score of the rest.

        `rest` is the net score of the position after all captures for its player to move. If it is
        an estimate, so is the result.
        """
        if self.keeps:
            return self.taken - self.keeps + abs(rest + self.keeps)
        return self.taken + rest


def gained(board: Board, edges: int, edge: int) -> int:
    """Return how many boxes drawing `edge` completes in the position with the drawn `edges`."""
    after = edges | 1 << edge
    return sum(
        side != GROUND and after & board.box_masks[side] == board.box_masks[side]
        for side in board.edge_boxes[edge]
    )


def boxes_left(board: Board, edges: int) -> int:
    """Return how many boxes are incomplete in the position with the drawn `edges`."""
    return sum(edges & mask != mask for mask in board.box_masks)


def closure(board: Board, edges: int) -> Closure:
    """Return the closure of the position with the drawn `edges`; `taken` is 0 without captures."""
    masks, sides = board.box_masks, board.edge_boxes
    after = edges
    ready = [box for box, mask in enumerate(masks) if (edges & mask).bit_count() == 3]
    fallen: set[int] = set()
    while ready:
        box = ready.pop()
        missing = masks[box] & ~after
        fallen.add(box)
        if not missing:
            continue
        after |= missing
        for side in sides[missing.bit_length() - 1]:
            if side != GROUND and side != box:
                drawn = (after & masks[side]).bit_count()
                if drawn >= 3:
                    ready.append(side)
    if not fallen:
        return Closure(edges, 0, 0)
    return Closure(after, len(fallen), _keeps(board, after & ~edges, fallen))


def _keeps(board: Board, strokes: int, fallen: set[int]) -> int:
    """Return how many of the boxes `fallen` can be declined: 0, 2 or 4.

    `strokes` has the edges that capture them.
    """
    neighbours: dict[int, list[int]] = {box: [] for box in fallen}
    out: set[int] = set()
    for edge in board.members(strokes):
        a, b = board.edge_boxes[edge]
        if a in fallen and b in fallen:
            neighbours[a].append(b)
            neighbours[b].append(a)
        else:
            out.add(a if a in fallen else b)
    if any(neighbours[box] for box in out):
        return 2
    for others in neighbours.values():
        if len(others) >= 2 and any(len(neighbours[other]) >= 2 for other in others):
            # An inner edge of a group without an edge that leads out: the test above found none.
            return 4
    return 0
