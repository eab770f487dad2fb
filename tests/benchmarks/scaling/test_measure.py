"""The command that measures costs runs with small numbers, and finds what the model needs."""

from __future__ import annotations

import sys
import tracemalloc

import pytest

from benchmarks.scaling.costs import read
from benchmarks.scaling.measure import measured
from tests.services.binaries import need

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="it reads the CPU clocks of processes"),
    pytest.mark.timeout(120),  # PostgreSQL has to start.
]


async def test_times_and_memory() -> None:
    need("postgres")
    times = await measured(50, memory=False)
    try:
        memory = await measured(50, memory=True)
    finally:
        tracemalloc.stop()
    found = {name for name, _, _ in (*times.lines, *memory.lines)}
    # The parts beside the processor's and the others' figures are printed too.
    taken = {name for name, cost in read().items() if cost.source.startswith("parts")}
    assert taken <= found, taken - found
    assert all(value > 0 for _, value, _ in memory.lines)
    assert {name: value for name, value, _ in times.lines}["leader_hello_us"] > 20
