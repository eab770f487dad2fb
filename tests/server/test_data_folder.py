"""Tests for the folder of databases that nobody names."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.server import data_folder


@pytest.mark.parametrize(
    ("at", "is_checkout", "found"),
    [
        ("clone/docs", True, "clone/var"),
        ("elsewhere", True, "data/doublecross"),
        ("clone/docs", False, "data/doublecross"),  # the folder of an installed program
    ],
)
def test_only_a_checkout_has_data_in_var(
    at: str, is_checkout: bool, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / at).mkdir(parents=True)
    if is_checkout:
        (tmp_path / "clone").mkdir(exist_ok=True)
        (tmp_path / "clone/pyproject.toml").touch()
    monkeypatch.setattr(data_folder, "ROOT", tmp_path / "clone")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path / at)
    assert data_folder.data_folder() == tmp_path / found
