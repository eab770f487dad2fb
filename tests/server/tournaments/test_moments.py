"""Tournaments that start by themselves, and rounds that begin at their time."""

from __future__ import annotations

from doublecross.protocol.client_messages import CreateTournament, GetTournament, JoinTournament
from doublecross.server.tournaments.director import TICK_MS
from tests.server.tournaments.world import TournamentWorld, terms

HOUR_MS = 3_600_000


async def test_a_tournament_starts_at_its_moment_also_after_a_restart(
    world: TournamentWorld,
) -> None:
    starts_ms = world.time + 10 * HOUR_MS
    tournament = await world.create("Bo", "Cy", started=False, starts_ms=starts_ms)
    # Nobody starts it for longer than other tournaments wait.
    world.authority.director.idle_ms = HOUR_MS
    await world.tick(9 * HOUR_MS)
    world = await world.again()
    assert world.running(tournament).core.status == "open"
    for name in ("Bo", "Cy"):
        world.bot(name)
    await world.tick(HOUR_MS)
    assert world.running(tournament).core.status == "running"
    assert len(world.games()) == 1
    world.crash()


async def test_a_tournament_with_too_few_players_starts_when_there_are_enough(
    world: TournamentWorld,
) -> None:
    tournament = await world.create("Bo", started=False, starts_ms=world.time + HOUR_MS)
    await world.tick(2 * HOUR_MS)
    assert world.running(tournament).core.status == "open"
    await world.call(world.bot("Cy"), JoinTournament, tournament=tournament)
    await world.tick(TICK_MS)
    assert world.running(tournament).core.status == "running"


async def test_a_round_begins_at_its_time_and_nobody_loses_by_being_away_before(
    world: TournamentWorld,
) -> None:
    director = world.authority.director
    director.idle_ms = HOUR_MS
    tournament = await world.create("Bo", "Cy", format="swiss", rounds=2, round_ms=20 * HOUR_MS)
    ann = world.arrive("Ann")
    assert await world.play() == 2
    state = await world.call(ann, GetTournament, tournament=tournament)
    start = world.running(tournament).row.started_ms
    assert start is not None
    assert state["next_ms"] == start + 20 * HOUR_MS
    world.authority.depart(world.peer("Bo"))  # type: ignore[arg-type]
    await world.tick(19 * HOUR_MS)
    assert world.games() == []
    assert [entrant.state for entrant in world.running(tournament).core.entrants] == ["in", "in"]
    await world.tick(HOUR_MS)
    await world.tick(director.no_show_ms - TICK_MS)
    world.bot("Bo")
    await world.until()
    assert await world.play() == 2
    assert tournament not in director.registry.running


async def test_a_moment_in_the_past_and_rounds_of_a_round_robin_are_refused(
    world: TournamentWorld,
) -> None:
    ann = world.arrive("Ann")
    for wrong in ({"starts_ms": world.time}, {"round_ms": HOUR_MS}):
        answer = await world.call(
            ann,
            CreateTournament,
            key="k",
            terms=terms(**wrong),  # type: ignore[arg-type]
        )
        assert answer["code"] == "bad_parameter"
