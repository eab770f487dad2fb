"""Tests for options and variables of `doublecross serve` that cannot be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.main import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--trusted-proxy foo", "--trusted-proxy is wrong: 'foo' is no address or network;"),
        ("--public-http foo", "--public-http is wrong: it must be a web address such as https://"),
        ("--database mysql://u:secret@h/x", "Use an SQLite file, or PostgreSQL"),
    ],
)
def test_wrong_options_are_refused_with_what_to_do(
    arguments: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", *arguments.split()]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert shown.startswith("Error: ")
    assert sentence in shown
    assert "secret" not in shown


def test_unknown_variables_are_reported_before_a_wrong_setting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DOUBLECROSS_GRACE", "5")
    monkeypatch.setenv("DOUBLECROSS_BOT_GAMES", "5")
    monkeypatch.setenv("DOUBLECROSS_ORGANISER", "Olga")
    assert main(["serve", "--port", "-1"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "DOUBLECROSS_GRACE is no setting of the server and has no effect. "
        "Is DOUBLECROSS_GRACE_S meant?",
        "Error: --port must be from 0 to 65535, not -1.",
    ]
