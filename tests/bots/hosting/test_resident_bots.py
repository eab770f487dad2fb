"""Tests for the resident bots of a server: their restarts, and when they are given up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest
import structlog
from structlog.testing import capture_logs

from doublecross.bots.hosting import resident_bots as module
from doublecross.bots.hosting.resident_bots import Backoff, ResidentBot, ResidentBots, ResidentTerms
from tests.bots.running import serving, until
from tests.cli.commands import DEADLINE_S
from tests.cli.family import Family
from tests.cli.serve.hosting import bots_here, visitor

pytestmark = pytest.mark.usefixtures("fork_server")

BROKEN = "tests.bots.bad_bots:Unmakeable"


def test_pauses_grow_for_a_bot_that_keeps_ending() -> None:
    backoff = Backoff()
    assert [backoff.after(0.0) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert [backoff.after(lived_s) for lived_s in (3600.0, 59.0, 60.0)] == [1, 2, 1]


def resident_bots(
    bot: ResidentBot, folder: Path, given_up: asyncio.Future[tuple[ResidentBot, str]]
) -> ResidentBots:
    """Return residents of which the only one can never join; `given_up` gets why."""
    return ResidentBots(
        [bot],
        ResidentTerms(1, 0.0, folder),
        on_ready=lambda *_: pytest.fail("It cannot be ready."),
        on_given_up=lambda *said: given_up.set_result(said),
        log=structlog.get_logger(),
    )


async def test_a_bot_that_cannot_be_made_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_S", 0.0)
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


async def test_residents_together_share_one_process_with_one_worker(tmp_path: Path) -> None:
    ready: dict[str, int] = {}
    family = Family()
    async with serving(tmp_path) as server:
        bots = ResidentBots(
            [ResidentBot("rules", "rules"), ResidentBot("greedy", "greedy")],
            ResidentTerms(1, 0.0, tmp_path, together=True),
            on_ready=lambda bot, _, pid: ready.update({bot.name: pid}),
            on_given_up=lambda *_: pytest.fail("Both can be made."),
            log=structlog.get_logger(),
        )
        bots.start(server.addresses.ws)
        await until(lambda: len(ready) == 2)
        assert set(ready) == {"rules", "greedy"}
        [pid] = set(ready.values())
        assert len(family("doublecross.bots.workers.child")) == 1
        async with visitor(server.addresses.ws) as ann:
            assert await bots_here(ann) == {"rules", "greedy"}
            # When their process dies, both return.
            psutil.Process(pid).kill()
            await until(lambda: not psutil.pid_exists(pid))


async def test_one_that_cannot_be_made_is_given_up_and_the_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_S", 0.0)
    monkeypatch.setattr(module, "MOST_TRIES", 1)
    ready: asyncio.Future[str] = asyncio.Future()
    given_up: list[str] = []
    async with serving(tmp_path) as server:
        bots = ResidentBots(
            [ResidentBot(BROKEN, "unmakeable"), ResidentBot("rules", "rules")],
            ResidentTerms(1, 0.0, tmp_path, together=True),
            on_ready=lambda bot, *_: ready.done() or ready.set_result(bot.name),
            on_given_up=lambda bot, _: given_up.append(bot.name),
            log=structlog.get_logger(),
        )
        with capture_logs():
            bots.start(server.addresses.ws)
            assert await asyncio.wait_for(ready, DEADLINE_S) == "rules"
            await until(lambda: given_up == ["unmakeable"])
