"""Tests that the benchmark of links between nodes runs with small numbers."""

from __future__ import annotations

import sys

import pytest

from benchmarks import links
from tests.services.binaries import need

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="it reads the CPU clocks of processes"),
    pytest.mark.timeout(120),  # Processes have to start.
]


def test_batches_travel_and_cost_something() -> None:
    need("nats-server")
    rows = {}
    with links.nats_server() as (url, pid):
        for kind, pace in (("links", 0), ("gathered", 5), ("library", 0)):
            row = links.one(kind, url, pid, 5, 1000, pace)
            assert set(row) == {*links.PLACES, "kernel"}
            rows[f"{kind}, 5"] = [row]
    assert rows["library, 5"][0]["receiver"] > 0
    found = links.lines({"at": "2026-01-01T00:00:00", "machine": {}, "a pace": rows})
    assert [line.name for line in found[::2]] == [
        f"a pace, {kind}: batch of 5 at both nodes" for kind in links.KINDS
    ]
    row = {"sender": 4.0, "receiver": 3.0, "nats": 9.0, "kernel": 2.0}
    found = links.lines({"a pace": {"links, 1": [row]}})
    assert (found[0].value, found[0].met) == ("7.0 us", False)
