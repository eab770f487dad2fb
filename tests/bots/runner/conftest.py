"""Starts the workers of the runner's bots as forks, which saves each half a second of imports."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def _forks(fork_server: None) -> None:
    """Share the fork server; tests/bots/workers has workers that are fresh interpreters."""
