"""Ladders without an end: their seasons, what a season passes on, and what a restart finds."""

from __future__ import annotations

import pytest

from doublecross.protocol import client_messages
from doublecross.protocol.client_messages import JoinTournament, NextSeason
from doublecross.server.tournaments import seasons
from doublecross.server.tournaments.core import tournament as core
from tests.server.tournaments.world import TournamentWorld

DAY_MS = 86_400_000


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "SEASON_PAIRS", 2)
    monkeypatch.setattr(seasons, "DRAW_PAUSE_S", 0)


async def full(world: TournamentWorld) -> str:
    """Return a ladder whose first season has as many pairs as it may."""
    ladder = await world.create("Bo", "Cy", format="ladder")
    await world.play(4)
    return ladder


@pytest.mark.usefixtures("short")
async def test_a_full_season_ends_and_the_next_one_has_its_players_and_ratings(
    world: TournamentWorld,
) -> None:
    ladder = await full(world)
    before = world.running(ladder).core.carried()
    first_openings = world.running(ladder).core.terms.openings
    cy = world.peer("Cy")
    assert cy is not None
    cy.take()
    await world.tick()
    following = world.running(f"{ladder}-2")
    assert following.core.status == "running"
    assert following.core.carried() == before
    assert all(rating.deviation < 350 for rating in before.values())
    assert following.core.terms.openings == first_openings  # the small board has no others
    ended = [m for m in cy.take() if m["type"] == "tournament_state" and m["status"] == "finished"]
    assert [m["next_season"] for m in ended] == [f"{ladder}-2"]
    await world.play(3)  # one of them is the last game of the first season
    assert following.core.progress().played == 2
    assert world.store.tournament_rows[ladder].status == "finished"
    assert ladder not in world.authority.director.registry.running
    # Whoever knows only the first id comes into the present season.
    state = await world.call(world.bot("Dee"), JoinTournament, tournament=ladder)
    assert state["tournament"] == f"{ladder}-2"


@pytest.mark.usefixtures("short")
async def test_a_restart_a_month_later_goes_on_with_the_present_season(
    world: TournamentWorld,
) -> None:
    ladder = await full(world)
    await world.tick()
    before = world.running(f"{ladder}-2").core.carried()
    world.time += 30 * DAY_MS
    again = await world.again()
    core_again = again.running(f"{ladder}-2").core
    assert core_again.carried() == before
    for name in ("Bo", "Cy"):
        again.bot(name)
    await again.until()
    await again.play(3)  # one of them is the last game of the first season
    assert core_again.progress().played == 2


@pytest.mark.usefixtures("short")
async def test_a_server_killed_between_two_seasons_ends_the_earlier_one(
    world: TournamentWorld,
) -> None:
    ladder = await full(world)
    first = world.store.tournament_rows[ladder]
    await world.tick()
    world.store.tournament_rows[ladder] = first  # its end was not stored
    again = await world.again()
    await again.tick()
    assert again.running(f"{ladder}-2").core.status == "running"
    assert again.store.tournament_rows[ladder].status == "finished"


async def test_each_version_of_a_bot_has_a_line_and_a_rating_of_its_own(
    world: TournamentWorld,
) -> None:
    ladder = await world.create("Bo", "Cy", format="ladder")
    await world.play(4)
    core_ = world.running(ladder).core
    rating = core_.carried()["Bo", "rules 1"]
    for version, number in (("2", 2), ("1", 0)):  # the former version can come back
        bo = world.peer("Bo")
        assert bo is not None
        world.authority.depart(bo)
        state = await world.call(world.bot("Bo", version), JoinTournament, tournament=ladder)
        assert world.running(ladder).numbers["Bo"] == number
        lines = {e["engine"]: e["state"] for e in state["entrants"] if e["player"] == "Bo"}
        assert lines.pop(f"rules {version}") == "in"
        assert set(lines.values()) <= {"left"}
    assert core_.carried()["Bo", "rules 1"].rating == pytest.approx(rating.rating, abs=200)
    assert core_.carried()["Bo", "rules 2"].deviation == 350
    again = await world.again()
    assert again.running(ladder).numbers["Bo"] == 0


async def test_the_organiser_ends_a_season_without_its_ratings(world: TournamentWorld) -> None:
    ladder = await world.create("Bo", "Cy", format="ladder")
    await world.play(4)
    ann, bo = world.peer("Ann"), world.peer("Bo")
    assert ann is not None
    assert bo is not None
    refused = await world.call(bo, NextSeason, tournament=ladder)
    assert refused["code"] == "not_yours"
    await world.call(ann, client_messages.SetAside, tournament=ladder, player="Cy", reason="loud")
    for _ in range(2):  # the second request repeats the first one
        state = await world.call(ann, NextSeason, tournament=ladder, keep=False)
        assert state["tournament"] == f"{ladder}-2"
    assert [(e.name, e.state, e.reason) for e in world.running(f"{ladder}-2").core.entrants] == [
        ("Bo", "in", ""),
        ("Cy", "aside", "loud"),
    ]
    assert {r.rating for r in world.running(f"{ladder}-2").core.carried().values()} == {1500.0}
    ended = await world.call(ann, client_messages.EndTournament, tournament=ladder)
    assert (ended["tournament"], ended["status"]) == (f"{ladder}-2", "finished")
