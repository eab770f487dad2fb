"""Run the tests of the page's modules that need no browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.client.web.harness.node import run


@pytest.mark.processes
def test_the_modules_without_a_browser() -> None:
    run(*sorted(Path(__file__).parent.rglob("*.test.mjs")))
