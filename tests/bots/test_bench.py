"""Check the behaviour signature: it is reproducible, and the searches' results are correct.

Node totals are not checked: every change to a search changes them on purpose.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.search import bench
from benchmarks.search.bench import POSITIONS, BenchResult, run
from doublecross.bots.search.exact.closure import closure
from doublecross.games.dots_and_boxes.board import board

VALUES = {
    "3x3, 24 free, 0": -3,
    "2x4, 22 free, 0": 2,
    "5x5, 32 free, 5553890b64cc19f": -1,
    "5x5, 32 free, 376c6f76682a011": -7,
    "5x5, 32 free, a15a2d576688e0e": 3,
    "5x5, 34 free, a3052aaccb3e406": -1,
    "5x5, 34 free, 59db4cef200e006": -5,
    "5x5, 34 free, 5553890b644c11f": 5,
    "5x5, 36 free, 65c38b6d069809": 3,
    "3x4, 26 free, 10022006": 4,
    "4x6, 36 free, a0c3a627c00c87": 4,
    "6x6, 48 free, d346317d378f48d210011": 0,
    "7x7, 56 free, 815ada91258d0ffcf403fd941bf": 1,
    "7x7, 60 free, 94012181a0d8d867b771efa1d197": 15,
    "5x5, 34 free, 60c94540e91e0fe": 1,
    "5x5, 33 free, 345299b611e4959": 11,
    "5x5, 32 free, 556d3c8190605fb": 1,
}
"""Net scores for the player to move."""


def said(*names: str) -> list[str]:
    """Return the lines that `run` writes."""
    lines: list[str] = []
    run(names, lines.append)
    return "".join(lines).splitlines()


def test_the_solver_finds_the_values() -> None:
    found = {line.label: line.found for line in bench.solver()}
    assert found == {label: f"value {value:+d}" for label, value in VALUES.items()}


def test_the_positions_are_what_they_are_called() -> None:
    """Play carefully except for the last three positions, in which 1, 2 and 4 boxes may be
    declined.
    """
    takes = []
    for position in POSITIONS:
        shape = board(position.rows, position.cols)
        most = max((position.edges & mask).bit_count() for mask in shape.box_masks)
        now = closure(shape, position.edges)
        assert most <= 2 or now.taken
        takes.append((now.taken, now.keeps))
    assert set(takes[:-3]) == {(0, 0)}
    assert takes[-3:] == [(1, 0), (6, 2), (4, 4)]


@pytest.mark.processes
def test_another_process_prints_the_same() -> None:
    """Neither the order of sets and dictionaries nor earlier searches affect the output."""
    names = ["mcts"]
    here = said(*names)
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.search.bench", *names],
        env={**os.environ, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == here
    assert here[-1].startswith("signature of mcts: ")


def test_every_line_goes_into_the_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [BenchResult("a", 1, "value +1"), BenchResult("b", 2, "value -1")]
    monkeypatch.setattr(bench, "SECTIONS", {"one": lambda: lines, "two": lambda: lines[:1]})
    first = said()
    assert [line.split() for line in first[:3]] == [
        ["one", "a", "1", "value", "+1"],
        ["one", "b", "2", "value", "-1"],
        ["one", "all", "3"],
    ]
    assert int(first[-1].removeprefix("signature: ")) == run((), lambda _: None)
    for changed in (
        BenchResult("c", 2, "value -1"),
        BenchResult("b", 3, "value -1"),
        BenchResult("b", 2, "value +1"),
    ):
        before = lines[1]
        lines[1] = changed
        assert said()[-1] != first[-1]
        lines[1] = before
    assert said() == first
