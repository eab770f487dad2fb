"""Tests that the benchmark of searches runs with small numbers; its positions and verdicts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import benchmarks.__main__ as command
from benchmarks import figures, machine
from benchmarks.processes import BenchmarkError
from benchmarks.search import measure, report, solving
from benchmarks.search.__main__ import PARTS
from benchmarks.search.__main__ import run as run_search
from benchmarks.search.measure import Empty, Plan, Playouts, Sample
from benchmarks.search.positions import safe_edges, sample
from doublecross.bots.search.exact.closure import closure
from doublecross.games.dots_and_boxes.board import board

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")

SMALL = Plan(
    rounds=1,
    empties=(Empty("2x2", 1, 2),),
    samples=(Sample("3x3", 18, 3),),
    memory_mb=1,
    size="3x3",
    depths=(1, 3),
    both=(Sample("2x3", 9, 2),),
    repeats=2,
    playouts=(
        Playouts("dots-and-boxes", "3x3", 200),
        Playouts("tic-tac-toe", "3x3", 20, {"rollout": "random"}),
    ),
    playout_rounds=2,
)


def test_every_part_runs_and_is_reported(tmp_path: Path) -> None:
    messages: list[str] = []
    results: dict[str, Any] = {
        "at": "2026-01-01T00:00:00",
        "machine": machine.describe(None, machine.SEARCH_LIBRARIES),
    }
    for name, part in PARTS.items():
        results[name] = part(SMALL, messages.append)
    assert messages
    two = results["boards"]["2x2"]
    # The first player wins three of the four boxes.
    assert two["value"] == 2
    assert len(two["rounds"]) == 2
    assert two["nodes"] > 0
    assert two["seconds"]["least"] <= two["seconds"]["median"] <= two["seconds"]["most"]
    assert two["peak_bytes"] >= two["before_bytes"] > 2**20
    three = results["positions"]["3x3 with 18 free edges"]
    assert three["count"] == len(three["positions"]) == len(three["rounds"][0]) == 3
    assert three["per_s"] > 0
    searches = [(row["table"], row["depth"]) for row in results["textbook"]["searches"]]
    assert searches == [(False, 1), (False, 3), (True, 1), (True, 3)]
    (ratios,) = results["against"].values()
    # The solver gives the same values for a small part of the nodes.
    assert ratios["node_ratio"]["least"] > 5
    assert ratios["exact_s"]["most"] < ratios["textbook_s"]["least"]
    assert [len(row["rounds"]) for row in results["mcts"].values()] == [2, 2]
    assert all(row["per_s"]["least"] > 0 for row in results["mcts"].values())

    text = figures.markdown(report.lines(results), results)
    assert "| solving 2x2: value +2 | " in text
    assert "- libraries: numba " in text
    assert "sqlite" not in text
    assert json.loads(figures.write("search", results, tmp_path).read_text()) == results


def test_figures_are_compared_with_their_targets() -> None:
    def verdicts(seconds: float, megabytes: float, median: float, busy: float) -> list[bool | None]:
        def spread(value: float) -> dict[str, float]:
            return {"median": value, "least": value / 2, "most": value * 2}

        row = {
            "seconds": spread(seconds),
            "peak_bytes": megabytes * 1e6,
            "value": 0,
            "nodes": 5,
            "memory_mb": 64,
            "per_s": spread(1.0),
            "busy": busy,
        }
        place = {"seconds": spread(median), "nodes": spread(9), "per_s": 1.0, "count": 4}
        results = {"boards": {"3x4": row}, "positions": {"5x5 with 38 free edges": place}}
        return [line.met for line in report.lines(results) if line.target]

    assert verdicts(4.9, 300, 0.099, 0.9) == [True, True, True, True]
    assert verdicts(5.1, 301, 0.101, 0.89) == [False, False, False, False]


@pytest.mark.parametrize(("rows", "cols", "free"), [(3, 3, 16), (5, 5, 36), (5, 5, 40), (2, 6, 20)])
def test_positions_are_of_careful_play(rows: int, cols: int, free: int) -> None:
    shape = board(rows, cols)
    found = sample(shape, free, 20, seed=3)
    for edges in found:
        assert len(shape.members(shape.full & ~edges)) == free
        assert all((edges & mask).bit_count() <= 2 for mask in shape.box_masks)
    assert len(set(found)) > 10
    assert sample(shape, free, 20, seed=3) == found
    assert sample(shape, free, 5, seed=3) == found[:5]
    assert sample(shape, free, 20, seed=4) != found


def test_an_edge_is_safe_if_no_box_gets_its_third() -> None:
    shape = board(2, 2)
    for edges in range(shape.full + 1):
        wanted = [
            edge
            for edge in shape.members(shape.full & ~edges)
            if not any(
                mask >> edge & 1 and (edges & mask).bit_count() >= 2 for mask in shape.box_masks
            )
        ]
        assert safe_edges(shape, edges) == wanted


def test_the_search_for_impossible_positions_gives_up() -> None:
    with pytest.raises(BenchmarkError, match="ever leaves 3 free edges on 2x2"):
        sample(board(2, 2), 3, 1, seed=1)


def test_searches_that_differ_between_rounds_are_an_error() -> None:
    assert measure.same([7, 7]) == 7
    with pytest.raises(BenchmarkError, match="gave 7, 8"):
        measure.same([8, 7, 8])


def test_an_error_in_the_child_process_is_reported() -> None:
    with measure.worker() as process, pytest.raises(BenchmarkError, match="at most 128 bits"):
        process.ask("solve", size="11x11", memory_mb=1, positions=[0])


@pytest.mark.parametrize(
    "wrong",
    [{"parts": ["nothing"]}, {"boards": "5x5", "quick": True}, {"boards": ","}],
)
def test_unknown_parts_and_boards_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(typer.BadParameter):
        run_search(**wrong)


@pytest.mark.parametrize(
    ("words", "called"),
    [
        ([], [("server", False), ("search", False), ("tk", False), ("page", False)]),
        (["--quick"], [("server", True), ("search", True), ("tk", True), ("page", True)]),
    ],
)
def test_without_a_name_everything_is_measured(
    words: list[str], called: list[tuple[str, bool]], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[str, bool]] = []
    monkeypatch.setattr(command, "missing", lambda: "")
    monkeypatch.setattr(command, "program", lambda: "chromium")
    for name in ("server", "search", "tk", "page"):
        module = getattr(command, name)
        monkeypatch.setattr(
            module, "run", lambda quick, markdown, name=name: calls.append((name, quick))
        )
    assert CliRunner().invoke(command.app, words).exit_code == 0
    assert calls == called


def test_options_before_a_name_are_refused() -> None:
    result = CliRunner().invoke(command.app, ["--quick", "search"])
    assert result.exit_code == 2
    assert "after search" in result.output


def test_fixed_positions_are_solved_and_counted() -> None:
    known = solving.load()
    shape = board(5, 5)
    assert sorted(known) == [36, 38, 40, 42, 44]
    for free, each in known.items():
        assert len(set(each)) == solving.COUNT
        assert all((shape.full & ~edges).bit_count() == free for edges in each)
        assert not any(closure(shape, edges).taken for edges in each)
    app = typer.Typer()
    app.command()(solving.measure)
    result = CliRunner().invoke(app, ["--free", "36", "--count", "2", "--memory-mb", "8"])
    assert result.exit_code == 0, result.output
    row = next(line for line in result.output.splitlines() if line.startswith("\u2502 36"))
    assert int(row.split("\u2502")[4].replace(",", "")) > 1000
