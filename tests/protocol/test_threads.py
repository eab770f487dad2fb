"""Models are built when they are first used, and that may be in several threads at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from doublecross.protocol.common import PlayerInfo, WireModel

THREADS = 4


@pytest.fixture(autouse=True)
def _frequent_switches() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def test_threads_that_use_a_model_first_at_the_same_time_get_this_model() -> None:
    """Pydantic 2.13 sometimes checks by the base of the model instead."""
    for _ in range(80):

        class Entry(WireModel):
            number: int
            player: PlayerInfo | None = None

        together = threading.Barrier(THREADS)

        def use(made: type[Entry] = Entry, together: threading.Barrier = together) -> list[int]:
            together.wait()
            return [made(number=number).number for number in range(20)]

        with ThreadPoolExecutor(THREADS) as threads:
            found = [threads.submit(use) for _ in range(THREADS)]
            assert [each.result() for each in found] == [list(range(20))] * THREADS
