"""Check the solver's values against brute force and against values from the literature."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.solver import Solver
from doublecross.games.dots_and_boxes.board import board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import greedy_captures
from tests.bots.search.brute import (
    quiet,
    random_position,
    random_quiet,
    table,
    table_from,
    value_of,
)

SMALL = [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 4), (4, 1), (2, 2)]
MIDDLE = [(1, 5), (5, 1), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)]
LARGE = [(1, 10), (10, 2), (3, 6), (5, 5), (7, 7), (8, 8), (10, 10)]


def test_brute_force_plays_by_the_rules() -> None:
    # Check the oracle itself against the plainest search over the game's own states.
    def best(state: DotsAndBoxesState) -> int:
        known = values.get(state.edges)
        if known is None:
            mover, known = state.current_player(), -100
            for edge in state.legal_actions():
                before = state.scores()[mover]
                state.apply(edge)
                gain = state.scores()[mover] - before
                rest = 0 if state.is_terminal() else best(state)
                state.undo()
                known = max(known, gain + rest if gain else -rest)
            values[state.edges] = known
        return known

    for rows, cols in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)]:
        values: dict[int, int] = {}
        best(DotsAndBoxes({"rows": rows, "cols": cols}).initial_state())
        full = board(rows, cols).full
        assert len(values) == full
        assert all(table(rows, cols)[edges] == value for edges, value in values.items())
        assert table(rows, cols)[full] == 0


@pytest.mark.parametrize(("rows", "cols"), SMALL)
def test_every_position_of_a_small_board(rows: int, cols: int) -> None:
    shape = board(rows, cols)
    solver = Solver(shape, memory_mb=1)
    values = table(rows, cols)
    wrong = [
        shape.members(edges)
        for edges in range(shape.full + 1)
        if solver.bounds(edges) != (values[edges], values[edges])
    ]
    assert not wrong


@pytest.mark.parametrize(("rows", "cols"), MIDDLE)
def test_thousands_of_positions_of_a_middling_board(rows: int, cols: int) -> None:
    # The positions include captures, complete boxes and nearly empty boards.
    rng = Random(f"{rows}x{cols}")
    shape = board(rows, cols)
    solver = Solver(shape, memory_mb=4)
    values = table(rows, cols)
    wrong = []
    for _ in range(1_500):
        edges = random_position(shape, rng, rng.randint(shape.num_edges // 4, shape.num_edges))
        if solver.bounds(edges) != (values[edges], values[edges]):
            wrong.append(shape.members(edges))
    assert not wrong


@pytest.mark.parametrize(("rows", "cols"), LARGE)
def test_corners_left_over_from_a_large_board(rows: int, cols: int) -> None:
    # Junctions, chains between them and back to themselves, and loops; then the same with random
    # extra edges, so that boxes can be captured.
    rng = Random(f"{rows}x{cols}")
    shape = board(rows, cols)
    solver = Solver(shape, memory_mb=4)
    wrong = []
    for _ in range(80):
        edges = random_quiet(shape, rng, 14)
        free = shape.members(shape.full & ~edges)
        assert quiet(shape, edges)
        values = table_from(shape, edges)
        for part in [0, *(rng.getrandbits(len(free)) & rng.getrandbits(len(free)) for _ in "1234")]:
            later = edges | sum(1 << edge for at, edge in enumerate(free) if part >> at & 1)
            if solver.bounds(later) != (values[part], values[part]):
                wrong.append(shape.members(later))
    assert not wrong


NETS = [
    *((1, cols, 0 if cols % 2 == 0 else -1) for cols in range(1, 9)),
    *((2, cols, 2 if cols % 2 == 0 else -2) for cols in range(2, 6)),
    (3, 3, -3),
    pytest.param(3, 4, 0, marks=pytest.mark.slow),
]
"""What the first player gets more than the second on the empty board: J. Barker and R. Korf,
Solving Dots-and-Boxes, AAAI 2012."""


@pytest.mark.parametrize(("rows", "cols", "net"), NETS)
def test_empty_boards_have_their_known_values(rows: int, cols: int, net: int) -> None:
    assert Solver(board(rows, cols)).bounds(0) == (net, net)


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (2, 4)])
def test_a_closure_takes_what_falls_and_loses_nothing_by_it(rows: int, cols: int) -> None:
    rng = Random(3)
    shape = board(rows, cols)
    values = table(rows, cols)
    kept = set()
    for _ in range(3_000):
        edges = random_position(shape, rng, rng.randint(2, shape.num_edges))
        then = closure(shape, edges)
        assert then.taken == greedy_captures(shape, edges)
        assert then.edges & edges == edges
        assert quiet(shape, then.edges)
        assert (then.taken == 0) == quiet(shape, edges)
        assert values[edges] == then.value(int(values[then.edges]))
        kept.add(then.keeps)
    assert kept == {0, 2, 4}


def test_a_closure_on_a_large_board() -> None:
    rng = Random(4)
    shape = board(5, 5)
    kept = set()
    for _ in range(200):
        edges = random_quiet(shape, rng, 14)
        edges |= 1 << rng.choice(shape.members(shape.full & ~edges))
        then = closure(shape, edges)
        assert value_of(shape, edges) == then.value(value_of(shape, then.edges))
        kept.add(then.keeps)
    assert kept == {0, 2, 4}
