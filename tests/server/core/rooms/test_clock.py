"""Clocks: base and increment, per move, unlimited; what happens at the exact millisecond."""

from __future__ import annotations

import pytest

from doublecross.protocol.common import TimeControl
from doublecross.server.core.rooms.clock import Clock


def started(at: int = 1000, seat: int = 0, **control: int | None) -> Clock:
    clock = Clock(TimeControl.model_validate(control))
    clock.start(seat, at)
    return clock


def test_the_last_millisecond_is_in_time_and_the_next_is_not() -> None:
    clock = started(base_ms=5000)
    assert clock.deadline() == 6000
    assert not clock.is_out_of_time(6000)
    assert clock.is_out_of_time(6001)
    assert clock.stop_after_move(0, 6000) == 5000
    assert clock.left == (0, 5000)


def test_a_limit_for_each_move_alone() -> None:
    clock = started(move_ms=50)
    assert clock.left is None
    assert clock.deadline() == 1050
    assert not clock.is_out_of_time(1050)
    assert clock.is_out_of_time(1051)
    assert clock.remaining(1040) is None
    assert clock.stop_after_move(0, 1050) == 50
    clock.start(1, 1050)
    assert clock.deadline() == 1100


@pytest.mark.parametrize(("base", "deadline"), [(5000, 2000), (600, 1600), (1000, 2000)])
def test_the_shorter_of_clock_and_move_limit_counts(base: int, deadline: int) -> None:
    clock = started(base_ms=base, move_ms=1000)
    assert clock.deadline() == deadline
    assert not clock.is_out_of_time(deadline)
    assert clock.is_out_of_time(deadline + 1)


def test_an_unlimited_clock_never_runs_out() -> None:
    clock = started()
    assert clock.deadline() is None
    assert not clock.is_out_of_time(10**15)
    assert clock.stop_after_move(0, 5000) == 4000
    assert clock.left is None
    clock.start(1, 5000)
    clock.stop(9000)
    assert clock.left is None
    assert clock.running is None


def test_time_never_runs_backwards() -> None:
    clock = started(at=5000, base_ms=1000)
    assert clock.elapsed(4000) == 0
    assert clock.remaining(4000) == (1000, 1000)
    assert not clock.is_out_of_time(4000)
