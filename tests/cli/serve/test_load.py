"""Tests of `doublecross load`: its report and its bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.cli.serve.load_show import print_stages, remarks
from doublecross.cli.shared.console import out
from doublecross.client.load.stages import LoadPlan, Stage
from tests.cli.commands import environment, running
from tests.client.load.test_stages import closed_port


def test_the_command_measures_its_own_server(tmp_path: Path) -> None:
    options = "--rooms 1,3 --every 0.05 --seconds 1 --game tic-tac-toe --json --p99 0.001"
    # The file of settings of a host is not for this server; a wrong one would stop it.
    env = environment(DOUBLECROSS_SETTINGS="missing.toml")
    with running("load", *options.split(), cwd=tmp_path, env=env) as command:
        assert command.wait() == 1, command.errors
        report = json.loads("\n".join(command.seen))
    one, three = report["stages"]
    assert (one["rooms"], one["opened"], one["logins"]) == (1, 1, 2)
    assert (three["rooms"], three["opened"], three["logins"]) == (3, 3, 4)
    for stage in (one, three):
        # More moves than a game has: matches follow each other.
        assert stage["moves"] > 9
        assert stage["failures"] == {}
        assert stage["missing"] == 0
        assert 0 < stage["p50_ms"] <= stage["p95_ms"] <= stage["p99_ms"] <= stage["most_ms"]
        assert stage["opponent_p99_ms"] > 0
        assert stage["server_rss_mb"] > 10
        assert stage["server_cores"] is not None
    assert "missed the aim of 0.001 ms" in command.errors
    assert not any((tmp_path / name).exists() for name in ("data", "load.db"))


def test_each_stage_is_a_line_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    stage = Stage(rooms=1, opened=1, logins=2, logins_s=0.5, login_p99_ms=1, moves=9, p99_ms=4)
    print_stages(LoadPlan("", {}, [1], 0.1, 1.0, None, 1, 1, None), [stage], out())
    title, row, *_ = capsys.readouterr().out.splitlines()
    assert title.split()[:4] == ["rooms", "logins", "in", "s"]
    assert row.split()[:3] == ["1", "2", "0.5"]


def test_the_report_says_when_the_load_was_too_slow() -> None:
    stage = Stage(rooms=5, opened=5, logins=10, logins_s=1, login_p99_ms=1, moves=9, p99_ms=4)
    assert remarks([stage]) == []
    stage.limited_by_load, stage.load_p99_ms = True, 3.0
    (remark,) = remarks([stage])
    assert remark.startswith("5 rooms: the load itself was too slow (3.0 ms late at p99")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--rooms many", "whole numbers such as"),
        ("--rooms 0", "from 1 to 20000"),
        ("--rooms 10,30000", "from 1 to 20000"),
        ("--every 0", "from 0.05 to 600"),
        ("--seconds 0", "from 1 to"),
        ("--players 1", "at least 2"),
        ("--workers 0", "from 1 to 64"),
        ("--pid 1", "--pid belongs to --server"),
        ("--server ftp://x", "begins with ftp"),
        ("--game chess", "no game 'chess'"),
    ],
)
def test_bad_input(options: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["load", *options.split()]) == 2
    assert sentence in capsys.readouterr().err


def test_a_server_that_does_not_answer_is_refused_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["load", "--server", f"127.0.0.1:{closed_port()}"]) == 2
    printed, complaint = capsys.readouterr()
    assert complaint.startswith("Error: Nothing listens at ")
    assert "no connection" not in printed
