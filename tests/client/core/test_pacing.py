"""Check the delays between attempts, and the pace of requests."""

from __future__ import annotations

from random import Random

import pytest

from doublecross.client.core.pacing import (
    CAP_S,
    FIRST_S,
    RequestPacer,
    reconnect_delay,
)


class Longest(Random):
    """Return the upper bound of every delay, and record the lower one."""

    low: float | None = None

    def uniform(self, a: float, b: float) -> float:
        self.low = a
        return b


def test_delays_of_reconnecting_double_up_to_a_bound() -> None:
    rng = Longest()
    assert [reconnect_delay(attempt, rng) for attempt in range(7)] == pytest.approx(
        [0.2, 0.4, 0.8, 1.6, 3.2, 4.0, 4.0]
    )
    assert rng.low == 0.0
    assert reconnect_delay(10_000, rng) == CAP_S
    assert reconnect_delay(0, rng) == FIRST_S


def test_one_second_of_messages_is_sent_at_once_and_the_rest_at_the_rate() -> None:
    pacer = RequestPacer(4.0, 100.0)
    for _ in range(4):
        assert pacer.delay(100.0) == 0.0
        pacer.spend(100.0)
    assert pacer.delay(100.0) == pytest.approx(0.25)
    assert pacer.delay(100.125) == pytest.approx(0.125)
    assert pacer.delay(100.25) == 0.0
    pacer.spend(100.25)
    assert pacer.delay(100.25) == pytest.approx(0.25)


def test_an_idle_connection_saves_at_most_one_second_of_messages() -> None:
    pacer = RequestPacer(2.0, 0.0)
    for _ in range(2):
        assert pacer.delay(1000.0) == 0.0
        pacer.spend(1000.0)
    assert pacer.delay(1000.0) == pytest.approx(0.5)


def test_no_rate_is_no_limit() -> None:
    pacer = RequestPacer(0.0, 0.0)
    for _ in range(100):
        assert pacer.delay(0.0) == 0.0
        pacer.spend(0.0)
