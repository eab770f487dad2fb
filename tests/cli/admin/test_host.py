"""`doublecross admin` finds a server that runs as a process, by its database."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.processes.ports import free_port
from tests.cli.commands import running
from tests.fakes.certificates import make_pair


def test_the_host_finds_the_server_as_long_as_it_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text('database = "games.db"\n')
    port = str(free_port())
    serve = ("serve", "--json", "--port", port, "--settings", "a.toml", "--analysis", "0")
    pair = make_pair(tmp_path)
    tls = ("--tls-certificate", str(pair.certificate), "--tls-key", str(pair.key))

    def top(*more: str) -> tuple[int, str]:
        code = main(["admin", "top", "--settings", "a.toml", *more])
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    with running(*serve, *tls, cwd=tmp_path) as server:
        address = json.loads(server.line())["http"]
        code, text = top("--json")
        first = json.loads(text)["overview"]["epoch"]
        assert code == 0
        (tmp_path / "a.token").write_text("token")
        assert main(["account", "show", "--server", address, "--token-file", "a.token"]) == 1
        assert "does not trust the certificate" in " ".join(capsys.readouterr().err.split())
        server.send(signal.SIGKILL)
        server.wait()
    code, text = top("--once")
    assert (code, "start it with doublecross serve" in text) == (1, True)
    with running(*serve, cwd=tmp_path) as server:
        server.line()
        code, text = top("--json")
        assert json.loads(text)["overview"]["epoch"] != first
        server.send(signal.SIGTERM)
        assert server.wait() == 0
    code, text = top("--once")
    assert (code, "No server runs on games.db here" in text) == (2, True)
