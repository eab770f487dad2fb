"""Check `doublecross bot --config` and `bot-config` as their users see them."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from random import Random

import pytest

from doublecross.bots.runner.home.reading import read_home
from doublecross.cli.main import main
from doublecross.client.core.updates import OfferClosed
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo, MatchSettings, TimeControl
from tests.bots.running import until
from tests.cli.commands import Command, environment, running

LONG = MatchSettings(game="dots-and-boxes", time=TimeControl(base_ms=600_000))
GAMES = 12


async def until_my_turn(ann: Client) -> None:
    await until(lambda: [room.my_turn for room in ann.session.rooms.values()] == [True] * GAMES)


async def declined(ann: Client) -> str:
    """Return why the bot declines a challenge."""
    feed = ann.updates()
    await ann.offers.challenge("Carla", LONG)
    async with asyncio.timeout(30):
        async for update in feed:
            if isinstance(update, OfferClosed):
                return update.reason
    raise AssertionError


def test_a_killed_bot_goes_on_with_all_games_and_reads_its_file_again(tmp_path: Path) -> None:
    file = tmp_path / "carla.toml"
    serve = "serve --json --port 0 --http-port 0 --database games.db"
    options = {"cwd": tmp_path, "env": environment(XDG_STATE_HOME=str(tmp_path))}

    def bot() -> Command:
        return Command("bot", "--config", str(file), **options)  # type: ignore[arg-type]

    async def play(url: str) -> None:
        engine = EngineInfo(name="ann", version="1")
        ann = Client(url, Login("bot", name="Ann", engine=engine), rng=Random(1))
        first = bot()
        async with ann:
            await asyncio.to_thread(first.until, "has joined")
            for _ in range(GAMES):
                await ann.offers.challenge("Carla", LONG, seat=0)
            await until_my_turn(ann)
            first.send(signal.SIGSTOP)
            for room in tuple(ann.session.rooms.values()):
                await ann.move(room.room, room.state.legal_actions()[0])
            first.send(signal.SIGKILL)
            first.wait()
            first.close()
            second = bot()
            await until_my_turn(ann)
            assert await declined(ann) == "I play 12 at once and no more."
            second.send(signal.SIGUSR1)
            await asyncio.to_thread(second.until, "Carla: 12 games in play, +0 =0 -0")
            file.write_text(text.replace("at_once", "att_once"))
            second.send(signal.SIGHUP)
            await until(
                lambda: (
                    "accept.att_once: there is no such key; did you mean at_once" in second.errors
                )
            )
            file.write_text(text.replace("Carla", "Cora") + "bots = false\n")
            second.send(signal.SIGHUP)
            await asyncio.to_thread(second.until, "The settings are read.")
            assert "change only when the bot starts again: name." in second.errors
            assert await declined(ann) == "I play people only."
            await until_my_turn(ann)
            second.send(signal.SIGINT)
            second.send(signal.SIGTERM)
            assert await asyncio.to_thread(second.wait) == 0
            second.close()

    with running(*serve.split(), cwd=tmp_path) as server:
        url = json.loads(server.line())["ws"]
        text = (
            f'server = "{url}"\nname = "Carla"\nlog_folder = "log"\n[[engine]]\nbot = "greedy"\n'
            f"[accept]\nat_once = {GAMES}\n"
        )
        file.write_text(text)
        asyncio.run(play(url))
    assert (
        "Declined a challenge of Ann: I play people only." in (tmp_path / "log/bot.log").read_text()
    )


def test_a_new_file_has_what_was_asked_and_replaces_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--bot", "greedy", "--name", "Carla", "--game", "dots-and-boxes 3x3-5x5", "--yes"]
    assert main(["bot-config", *options]) == 0
    assert "doublecross bot --config mybot.toml" in capsys.readouterr().out
    home = read_home(Path("mybot.toml"), {})
    assert (home.name, home.engine[0].bot, len(home.accept.games)) == ("Carla", "greedy", 1)
    assert main(["bot-config", *options]) == 2
    assert "exists already" in capsys.readouterr().err
    for wrong in (["--bot", "nobody"], ["--game", "chess"], ["--name", "@@"]):
        assert main(["bot-config", "other.toml", "--yes", *wrong]) == 2
    assert not Path("other.toml").exists()


def test_what_is_missing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answers = iter(["", "greedy", "", "Carla", "nim, tic-tac-toe"])
    monkeypatch.setattr("typer.prompt", lambda _, default, **__: next(answers) or default)
    assert main(["bot-config"]) == 0
    home = read_home(Path("mybot.toml"), {})
    assert (home.server, home.name) == ("ws://127.0.0.1:8765", "Carla")
    assert [game.key for game in home.accept.games] == ["nim", "tic-tac-toe"]
