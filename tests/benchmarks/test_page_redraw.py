"""Check the benchmark of the page's board with a small game."""

from __future__ import annotations

from shutil import which

import pytest

from benchmarks.page import redraw


def test_every_move_has_its_script_and_its_drawing() -> None:
    if which("chromium") is None:
        pytest.skip("There is no Chromium: apt-get install chromium")
    part = redraw.measure("2x2", 1, features=True)
    assert part["moves"] == 12
    assert 0 < part["script_ms"]["least"] < part["redraw_ms"]["least"]
    names = [line.name for line in redraw.lines({"2x2": part})]
    assert names == ["2x2: a move", "p95 of the same", "of that in scripts"]
