"""Check that several threads find the same values, and that none of them is left behind."""

from __future__ import annotations

import threading
from random import Random

import numpy as np
import pytest

from doublecross.bots.search.exact.closure import closure
from doublecross.bots.search.exact.kernel import KEY, PLY, begin, search
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.dots_and_boxes.board import board
from tests.bots.search.brute import random_quiet, table_from


def helping() -> list[str]:
    """Return the names of the threads that help with a search."""
    return [each.name for each in threading.enumerate() if each.name.startswith("search-")]


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_find_the_values_that_one_finds(threads: int) -> None:
    rng = Random(threads)
    shape = board(5, 5)
    alone, together = Solver(shape, 8), Solver(shape, 8, threads)
    seen: set[str] = set()
    watch = SearchWatch(report=lambda _: seen.update(helping()))
    value = alone.bounds(0xAE4610881415590)
    assert value.exact
    assert together.bounds(0xAE4610881415590, watch) == value
    assert seen == {f"search-{number}" for number in range(1, threads)}
    assert helping() == []
    # The table has what all threads have written; later values that rely on it are right, too.
    for _ in range(100):
        edges = random_quiet(shape, rng, 14)
        assert together.bounds(edges) == (table_from(shape, edges)[0],) * 2


def test_threads_that_search_the_same_position_avoid_each_other() -> None:
    solver = Solver(board(5, 5), 8, 2)
    words = solver.words(0xAE4610881415590)
    paths = []
    for stack in (solver.stack, *solver.helpers):
        begin(stack, *words, -1, 1)
        # In turns: the second search begins while the marks of the first are there.
        assert not search(50, stack, solver.table, solver.tables)
        paths.append({tuple(row) for row in stack.words[1 : stack.registers[PLY] + 1, :KEY]})
    first, second = paths
    assert first
    assert not first & second


def test_no_mark_is_left_after_a_search() -> None:
    solver = Solver(board(5, 5), 8, 2)
    words = solver.words(closure(solver.board, 0xAE4610881415590 | 0xF00000).edges)
    marks = 0
    begin(solver.stack, *words, -1, 1)
    while not search(1, solver.stack, solver.table, solver.tables):
        marks = max(marks, int(np.count_nonzero(solver.stack.busy)))
    assert marks > 1
    assert not solver.stack.busy.any()


def test_helpers_end_when_the_search_is_stopped() -> None:
    solver = Solver(board(5, 5), 8, 2)
    seen: list[str] = []

    def stop() -> bool:
        seen.extend(helping())
        return bool(seen)

    found = solver.bounds(0, SearchWatch(stop))
    assert not found.exact
    assert seen == ["search-1"]
    assert helping() == []


def test_helpers_end_when_the_search_fails() -> None:
    class SearchError(Exception):
        pass

    def fail(_: int) -> None:
        if helping():
            raise SearchError

    with pytest.raises(SearchError):
        Solver(board(5, 5), 8, 2).bounds(0, SearchWatch(report=fail))
    assert helping() == []


def test_a_limit_of_nodes_makes_a_search_the_same_each_time() -> None:
    counts = []
    for threads in (1, 2):
        solver = Solver(board(5, 5), 8, threads)
        watch = SearchWatch(nodes=60_000, report=lambda _: counts.append(helping()))
        bounds = solver.bounds(0, watch)
        assert watch.nodes == 60_000
        counts.append([str(bounds)])
    half = len(counts) // 2
    assert counts[:half] == counts[half:]
    assert [] in counts
