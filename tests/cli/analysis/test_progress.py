"""Tests for the status of a search in words, and for Ctrl-C."""

from __future__ import annotations

import signal

import pytest

from doublecross.bots.search.exact.analysis import analyse
from doublecross.bots.search.exact.bounds import Bounds
from doublecross.bots.search.exact.solver import SearchWatch, Solver
from doublecross.cli.analysis.progress import Interrupt, stage
from doublecross.games.dots_and_boxes.board import board


def test_the_stage_of_a_search_is_described() -> None:
    stages: list[str] = []
    solver = Solver(board(3, 3), memory_mb=4)
    found = analyse(
        solver, 1, SearchWatch(), every_move=True, report=lambda known: stages.append(stage(known))
    )
    assert found.value == Bounds(3, 3)
    assert stages[0] == "value -9 to +9"
    assert stages.count("value +3, looking for the best edges") == 1
    assert any(text.endswith(" of 23 edges solved") for text in stages)


def test_the_first_interrupt_stops_the_search_and_the_second_raises() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupt() as interrupt:
        assert not interrupt.asked
        signal.raise_signal(signal.SIGINT)
        assert interrupt.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
