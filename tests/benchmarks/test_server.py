"""Tests that the benchmark of the server runs with small numbers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import figures, machine
from benchmarks.server import measure, report
from benchmarks.server.__main__ import PARTS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the load is made for Linux")

SMALL = measure.Plan(
    rounds=1,
    seconds=0.3,
    lead_s=0.1,
    rooms=2,
    pace_s=0.2,
    idle=(5, 10),
    spectators=5,
    crowd_seconds=0.1,
    settle_s=0.05,
)


def test_every_part_runs_and_is_reported(tmp_path: Path) -> None:
    messages: list[str] = []
    results: dict[str, Any] = {"at": "2026-01-01T00:00:00", "machine": machine.describe(tmp_path)}
    with measure.session(SMALL) as (server, generator):
        for name, part in PARTS.items():
            results[name] = part(SMALL, server, generator, messages.append)
    assert results["play"]["move"]["cpu_us"]["median"] > 0
    assert results["play"]["latency"]["moves"] > 0
    assert results["watch"]["ratio"] > 0
    assert results["tournament"]["plain"]["cpu_us"]["median"] > 0
    assert all(ratio > 0 for found in results["tournament"]["ratios"].values() for ratio in found)
    assert set(results["idle"]["kib_per_connection"]) == {"5", "10"}
    assert messages
    assert "| echo / move, CPU |" in figures.markdown(report.lines(results), results)
    path = figures.write("server", results, tmp_path)
    assert json.loads(path.read_text())["play"]["rooms"] == 2
