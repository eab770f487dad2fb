"""Tests that the benchmark of records runs with small numbers."""

from __future__ import annotations

from benchmarks import records


def test_a_few_records_are_converted_and_reported() -> None:
    found = records.board("2x2", 100, 1)
    names = [line.name for line in records.lines({"2x2": found})]
    assert names == ["2x2: records to jsonl", "2x2: records to csv", "2x2: memory at most"]
    found["jsonl"] = {"median": 1.0, "least": 1.0, "most": 1.0}
    assert records.lines({"2x2": found})[0].met is False
