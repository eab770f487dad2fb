"""Check the benchmark of the page's board with a small game."""

from __future__ import annotations

import pytest

from benchmarks.page import redraw
from benchmarks.page.browser import NO_CHROMIUM, program
from tests.client.web.harness.browser import NEED
from tests.client.web.harness.node import give_up

pytestmark = pytest.mark.browser


def test_every_move_has_its_script_and_its_drawing() -> None:
    if program() is None:
        give_up(NO_CHROMIUM, NEED)
    part = redraw.measure("2x2", 1, features=True)
    assert part["moves"] == 12
    assert 0 < part["script_ms"]["least"] < part["redraw_ms"]["least"]
    names = [line.name for line in redraw.lines({"2x2": part})]
    assert names == ["2x2: a move", "p95 of the same", "of that in scripts"]
