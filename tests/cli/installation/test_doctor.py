"""Tests for `doublecross doctor`: each check with what is there and with what is not."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from doublecross.cli.installation import checks
from doublecross.cli.installation.checks import Check
from doublecross.cli.main import main
from doublecross.processes.installation import how_to_add
from tests.cli.commands import ROOT
from tests.protocol.wire import serving

LINES = ("typer>=0.15", 'numba>=0.62; extra == "engines"', 'torch; extra == "train"')


def test_all_checks_are_printed_and_a_problem_sets_the_exit_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "check_window", lambda: Check("window", "problem", "Too small."))
    assert main(["doctor", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {"name": "window", "state": "problem", "text": "Too small."} in found["checks"]
    assert main(["doctor"]) == 1
    assert "problem  window           Too small.\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("installed", "name", "state", "says"),
    [
        ({"typer": "0.20"}, "packages", "ok", "everything"),
        ({}, "packages", "problem", "typer"),
        (
            {"numba": "0.61"},
            "extra engines",
            "problem",
            "numba 0.61 is installed, but must be >=0.62",
        ),
        ({}, "extra train", "missing", f"needs torch: {how_to_add('train')}"),
        ({"torch": "2.7"}, "extra train", "ok", "Training"),
    ],
)
def test_packages_are_there_or_missing_or_wrong(
    installed: dict[str, str], name: str, state: str, says: str
) -> None:
    (check,) = (each for each in checks.check_extras(LINES, installed.get) if each.name == name)
    assert (check.state, says in check.text) == (state, True)


def test_every_extra_for_users_has_a_purpose() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert set(checks.EXTRAS) == set(extras) - {"all", "test", "dev", "docs"}


def test_a_folder_can_be_written_and_has_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    assert checks.check_folder("data", tmp_path / "file" / "data").state == "problem"
    assert checks.check_folder("data", tmp_path / "new" / "data").state == "ok"
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    assert "only 5 MB left" in checks.check_folder("data", tmp_path).text


async def test_a_port_is_free_or_taken_by_a_server_or_by_something_else(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert (await asyncio.to_thread(checks.check_port, port)).state == "problem"
    assert checks.check_port(port).text == f"Port {port} is free."
    async with serving(tmp_path) as server:
        http = server.addresses.http
        port = int(http.rpartition(":")[2])
        assert "A server runs" in (await asyncio.to_thread(checks.check_port, port)).text
        assert (await asyncio.to_thread(checks.check_server, http)).state == "ok"


def test_the_clock_is_compared_with_files(tmp_path: Path) -> None:
    now = time.time()
    assert "ahead of" in checks.check_clock(tmp_path, now - 3600).text
    assert checks.check_clock(tmp_path, now).state == "ok"
    (tmp_path / "games.db").touch()
    os.utime(tmp_path / "games.db", (now + 500, now + 500))
    assert "games.db is 500 s from the future" in checks.check_clock(tmp_path, now).text


def test_a_terminal_without_board_characters_is_a_problem() -> None:
    states = [checks.check_terminal(each).state for each in ("utf-8", "latin-1", None)]
    assert states == ["ok", "problem", "problem"]


def test_a_missing_tkinter_is_only_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    assert checks.check_window().state == "missing"
