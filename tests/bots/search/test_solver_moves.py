"""Check the solver's moves, lines and limits against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from doublecross.bots.search.exact.analysis import analyse
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.exact.table import new_table, probe, store
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.bots.search.brute import random_position, random_quiet, table, table_from

SIZES = [(1, 3), (2, 2), (2, 3), (2, 4), (3, 3)]


def values_of_moves(shape: Board, edges: int, values: NDArray[np.int8]) -> dict[int, int]:
    """Return the net score of each free edge for the player who draws it; `values` has all
    positions.
    """
    found = {}
    for edge in shape.members(shape.full & ~edges):
        after = edges | 1 << edge
        gain = sum(after & mask == mask and edges & mask != mask for mask in shape.box_masks)
        rest = int(values[after])
        found[edge] = gain + rest if gain else -rest
    return found


def samples(rows: int, cols: int, number: int) -> Iterator[int]:
    """Return unfinished positions, from nearly empty to nearly full boards."""
    rng = Random(f"{rows} {cols}")
    shape = board(rows, cols)
    for _ in range(number):
        yield random_position(shape, rng, rng.randint(1, min(shape.num_edges, 18)))


def net_along(shape: Board, edges: int, line: tuple[int, ...]) -> int:
    """Return the mover's net score after `line` is played by the rules."""
    game = DotsAndBoxes({"rows": shape.rows, "cols": shape.cols})
    state = game.replay(shape.members(edges), line)
    first, second = state.scores()
    return first - second


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_every_move_has_its_value(rows: int, cols: int) -> None:
    shape = board(rows, cols)
    solver = Solver(shape, memory_mb=4)
    values = table(rows, cols)
    for edges in samples(rows, cols, 100):
        expected = values_of_moves(shape, edges, values)
        top = max(expected.values())
        best = tuple(edge for edge, value in expected.items() if value == top)
        result = analyse(solver, edges, SearchWatch(), every_move=True)
        assert result.exact
        assert result.value == (top, top)
        assert result.moves == {edge: (value, value) for edge, value in expected.items()}
        assert result.best == best
        quick = analyse(solver, edges, SearchWatch(), every_move=False)
        assert (quick.value, quick.best, quick.moves) == (result.value, best, {})
        (one,) = solver.best(edges, top, SearchWatch(), every=False) or ()
        assert one in best


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_the_line_is_best_play_to_the_end(rows: int, cols: int) -> None:
    shape = board(rows, cols)
    solver = Solver(shape, memory_mb=4)
    values = table(rows, cols)
    for edges in samples(rows, cols, 80):
        line = analyse(solver, edges, SearchWatch(), every_move=False).pv
        assert sorted(line) == shape.members(shape.full & ~edges)
        assert net_along(shape, edges, line) == values[edges]
        at = edges
        for edge in line:
            assert values_of_moves(shape, at, values)[edge] == values[at]
            at |= 1 << edge


def test_a_line_can_be_kept_short() -> None:
    solver = Solver(board(2, 2), memory_mb=1)
    assert len(solver.pv(0, 0, SearchWatch(), most=5)) == 5
    assert len(analyse(solver, 0, SearchWatch(), every_move=False).pv) == 12


def test_moves_on_a_board_too_large_for_a_table_of_all() -> None:
    rng = Random(8)
    shape = board(5, 5)
    solver = Solver(shape, memory_mb=4)
    for _ in range(80):
        edges = random_quiet(shape, rng, 13)
        values = table_from(shape, edges)
        result = analyse(solver, edges, SearchWatch(), every_move=True)
        assert result.exact
        assert result.value.low == values[0]
        free = shape.members(shape.full & ~edges)
        # No box can be captured, so every edge passes the turn.
        assert result.moves == {edge: (-int(values[1 << at]),) * 2 for at, edge in enumerate(free)}
        assert net_along(shape, edges, result.pv) == values[0]


def test_best_edges_keep_to_the_nodes_they_are_given() -> None:
    shape = board(3, 3)
    solver = Solver(shape, memory_mb=1)
    value = solver.bounds(0).low
    for nodes in (1, 30, 75, 500):
        solver.clear()
        watch = SearchWatch(nodes=nodes)
        assert solver.best(0, value, watch, every=True) is None
        assert watch.nodes <= nodes


