"""Run the window's benchmark with the smallest numbers, and check its error messages."""

from __future__ import annotations

import gc
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

import benchmarks.__main__ as command
from benchmarks import figures, machine
from benchmarks.tk import measure, report
from benchmarks.tk.__main__ import PARTS
from benchmarks.tk.measure import Plan

if TYPE_CHECKING:
    from tests.client.tk.harness.xvfb import VirtualDisplay

SMALL = Plan(boards=3, games=2, size="2x3")


def test_every_part_runs_and_is_reported(display: VirtualDisplay, tmp_path: Path) -> None:
    results: dict[str, Any] = {
        "at": "2026-01-01T00:00:00",
        "machine": {**machine.describe(None, machine.TK_LIBRARIES), **measure.software()},
    }
    for name, part in PARTS.items():
        results[name] = part(SMALL)
    for prefix in ("", "screen-"):
        assert len(results[f"{prefix}first"]["rounds"]) == 3
    # 2x3 boxes have 17 edges. The benchmark clicks all of them, or some while the opponent draws
    # the others.
    assert [len(times) for times in results["click"]["rounds"]] == [17, 17]
    assert all(0 < len(times) < 17 for times in results["screen-click"]["rounds"])
    for name in PARTS:
        seconds = results[name]["seconds"]
        assert 0 < seconds["least"] <= seconds["median"] <= seconds["p95"] <= seconds["most"]
    text = figures.markdown(report.lines(results, SMALL.size), results)
    for line in (
        "first draw of 2x3",
        "first draw of 2x3, whole screen",
        "click to its drawn edge, 2x3",
        "the opponent's move to its drawn edge, 2x3, whole screen",
        "last tenth of a game / first tenth of it, 2x3, whole screen",
    ):
        assert f"| {line} | " in text
    assert "- libraries: sv-ttk " in text
    assert "- tk: 8." in text
    assert json.loads(figures.write("tk", results, tmp_path).read_text()) == results


def test_its_windows_outlive_a_collection_of_garbage_in_another_thread(
    display: VirtualDisplay,
) -> None:
    with measure.window() as root:
        assert root.winfo_viewable()
    del root
    collecting = threading.Thread(target=gc.collect)
    collecting.start()
    collecting.join()  # unless Tcl has ended the process


def test_figures_are_held_against_what_was_wanted() -> None:
    def verdicts(first: float, click: float, late: float) -> list[bool | None]:
        def spread(value: float) -> dict[str, float]:
            return {"median": value, "p95": value, "least": value, "most": value}

        results = {
            "first": {"seconds": spread(first)},
            "click": {"seconds": spread(click), "early": 0.002, "late": late},
        }
        return [line.met for line in report.lines(results, "10x10")]

    assert verdicts(0.099, 0.0159, 0.003) == [True] * 5
    assert verdicts(0.101, 0.0161, 0.0031) == [False] * 5


@pytest.mark.processes
def test_without_a_display_one_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("tkinter")
    monkeypatch.delenv("DISPLAY", raising=False)
    result = CliRunner().invoke(command.app, ["tk", "--quick", "--out", str(tmp_path)])
    assert result.exit_code == 1
    assert " ".join(result.output.split()) == measure.missing()
    assert "There is no display" in result.output
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("DISPLAY", ":987654")
    assert "The display :987654 cannot be used" in measure.missing()


def test_the_other_benchmarks_run_without_display_and_browser(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("tkinter")
    monkeypatch.delenv("DISPLAY", raising=False)
    for name in ("server", "search"):
        monkeypatch.setattr(getattr(command, name), "run", lambda **_: None)
    monkeypatch.setattr(command, "program", lambda: None)
    result = CliRunner().invoke(command.app, [])
    assert result.exit_code == 0
    no_page = f"{command.NO_CHROMIUM} Without it the page is not measured."
    assert result.output.splitlines() == [measure.missing(), no_page]
