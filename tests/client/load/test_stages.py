"""Tests of the stages of a load: what it counts as a failure, and what it measures."""

from __future__ import annotations

import json
import math
import socket
from pathlib import Path
from typing import Any

from doublecross.cli.serve.load_show import as_document, remarks
from doublecross.client.load.latency import Latencies
from doublecross.client.load.stages import LoadPlan, LoadRun, Stage
from doublecross.server.shell.app import DoublecrossServer
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
