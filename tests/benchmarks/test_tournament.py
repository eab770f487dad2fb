"""Tests that the benchmark of tournaments runs with small numbers."""

from __future__ import annotations

from benchmarks import tournament


def test_a_small_ladder_is_played_and_reported() -> None:
    found = tournament.ladder(6, 60)
    assert (found["players"], found["games"]) == (6, 60)
    assert 0 < found["median"] <= found["p99"] <= found["most"]
    lines = tournament.lines({"ladder": found})
    assert lines[0].name.endswith("6 players, 60 finished games")
    slow = tournament.lines({"ladder": found | {"median": 0.006, "p99": 0.004}})
    assert [line.met for line in slow] == [False, True, None, None]
