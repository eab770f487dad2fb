"""Deadlines give the time again after a standstill, but not for ever."""

from __future__ import annotations

from doublecross.bots.arena.deadlines import MOST_RESTARTS, STANDSTILL_S, Deadline, StandstillWatch

TICK_S = 0.25


def test_a_deadline_passes_where_the_machine_goes_on() -> None:
    watch = StandstillWatch(100.0)
    deadline = Deadline(watch)
    assert not deadline.is_over(1e9)
    deadline.expect_within(1.0, 100.0)
    for now in (100.25, 100.5, 100.75, 101.0):
        watch.check(now)
        assert not deadline.is_over(now)
    watch.check(101.25)
    assert deadline.is_over(101.25)
    assert (watch.count, deadline.waited_s(101.25)) == (0, 1.25)
    deadline.clear()
    assert not deadline.is_over(1e9)


def test_a_machine_that_slept_gives_the_time_again() -> None:
    watch = StandstillWatch(0.0)
    deadline = Deadline(watch)
    deadline.expect_within(1.0, 0.0)
    watch.check(3600.0)
    assert not deadline.is_over(3600.0)
    assert not deadline.is_over(3601.0)
    assert deadline.waited_s(3601.0) == 1.0
    watch.check(3600.0 + TICK_S)
    assert deadline.is_over(3601.0 + TICK_S)


def test_a_standstill_before_the_deadline_began_does_not_count() -> None:
    watch = StandstillWatch(0.0)
    deadline = Deadline(watch)
    watch.check(3600.0)
    deadline.expect_within(1.0, 3600.0)
    assert deadline.is_over(3601.0 + TICK_S)


def test_a_machine_that_is_always_late_gives_no_endless_time() -> None:
    watch = StandstillWatch(0.0)
    deadline = Deadline(watch)
    deadline.expect_within(1.0, 0.0)
    late = STANDSTILL_S + TICK_S
    over = []
    for number in range(1, MOST_RESTARTS + 2):
        watch.check(number * late)
        over.append(deadline.is_over(number * late))
    assert over == [False] * MOST_RESTARTS + [True]
    deadline.expect_within(1.0, number * late)  # the next move has its own
    watch.check((number + 1) * late)
    assert not deadline.is_over((number + 1) * late)
