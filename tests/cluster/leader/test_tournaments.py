"""A tournament over several nodes: no game is lost and none is played twice, whatever dies."""

from __future__ import annotations

from collections import Counter
from typing import Any

from doublecross.protocol.client_messages import (
    CreateRoom,
    CreateTournament,
    JoinTournament,
    StartTournament,
)
from doublecross.protocol.common import TournamentTerms
from doublecross.server.core.rooms.room import Room
from tests.cluster.world import World
from tests.server.playing import dots

BOTS = ("Bot1", "Bot2", "Bot3", "Bot4")


async def begin(world: World, **more: Any) -> str:
    """Start a tournament of Ann's, by default a round robin, with four bots; return its id."""
    ann = world.connect("Ann", "c")
    given = {"name": "Spring", "format": "round-robin", "settings": dots(rated=True), "seed": 5}
    terms = TournamentTerms.model_validate(given | more)
    made = await world.answer(ann, CreateTournament, key="k", terms=terms)
    tournament: str = made["tournament"]
    for number, name in enumerate(BOTS):
        bot = world.connect(name, "bc"[number % 2], bot=True)
        joined = await world.answer(bot, JoinTournament, tournament=tournament)
        assert joined["type"] == "tournament_state", joined
    state = await world.answer(ann, StartTournament, tournament=tournament)
    assert state["status"] == "running", state
    await world.until()
    return tournament


def games(world: World) -> list[Room]:
    """Return the games that are being played, where they are run."""
    return [r for r in world.rooms() if r.terms.tag is not None and r.status == "playing"]


async def play_all(world: World) -> None:
    """Play games until none is left."""
    for _ in range(40):
        playing = games(world)
        if not playing:
            return
        for room in playing:
            world.play(room.id)
        await world.until()
        world.tick(1000)
        await world.until()
    raise AssertionError("the tournament does not end")


def check_all_played(world: World, tournament: str, pairs: int = 1) -> None:
    """Check that each two bots have played each of their games once."""
    found = Counter(
        (row.tag.pairing, row.tag.game)
        for row in world.tables.games_by_id.values()
        if row.tag is not None and row.tag.tournament == tournament
    )
    assert len(found) == 6 * 2 * pairs
    assert set(found.values()) == {1}
    assert world.tables.tournament_rows[tournament].status == "finished"
    rated = [sum(r.games for r in world.authority.ratings.of(name)) for name in BOTS]
    # A game that somebody lost by absence, before both had moved, changes no rating.
    begun = [row.players for row in world.tables.games_by_id.values() if row.plies > 1]
    assert len(begun) >= 6 * 2 * pairs - 1
    assert rated == [sum(name in players for players in begun) for name in BOTS]


async def test_a_tournament_over_two_nodes(world: World) -> None:
    tournament = await begin(world)
    assert {room.id[:4] for room in games(world)} <= {"bbbb", "cccc"}
    world.check_agreement()
    first = games(world)[0]
    world.play(first.id)
    await world.settle()
    assert first.game_id in world.tables.games_by_id  # as soon as the leader hears of its end
    await play_all(world)
    check_all_played(world, tournament)
    world.check_agreement()


async def test_a_game_waits_for_a_match_that_a_person_plays_elsewhere(world: World) -> None:
    bea, zed, ann = (
        world.connect(name, "bcc"[at]) for at, name in enumerate(("Bea", "Zed", "Ann"))
    )
    given = {"name": "Spring", "format": "round-robin", "settings": dots(), "people": True}
    made = await world.answer(
        ann, CreateTournament, key="k", terms=TournamentTerms.model_validate(given)
    )
    for each in (bea, ann):
        await world.answer(each, JoinTournament, tournament=made["tournament"])
    room = (await world.answer(bea, CreateRoom, key="r", settings=dots(), seat=0))["room"]
    await world.join(zed, room)
    await world.answer(ann, StartTournament, tournament=made["tournament"])
    await world.until()
    assert games(world) == []
    world.play(room)
    await world.until()
    assert len(games(world)) == 1


async def test_phrases_are_forbidden_where_the_rooms_are(world: World) -> None:
    tournament = await begin(world, phrases=False)
    sides = [world.side(room.id) for room in games(world)]
    assert sides
    assert not any(side.reporter.allows_phrases(tournament) for side in sides)
    world.kill("b")
    await world.take_over("b", "a")
    assert not world.side("bbbb").reporter.allows_phrases(tournament)


async def test_an_arena_goes_on_when_the_leader_dies(world: World) -> None:
    tournament = await begin(world, format="arena", length_ms=600_000)
    ends_ms = world.authority.director.registry.running[tournament].core.ends_ms
    world.play(games(world)[0].id)
    await world.until()
    world.kill("a")
    await world.take_over("a", "b")
    await world.until()
    core = world.authority.director.registry.running[tournament].core
    assert (core.ends_ms, core.progress().played) == (ends_ms, 1)
    world.tick(5_000)  # the two who are free have waited for others
    await world.until()
    assert len(games(world)) == 2
    world.tick(700_000)
    await world.until()
    assert world.tables.tournament_rows[tournament].status == "finished"
