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
from tests.server.tournaments.halls import Hall, whole

DAY_MS = 86_400_000

# -- idle tournaments ------------------------------------------------------------------------


async def test_an_open_tournament_that_nobody_starts_ends_with_a_sentence(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", started=False)
    await hall.tick(7 * DAY_MS - 1000)
    assert hall.running(tournament).core.status == "open"
    bo = hall.peer("Bo")
    assert bo is not None
    bo.take()
    await hall.tick(1000)
    (state,) = [m for m in bo.take() if m["type"] == "tournament_state"]
    assert state["status"] == "cancelled"
    assert state["note"] == "Spring has ended, because nobody started it for 7 days."
    assert tournament not in hall.authority.director.registry.running
    assert hall.store.tournament_rows[tournament].status == "cancelled"


async def test_a_tournament_goes_on_while_somebody_joins_or_plays(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", started=False)
    await hall.tick(6 * DAY_MS)
    dee = hall.bot("Dee")
    await hall.call(dee, client_messages.JoinTournament, tournament=tournament)
    await hall.tick(6 * DAY_MS)
    assert hall.running(tournament).core.status == "open"
    ann = hall.peer("Ann")
    assert ann is not None
    await hall.call(ann, client_messages.StartTournament, tournament=tournament)
    await hall.tick()
    running = hall.running(tournament)
    assert running.core.live
    assert running.active_ms == hall.time


async def test_a_running_ladder_in_which_nobody_plays_ends(hall: Hall) -> None:
    tournament = await hall.create(format="ladder")
    await hall.tick(7 * DAY_MS)
    assert tournament not in hall.authority.director.registry.running
    assert hall.store.tournament_rows[tournament].status == "finished"


async def test_an_idle_tournament_gets_an_hour_after_a_restart(hall: Hall) -> None:
    tournament = await hall.create(started=False)
    hall.time += 30 * DAY_MS
    again = await hall.again()
    await again.tick(3_600_000 - 1000)
    assert again.running(tournament).core.status == "open"
    await again.tick(1000)
    assert tournament not in again.authority.director.registry.running
    await again.authority.director.close()


# -- large tournaments -----------------------------------------------------------------------


async def test_a_large_tournament_stores_and_draws_only_what_begins(hall: Hall) -> None:
    tournament = await hall.create(*(f"B{n}" for n in range(6)), pairs=10_000)
    running = hall.running(tournament)
    assert running.core.progress().planned == 300_000
    assert len(hall.store.pairings[tournament]) == len(running.core.pairings) == 3
    assert len(running.row.terms) < 10_000
    assert await hall.play(7) == 7
    assert len(running.core.pairings) < 12


async def test_games_begin_in_steps_so_that_others_get_a_turn(hall: Hall) -> None:
    names = [f"B{n}" for n in range(2 * GAMES_PER_STEP + 4)]
    running = hall.running(await hall.create(*names, started=False))
    director = hall.authority.director
    requests.start(director, running)
    director._begin_games(running)
    assert len(running.core.live) == GAMES_PER_STEP
    await hall.settle()
    assert len(running.core.live) == GAMES_PER_STEP + 2


async def test_a_new_tournament_costs_several_messages(hall: Hall) -> None:
    await hall.create(started=False)
    ann = hall.peer("Ann")
    assert ann is not None
    burst = ServerLimits().burst
    left = sum(ann.bucket.take(0.0) for _ in range(burst))
    assert 0 < left <= burst - CREATE_TOKENS


async def test_a_game_that_ends_while_its_tournament_is_being_rebuilt_counts(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await hall.create("Bo", "Cy", pairs=2)
    (room,) = hall.games()
    loader = hall.authority.director._loader
    ended, rebuild, note_end = threading.Event(), loading.rebuild, loader.note_end
    loop = asyncio.get_running_loop()
    waited: list[bool] = []

    def note(outcome: GameOutcome) -> None:
        note_end(outcome)
        ended.set()

    def slowly(*given: Any) -> Any:
        if not waited:
            loop.call_soon_threadsafe(hall.finish, room)
            waited.append(ended.wait(20))
        return rebuild(*given)

    monkeypatch.setattr(loader, "note_end", note)
    monkeypatch.setattr(loading, "rebuild", slowly)
    loader.reload(hall.running(tournament))
    while hall.authority.director.registry.running[tournament].stale:
        await asyncio.to_thread(int)
    assert waited == [True]
    assert room.status != "playing"
    await hall.settle()
    assert await hall.play() == 3
    await hall.until()
    await hall.stored_games()
    assert hall.tags(tournament) == whole(2)
    assert hall.store.tournament_rows[tournament].status == "finished"


async def test_a_game_that_is_lost_during_a_rebuild_is_played_again(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await hall.create("Bo", "Cy")
    (room,) = hall.games()
    director, rebuild = hall.authority.director, loading.rebuild
    lost, loop = threading.Event(), asyncio.get_running_loop()
    waited: list[bool] = []

    def lose() -> None:
        registry = hall.authority.rooms.registry
        registry.channels[room.id].first = 2  # its first event is not in memory any more
        hall.authority._commit_failed({room.id})
        lost.set()

    def slowly(*given: Any) -> Any:
        if not waited:
            loop.call_soon_threadsafe(lose)
            waited.append(lost.wait(20))
        return rebuild(*given)

    monkeypatch.setattr(loading, "rebuild", slowly)
    director._loader.reload(hall.running(tournament))
    while director.registry.running[tournament].stale:
        await asyncio.to_thread(int)
    assert waited == [True]
    await hall.settle()
    assert await hall.play() == 2
    await hall.until()
    assert hall.store.tournament_rows[tournament].status == "finished"


# -- taken back ------------------------------------------------------------------------------


async def test_the_organiser_takes_back_who_was_set_aside(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", "Dee")
    ann, bo = hall.peer("Ann"), hall.peer("Bo")
    assert ann is not None
    assert bo is not None
    about = {"tournament": tournament, "player": "Bo"}
    await hall.call(ann, client_messages.SetAside, **about)
    refused = await hall.call(bo, client_messages.TakeBack, **about)
    assert refused["code"] == "not_yours"
    state = await hall.call(ann, client_messages.TakeBack, **about)
    assert {e["player"]: e["state"] for e in state["entrants"]}["Bo"] == "in"
    assert await hall.play() == 6
    again = await hall.call(ann, client_messages.TakeBack, **about)
    assert again["code"] == "unknown_tournament"


async def test_a_full_server_is_asked_for_rooms_once_a_second_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hall = await Hall(rooms=1).start()
    names = [f"B{n}" for n in range(2 * GAMES_PER_STEP)]
    tournament = await hall.create(*names, started=False, format="swiss", rounds=3)
    dee = hall.arrive("Dee")
    await hall.answer(dee, client_messages.CreateRoom, key="k", settings=dots(), seat=0)
    host = hall.authority.director.host
    asked, open_game = [], host.open_game

    def counted(*game: Any) -> bool:
        asked.append(game)
        return open_game(*game)

    monkeypatch.setattr(host, "open_game", counted)
    ann = hall.peer("Ann")
    assert ann is not None
    await hall.call(ann, client_messages.StartTournament, tournament=tournament)
    await hall.until()
    assert len(asked) == GAMES_PER_STEP
    await hall.tick()
    assert len(asked) == 2 * GAMES_PER_STEP
    hall.crash()