def test_a_search_goes_on_where_it_was_stopped() -> None:
    shape = board(2, 5)
    asked = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 2

    solver = Solver(shape, memory_mb=4)
    told: list[int] = []
    watch = SearchWatch(stop, report=told.append)
    stopped = solver.bounds(0, watch)
    assert stopped.low <= -2 <= stopped.high
    assert not stopped.exact
    assert len(asked) == 3
    assert told == sorted(told)
    assert told[-1] == watch.nodes > 0
    watch = SearchWatch()
    assert solver.bounds(0, watch) == (-2, -2)
    whole = SearchWatch()
    assert Solver(shape, memory_mb=4).bounds(0, whole) == (-2, -2)
    # Results from before the stop are still in the table.
    assert watch.nodes < whole.nodes


def test_no_time_leaves_what_the_captures_tell() -> None:
    shape = board(2, 2)
    solver = Solver(shape, memory_mb=1)
    assert solver.bounds(0, SearchWatch(seconds=0)) == (-4, 4)
    # One box falls for certain and three are open; then all four, of which two or none can be
    # declined.
    one = sum(1 << edge for edge in shape.box_edges[0][:3])
    assert solver.bounds(one, SearchWatch(seconds=0)) == (-2, 4)
    assert solver.bounds(shape.full ^ 1, SearchWatch(seconds=0)) == (1, 1)
    assert solver.bounds(shape.full) == (0, 0)


def test_bounds_through_a_choice_are_true() -> None:
    # Captures with something to decline and an unsolved remainder: absolute values.
    rng = Random(12)
    shape = board(3, 3)
    values = table(3, 3)
    solver = Solver(shape, memory_mb=1)
    seen = set()
    for _ in range(1_500):
        edges = random_position(shape, rng, rng.randint(8, 20))
        solver.clear()
        bounds = solver.bounds(edges, SearchWatch(nodes=rng.randint(1, 60)))
        assert bounds.low <= values[edges] <= bounds.high
        assert (bounds.low - values[edges]) % 2 == (bounds.high - values[edges]) % 2 == 0
        seen.add(bounds.exact)
    assert seen == {True, False}


@pytest.mark.parametrize(("rows", "cols", "net"), [(2, 4, 2), (3, 3, -3)])
def test_a_tiny_table_costs_time_and_nothing_else(rows: int, cols: int, net: int) -> None:
    small, large = SearchWatch(), SearchWatch()
    solver = Solver(board(rows, cols), memory_mb=0.001)
    assert solver.bounds(0, small) == (net, net)
    assert solver.filled > 0.9
    other = Solver(board(rows, cols), memory_mb=8)
    assert other.bounds(0, large) == (net, net)
    assert small.nodes > large.nodes
    assert 0 < other.filled < 0.5


def test_the_solver_forgets_when_told_to() -> None:
    solver = Solver(board(2, 3), memory_mb=1)
    watches = [SearchWatch() for _ in range(3)]
    solver.bounds(0, watches[0])
    solver.bounds(0, watches[1])
    solver.clear()
    assert solver.filled == 0
    solver.bounds(0, watches[2])
    assert watches[1].nodes == 0
    assert watches[2].nodes == watches[0].nodes > 0


@pytest.mark.parametrize("memory_mb", [0.001, 0.5, 1, 3, 7.99, 8, 128])
def test_a_table_keeps_to_its_memory(memory_mb: float) -> None:
    entries = len(new_table(memory_mb))
    assert entries & (entries - 1) == 0
    if entries > 4096:
        assert 8 * entries <= memory_mb * 2**20 < 16 * entries
    else:
        assert 16 * entries > memory_mb * 2**20


def test_a_table_keeps_both_bounds_and_the_larger_trees() -> None:
    entries = new_table(0.001)
    key = np.uint64(0x123456789ABCDEF0)
    assert probe(entries, key, 7) == (-7, 7)
    store(entries, key, 7, -7, 3, 10)
    store(entries, key, 7, -1, 7, 10)
    assert probe(entries, key, 7) == (-1, 3)
    # Narrower bounds replace stored ones; wider bounds change nothing.
    store(entries, key, 7, -5, 5, 10)
    store(entries, key, 7, 1, 7, 10)
    assert probe(entries, key, 7) == (1, 3)
    # Its bucket has four places: of five positions the one with the smallest tree is replaced.
    others = [key ^ np.uint64(number << 40) for number in range(1, 5)]
    for size, other in enumerate(others, 4):
        store(entries, other, 7, -3, -3, 1 << size)
    assert probe(entries, key, 7) == (-7, 7)
    assert all(probe(entries, other, 7) == (-3, -3) for other in others)
    # Bounds of a board of 63 boxes fit.
    store(entries, key, 63, -63, 63, 1 << 40)
    assert probe(entries, key, 63) == (-63, 63)
    store(entries, key, 63, 63, 63, 1)
    assert probe(entries, key, 63) == (63, 63)
