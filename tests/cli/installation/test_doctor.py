"""Tests for `doublecross doctor`: each check with what is there and with what is not."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
import tomllib
from collections.abc import Callable
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
    monkeypatch.setattr(checks, "check_window", lambda: Check("window", "missing", "No screen."))
    wrong = [each for each in found["checks"] if each["state"] == "problem"]
    assert main(["doctor"]) == (len(wrong) > 1)
    assert "missing  window           No screen.\n" in capsys.readouterr().out


def test_extras_are_missing_wrong_or_there() -> None:
    installed = {"typer": "0.20", "numba": "0.61"}
    by_name = {each.name: each for each in checks.check_extras(LINES, installed)}
    assert by_name["packages"].state == "ok"
    assert by_name["extra engines"] == Check(
        "extra engines",
        "problem",
        f"numba 0.61 is installed, but must be >=0.62: {how_to_add('engines')}",
    )
    assert by_name["extra train"].state == "missing"
    assert how_to_add("train") in by_name["extra train"].text


def test_a_package_that_everything_needs_is_a_problem() -> None:
    assert next(checks.check_extras(LINES, {})).state == "problem"


def test_every_extra_for_users_has_a_purpose() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert set(checks.EXTRAS) == set(extras) - {"all", "test", "dev", "docs"}


def test_a_folder_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert checks.check_folder("data", tmp_path / "file" / "data").state == "problem"
    assert checks.check_folder("data", tmp_path / "new" / "data").state == "ok"


def test_a_full_disk_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    assert "only 5 MB left" in checks.check_folder("data", tmp_path).text


async def test_a_port_is_free_or_taken_by_a_server_or_by_something_else(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        taken = await asyncio.to_thread(checks.check_port, port)
        assert (taken.state, f"Port {port} is in use" in taken.text) == ("problem", True)
    assert checks.check_port(port).text == f"Port {port} is free."
    async with serving(tmp_path) as server:
        http = server.addresses.http
        port = int(http.rpartition(":")[2])
        assert (await asyncio.to_thread(checks.check_port, port)).state == "ok"
        assert (await asyncio.to_thread(checks.check_server, http)).state == "ok"


@pytest.mark.parametrize(("seconds", "says"), [(-3600, "ahead of"), (3600, "behind")])
def test_a_clock_that_is_not_that_of_the_files_is_a_problem(
    seconds: float, says: str, tmp_path: Path
) -> None:
    check = checks.check_clock(tmp_path, time.time() + seconds)
    assert (check.state, says in check.text) == ("problem", True)


def test_a_file_from_the_future_shows_that_the_clock_has_gone_back(tmp_path: Path) -> None:
    now = time.time()
    assert checks.check_clock(tmp_path, now).state == "ok"
    (tmp_path / "games.db").touch()
    os.utime(tmp_path / "games.db", (now + 500, now + 500))
    assert "games.db is 500 s from the future" in checks.check_clock(tmp_path, now).text


def test_a_terminal_without_board_characters_is_a_problem() -> None:
    states = [checks.check_terminal(each).state for each in ("utf-8", "latin-1", None)]
    assert states == ["ok", "problem", "problem"]


def test_a_missing_tkinter_is_only_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    check: Callable[[], Check] = checks.check_window
    assert check().state == "missing"
