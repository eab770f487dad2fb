"""Gives each test of the command its own folders for data, and restores logging and `sys.path`."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.family import Family


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    root = logging.getLogger()
    before = root.handlers[:], root.level
    path = sys.path[:]
    yield
    root.handlers[:], root.level = before
    # Commands add the current folder to the path, and each test has another current folder.
    sys.path[:] = path
    sys.modules.pop("mine", None)


@pytest.fixture
def children() -> Family:
    """Return the child processes that the test has started."""
    return Family()
