"""A bot plays a correspondence game without staying in its room."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from doublecross.bots.runner.config import RunnerReport
from doublecross.client.transport import Client
from doublecross.protocol.common import DAY_MS, TimeControl, TournamentTerms
from doublecross.server.shell.app import DoublecrossServer
from tests.bots.running import TINY, human, running, serving, until
from tests.fakes.http import plain_client

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


async def test_bots_play_a_tournament_by_days_over_restarts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.rooms.sleeping.REST_MS", 0)
    terms = TournamentTerms(name="Slow", format="round-robin", settings=BY_DAYS, pairs=2, seed=1)

    async def enter(stack: AsyncExitStack, url: str, name: str) -> asyncio.Task[RunnerReport]:
        run = running(url, tmp_path / name, name, tournament=tournament)
        return (await stack.enter_async_context(run))[1]

    def asleep(server: DoublecrossServer) -> bool:
        return server.authority.lobby.rooms.sleeping["rules"] == 4

    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        tournament = (await ann.tournaments.create(terms)).tournament
        running_here = server.authority.director.registry.running
        async with AsyncExitStack() as stack:
            for name in ("rules", "greedy"):
                await enter(stack, server.addresses.ws, name)
            await until(lambda: len(running_here[tournament].numbers) == 2)
        # Nobody but the organiser is there when the round begins.
        await until(lambda: set(server.authority.peers.sessions) == {"Ann"})
        assert (await ann.tournaments.start(tournament)).games_planned == 4
        await until(lambda: asleep(server))
        async with plain_client(server.addresses.http) as http:
            found = (await http.get(f"/api/tournaments/{tournament}")).json()
        assert [(each["game"], each["left_ms"] > DAY_MS / 2) for each in found["live"]] == [
            (0, True),
            (1, True),
        ] * 2
        assert {each["to_move"] for each in found["live"]} == {"rules", "greedy"}
        async with AsyncExitStack() as stack:
            await enter(stack, server.addresses.ws, "rules")
            await until(lambda: server.authority.rooms.publisher.moves >= 2)
        port = int(server.addresses.ws.rpartition(":")[2])  # where the bots know their names
    async with serving(tmp_path, port=port) as server, AsyncExitStack() as stack:
        await until(lambda: asleep(server))
        runs = [await enter(stack, server.addresses.ws, name) for name in ("rules", "greedy")]
        assert [report.problem for report in await asyncio.gather(*runs)] == [None, None]
        games = await server.authority.store.tournament_games(tournament)
        assert {game.termination for game in games} == {"completed"}
        assert len(games) == 4


async def test_a_bot_stays_for_its_last_games_by_days_after_the_end_of_a_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.bots.runner.entry.ASK_S", 0)
    terms = TournamentTerms(
        name="Slow", format="round-robin", settings=BY_DAYS, people=True, seed=1
    )
    async with serving(tmp_path) as server, human(server.addresses.ws) as ann:
        tournament = (await ann.tournaments.create(terms)).tournament
        await ann.tournaments.join(tournament)
        running_here = server.authority.director.registry.running
        async with running(server.addresses.ws, tmp_path, "rules", tournament=tournament) as (
            _,
            task,
        ):
            await until(lambda: len(running_here[tournament].numbers) == 2)
            await ann.tournaments.start(tournament)
            assert (await ann.tournaments.end(tournament)).status == "cancelled"
            games = (await ann.get_open_games()).games
            assert len(games) == 2
            for game in games:
                # The bot begins one of them, and answers in the other.
                await ann.watch(game.room)
                mirror = ann.session.rooms[game.room]
                await until(lambda mirror=mirror: mirror.my_turn)
                await ann.resign(game.room)
                assert not task.done() or game is games[-1]
            assert (await task).problem is None
