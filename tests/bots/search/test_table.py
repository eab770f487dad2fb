"""The transposition table: a search begins with a part of it and takes more when it needs more."""

from random import Random

import numpy as np

from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.bots.search.exact.table import PART, enlarged, first_part, new_table, probe, store
from doublecross.games.dots_and_boxes.board import board


def test_a_larger_part_of_a_table_has_the_entries_of_the_smaller_one() -> None:
    whole = new_table(8 * PART * 4 / 2**20)
    assert len(whole) == 4 * PART
    table = first_part(whole)
    rng = Random(1)
    keys = [np.uint64(rng.getrandbits(64)) for _ in range(4_000)]
    for _ in range(2):
        # An almost empty part is large enough.
        assert enlarged(whole, table) is table
        for number, key in enumerate(keys):
            store(table, key, 25, number % 20 - 20, 20, 1 << 30)
        known = [probe(table, key, 25) for key in keys]
        assert len(set(known)) > 10
        # Weak entries in the rest of the part; in the places that are looked at, they are many.
        empty = np.flatnonzero(table[: PART // 32] == 0)
        table[empty] = 1
        size = len(table)
        table = enlarged(whole, table)
        assert len(table) == 2 * size
        assert [probe(table, key, 25) for key in keys] == known
        table[empty] = 0
    # Nothing is left to take.
    table[:] = 1
    assert enlarged(whole, table) is table


def test_a_solver_takes_more_of_its_table_and_begins_again_when_it_is_cleared() -> None:
    solver = Solver(board(2, 3), memory_mb=8)
    small = Solver(board(2, 3), memory_mb=1)
    assert len(solver.table) == PART < len(solver.whole)
    assert len(small.table) == len(small.whole) < PART
    value = solver.bounds(0)
    assert len(solver.table) == PART
    solver.table[solver.table == 0] = 1
    # A search looks for room before it begins.
    assert solver.at_least(0, value.high + 2, SearchWatch()) is False
    assert len(solver.table) == PART
    assert solver.bounds(1).exact
    assert len(solver.table) > PART
    solver.clear()
    assert len(solver.table) == PART
    assert not solver.whole.any()
    assert solver.bounds(0) == value
