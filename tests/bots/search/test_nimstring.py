"""Check Nimstring against its rules: who wins, and which moves win."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from doublecross.bots.search.exact.kernel import Stack, new_stack
from doublecross.bots.search.exact.layout import layout
from doublecross.bots.search.exact.nimstring import MOST, divide
from doublecross.bots.search.exact.ordering import FEWEST, WINS, list_moves
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.search.exact.structure import scan, valences
from doublecross.games.dots_and_boxes.board import Board, board
from tests.bots.search.brute import random_quiet

UNKNOWN = 16
SIZES = [(1, 8), (3, 3), (4, 4), (5, 5), (7, 7), (8, 8)]


class Nimstring:
    """Nimstring by its rules: whoever completes a box moves again, and who cannot move loses."""

    def __init__(self, shape: Board) -> None:
        self.shape = shape
        self.wins = cache(self._wins)

    def _wins(self, edges: int) -> bool:
        """Return whether the player to move wins; `edges` are drawn."""
        masks = self.shape.box_masks
        for edge in self.shape.members(self.shape.full & ~edges):
            after = edges | 1 << edge
            again = any(after & mask == mask and edges & mask != mask for mask in masks)
            if self.wins(after) == again:
                return True
        return False


def listed(shape: Board, edges: int) -> tuple[Stack, int, int] | None:
    """Return the stack with the moves of a position in its first row, their number, and the nimber.

    Return None without junctions.
    """
    where = layout(shape)
    word = where.kind.word
    stack = new_stack(shape.num_edges, kind=where.kind)
    words = (word(each) for each in where.words(edges))
    rows = stack.move_h[0], stack.move_v[0], stack.takes[0], stack.keeps[0]
    found = scan(*words, where.tables, *rows, stack.scratch)
    num = int(found[7])
    # Python gets the words as ints, which the kernels would take for signed ones.
    h, v, safe_h, safe_v, short = (word(found[i]) for i in (0, 1, 5, 6, 8))
    spare = np.uint64(found[9])
    if not found[4]:
        return None
    masks = where.tables.masks
    junctions = word(valences(h, v, masks)[0])
    _, nimber = divide(h, v, word(short | junctions), junctions, spare, masks, stack.nimbers)
    arrays = stack.move_h, stack.move_v, stack.takes, stack.keeps, stack.order
    position = h, v, safe_h, safe_v, short, spare, masks, stack.nimbers
    return stack, list_moves(0, num, *position, *arrays), int(nimber)


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_the_moves_that_win_come_first(rows: int, cols: int) -> None:
    rng = Random(f"{rows} {cols}")
    shape = board(rows, cols)
    solver = Solver(shape, memory_mb=1)
    seen = {"won": 0, "lost": 0}
    for _ in range(60 if rows < 8 else 90):
        edges = random_quiet(shape, rng, 12)
        found = listed(shape, edges)
        if found is None:
            continue
        stack, num, nimber = found
        if nimber == UNKNOWN:
            continue
        game = Nimstring(shape)
        won = game.wins(edges)
        assert (nimber > 0) == won
        if num < FEWEST:
            continue
        seen["won" if won else "lost"] += 1
        for i in range(num):
            edge = solver.edge_of(edges, int(stack.move_h[0, i]), int(stack.move_v[0, i]))
            wins = not game.wins(edges | 1 << edge)
            assert not wins or won
            if won:
                assert (stack.order[0, i] > -WINS // 2) == wins
    assert min(seen.values()) >= 3 or rows == 1


def test_a_large_part_stays_unknown() -> None:
    shape = board(5, 5)
    found = listed(shape, 0)
    assert found is not None
    stack, num, nimber = found
    # Nobody knows who wins, so the forecast orders all moves.
    assert (num, nimber) == (60, UNKNOWN)
    assert num > MOST
    assert all(stack.order[0, :num] > -WINS // 2)
