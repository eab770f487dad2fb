"""People who play elsewhere when a game of their tournament could begin."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    GetTournament,
    JoinTournament,
    Resign,
    StartTournament,
)
from doublecross.protocol.common import DAY_MS, TimeControl
from doublecross.server.core.rooms.room import Room
from doublecross.server.tournaments.director import TICK_MS
from doublecross.server.tournaments.presence import BUSY_MS
from tests.fakes.peers import FakePeer
from tests.server.playing import dots
from tests.server.tournaments.world import TournamentWorld, whole

LONG = TimeControl(base_ms=7_200_000)


async def begin(
    world: TournamentWorld, time: TimeControl = LONG, **more: Any
) -> tuple[str, FakePeer, Room]:
    """Start a tournament of Bea and a bot while Bea plays Zed in another room; return its id."""
    bea, zed = world.arrive("Bea"), world.arrive("Zed")
    tournament = await world.create("Bot", started=False, people=True, **more)
    await world.call(bea, JoinTournament, tournament=tournament)
    room = await world.play_room(bea, zed, dots(time=time))
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, StartTournament, tournament=tournament)
    return tournament, bea, room


async def busy(world: TournamentWorld, tournament: str) -> list[str]:
    ann = world.peer("Ann")
    assert ann is not None
    state = await world.call(ann, GetTournament, tournament=tournament)
    return [each["player"] for each in state["entrants"] if each["busy"]]


@pytest.mark.parametrize("form", ["swiss", "arena"])
async def test_a_game_waits_for_the_end_of_a_persons_timed_match(
    world: TournamentWorld, form: str
) -> None:
    how: dict[str, Any] = {"rounds": 1} if form == "swiss" else {"length_ms": 600_000}
    tournament, bea, room = await begin(world, format=form, **how)
    assert world.games() == []
    assert await busy(world, tournament) == ["Bea"]
    notices = [each for each in bea.take() if each["type"] == "tournament_state"]
    assert notices
    assert all(e["busy"] == (e["player"] == "Bea") for n in notices for e in n["entrants"])
    await world.call(bea, Resign, room=room.id)
    assert len(world.games()) == 1
    assert await busy(world, tournament) == []


@pytest.mark.parametrize("time", [TimeControl(), TimeControl(move_ms=DAY_MS)])
async def test_a_match_without_haste_keeps_nobody_from_a_game(
    world: TournamentWorld, time: TimeControl
) -> None:
    await begin(world, time)
    assert len(world.games()) == 1


async def test_an_opponent_waits_ten_minutes_at_most(world: TournamentWorld) -> None:
    tournament, _, _ = await begin(world)
    await world.tick(BUSY_MS - 1)
    assert world.games() == []
    # Bea is here, so nobody counts as away.
    assert [each.state for each in world.running(tournament).core.entrants] == ["in", "in"]
    await world.tick(TICK_MS)
    assert len(world.games()) == 1
    assert await busy(world, tournament) == []


async def test_the_wait_goes_on_when_one_match_follows_another(world: TournamentWorld) -> None:
    _, bea, room = await begin(world)
    await world.tick(BUSY_MS - 1)
    # The second match has begun before the first is over, so no moment is free.
    zed = world.peer("Zed")
    assert zed is not None
    await world.play_room(bea, zed, dots(time=LONG))
    await world.call(bea, Resign, room=room.id)
    assert world.games() == []
    await world.tick(TICK_MS)
    assert len(world.games()) == 1


async def test_a_new_server_lets_the_game_wait_too(world: TournamentWorld) -> None:
    tournament, _, room = await begin(world)
    world = await world.again()
    bea, _, _, _ = (world.arrive("Bea"), world.bot("Bot"), world.arrive("Ann"), world.arrive("Zed"))
    await world.tick(1)
    assert world.games() == []
    assert await busy(world, tournament) == ["Bea"]
    await world.call(bea, Resign, room=room.id)
    assert await world.play() == 2
    assert world.tags(tournament) == whole(1)
    world.crash()


async def test_two_who_play_each_other_elsewhere_finish_that_first(world: TournamentWorld) -> None:
    bea, zed = world.arrive("Bea"), world.arrive("Zed")
    tournament = await world.create(started=False, people=True)
    for each in (bea, zed):
        await world.call(each, JoinTournament, tournament=tournament)
    room = await world.play_room(bea, zed, dots(time=LONG))
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, StartTournament, tournament=tournament)
    assert world.games() == []
    await world.call(bea, Resign, room=room.id)
    assert len(world.games()) == 1
