"""Check how often a player may say a phrase."""

from __future__ import annotations

import pytest

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.shell.rooms.phrase_limits import MOST, PERIOD_MS, PhraseLimits


def refusal(limits: PhraseLimits, player: str, now: int) -> str:
    with pytest.raises(Refused) as refused:
        limits.charge(player, now)
    assert refused.value.code == ErrorCode.RATE_LIMITED
    return refused.value.sentence


def test_the_sixth_phrase_of_a_minute_has_to_wait() -> None:
    limits = PhraseLimits()
    for second in range(MOST):
        limits.charge("Ann", 1000 * second)
    assert refusal(limits, "Ann", 10_000).endswith("Say the next one in 50 s.")
    limits.charge("Bob", 10_000)  # each player has a limit of its own
    assert refusal(limits, "Ann", PERIOD_MS - 1).endswith("in 1 s.")
    limits.charge("Ann", PERIOD_MS)  # refused phrases do not count
    assert refusal(limits, "Ann", PERIOD_MS).endswith("in 1 s.")
    limits.charge("Ann", PERIOD_MS + 1000)


def test_players_who_say_nothing_are_forgotten() -> None:
    limits = PhraseLimits()
    for number in range(100):
        limits.charge(f"P{number}", number)
    limits.charge("P0", 200)  # the last one by now
    assert len(limits) == 100
    limits.charge("P1", PERIOD_MS + 150)
    assert len(limits) == 2
