"""Gives each test of settings an empty folder and an environment without settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in list(os.environ):
        if variable.startswith("DOUBLECROSS_"):
            monkeypatch.delenv(variable)
