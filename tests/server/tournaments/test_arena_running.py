"""An arena on a server: bots fill in, a restart loses nothing, and it ends at its time."""

from __future__ import annotations

from doublecross.protocol.client_messages import (
    AddBots,
    GetTournament,
    JoinTournament,
    LeaveTournament,
)
from doublecross.server.tournaments.core.ledger import LATE_MS
from doublecross.server.tournaments.director import TICK_MS
from doublecross.server.tournaments.filling import BEFORE_START_MS
from tests.server.tournaments.world import TournamentWorld

MINUTE_MS = 60_000
ARENA = {"format": "arena", "people": True, "length_ms": 10 * MINUTE_MS}


async def test_bots_fill_in_before_the_start_and_the_arena_survives_a_restart(
    world: TournamentWorld,
) -> None:
    easy = world.bot("easy")
    tournament = await world.create(
        started=False, starts_ms=world.time + MINUTE_MS, bots=("easy", "hard"), fill=2, **ARENA
    )
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, JoinTournament, tournament=tournament)
    assert world.running(tournament).lobby_entry()["wanted"] == ()
    await world.tick(MINUTE_MS - BEFORE_START_MS)
    assert world.running(tournament).lobby_entry()["wanted"] == ("easy",)
    await world.tick(BEFORE_START_MS)
    assert world.running(tournament).core.status == "open"  # the bot may be on its way
    await world.call(easy, JoinTournament, tournament=tournament)
    await world.tick(TICK_MS)
    assert len(world.games()) == 1
    ends_ms = world.running(tournament).core.ends_ms
    world = await world.again()
    assert world.running(tournament).core.ends_ms == ends_ms
    ann, easy = world.arrive("Ann"), world.bot("easy")
    world.finish(world.games()[0])
    await world.until()
    assert len(world.games()) == 1  # against the same bot again, because nobody else is here
    await world.call(ann, LeaveTournament, tournament=tournament)
    await world.tick(10 * MINUTE_MS)
    await world.tick(LATE_MS)
    state = await world.call(ann, GetTournament, tournament=tournament)
    assert (state["status"], state["games_played"]) == ("finished", 2)
    world.crash()


async def test_a_bot_makes_room_for_people_before_the_start(world: TournamentWorld) -> None:
    fill = {"bots": ("easy",), "fill": 2, "people": True}
    tournament = await world.create("easy", started=False, **fill)
    for name in ("Ben", "Cy"):
        await world.call(world.arrive(name), JoinTournament, tournament=tournament)
    await world.tick(TICK_MS)
    states = {each.name: each.state for each in world.running(tournament).core.entrants}
    assert states == {"easy": "left", "Ben": "in", "Cy": "in"}
    assert world.running(tournament).wanted == ()


async def test_the_organiser_asks_bots_to_join(world: TournamentWorld) -> None:
    tournament = await world.create(started=False)
    ann, hard = world.peer("Ann"), world.bot("hard")
    assert ann is not None
    refused = await world.call(ann, AddBots, tournament=tournament, bots=("Ann",))
    assert refused["code"] == "unknown_player"
    await world.call(ann, AddBots, tournament=tournament, bots=("hard",))
    assert world.running(tournament).lobby_entry()["wanted"] == ("hard",)
    await world.call(hard, JoinTournament, tournament=tournament)
    await world.tick(TICK_MS)
    assert world.running(tournament).lobby_entry()["wanted"] == ()
