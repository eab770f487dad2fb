"""Tests for the resident bots of a server: their specs, names, games, restarts and end."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
import signal
from pathlib import Path
from typing import Any

import psutil
import pytest
import structlog
from structlog.testing import capture_logs

from doublecross.bots.api import BotError
from doublecross.bots.hosting.check import names_of
from doublecross.bots.hosting.orders import split_specs
from doublecross.bots.runner import run_bot
from doublecross.cli.main import main
from doublecross.cli.serve import residents
from doublecross.cli.serve.residents import Backoff, ResidentBot, ResidentBots
from doublecross.cli.shared.server_files.bot_tokens import token_folder
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl
from tests.bots.running import TINY, configured, human, serving, until
from tests.bots.running import running as playing
from tests.cli.commands import DEADLINE_S, running
from tests.cli.serve.hosting import begin, bots_here, hosting, one_turn, ready, visitor

BROKEN = "tests.bots.bad_bots:Unmakeable"


# -- what is asked for -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "specs"),
    [
        ((), ()),
        (("",), ()),
        (("easy",), ("easy",)),
        (("easy,medium; hard ,perfect",), ("easy", "medium", "hard", "perfect")),
        (("easy", "hard,perfect"), ("easy", "hard", "perfect")),
        (("easy,", "hard"), ("easy", "hard")),  # "easy, hard" of a variable comes like this
        (("mcts:c=1.4,simulations=100",), ("mcts:c=1.4,simulations=100",)),
        (("mcts:c=1.4, simulations = 9,easy",), ("mcts:c=1.4, simulations = 9", "easy")),
        (("mcts:c=1.4;mcts:c=2,seed=1;easy",), ("mcts:c=1.4", "mcts:c=2,seed=1", "easy")),
        (
            ("my.bots:Careful:n=0.1,seed=2,easy",),
            ("my.bots:Careful:n=0.1,seed=2", "easy"),
        ),
        (("easy,my.bots:Careful:nerves=0.1",), ("easy", "my.bots:Careful:nerves=0.1")),
    ],
)
def test_specs_are_split_at_separators(texts: tuple[str, ...], specs: tuple[str, ...]) -> None:
    assert split_specs(texts) == specs


def test_bots_of_the_same_name_get_numbers() -> None:
    assert names_of(["rules", "greedy", "rules:seed=3", "rules"]) == [
        "rules",
        "greedy",
        "rules-2",
        "rules-3",
    ]
    assert names_of(["tests.bots.bad_bots:Counts"]) == ["counts"]
    with pytest.raises(BotError, match="too many bots"):
        names_of(["rules"] * 100)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("nobody", "There is no bot 'nobody'"),
        ("rules:deep=3", "no option 'deep'"),
        ("rules,seed=3", "There is no bot 'rules,seed=3'"),
        ("rules:seed=x", "whole number"),
        ("no.such:Bot", "cannot be loaded"),
        ("tests.bots.bad_bots:Abstract", "does not define choose"),
    ],
)
def test_unknown_bots_are_refused(spec: str, says: str) -> None:
    with pytest.raises(BotError, match=says):
        names_of(split_specs(["greedy", spec]))


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


def test_pauses_grow_for_a_bot_that_keeps_ending() -> None:
    backoff = Backoff()
    assert [backoff.after(0.0) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert [backoff.after(lived_s) for lived_s in (3600.0, 59.0, 60.0)] == [1, 2, 1]


def test_tokens_are_kept_beside_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    beside = tmp_path / "var" / "games.db.bots"
    assert token_folder("var/games.db") == beside
    assert token_folder(f"sqlite+aiosqlite:///{tmp_path}/var/games.db") == beside
    one, other, again = (
        token_folder(f"postgresql://{who}@host/{name}")
        for who, name in (("ann:secret", "a"), ("ann:secret", "b"), ("ann:changed", "a"))
    )
    assert one == again != other
    assert tmp_path / "state" in one.parents
    assert "secret" not in str(one)
    assert token_folder("postgresql+asyncpg://ann@host/a") == one
    assert token_folder("postgres://ann@host/a") == one


def test_tokens_stay_where_an_earlier_version_kept_them(tmp_path: Path) -> None:
    # It took the name of the driver into account.
    url = "postgresql+asyncpg://ann@host/a"
    digest = hashlib.sha256(url.encode()).hexdigest()[:16]
    earlier = token_folder("postgresql://ann@host/a").with_name(digest)
    assert token_folder(url) != earlier
    earlier.mkdir(parents=True)
    assert token_folder(url) == earlier


# -- who they are ------------------------------------------------------------------------------


async def test_a_name_taken_by_another_player_gets_a_number(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with (
            human(url, "rules"),
            playing(url, tmp_path, "rules", name="rules", insist=False) as (bot, _),
        ):
            assert bot.report.name == "rules-2"


async def test_a_bot_waits_for_its_name_until_an_earlier_process_ends(tmp_path: Path) -> None:
    given: dict[str, Any] = {"name": "rules", "insist": False, "name_wait_s": 30.0}
    names: list[str] = []
    async with serving(tmp_path) as server, contextlib.AsyncExitStack() as stack:
        url = server.addresses.ws
        first, first_task = await stack.enter_async_context(
            playing(url, tmp_path, "rules", **given)
        )
        config = configured(url, tmp_path, "rules", **given, on_ready=names.append)
        second = asyncio.create_task(run_bot(config))
        try:
            async with playing(url, tmp_path, "rules", **(given | {"name_wait_s": 0.0})) as (
                impatient,
                _,
            ):
                assert impatient.report.name == "rules-2"
            assert not names
            first.stop()
            await first_task
            await until(lambda: names == ["rules"])
        finally:
            second.cancel()
            await asyncio.gather(second, return_exceptions=True)


async def test_tokens_can_be_kept_for_more_than_one_address(tmp_path: Path) -> None:
    for kept_for, name in (("residents", "rules"), ("residents", "rules"), (None, "rules-2")):
        async with (
            serving(tmp_path) as server,
            playing(server.addresses.ws, tmp_path, "rules", kept_for=kept_for) as (bot, _),
        ):
            assert bot.report.name == name


# -- with processes ----------------------------------------------------------------------------


async def play_on(client: Client, room: str) -> None:
    """Play to the end of the match."""
    while client.session.rooms[room].status == "playing":
        await one_turn(client, room)


async def test_residents_play_and_survive_crashes_and_restarts(tmp_path: Path) -> None:
    larger = MatchSettings(
        game="dots-and-boxes", params={"rows": 3, "cols": 3}, time=TimeControl(base_ms=None)
    )
    with hosting(tmp_path, f"rules,greedy;{BROKEN}") as server:
        url, pids = ready(server, 2)
        async with visitor(url) as ann:
            assert await bots_here(ann) == {"rules", "greedy"}
            # A whole game, and one that is cut off in the middle by the bot's death.
            room = await begin(ann, "greedy", TINY)
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
        assert len(family) >= 4
        before = server.errors
        server.send(signal.SIGTERM)
        assert server.wait() == 0
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]
        ended = server.errors.removeprefix(before)
        assert "bot=rules" not in ended
        assert "Traceback" not in ended

    # At another address, with the same database: the same names, and the game goes on.
    with hosting(tmp_path, "rules,greedy,rules:seed=5") as server:
        url, pids = ready(server, 3)
        assert set(pids) == {"rules", "greedy", "rules-2"}
        async with visitor(url, token) as ann:
            assert await bots_here(ann) == {"rules", "greedy", "rules-2"}
            await until(lambda: room in ann.session.rooms)
            await play_on(ann, room)
            result = ann.session.rooms[room].result
            assert result is not None
            assert result.termination == "completed"
        family = psutil.Process(server.process.pid).children(recursive=True)
        assert len(family) >= 6
        server.send(signal.SIGKILL)
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]


def resident_bots(
    bot: ResidentBot, folder: Path, given_up: asyncio.Future[tuple[ResidentBot, str]]
) -> ResidentBots:
    """Return residents of which the only one can never join; `given_up` gets why."""
    return ResidentBots(
        [bot],
        games=1,
        pause_s=0.0,
        state_dir=folder,
        verbose=False,
        on_ready=lambda *_: pytest.fail("It cannot be ready."),
        on_given_up=lambda *said: given_up.set_result(said),
        log=structlog.get_logger(),
    )


async def test_a_bot_that_cannot_be_made_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(residents, "FIRST_S", 0.0)
    given_up: asyncio.Future[tuple[ResidentBot, str]] = asyncio.Future()
    async with serving(tmp_path) as server:
        bots = resident_bots(ResidentBot(BROKEN, "unmakeable"), tmp_path, given_up)
        with capture_logs() as logs:
            bots.start(server.addresses.ws)
            bot, sentence = await asyncio.wait_for(given_up, DEADLINE_S)
    assert bot.name == "unmakeable"
    assert "no table" in sentence
    assert [line["event"] for line in logs] == ["bot_ended"] * 4 + ["bot_given_up"]
    # Its author reads the traceback, once.
    assert 'raise RuntimeError("no table")' in logs[0]["exception"]
    assert not any("exception" in line for line in logs[1:])


async def test_a_bot_with_an_error_in_its_code_is_given_up_at_once(tmp_path: Path) -> None:
    bot = ResidentBot("tests.bots.bad_bots:Mistyped", "mistyped")
    given_up: asyncio.Future[tuple[ResidentBot, str]] = asyncio.Future()
    async with serving(tmp_path) as server:
        bots = resident_bots(bot, tmp_path, given_up)
        with capture_logs() as logs:
            bots.start(server.addresses.ws)
            _, sentence = await asyncio.wait_for(given_up, DEADLINE_S)
    assert "TypeError" in sentence
    [line] = logs
    assert line["event"] == "bot_given_up"
    assert "self.size = len(3)" in line["exception"]


def test_the_host_sees_the_residents(tmp_path: Path) -> None:
    line = "serve --port 0 --http-port 0 --database a.db --bots greedy:seed=1"
    with running(*line.split(), cwd=tmp_path) as server:
        assert "greedy" in server.until("Bots")
        assert server.until("is ready") == "Bot greedy (greedy:seed=1) is ready."
        family = psutil.Process(server.process.pid).children(recursive=True)
        server.send(signal.SIGINT)
        assert server.wait() == 0
        assert server.seen[-1] == "The server has stopped. All games are saved."
        assert server.errors == ""
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]


def test_a_resident_that_is_not_ready_ends_with_the_server(tmp_path: Path) -> None:
    with hosting(tmp_path, "rules,greedy") as server:
        assert json.loads(server.line())["bots"] == ["rules", "greedy"]
        family = psutil.Process(server.process.pid).children(recursive=True)
        server.send(signal.SIGTERM)
        assert server.wait() == 0
        assert server.errors == ""
        assert not psutil.wait_procs(family, timeout=DEADLINE_S)[1]


async def test_residents_together_share_one_process_with_one_worker(tmp_path: Path) -> None:
    ready: dict[str, int] = {}
    async with serving(tmp_path) as server:
        bots = ResidentBots(
            [ResidentBot("rules", "rules"), ResidentBot("greedy", "greedy")],
            games=1,
            pause_s=0.0,
            state_dir=tmp_path,
            verbose=False,
            on_ready=lambda bot, _, pid: ready.update({bot.name: pid}),
            on_given_up=lambda *_: pytest.fail("Both can be made."),
            log=structlog.get_logger(),
            together=True,
        )
        bots.start(server.addresses.ws)
        await until(lambda: len(ready) == 2)
        assert set(ready) == {"rules", "greedy"}
        [pid] = set(ready.values())
        family = psutil.Process(pid).children(recursive=True)
        assert len(family) == 1
        async with visitor(server.addresses.ws) as ann:
            assert await bots_here(ann) == {"rules", "greedy"}
            # When their process dies, both return.
            psutil.Process(pid).kill()
            await until(lambda: not psutil.pid_exists(pid))


async def test_one_that_cannot_be_made_is_given_up_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(residents, "FIRST_S", 0.0)
    monkeypatch.setattr(residents, "MOST_TRIES", 1)
    ready: asyncio.Future[str] = asyncio.Future()
    given_up: list[str] = []
    async with serving(tmp_path) as server:
        bots = ResidentBots(
            [ResidentBot(BROKEN, "unmakeable"), ResidentBot("rules", "rules")],
            games=1,
            pause_s=0.0,
            state_dir=tmp_path,
            verbose=False,
            on_ready=lambda bot, *_: ready.done() or ready.set_result(bot.name),
            on_given_up=lambda bot, _: given_up.append(bot.name),
            log=structlog.get_logger(),
            together=True,
        )
        with capture_logs():
            bots.start(server.addresses.ws)
            assert await asyncio.wait_for(ready, DEADLINE_S) == "rules"
            await until(lambda: given_up == ["unmakeable"])
