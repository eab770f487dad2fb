"""How a position is solved, step by step: true at every stop, told on the way, interruptible."""

from __future__ import annotations

import signal
from random import Random

import pytest

from bots.search.jit import warm_up
from bots.search.solver import Bounds, Solver, Watch
from cli.solving import Interrupt, solve
from games.dots_and_boxes.board import board
from tests.bots.search.brute import random_position, table

pytestmark = pytest.mark.timeout(240)  # The first test waits for the compiler.


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    warm_up("solver", lambda: Solver(board(2, 2)).bounds(0))


def test_findings_are_true_wherever_the_search_stops() -> None:
    rng = Random(9)
    shape, values = board(3, 3), table(3, 3)
    solver = Solver(shape, memory_mb=1)
    kinds = set()
    for _ in range(250):
        edges = random_position(shape, rng, rng.randint(3, 22))
        solver.clear()
        watch = Watch(nodes=rng.choice((1, 30, 300, 3_000, 30_000)))
        found = solve(solver, edges, watch, every_move=True)
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


def test_how_far_it_is_is_told() -> None:
    told: list[str] = []
    solver = Solver(board(3, 3), memory_mb=4)
    found = solve(solver, 0, Watch(), every_move=True, tell=told.append)
    assert found.value == Bounds(-3, -3)
    assert told[0] == "value -9 to +9"
    assert "value -3, looking for the best edges" in told
    assert told.index("value -3") == told.index("value -3, looking for the best edges") - 1


def test_the_first_interrupt_asks_and_the_second_insists() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupt() as interrupt:
        assert not interrupt.asked
        signal.raise_signal(signal.SIGINT)
        assert interrupt.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
