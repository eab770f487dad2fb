"""Tests for the commands together: a server, bots, spectators, and the records."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psutil
import pytest

from doublecross.cli.main import main
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.games.record import parse_records
from doublecross.processes.ports import free_port
from doublecross.protocol.common import MatchSettings
from tests.cli.commands import DEADLINE_S, Command, running

GAMES = 6


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Command]:
    with serving(tmp_path, 0) as command:
        yield command


@contextlib.contextmanager
def serving(folder: Path, port: int) -> Iterator[Command]:
    options = f"serve --json --port {port} --http-port 0 --database games.db"
    with running(*options.split(), cwd=folder) as command:
        command.ready = json.loads(command.line())  # type: ignore[attr-defined]
        yield command


def address(server: Command) -> str:
    return str(server.ready["ws"])  # type: ignore[attr-defined]


def test_peers_without_websocket_log_no_traceback(server: Command) -> None:
    async def knock() -> None:
        host, port = address(server).removeprefix("ws://").split(":")
        for words in (b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x00", b""):
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(words)
            writer.write_eof()
            await reader.read()
            writer.close()

    asyncio.run(knock())
    server.send(signal.SIGTERM)
    assert server.wait() == 0
    assert server.errors == ""


def test_a_room_is_listed_and_watched_to_its_end(server: Command, tmp_path: Path) -> None:
    url = address(server)

    async def play() -> None:
        settings = MatchSettings(game="dots-and-boxes", params={"rows": 1, "cols": 1})
        async with (
            Client(url, Login("human", name="Ann"), rng=Random(1)) as ann,
            Client(url, Login("human", name="Bob"), rng=Random(2)) as bob,
        ):
            room = (await ann.create_room(settings, seat=0)).room
            with running("watch", room, "--server", url, cwd=tmp_path) as watcher:
                await asyncio.to_thread(watcher.until, "Waiting for somebody")
                with running("rooms", "--json", "--server", url, cwd=tmp_path) as rooms:
                    assert await asyncio.to_thread(rooms.wait) == 0
                    found = json.loads(rooms.seen[0])
                    assert [r["room"] for r in found["rooms"]] == [room]
                    assert {p["name"] for p in found["players"]} >= {"Ann", "Bob"}
                # The beginning and two moves arrive together.
                watcher.process.send_signal(signal.SIGSTOP)
                await bob.join(room)
                for ply, client in enumerate((ann, bob, ann, bob)):
                    await client.move(room, ply, match=1, ply=ply)
                    if ply == 1:
                        watcher.process.send_signal(signal.SIGCONT)
                assert await asyncio.to_thread(watcher.wait) == 0
                text = "\n".join(watcher.seen)
                assert "Bob wins 1:0." in text
                moves = [line.split(":")[0] for line in watcher.seen if line.startswith("Move ")]
                assert moves[:3] == ["Move 1", "Move 2", "Move 3"]
                assert "+###+" in text
                assert watcher.errors == ""

    asyncio.run(play())


def test_missing_rooms_and_servers_are_reported(server: Command, tmp_path: Path) -> None:
    with (
        running("watch", "nosuchroom", "--server", address(server), cwd=tmp_path) as named,
        running("watch", "--server", address(server), cwd=tmp_path) as unnamed,
    ):
        assert named.wait() == 2
        assert named.errors.count("\n") == 1
        assert unnamed.wait() == 1
        assert unnamed.errors == "Error: No room is open on that server.\n"


def test_a_bot_plays_whoever_challenges_it(server: Command, tmp_path: Path) -> None:
    url = address(server)
    seek = f"bot greedy --name Gus --games 1 --seek 1x1@60 --server {url}"
    taker = f"bot random --games 1 --accept-seeks --server {url}"
    with (
        running(*seek.split(), cwd=tmp_path) as first,
        running(*taker.split(), cwd=tmp_path) as second,
    ):
        assert first.wait() == 0
        assert second.wait() == 0
        assert "Gus has joined the server." in first.seen
        assert first.seen[-1].startswith("Gus: ")
        assert any("against Gus" in line for line in second.seen)


def test_a_match_survives_a_killed_server(tmp_path: Path) -> None:
    port = free_port()
    line = (
        f"match rules rules --size 3x3 --games {GAMES} --seed 1 --verbose --records games.txt"
        f" --server 127.0.0.1:{port}"
    )
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, port))
        match = stack.enter_context(running(*line.split(), cwd=tmp_path, forks=True))
        match.until("Game 1 of 6")
        match.until("   5  ")  # in the middle of the second game
        server.close()
        stack.enter_context(serving(tmp_path, port))
        assert match.wait() == 0, match.errors
        finished = [row for row in match.seen if row.startswith("Game ")]
        assert [row.split(":")[0] for row in finished] == [
            f"Game {number} of {GAMES}" for number in range(1, GAMES + 1)
        ]
        assert match.seen[-1] == "6 games of Dots and Boxes 3x3, 10+0.1, rated, seed 1"
        assert any("expects +" in row for row in match.seen)
        records = parse_records((tmp_path / "games.txt").read_text())
        assert len(records) == GAMES
        for first, second in zip(records[::2], records[1::2], strict=True):
            assert first.opening == second.opening
            assert first.players == second.players[::-1] == ("rules", "rules-2")
        assert main(["export", "--server", f"127.0.0.1:{port}", "-o", str(tmp_path / "all")]) == 0
        assert len(parse_records((tmp_path / "all").read_text())) == GAMES
    out = str(tmp_path / "offline")
    assert main(["export", "--database", str(tmp_path / "games.db"), "-o", out]) == 0
    assert Path(out).read_text() == (tmp_path / "all").read_text()


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)]
)
def test_a_match_that_is_ended_leaves_no_process(tmp_path: Path, number: signal.Signals) -> None:
    line = "match random random --size 4x4 --games 1000 --verbose"
    with running(*line.split(), cwd=tmp_path) as match:
        match.until("Game 1 of 1000")
        children = psutil.Process(match.process.pid).children(recursive=True)
        assert len(children) >= 5  # a server, two bots and their workers
        match.send(number)
        match.wait()
        _, alive = psutil.wait_procs(children, timeout=DEADLINE_S)
        assert not alive
        assert "Traceback" not in match.errors
        if number == signal.SIGINT:
            assert match.process.returncode == 130
            # On a busy machine the server says that it stood still for a moment.
            lines = [each for each in match.errors.splitlines() if " event=stalled " not in each]
            assert lines == ["Stopped."]
            assert " of 1000 games of " in match.seen[-1]


def test_a_bot_that_crashes_loses_and_the_match_goes_on(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text(
        "from doublecross.bots.api import Bot\n"
        "print('imported')\n"
        "class Mine(Bot):\n"
        "    name = 'mine'\n"
        "    summary = 'fails'\n"
        "    def choose(self, state, limit, stop):\n"
        "        raise RuntimeError('no idea')\n"
    )
    line = "match mybot:Mine rules --size 1x1 --games 2"
    with running(*line.split(), cwd=tmp_path, forks=True) as match:
        assert match.wait() == 0
        assert "Not ended on the board: 2 by crash" in match.seen
        assert "no idea" in match.errors
        assert match.errors.count("Traceback") == 1


def test_openings_that_run_out_are_repeated(tmp_path: Path) -> None:
    line = "match random random --size 1x1 --games 4 --time unlimited --casual"
    with running(*line.split(), cwd=tmp_path, forks=True) as match:
        assert match.wait() == 0
        assert "Openings are repeated." in match.errors
        assert match.seen[-1].startswith("4 games of Dots and Boxes 1x1, unlimited, casual")
