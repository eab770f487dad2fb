"""Dates for people are those of the system, although the time for deadlines is behind after stalls.

In these tests the time for deadlines is two hours behind.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from doublecross.protocol.client_messages import Resign, StartTournament
from doublecross.server.core.rooms import deadlines
from doublecross.server.shell.upkeep.service_time import Dates
from tests.server.playing import T0, TIMES, dots
from tests.server.shell.test_http import Reader
from tests.server.shell.test_play_over_wire import play_out, table
from tests.server.shell.test_restart import start
from tests.server.tournaments.world import TournamentWorld
from tests.server.world import World

LAG = 7_200_000


@pytest_asyncio.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.lag = LAG
    yield await world.start()
    await world.stop()


async def test_records_have_dates_and_deadlines_do_not(world: World) -> None:
    ann, bob, room = await world.table(dots(rated=True))
    assert room.match is not None
    room.match.moved = [True, True]
    world.time += 1000
    world.ask(bob, Resign, room=room.id)
    await world.settle()
    await world.authority.committer.settled(games=True)
    (row,) = world.store.games_by_id.values()
    assert (row.started_ms, row.finished_ms) == (T0 + LAG, T0 + LAG + 1000)
    assert '[Date "2023-11-15T00:13:20+00:00"]' in row.record
    dates = {m["type"]: m["at"] for m in ann.take() if "at" in m}
    assert dates == {"match_finished": T0 + LAG + 1000}
    assert world.authority.ratings.of("Ann")[0].at_ms == T0 + LAG + 1000
    world.authority.depart(ann)
    assert deadlines.next_due(room) == T0 + 1000 + TIMES.linger_ms
    # As after a restart, or after a failed commit.
    world.authority.rooms.registry.rebuild({room.id})
    again = world.room(room.id)
    assert again is not room
    assert (again.started_at, again.finished_at) == (T0 + LAG, T0 + LAG + 1000)
    world.authority.depart(bob)
    assert deadlines.next_due(again) == T0 + 1000 + TIMES.away_ms


async def test_a_match_does_not_end_before_it_began(world: World) -> None:
    _ann, bob, room = await world.table()
    world.lag = 0
    world.ask(bob, Resign, room=room.id)
    assert room.started_at == room.finished_at == T0 + LAG


async def test_new_players_have_dates(world: World) -> None:
    peer = world.arrive("Ann")
    peer.player = None
    await world.hello(peer, "Cat")
    assert world.store.players["cat"].created_ms == T0 + LAG


async def test_tournaments_have_dates_and_wait_for_players_without_them() -> None:
    world = TournamentWorld()
    world.lag = LAG
    await world.start()
    tournament = await world.create("a", "b", started=False)
    world.authority.depart(world.authority.peers.of("b")[-1])
    await world.call(world.peer("Ann"), StartTournament, tournament=tournament)
    running = world.authority.director.registry.running[tournament]
    row = world.store.tournament_rows[tournament]
    assert row.created_ms == row.started_ms == T0 + LAG
    assert running.begun_ms == running.active_ms == T0
    assert {entrant.joined_ms for entrant in running.core.entrants} == {T0 + LAG}
    assert running.gone == {1: T0}
    overdue = world.authority.director.presence.overdue
    assert overdue(running, T0 + 599_999, 600_000) == []
    assert overdue(running, T0 + 600_000, 600_000) == [1]
    await world.stop()


async def test_a_server_gives_dates_of_the_system(tmp_path: Path) -> None:
    server = await start(tmp_path)
    now = 4_000_000_000_000
    server._date._system_ms = lambda: now  # type: ignore[union-attr]
    ann, bob, room = await table(server)
    await play_out(ann, bob, room)
    async with Reader(server) as http:
        (game,) = (await http.get("/api/games"))["games"]
        player = await http.get("/api/players/Ann")
    assert (game["started_ms"], game["finished_ms"], player["created_ms"]) == (now, now, now)
    assert server.authority.now() < now
    await server.stop()


@pytest.mark.parametrize(
    ("times", "dates"),
    [
        ([5_000_000, 5_000_001], [5_000_000, 5_000_001]),
        ([5_000_000, 4_940_000, 5_000_001], [5_000_000, 5_000_000, 5_000_001]),
        ([5_000_000, 4_939_999, 4_940_000], [5_000_000, 4_939_999, 4_940_000]),
    ],
)
def test_small_steps_back_of_the_system_time_do_not_count(
    times: list[int], dates: list[int]
) -> None:
    left = iter(times)
    give: Any = Dates(lambda: next(left))
    assert [give() for _ in times] == dates
