"""Tests that the help of every command fits a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import typer

from doublecross.cli.main import app, main


def _paths(command: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, child in getattr(command, "commands", {}).items():
        yield from _paths(child, (*path, name))


@pytest.mark.parametrize("path", list(_paths(typer.main.get_command(app))), ids=" ".join)
def test_no_word_of_the_help_is_cut_off(
    path: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main([*path, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Usage:" in shown
    assert "…" not in shown
