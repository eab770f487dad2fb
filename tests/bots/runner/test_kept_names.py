"""Tests for the names of bots that play on a server again and again."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from doublecross.bots.runner import run_bot
from tests.bots.running import configured, human, serving, until
from tests.bots.running import running as playing


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
