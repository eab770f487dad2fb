"""What a director does about large and idle tournaments, and about players who are taken back."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from doublecross.protocol import client_messages
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.tournament_rows import GameOutcome
from doublecross.server.shell.handlers.tournaments import CREATE_TOKENS
from doublecross.server.tournaments import loading, requests
from doublecross.server.tournaments.director import GAMES_PER_STEP
from tests.server.playing import dots
from tests.server.tournaments.world import TournamentWorld, whole

DAY_MS = 86_400_000

# -- idle tournaments ------------------------------------------------------------------------


async def test_an_open_tournament_that_nobody_starts_ends_with_a_sentence(
    world: TournamentWorld,
) -> None:
    tournament = await world.create("Bo", "Cy", started=False)
    await world.tick(7 * DAY_MS - 1000)
    assert world.running(tournament).core.status == "open"
    bo = world.peer("Bo")
    assert bo is not None
    bo.take()
    await world.tick(1000)
    (state,) = [m for m in bo.take() if m["type"] == "tournament_state"]
    assert state["status"] == "cancelled"
    assert state["note"] == "Spring has ended, because nobody started it for 7 days."
    assert tournament not in world.authority.director.registry.running
    assert world.store.tournament_rows[tournament].status == "cancelled"


async def test_a_tournament_goes_on_while_somebody_joins_or_plays(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy", started=False)
    await world.tick(6 * DAY_MS)
    dee = world.bot("Dee")
    await world.call(dee, client_messages.JoinTournament, tournament=tournament)
    await world.tick(6 * DAY_MS)
    assert world.running(tournament).core.status == "open"
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, client_messages.StartTournament, tournament=tournament)
    await world.tick()
    running = world.running(tournament)
    assert running.core.live
    assert running.active_ms == world.time


async def test_a_ladder_in_which_nobody_plays_ends_only_if_it_has_an_end(
    world: TournamentWorld,
) -> None:
    tournament, endless = [await world.create(format="ladder", rounds=r) for r in (5, None)]
    await world.tick(7 * DAY_MS)
    assert list(world.authority.director.registry.running) == [endless]
    assert world.store.tournament_rows[tournament].status == "cancelled"


async def test_an_idle_tournament_gets_an_hour_after_a_restart(world: TournamentWorld) -> None:
    tournament = await world.create(started=False)
    world.time += 30 * DAY_MS
    again = await world.again()
    await again.tick(3_600_000 - 1000)
    assert again.running(tournament).core.status == "open"
    await again.tick(1000)
    assert tournament not in again.authority.director.registry.running
    await again.authority.director.close()


# -- large tournaments -----------------------------------------------------------------------


async def test_a_large_tournament_stores_and_draws_only_what_begins(world: TournamentWorld) -> None:
    tournament = await world.create(*(f"B{n}" for n in range(6)), pairs=10_000)
    running = world.running(tournament)
    assert running.core.progress().planned == 300_000
    assert len(world.store.pairings[tournament]) == len(running.core.pairings) == 3
    assert len(running.row.terms) < 10_000
    assert await world.play(7) == 7
    assert len(running.core.pairings) < 12


async def test_games_begin_in_steps_so_that_others_get_a_turn(world: TournamentWorld) -> None:
    names = [f"B{n}" for n in range(2 * GAMES_PER_STEP + 4)]
    running = world.running(await world.create(*names, started=False))
    director = world.authority.director
    requests.start(director, running)
    director._begin_games(running)
    assert len(running.core.live) == GAMES_PER_STEP
    await world.settle()
    assert len(running.core.live) == GAMES_PER_STEP + 2


async def test_a_new_tournament_costs_several_messages(world: TournamentWorld) -> None:
    await world.create(started=False)
    ann = world.peer("Ann")
    assert ann is not None
    burst = ServerLimits().burst
    left = sum(ann.allowance.messages.take(0.0) for _ in range(burst))
    assert 0 < left <= burst - CREATE_TOKENS


async def test_a_game_that_ends_while_its_tournament_is_being_rebuilt_counts(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await world.create("Bo", "Cy", pairs=2)
    (room,) = world.games()
    loader = world.authority.director._loader
    ended, rebuild, note_end = threading.Event(), loading.rebuild, loader.note_end
    loop = asyncio.get_running_loop()
    waited: list[bool] = []

    def note(outcome: GameOutcome) -> None:
        note_end(outcome)
        ended.set()

    def slowly(*given: Any) -> Any:
        if not waited:
            loop.call_soon_threadsafe(world.finish, room)
            waited.append(ended.wait(20))
        return rebuild(*given)

    monkeypatch.setattr(loader, "note_end", note)
    monkeypatch.setattr(loading, "rebuild", slowly)
    loader.reload(world.running(tournament))
    while world.authority.director.registry.running[tournament].stale:
        await asyncio.to_thread(int)
    assert waited == [True]
    assert room.status != "playing"
    await world.settle()
    assert await world.play() == 3
    await world.until()
    await world.stored_games()
    assert world.tags(tournament) == whole(2)
    assert world.store.tournament_rows[tournament].status == "finished"


async def test_a_game_that_is_lost_during_a_rebuild_is_played_again(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await world.create("Bo", "Cy")
    (room,) = world.games()
    director, rebuild = world.authority.director, loading.rebuild
    lost, loop = threading.Event(), asyncio.get_running_loop()
    waited: list[bool] = []

    def lose() -> None:
        registry = world.authority.rooms.registry
        registry.channels[room.id].first = 2  # its first event is not in memory any more
        world.authority._commit_failed({room.id})
        lost.set()

    def slowly(*given: Any) -> Any:
        if not waited:
            loop.call_soon_threadsafe(lose)
            waited.append(lost.wait(20))
        return rebuild(*given)

    monkeypatch.setattr(loading, "rebuild", slowly)
    director._loader.reload(world.running(tournament))
    while director.registry.running[tournament].stale:
        await asyncio.to_thread(int)
    assert waited == [True]
    await world.settle()
    assert await world.play() == 2
    await world.until()
    assert world.store.tournament_rows[tournament].status == "finished"


# -- taken back ------------------------------------------------------------------------------


async def test_the_organiser_takes_back_who_was_set_aside(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy", "Dee")
    ann, bo = world.peer("Ann"), world.peer("Bo")
    assert ann is not None
    assert bo is not None
    about = {"tournament": tournament, "player": "Bo"}
    await world.call(ann, client_messages.SetAside, **about)
    refused = await world.call(bo, client_messages.TakeBack, **about)
    assert refused["code"] == "not_yours"
    state = await world.call(ann, client_messages.TakeBack, **about)
    assert {e["player"]: e["state"] for e in state["entrants"]}["Bo"] == "in"
    assert await world.play() == 6
    again = await world.call(ann, client_messages.TakeBack, **about)
    assert again["code"] == "unknown_tournament"


async def test_a_full_server_is_asked_for_rooms_once_a_second_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = await TournamentWorld(rooms=1).start()
    names = [f"B{n}" for n in range(2 * GAMES_PER_STEP)]
    tournament = await world.create(*names, started=False, format="swiss", rounds=3)
    dee = world.arrive("Dee")
    await world.answer(dee, client_messages.CreateRoom, key="k", settings=dots(), seat=0)
    host = world.authority.director.host
    asked, open_game = [], host.open_game

    def counted(*game: Any) -> bool:
        asked.append(game)
        return open_game(*game)

    monkeypatch.setattr(host, "open_game", counted)
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, client_messages.StartTournament, tournament=tournament)
    await world.until()
    assert len(asked) == GAMES_PER_STEP
    await world.tick()
    assert len(asked) == 2 * GAMES_PER_STEP
    world.crash()
