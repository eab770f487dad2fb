"""What can be captured at once, and what the player to move may decline of it; in plain Python.

Theory of operation
-------------------
Capturing is never wrong but for one question: whether to decline the last boxes and so leave the
next move to the opponent. The boxes that fall are those that fall in any order (the *closure*).
Each connected group of them has k boxes and either one edge that leads out, to the ground or to a
box that stays, or none:

- with a way out and k >= 2 the last two can be declined by drawing that edge first;
- without one, and with an edge between two boxes that both have another neighbour in the group,
  the last four can be declined, as two pairs;
- otherwise nothing can.

Declining two is better than declining four, and declining in one group is enough, since it ends
the turn.

Source: J. Barker and R. Korf, Solving Dots-and-Boxes, AAAI 2012, section 3; E. Berlekamp, The
Dots and Boxes Game, 2000, chapter 5.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from games.dots_and_boxes.board import GROUND, Board

Score = TypeVar("Score", int, float)


class Closure(NamedTuple):
    """`edges` drawn after all captures, `taken` boxes, and how many of them may be declined."""

    edges: int
    taken: int
    keeps: int

    def value(self, rest: Score) -> Score:
        """The net score for the player to move, when that of the rest is `rest` for its mover;
        an estimate when that is one."""
        if self.keeps:
            return self.taken - self.keeps + abs(rest + self.keeps)
        return self.taken + rest


def gained(board: Board, edges: int, edge: int) -> int:
    """How many boxes drawing `edge` completes, `edges` being drawn."""
    after = edges | 1 << edge
    return sum(
        side != GROUND and after & board.box_masks[side] == board.box_masks[side]
        for side in board.edge_boxes[edge]
    )


def boxes_left(board: Board, edges: int) -> int:
    """How many boxes are not completed when `edges` are drawn."""
    return sum(edges & mask != mask for mask in board.box_masks)


def closure(board: Board, edges: int) -> Closure:
    """The captures of the position with the drawn `edges`; `taken` is 0 when there are none."""
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
    """How many boxes can be declined: 2, 4 or none of `fallen`, taken by the edges `strokes`."""
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
            # An inner edge of a group; one with a way out was found above.
            return 4
    return 0
