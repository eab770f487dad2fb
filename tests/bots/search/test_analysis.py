"""Check that the results of an analysis are correct wherever it is stopped."""

from __future__ import annotations

from random import Random

from doublecross.bots.search.exact.analysis import analyse
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.games.dots_and_boxes.board import board
from tests.bots.search.brute import random_position, table


def test_results_are_correct_wherever_the_search_stops() -> None:
    rng = Random(9)
    shape, values = board(3, 3), table(3, 3)
    solver = Solver(shape, memory_mb=1)
    kinds = set()
    for _ in range(180):
        edges = random_position(shape, rng, rng.randint(3, 22))
        solver.clear()
        watch = SearchWatch(nodes=rng.choice((1, 30, 300, 3_000, 30_000)))
        found = analyse(solver, edges, watch, every_move=True)
        value = int(values[edges])
        assert found.value.low <= value <= found.value.high
        worth = {}
        for edge in shape.members(shape.full & ~edges):
            after = int(values[edges | 1 << edge])
            gain = solver.child(edges, edge).gain
            worth[edge] = gain + after if gain else -after
        assert found.moves.keys() == worth.keys()
        assert all(found.moves[edge].low <= worth[edge] <= found.moves[edge].high for edge in worth)
        best = {edge for edge in worth if worth[edge] == value}
        assert set(found.best) <= best
        if found.best_known:
            assert set(found.best) == best
        if found.exact:
            assert found.value == (value, value)
            assert found.moves == {edge: (each, each) for edge, each in worth.items()}
        kinds.add((found.value.exact, found.best_known, found.exact))
    assert kinds >= {
        (False, False, False),
        (True, False, False),
        (True, True, False),
        (True, True, True),
    }
