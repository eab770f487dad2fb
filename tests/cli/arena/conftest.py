"""Give the tests of arena and sprt an empty folder with a slow bot."""

from __future__ import annotations

from pathlib import Path

import pytest

SLOW = """
from doublecross.bots.api import Bot, Choice


class Slow(Bot):
    name = "slow"
    summary = "thinks until it is stopped"

    def choose(self, state, limit, stop):
        while not stop.is_set():
            pass
        return Choice(state.legal_actions()[0], nodes=7)
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, which has the bot `mine:Slow`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(SLOW)
    return tmp_path
