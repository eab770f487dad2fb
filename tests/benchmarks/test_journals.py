"""Tests that the comparison of stores for journals runs with small numbers, and notices losses."""

from __future__ import annotations

import asyncio
import shutil
import sys
from pathlib import Path

import pytest
import typer

from benchmarks.journals import __main__ as command
from benchmarks.journals import measure, report, servers
from benchmarks.journals.clients import JOURNALS
from benchmarks.journals.node import Node
from benchmarks.journals.servers import running
from benchmarks.processes import BenchmarkError
from tests.services.binaries import need

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="it reads the CPU clocks of processes"),
    pytest.mark.timeout(120),  # Servers have to start.
]


def require(kind: str) -> None:
    if kind == "redis":
        if not shutil.which("redis-server") and not shutil.which("valkey-server"):
            pytest.skip("neither Redis nor Valkey is installed")
    else:
        need(*(("initdb", "postgres") if kind == "postgresql" else ("nats-server",)))


@pytest.mark.parametrize("kind", ["postgresql", "jetstream-late", "redis"])
def test_a_store_keeps_moves_and_refuses_the_former_owner(kind: str) -> None:
    require(kind)

    async def play(url: str) -> str:
        journals = JOURNALS[kind](), JOURNALS[kind]()
        for journal, name in zip(journals, "ab", strict=True):
            await journal.open(url, name)
        old, new = map(Node, journals)
        await old.create(2)
        got = await old.store(rooms=4, rate=0, seconds=0.01)
        assert got["moves"] >= got["commits"] >= 2
        told = (await old.report())["logs"]
        kept = {log: (await new.read(log))["entries"] for log in told}
        assert measure.lost(told, kept) == {
            "acknowledged": got["moves"],
            "lost": 0,
            "entries_more": 0,
        }
        log: str = (await old.fill(entries=3, moves=2))["log"]
        assert await old.add(log, 4) == {"refused": False}
        await old.give_up(log)
        assert (await new.take(log))["entries"] == 4
        assert await old.add(log, 5) == {"refused": True}
        assert await new.add(log, 5) == {"refused": False}
        for journal in journals:
            await journal.close()
        return log

    async def read(url: str, log: str) -> list[int]:
        journal = JOURNALS[kind]()
        await journal.open(url, "c")
        found = [entry.entry_id async for entry in journal.entries(log)]
        await journal.close()
        return found

    with running(kind) as server:
        log = asyncio.run(play(server.url))
        server.kill()
        server.start()
        assert asyncio.run(read(server.url, log)) == [1, 2, 3, 4, 5]


def test_commits_are_measured_in_a_process_of_their_own() -> None:
    require("jetstream-late")
    plan = measure.Plan(rounds=1, seconds=0.05, rates=(400.0, 0.0), rooms=4)
    said: list[str] = []
    rows = measure.rates(["jetstream-late"], plan, said.append)
    assert len(said) == 2
    row = rows["400 moves/s"]["jetstream-late"][0]
    assert row["node_move_us"] > 0
    stores = {"jetstream-late": [row], "postgresql": [dict.fromkeys(row, 1.0)]}
    found = report.lines({"rates": {"400 moves/s": stores}})
    assert [line.name for line in found] == [
        "400 moves/s, jetstream-late",
        "/ postgresql",
        "400 moves/s, postgresql",
    ]


def test_a_lost_move_is_noticed() -> None:
    told = {"a": [(1, 5, 11), (2, 3, 12), (3, 2, 13)]}
    kept = {"a": [(1, 0, 11), (3, 0, 99), (4, 0, 14)]}
    row = measure.lost(told, kept)
    assert row == {"acknowledged": 10, "lost": 5, "entries_more": 1}
    line = report.lines({"kills": {"redis": [{**row, "back_s": 1.0}]}})[0]
    assert (line.value, line.met) == ("5 of 10", False)


def test_an_old_nats_server_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "nats-server"
    old.write_text("#!/bin/sh\necho nats-server: v2.9.10\n")
    old.chmod(0o755)
    monkeypatch.setattr(servers, "find", lambda _: str(old))
    with pytest.raises(typer.Exit):
        command.run(["jetstream"])
    assert "this is 2.9.10. Put a newer one" in " ".join(capsys.readouterr().err.split())
    monkeypatch.setattr(servers, "find", lambda _: None)
    with pytest.raises(BenchmarkError, match="redis needs redis-server or valkey-server"):
        servers.program("redis")
