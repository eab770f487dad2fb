"""What the tests of the command share: a state folder of their own; logs and the path of modules
are left as they were."""

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
    root = logging.getLogger()
    before = root.handlers[:], root.level
    path = sys.path[:]
    yield
    root.handlers[:], root.level = before
    # Commands let bots be imported from the current folder, which is another one for each test.
    sys.path[:] = path
    sys.modules.pop("mine", None)


@pytest.fixture
def children() -> Family:
    """The processes below this one that the test has started."""
    return Family()
