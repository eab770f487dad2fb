"""Replay the sessions of learners in Python, and their ladder: the page must show the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.web.harness.node import run

pytestmark = [pytest.mark.processes, pytest.mark.search]


@pytest.mark.parametrize("name", ["sessions", "ladder"])
def test_the_page_follows(name: str) -> None:
    run(Path(__file__).with_name(f"{name}.mjs"))
