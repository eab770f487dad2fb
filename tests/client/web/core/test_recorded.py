"""Replay what the client in Python did: the page must do the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.web.harness.node import run


@pytest.mark.processes
@pytest.mark.parametrize("name", ["sessions", "streams"])
def test_the_page_follows(name: str, recorded: Path) -> None:
    run(Path(__file__).with_name(f"{name}.mjs"), RECORDED=str(recorded))
