"""How far a search is, in words; Ctrl-C."""

from __future__ import annotations

import signal

import pytest

from bots.search.exact.analysis import analyse
from bots.search.exact.solver import Bounds, SearchWatch, Solver
from cli.analysis.progress import Interrupt, stage
from games.dots_and_boxes.board import board


def test_how_far_it_is_is_told() -> None:
    told: list[str] = []
    solver = Solver(board(3, 3), memory_mb=4)
    found = analyse(
        solver, 1, SearchWatch(), every_move=True, report=lambda known: told.append(stage(known))
    )
    assert found.value == Bounds(3, 3)
    assert told[0] == "value -9 to +9"
    assert told.count("value +3, looking for the best edges") == 1
    assert any(text.endswith(" of 23 edges solved") for text in told)


def test_the_first_interrupt_asks_and_the_second_insists() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupt() as interrupt:
        assert not interrupt.asked
        signal.raise_signal(signal.SIGINT)
        assert interrupt.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
