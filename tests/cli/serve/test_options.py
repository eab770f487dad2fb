"""Tests for options and variables of `doublecross serve` that cannot be meant."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.cli.commands import environment, running


def test_a_wrong_database_is_refused_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--database", "mysql://u:secret@h/x"]) == 2
    shown = capsys.readouterr().err
    assert "Use an SQLite file, or PostgreSQL" in " ".join(shown.split())
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


def test_a_server_starts_from_a_file_and_can_be_checked_while_it_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("serve.toml").write_text(
        'port = 0\ndatabase = "here.db"\npage_reload = true\nanalysis = 0\nverbose = true\n'
    )
    env = environment(DOUBLECROSS_SETTINGS="serve.toml")
    with running("serve", "--json", cwd=tmp_path, env=env) as server:
        assert json.loads(server.line())["database"] == "here.db"
        assert main(["serve", "--check", "--settings", "serve.toml"]) == 0
        server.send(signal.SIGTERM)
        assert server.wait() == 0
        assert "event=started" in server.errors
    assert capsys.readouterr().out == "serve.toml is right.\n"
