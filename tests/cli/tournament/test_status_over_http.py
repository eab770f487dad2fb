"""`tournament status` and `list` show over HTTP what they show from the address for players."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.cli.commands import running

pytestmark = pytest.mark.timeout(120)  # Processes have to start.


def test_a_tournament_is_shown_over_http(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def tournament(*words: str) -> str:
        assert main(["tournament", *words]) == 0
        captured = capsys.readouterr()
        assert captured.err == ""
        return captured.out

    serve = "serve --json --port 0 --http-port 0 --database games.db --bots greedy"
    with running(*serve.split(), cwd=tmp_path) as server:
        ready = json.loads(server.line())
        ws, http = ["--server", ready["ws"]], ["--server", ready["http"]]
        quiet = ["--people", "--no-phrases"]
        made = json.loads(tournament("create", "Spring", "--size", "2x2", *quiet, "--json", *ws))
        key, terms = made["tournament"], made["terms"]
        assert (terms["people"], terms["phrases"]) == (True, False)
        join = ["tournament", "join", key, "rules", *ws]
        with running(*join, cwd=tmp_path) as bot:
            assert "has joined Spring" in bot.line()
            shown = json.loads(tournament("status", key, "--json", *ws))
            assert [each["player"] for each in shown["entrants"]] == ["rules"]
            assert tournament("status", key, *http) == tournament("status", key, *ws)
        (listed,) = json.loads(tournament("list", "--json", *ws))
        assert json.loads(tournament("list", "--json", *http)) == [{**listed, "entrants": None}]
        tournament("end", key, *ws)
        assert tournament("list", *http) == tournament("list", *ws)
        assert "ended early" in tournament("list", *http)
        assert main(["tournament", "status", "tnothing", *http]) == 2
        assert "There is no tournament tnothing." in capsys.readouterr().err
