"""Turns: everybody parses a little, and then everybody else goes on."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, cast

import pytest

from doublecross.server.shell.wire.turns import STEP_S, ReadingTurns


class FakeLoop:
    """Collect the calls that are due, and say how long they wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Any]] = []

    def call_soon(self, call: Any, *args: Any) -> None:
        self.call_later(0.0, call, *args)

    def call_later(self, delay: float, call: Any, *args: Any) -> None:
        self.due.append((delay, lambda: call(*args)))

    def turn(self) -> float:
        """Carry out the only call that is due; return how long it had to wait."""
        ((delay, call),) = self.due
        self.due.clear()
        call()
        return delay


def test_connections_parse_one_after_the_other_and_then_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, turns, ran = FakeLoop(), ReadingTurns(), list[str]()
    monkeypatch.setattr("doublecross.server.shell.wire.turns.time.perf_counter", lambda: loop.now)
    pieces = {"Ann": 4, "Ben": 1, "Eve": 3}

    def parse(name: str) -> None:
        ran.append(name)
        loop.now += STEP_S * 0.4
        pieces[name] -= 1
        if pieces[name]:
            turns.wait(cast(asyncio.AbstractEventLoop, loop), partial(parse, name))

    for name in pieces:
        turns.wait(cast(asyncio.AbstractEventLoop, loop), partial(parse, name))
    assert loop.turn() == 0
    assert ran == ["Ann", "Ben", "Eve"]
    assert loop.turn() == STEP_S
    assert ran[3:] == ["Ann", "Eve", "Ann"]
    assert loop.turn() == STEP_S
    assert ran[6:] == ["Eve", "Ann"]
    assert not loop.due
    turns.wait(cast(asyncio.AbstractEventLoop, loop), list)  # whoever comes later begins at once
    assert loop.turn() == 0


def test_a_connection_that_fails_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, turns, ran = FakeLoop(), ReadingTurns(), list[str]()
    monkeypatch.setattr("doublecross.server.shell.wire.turns.time.perf_counter", lambda: loop.now)

    def fail() -> None:
        raise RuntimeError("a bug")

    for step in (fail, partial(ran.append, "Ben")):
        turns.wait(cast(asyncio.AbstractEventLoop, loop), step)
    with pytest.raises(RuntimeError):
        loop.turn()
    loop.turn()
    assert ran == ["Ben"]
