"""Tournaments by days: all games of a round begin at once, sleep, and only the clock ends them."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    CreateTournament,
    EndTournament,
    GetOpenGames,
    JoinTournament,
    LeaveTournament,
    Move,
    SetAside,
)
from doublecross.protocol.common import DAY_MS, MatchSettings, TimeControl
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.shell.rooms.sleeping import REST_MS
from tests.fakes.peers import FakePeer
from tests.server.playing import dots
from tests.server.tournaments.world import TournamentWorld, terms, whole

DAYS = 3 * DAY_MS


def by_days() -> MatchSettings:
    return dots().model_copy(update={"time": TimeControl(move_ms=DAYS)})


async def opened(world: TournamentWorld, *names: str, **more: Any) -> str:
    """Start a tournament by days of bots that have gone before; let its rooms sleep."""
    tournament = await world.create(*names, started=False, settings=by_days(), **more)
    for name in names:
        depart(world, name)
    world.authority.director.start(world.running(tournament))
    await rest(world)
    return tournament


def depart(world: TournamentWorld, name: str) -> None:
    peer = world.peer(name)
    assert peer is not None
    world.authority.depart(peer)


async def rest(world: TournamentWorld) -> None:
    """Let the rooms sleep that nobody follows."""
    for ms in (250, REST_MS, 250):
        await pass_time(world, ms)


async def pass_time(world: TournamentWorld, ms: int) -> None:
    world.time += ms
    for _ in range(3):
        world.authority.sweep()
        await world.until()
        world.authority.tick()
        await world.until()


def asleep(world: TournamentWorld) -> list[SleepingRoom]:
    return [row for row in world.store.sleeping.rows.values() if row.to_move]


async def play_turns(world: TournamentWorld, name: str) -> int:
    """Let a bot come, move in each game that waits for it, and go; return how many did."""
    peer = world.peer(name) or world.bot(name)
    games = [
        game
        for game in (await world.call(peer, GetOpenGames))["games"]
        if game["to_move"] == game["seat"]
    ]
    for game in games:
        move = {"room": game["room"], "match": 1, "ply": game["plies"], "takebacks": 0}
        action = game["board"]["legal"].index("1")
        answer = await world.call(peer, Move, **move, action=action)
        assert answer["type"] == "move", answer
    depart(world, name)
    return len(games)


async def play_out(world: TournamentWorld, *names: str) -> None:
    while sum([await play_turns(world, name) for name in names]):
        await rest(world)


async def test_all_pairings_begin_at_once_and_sleep_while_nobody_is_there(
    world: TournamentWorld,
) -> None:
    tournament = await opened(world, "Bo", "Cy", "Di", pairs=2)
    core = world.running(tournament).core
    assert len(core.live) == len(asleep(world)) == 12
    assert world.games() == []
    await pass_time(world, DAYS - DAY_MS)  # no absence counts
    assert {entrant.state for entrant in core.entrants} == {"in"}
    assert world.tags(tournament) == {}
    bo = world.bot("Bo")
    assert len((await world.call(bo, GetOpenGames))["games"]) == 8


async def test_players_are_told_of_their_turns_and_sent_nowhere(world: TournamentWorld) -> None:
    await world.create("Bo", "Cy", settings=by_days())
    for name in ("Bo", "Cy"):
        peer = world.peer(name)
        assert isinstance(peer, FakePeer)
        assert [m["type"] for m in peer.take() if m["type"] != "tournament_state"] == ["your_turn"]
        assert peer.followed == {}


async def test_results_count_and_the_next_round_begins_after_the_last_game(
    world: TournamentWorld,
) -> None:
    tournament = await opened(world, "Bo", "Cy", "Di", "Ed", format="swiss", rounds=2)
    core = world.running(tournament).core
    assert len(core.live) == 4
    # Two of them play on; the other two games end because their deadlines pass.
    pairing = next(row for row in core.pairings if row.first == 0 or row.second == 0)
    names = [core.entrants[n].name for n in (pairing.first, pairing.second) if n is not None]
    await play_out(world, *names)
    assert (len(core.live), {row.round for row in core.pairings}) == (2, {0})
    await pass_time(world, DAYS + 1)
    await rest(world)
    assert {row.round for row in core.pairings} == {0, 1}
    assert len(core.live) == len(asleep(world)) == 4
    timeouts = [g for g in world.store.games_by_id.values() if g.termination == "timeout"]
    assert len(timeouts) == 2
    await pass_time(world, DAYS + 1)
    assert world.store.tournament_rows[tournament].status == "finished"
    assert world.tags(tournament) == whole(4)


@pytest.mark.parametrize("sleep", [True, False])
async def test_a_crash_in_the_middle_of_a_round_loses_nothing(
    world: TournamentWorld, sleep: bool
) -> None:
    tournament = await opened(world, "Bo", "Cy", "Di")
    live = world.running(tournament).core.live
    assert await play_turns(world, "Bo") == 2
    if sleep:
        await rest(world)
    again = await world.again()
    assert again.running(tournament).core.live == live
    await rest(again)
    assert again.running(tournament).core.live == live
    assert len(asleep(again)) == 6
    await play_out(again, "Bo", "Cy", "Di")
    assert again.store.tournament_rows[tournament].status == "finished"
    assert again.tags(tournament) == whole(3)
    await again.authority.director.close()
    again.crash()


async def test_a_reload_keeps_the_games_that_sleep_or_go_to_sleep_meanwhile(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await opened(world, "Bo", "Cy", "Di")
    await play_turns(world, "Bo")
    await world.tick(REST_MS)
    read = world.store.tournament_games

    async def slow(*args: Any, **more: Any) -> Any:
        world.authority.sweep()
        await world.settle()
        return await read(*args, **more)

    monkeypatch.setattr(world.store, "tournament_games", slow)
    running = world.running(tournament)
    world.authority.director.game_lost(world_tag(world))
    await world.until()
    again = world.running(tournament)
    assert again is not running
    assert len(again.core.live) == 6
    assert len(asleep(world)) == 6


def world_tag(world: TournamentWorld) -> Any:
    (tag,) = {
        r.terms.tag for r in world.games() if r.terms.tag is not None and not r.terms.tag.game
    }
    return tag


async def test_games_by_days_keep_nobody_from_other_games(world: TournamentWorld) -> None:
    await world.create("Bo", "Cy", settings=by_days())
    await world.create("Bo", "Cy")
    assert sum(not room.by_days for room in world.games()) == 1


async def test_who_leaves_or_is_set_aside_plays_the_open_games(world: TournamentWorld) -> None:
    tournament = await opened(world, "Bo", "Cy", "Di")
    bo, ann = world.bot("Bo"), world.peer("Ann")
    assert ann is not None
    await world.call(bo, LeaveTournament, tournament=tournament)
    await world.call(ann, SetAside, tournament=tournament, player="Cy", reason="")
    depart(world, "Bo")
    assert len(world.running(tournament).core.live) == 6
    await play_out(world, "Bo", "Cy", "Di")
    assert world.tags(tournament) == whole(3)
    assert world.store.tournament_rows[tournament].status == "finished"


async def test_games_go_on_after_the_end_of_a_tournament_and_a_crash(
    world: TournamentWorld,
) -> None:
    tournament = await opened(world, "Bo", "Cy")
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, EndTournament, tournament=tournament)
    again = await world.again()
    assert len(again.running(tournament).core.live) == 2
    await play_out(again, "Bo", "Cy")
    assert tournament not in again.authority.director.registry.running
    await again.stored_games()
    assert again.tags(tournament) == whole(1)
    # It is over for good, so nothing is left of it after the next start.
    last = await again.again()
    assert tournament not in last.authority.director.registry.running
    for each in (again, last):
        await each.authority.director.close()
        each.crash()


async def test_a_bot_may_come_back_with_any_program_and_number_of_games(
    world: TournamentWorld,
) -> None:
    tournament = await opened(world, "Bo", "Cy")
    world.bot("Bo", version="2")
    await rest(world)
    assert len(world.running(tournament).core.live) == 2
    depart(world, "Bo")
    joined = await world.call(world.bot("Bo"), JoinTournament, tournament=tournament, at_once=1)
    assert joined["status"] == "running"


@pytest.mark.parametrize("more", [{"format": "ladder"}, {"format": "arena", "length_ms": 60_000}])
async def test_formats_that_pair_who_is_free_have_no_days(
    world: TournamentWorld, more: dict[str, Any]
) -> None:
    asked = terms(settings=by_days(), **more)
    made = await world.call(world.arrive("Ann"), CreateTournament, key="k", terms=asked)
    assert made["message"] == (
        f"A tournament of the format {more['format']} cannot have days for each move; choose"
        " another format."
    )


async def test_bots_fill_in_only_for_those_who_have_not_entered(world: TournamentWorld) -> None:
    for name in ("Bo", "Cy", "Ed"):
        world.bot(name)
    tournament = await world.create(
        "Bo", "Cy", started=False, settings=by_days(), bots=("Ed",), fill=2
    )
    for name in ("Bo", "Cy"):
        depart(world, name)
    await world.tick()
    assert world.running(tournament).wanted == ()
