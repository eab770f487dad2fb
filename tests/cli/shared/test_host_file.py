"""The file by which the host of a server manages it."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
from pathlib import Path

import httpx
import pytest

from doublecross.cli.shared.server_files.host_file import (
    HOST_FILE,
    HostFile,
    found_in,
    local_address,
    node_folder,
)
from tests.cli.commands import running


@pytest.mark.processes
def test_only_the_owner_of_the_folder_manages_a_running_server(tmp_path: Path) -> None:
    path = tmp_path / "games.db.bots" / "host.json"
    options = "serve --json --port 0 --database games.db --no-advice --analysis 0"
    with running(*options.split(), cwd=tmp_path) as command:
        command.line()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        host = json.loads(path.read_text("utf-8"))
        with httpx.Client(base_url=host["http"], trust_env=False) as client:
            assert client.get("/api/admin/overview").status_code == 401
            bearer = {"Authorization": f"Bearer {host['token']}"}
            answer = client.get("/api/admin/overview", headers=bearer)
        assert answer.json()["draining"] is False
        command.send(signal.SIGTERM)
        assert command.wait() == 0
    assert not path.parent.exists()


def test_a_server_that_ends_leaves_the_file_of_another_one(tmp_path: Path) -> None:
    first, second = HostFile(tmp_path / "bots"), HostFile(tmp_path / "bots")
    first.write("ws://127.0.0.1:1", "http://127.0.0.1:1")
    second.write("ws://127.0.0.1:2", "http://127.0.0.1:2")
    first.remove()
    found = json.loads(first.path.read_text("utf-8"))
    assert (found["token"], found["http"]) == (second.token, "http://127.0.0.1:2")
    (tmp_path / "bots" / "a-token.json").touch()
    second.remove()
    second.remove()
    assert [path.name for path in (tmp_path / "bots").iterdir()] == ["a-token.json"]


def test_programs_on_the_machine_use_the_local_address() -> None:
    assert local_address("ws://127.0.0.1:1", "http://192.0.2.1:2") == "http://127.0.0.1:2"
    assert local_address("ws://[::1]:1", "http://[2001:db8::1]:2") == "http://[::1]:2"
    assert local_address("ws://127.0.0.1:3", "https://games.example.org") == "http://127.0.0.1:3"


def test_of_several_nodes_one_that_can_be_reached_is_found(tmp_path: Path) -> None:
    assert found_in(tmp_path) == tmp_path / HOST_FILE
    with socket.create_server(("127.0.0.1", 0)) as listening:
        living = HostFile(tmp_path / "node-1")
        living.write("ws://127.0.0.1:1", f"http://127.0.0.1:{listening.getsockname()[1]}")
        dead = HostFile(node_folder(tmp_path))
        dead.write("ws://127.0.0.1:1", "http://127.0.0.1:1")
        os.utime(living.path, (1, 1))
        assert found_in(tmp_path) == living.path
    assert found_in(tmp_path) == dead.path
    alone = HostFile(tmp_path)
    alone.write("ws://127.0.0.1:1", "http://127.0.0.1:1")
    assert found_in(tmp_path) == alone.path
    for each in (living, dead, alone):
        each.remove()
    assert not tmp_path.exists()
