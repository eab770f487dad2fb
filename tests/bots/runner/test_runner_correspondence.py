"""A bot plays a correspondence game without staying in its room."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.client.transport import Client
from doublecross.protocol.common import DAY_MS, TimeControl
from tests.bots.running import TINY, human, running, serving, until

BY_DAYS = TINY.model_copy(update={"time": TimeControl(move_ms=DAY_MS)})


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doublecross.bots.runner.visit._CHECK_S", 0.02)


async def test_a_bot_comes_for_its_turns_of_a_game_by_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.rooms.sleeping.REST_MS", 0)
    async with (
        serving(tmp_path) as server,
        running(server.addresses.ws, tmp_path, "rules") as (bot, _),
        human(server.addresses.ws) as ann,
    ):
        await ann.offers.challenge(bot.report.name, BY_DAYS, seat=0)
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


async def test_a_bot_misses_no_move_that_comes_while_it_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave = Client.leave
    async with (
        serving(tmp_path) as server,
        running(server.addresses.ws, tmp_path, "rules") as (bot, _),
        human(server.addresses.ws) as ann,
    ):

        async def move_first(client: Client, room: str) -> None:
            mirror = ann.session.rooms[room]
            if mirror.last_move is None:
                await ann.move(room, mirror.state.legal_actions()[0])
            await leave(client, room)

        monkeypatch.setattr(Client, "leave", move_first)
        await ann.offers.challenge(bot.report.name, BY_DAYS, seat=0)
        await until(lambda: bool(ann.session.rooms))
        (mirror,) = ann.session.rooms.values()
        await until(lambda: mirror.last_move is not None and mirror.last_move.seat == 1)
        await ann.resign(mirror.room)
