"""Replay the sessions of learners in Python, and their ladder: the page must show the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.web.harness.node import run
from tests.client.web.learn.record import recorded


@pytest.mark.processes
@pytest.mark.search
def test_the_page_follows(tmp_path: Path) -> None:
    file = tmp_path / "recorded.json"
    file.write_text(recorded(), "utf-8")
    for name in ("sessions", "ladder"):
        run(Path(__file__).with_name(f"{name}.mjs"), RECORDED=str(file))
