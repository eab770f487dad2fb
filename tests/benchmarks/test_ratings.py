"""Tests that the benchmark of ratings runs with small numbers, and its verdicts."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import benchmarks.__main__ as command
from benchmarks import ratings
from benchmarks.coverage import Field
from benchmarks.ratings import PARTS, Plan, Size, Trial, ladder, lines

SMALL = Plan(
    simulations=4,
    resamples=10,
    trials=(
        Trial("small", Field(3, 5), promised=True),
        Trial("clean", Field(2, 2, spread=1000, seat=0.0, alike=1.0, drawn=0.0), anchor=0),
    ),
    sizes=(Size(5, 200, 10), Size(8, 200, 0)),
    rounds=2,
)


def test_every_part_runs_and_is_reported() -> None:
    messages: list[str] = []
    results: dict[str, Any] = {name: part(SMALL, messages.append) for name, part in PARTS.items()}
    assert messages
    assert results["coverage"]["small"]["bootstrap"]["intervals"] == 12
    assert results["coverage"]["clean"]["analytic"]["intervals"] == 4
    assert set(results["speed"]) == {"5", "8"}
    assert "bootstrap" not in results["speed"]["8"]
    seconds = results["speed"]["5"]["bootstrap"]["cpu_s"]
    assert 0 < seconds["least"] <= seconds["median"] <= seconds["most"]
    table = lines(results)
    assert [line.name for line in table] == [
        "small, bootstrap",
        "small, analytic",
        "clean, bootstrap",
        "clean, analytic",
        "5 players, 200 games, analytic",
        "5 players, 200 games, bootstrap of 10",
        "5 players, 200 games, LOS matrix",
        "8 players, 200 games, analytic",
        "8 players, 200 games, LOS matrix",
    ]
    assert all(line.met is None for line in table)  # four tournaments prove nothing
    json.dumps(results)


@pytest.mark.parametrize(
    ("covered", "simulations", "met"),
    [(0.951, 1000, True), (0.92, 1000, False), (0.98, 1000, False), (0.92, 50, None)],
)
def test_only_trials_with_a_promise_get_a_verdict(
    covered: float, simulations: int, met: bool | None
) -> None:
    trials = replace(SMALL, trials=SMALL.trials[:1])
    results = {"coverage": PARTS["coverage"](trials, lambda _: None)}
    row = results["coverage"]["small"]
    row["simulations"] = simulations
    row["bootstrap"]["covered"] = covered
    line = lines(results)[0]
    assert line.met is met
    assert line.value.startswith(f"{covered:.1%} ± ")
    assert line.target == ("" if met is None else "93% to 97%")


def test_a_ladder_has_as_many_games_as_asked_between_all_its_players() -> None:
    games = ladder(40, 4000, 1)
    assert sum(p.pairs.pairs for p in games) == 2000
    assert {n for p in games for n in (p.first, p.second)} == set(range(40))
    assert games == ladder(40, 4000, 1)
    assert games != ladder(40, 4000, 2)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "QUICK", SMALL)
    words = ["ratings", "coverage", "--quick", "--simulations", "3", "--markdown"]
    result = CliRunner().invoke(command.app, [*words, "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    assert "| small, bootstrap |" in result.output
    written = json.loads(next(tmp_path.glob("ratings-*.json")).read_text())
    assert written["coverage"]["small"]["simulations"] == 3
    assert "speed" not in written
    assert CliRunner().invoke(command.app, ["ratings", "nothing"]).exit_code == 2
