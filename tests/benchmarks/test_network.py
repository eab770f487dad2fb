"""Tests that the benchmark of games over the network runs with small numbers."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from benchmarks import network

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the server is pinned as Linux can"),
    pytest.mark.timeout(120),  # Processes have to start.
]


def test_games_are_played_in_one_process_and_over_the_network(tmp_path: Path) -> None:
    arena = asyncio.run(network.in_arena("random", 0.05, 1))
    assert arena["per_s"] > 0
    with network.networked(tmp_path) as (server, programs):
        found = asyncio.run(network.over_network(server, programs, "random", 2, 0.5))
    assert found["per_s"] > 0
    assert all(found[place] > 0 for place in network.PLACES)
    assert found["cpu_ms"] == pytest.approx(sum(found[place] for place in network.PLACES))
    rows = {"arena": [arena], "2 at once": [found]}
    lines = network.lines({"at": "2026-01-01T00:00:00", "machine": {}, "random": rows})
    assert [line.name for line in lines] == [
        "random, arena: games a second",
        "CPU of a game",
        "random, 2 at once: games a second",
        "CPU of a game",
        "of which",
        "games a second / arena",
    ]
