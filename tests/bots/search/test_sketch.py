"""Check the estimates that end playouts on large boards."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.search.chance import seeded
from doublecross.bots.search.exact.layout import layout
from doublecross.bots.search.exact.solver import Solver
from doublecross.bots.search.sampling.sketch import draw_safe, open_all, sketch
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.structure import analyse_edges
from tests.bots.search.brute import quiet, random_quiet, value_of


def safe(shape: Board, edges: int) -> list[int]:
    """Return the free edges that give no box away."""
    free = shape.members(shape.full & ~edges)
    return [edge for edge in free if quiet(shape, edges | 1 << edge)]


@pytest.mark.parametrize("size", [(5, 5), (10, 10)])
def test_only_safe_edges_are_drawn_until_none_is_left(size: tuple[int, int]) -> None:
    shape = board(*size)
    solver, random = Solver(shape, memory_mb=1), seeded(Random(1))
    ends = set()
    for _ in range(20):
        h, v, steps = draw_safe(*solver.words(0), solver.tables.masks, random)
        words = int(h), int(v)
        places = enumerate(layout(shape).place)
        edges = shape.full & ~sum(1 << e for e, (word, at) in places if words[word] >> at & 1)
        assert edges.bit_count() == steps
        assert quiet(shape, edges)
        assert not safe(shape, edges)
        ends.add(edges)
    assert len(ends) == 20


def test_the_fight_for_control_is_valued_well() -> None:
    rng = Random(3)
    shape = board(10, 10)
    solver = Solver(shape, memory_mb=1)
    joined = right = 0
    while joined < 80:
        edges = random_quiet(shape, rng, 18)
        if safe(shape, edges):
            continue
        value = value_of(shape, edges)
        found = open_all(*solver.words(edges), solver.stack, solver.tables)
        assert (value - found) % 2 == 0
        if analyse_edges(shape, edges).junctions:
            joined += 1
            right += found == value
        else:
            assert found == value
    assert right > 60


def test_a_sketch_is_the_value_for_the_player_to_move() -> None:
    rng = Random(4)
    shape = board(8, 8)
    solver, random = Solver(shape, memory_mb=1), seeded(Random(2))
    close = 0
    for _ in range(40):
        edges = random_quiet(shape, rng, 18)
        h, v = solver.words(edges)
        found = [sketch(h, v, random, solver.stack, solver.tables) for _ in range(40)]
        value = value_of(shape, edges)
        boxes = sum(edges & mask != mask for mask in shape.box_masks)
        assert all((value - each) % 2 == 0 and abs(each) <= boxes for each in found)
        close += abs(sum(found) / len(found) - value) <= 2
    assert close > 25
