"""A bot plays a correspondence game without staying in its room."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.protocol.common import DAY_MS, TimeControl
from tests.bots.running import TINY, human, running, serving, until


async def test_a_bot_comes_for_its_turns_of_a_game_by_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.bots.runner.visit._CHECK_S", 0.02)
    monkeypatch.setattr("doublecross.server.shell.rooms.sleeping.REST_MS", 0)
    by_days = TINY.model_copy(update={"time": TimeControl(move_ms=DAY_MS)})
    async with (
        serving(tmp_path) as server,
        running(server.addresses.ws, tmp_path, "rules") as (bot, _),
        human(server.addresses.ws) as ann,
    ):
        await ann.offers.challenge(bot.report.name, by_days, seat=0)
        await until(lambda: bool(ann.session.rooms))
        (room,) = ann.session.rooms

        async def move() -> None:
            mirror = ann.session.rooms[room]
            await until(lambda: mirror.my_turn)
            await ann.move(room, mirror.state.legal_actions()[0])
            await until(lambda: mirror.my_turn)

        await move()
        await ann.leave(room)
        await until(lambda: room not in server.authority.lobby.rooms)  # the bot has left, too
        assert server.authority.lobby.rooms.sleeping[bot.report.name] == 1
        await ann.watch(room)
        await move()
        await ann.resign(room)
