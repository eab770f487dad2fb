"""Tests for the resident bots of `doublecross serve`: their games, restarts and end."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest

from doublecross.cli.main import main
from doublecross.cli.serve.serve import _bot_folder
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.server.shell.settings import ServerSettings
from tests.bots.running import TINY, until
from tests.cli.commands import DEADLINE_S, running
from tests.cli.serve.hosting import begin, bots_here, hosting, one_turn, ready, visitor

BROKEN = "tests.bots.bad_bots:Unmakeable"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--bots greedy,nobody", "There is no bot 'nobody'"),
        ("--bots greedy --bot-games 0", "--bot-games must be from 1 to 256, not 0."),
        ("--bots greedy --bot-pause -1", "--bot-pause must be from 0 to 10, not -1."),
    ],
)
def test_bad_bots_are_reported_before_the_server_starts(
    options: str, says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "games.db"
    line = f"serve --port 0 --http-port 0 --database {database} {options}"
    assert main(line.split()) == 2
    printed, complaint = capfd.readouterr()
    assert printed == ""
    assert complaint.startswith("Error: ")
    assert complaint.count("\n") == 1
    assert any(part in complaint for part in says.split("|"))
    assert not database.exists()


def test_the_author_of_a_module_that_fails_reads_the_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text("TABLE = {}['openings']\n")
    assert main(["serve", "--port", "0", "--http-port", "0", "--bots", "broken:Bot"]) == 2
    complaint = capfd.readouterr().err
    assert complaint.count("TABLE = {}['openings']") == 1
    assert complaint.splitlines()[-1].startswith("Error: Bot broken:Bot cannot be loaded")


async def play_on(client: Client, room: str) -> None:
    """Play to the end of the match."""
    while client.session.rooms[room].status == "playing":
        await one_turn(client, room)


async def test_residents_play_and_survive_crashes_and_restarts(tmp_path: Path) -> None:
    larger = MatchSettings(
        game="dots-and-boxes", params={"rows": 3, "cols": 3}, time=TimeControl(base_ms=None)
    )
    with hosting(tmp_path, f"rules;{BROKEN}") as server:
        url, pids = ready(server, 1)
        async with visitor(url) as ann:
            assert await bots_here(ann) == {"rules"}
            # A whole game, and one that is cut off in the middle by the bot's death.
            room = await begin(ann, "rules", TINY)
            await play_on(ann, room)
            result = ann.session.rooms[room].result
            assert result is not None
            assert result.termination == "completed"

            room = await begin(ann, "rules", larger)
            await one_turn(ann, room)
            bot = psutil.Process(pids["rules"])
            workers = bot.children()
            assert workers
            bot.kill()
            await until(lambda: "bot_back bot=rules" in server.errors)
            assert 'why="The process of rules was killed by SIGKILL."' in server.errors
            assert not psutil.wait_procs([bot, *workers], timeout=DEADLINE_S)[1]
            await one_turn(ann, room)
            assert ann.session.rooms[room].status == "playing"
            # A bot that cannot be made is started again, after growing pauses.
            await until(lambda: server.errors.count("bot=unmakeable") >= 2)
            broken = [line for line in server.errors.splitlines() if "unmakeable" in line]
            pauses = [re.findall(r"again_in_s=(\S+)", line) for line in broken[:2]]
            assert pauses == [["1.0"], ["2.0"]]
            assert "no table" in broken[0]
            token = ann.token  # type: ignore[attr-defined]
        family = psutil.Process(server.process.pid).children(recursive=True)
        assert len(family) >= 2
        before = server.errors
        server.send(signal.SIGTERM)
        assert server.wait() == 0
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]
        ended = server.errors.removeprefix(before)
        assert "bot=rules" not in ended
        assert "Traceback" not in ended

    # At another address, with the same database: the same names, and the game goes on.
    with hosting(tmp_path, "rules,rules:seed=5") as server:
        url, pids = ready(server, 2)
        assert set(pids) == {"rules", "rules-2"}
        async with visitor(url, token) as ann:
            assert await bots_here(ann) == {"rules", "rules-2"}
            await until(lambda: room in ann.session.rooms)
            await play_on(ann, room)
            result = ann.session.rooms[room].result
            assert result is not None
            assert result.termination == "completed"
        family = psutil.Process(server.process.pid).children(recursive=True)
        assert len(family) >= 4
        server.send(signal.SIGKILL)
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]


def test_the_host_sees_the_residents(tmp_path: Path) -> None:
    line = "serve --port 0 --http-port 0 --database a.db --bots greedy:seed=1"
    with running(*line.split(), cwd=tmp_path) as server:
        assert "greedy" in server.until("Bots")
        assert server.until("is ready") == "Bot greedy (greedy:seed=1) is ready."
        family = psutil.Process(server.process.pid).children(recursive=True)
        server.send(signal.SIGINT)
        assert server.wait() == 0
        text = "\n".join(server.seen)
        assert all(each in text for each in ("http://127.0.0.1:", "This machine only", "Ctrl-C"))
        assert server.seen[-1] == "The server has stopped. All games are saved."
        assert server.errors == ""
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]


def test_a_resident_that_is_not_ready_ends_with_the_server(tmp_path: Path) -> None:
    with hosting(tmp_path, "rules") as server:
        assert json.loads(server.line())["bots"] == ["rules"]
        family = psutil.Process(server.process.pid).children(recursive=True)
        server.send(signal.SIGTERM)
        assert server.wait() == 0
        assert server.errors == ""
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]


def test_nodes_on_one_machine_keep_the_tokens_of_their_bots_apart() -> None:
    """Otherwise the bots of the second one would wait for the names of those of the first."""
    shared = "postgresql://ann@localhost/games"
    nodes: list[dict[str, Any]] = [{"node": "first"}, {"port": 1001}, {"port": 1002}]
    settings = [ServerSettings(cluster=True, database=shared, **node) for node in nodes]
    assert len({_bot_folder(each) for each in settings}) == 3
