"""Tests of `doublecross load`: its report, what it counts as a failure, and its bad input."""

from __future__ import annotations

import json
import math
import socket
from pathlib import Path
from typing import Any

import pytest

from doublecross.cli.load.latency import Latencies
from doublecross.cli.load.show import as_document, remarks
from doublecross.cli.load.stages import LoadPlan, LoadRun, Stage
from doublecross.cli.main import main
from doublecross.server.shell.app import DoublecrossServer
from tests.cli.commands import environment, running
from tests.protocol.wire import serving

TICS: dict[str, Any] = {"game": "tic-tac-toe", "params": {}}


def closed_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


async def one_stage(server: DoublecrossServer | str, **more: Any) -> Stage:
    url = server if isinstance(server, str) else server.addresses.ws
    fixed: dict[str, Any] = {"rooms": (2,), "every_s": 0.05, "seconds": 1.0, "players": None}
    fixed.update(workers=1, seed=1, pid=None, settings=TICS)
    plan = LoadPlan(server=url, **{**fixed, **more})
    run, errors = LoadRun(plan), list[str]()
    try:
        await run.start(errors.append)
        stage = await run.stage(plan.rooms[0])
    finally:
        await run.stop()
    assert not errors
    as_document(plan, [stage])
    return stage


def test_the_command_measures_its_own_server(tmp_path: Path) -> None:
    options = [
        "--rooms",
        "1,3",
        "--every",
        "0.05",
        "--seconds",
        "1",
        "--game",
        "tic-tac-toe",
        "--json",
    ]
    # The file of settings of a host is not for this server; a wrong one would stop it.
    env = environment(DOUBLECROSS_SETTINGS="missing.toml")
    with running("load", *options, cwd=tmp_path, env=env, forks=True) as command:
        assert command.wait() == 0, command.errors
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
    assert not any((tmp_path / name).exists() for name in ("var", "load.db"))


def test_the_table_and_the_exit_code_of_a_missed_aim(tmp_path: Path) -> None:
    options = [
        "--rooms",
        "1",
        "--every",
        "0.1",
        "--seconds",
        "1",
        "--size",
        "1x1",
        "--p99",
        "0.001",
    ]
    with running("load", *options, cwd=tmp_path, forks=True) as command:
        assert command.wait() == 1
        title, row, *_ = (line for line in command.seen if line)
    assert title.split()[:4] == ["rooms", "logins", "in", "s"]
    assert row.split()[:2] == ["1", "2"]
    assert "missed the aim of 0.001 ms" in command.errors


async def test_few_players_play_in_many_rooms(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        stage = await one_stage(server, rooms=(6,), players=4)
    assert (stage.logins, stage.opened, stage.failed) == (4, 6, 0)
    assert stage.moves > 20


async def test_two_workers_share_the_rooms(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        stage = await one_stage(server, rooms=(3,), workers=2)
    assert (stage.logins, stage.opened, stage.failed) == (6, 3, 0)


async def test_refused_rooms_are_failures(tmp_path: Path) -> None:
    async with serving(tmp_path, max_rooms=1) as server:
        stage = await one_stage(server)
    assert stage.failures == {"create_room: too_many": 1}
    assert (stage.opened, stage.failed) == (1, 1)
    assert remarks([stage])[0] == "2 rooms: 1 x create_room: too_many"


async def test_refused_logins_are_failures(tmp_path: Path) -> None:
    async with serving(tmp_path, max_connections=2) as server:
        stage = await one_stage(server)
    assert stage.logins == 2
    assert sum(stage.failures.values()) == 2
    (reason,) = stage.failures
    assert reason == "handshake: server rejected WebSocket connection: HTTP 503"


async def test_a_server_that_is_not_there() -> None:
    stage = await one_stage(f"ws://127.0.0.1:{closed_port()}")
    assert (stage.logins, stage.opened, stage.moves, stage.p99_ms) == (0, 0, 0, None)
    (reason,) = stage.failures
    assert reason.startswith("no connection")


async def test_players_log_in_at_all_addresses_in_turn(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        stage = await one_stage(f"{server.addresses.ws},ws://127.0.0.1:{closed_port()}")
    assert (stage.logins, stage.opened) == (2, 2)
    assert sum(stage.failures.values()) == 2


async def test_a_rate_limit_is_a_failure_and_play_continues(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_s=4, burst=8) as server:
        stage = await one_stage(server, rooms=(1,))
    assert set(stage.failures) <= {"move: rate_limited", "rematch: rate_limited"}
    assert stage.failures["move: rate_limited"] > 0
    assert stage.moves > 2


def test_the_report_says_when_the_load_was_too_slow() -> None:
    stage = Stage(rooms=5, opened=5, logins=10, logins_s=1, login_p99_ms=1, moves=9, p99_ms=4)
    assert remarks([stage]) == []
    stage.limited_by_load, stage.load_p99_ms = True, 3.0
    (remark,) = remarks([stage])
    assert remark.startswith("5 rooms: the load itself was too slow (3.0 ms late at p99")


def test_latencies_keep_percentiles_within_a_percent() -> None:
    times, other = Latencies(), Latencies()
    for number in range(1, 1001):
        (times if number % 3 else other).add(number / 1000)
    times.merge(Latencies.unpack(json.loads(json.dumps(other.pack()))))
    assert len(times) == 1000
    assert times.most_s == 1.0
    for share in (0.001, 0.5, 0.95, 0.99, 1.0):
        found = times.percentile_s(share)
        assert found is not None
        assert 1.0 - 1e-9 <= found / share <= math.exp(0.011)
    assert Latencies().percentile_s(0.5) is None


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
