"""The director on a whole authority: games, players who connect and leave, ends."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

import pytest

from doublecross.protocol import client_messages
from doublecross.server.shell.identity.rights import GUEST, Rights
from doublecross.server.tournaments.director import TICK_MS
from doublecross.server.tournaments.messages import MOST_ENTRANTS
from doublecross.server.tournaments.requests import OPEN_PER_OWNER, join
from tests.server.playing import TIMES, dots
from tests.server.tournaments.world import TournamentWorld, terms, whole

# -- a tournament when nothing goes wrong ----------------------------------------------------


async def test_every_game_is_played_once_and_the_end_is_sent_to_players(
    world: TournamentWorld,
) -> None:
    tournament = await world.create("Bo", "Cy", "Di")
    for name in ("Ann", "Bo", "Cy", "Di"):
        world.peer(name).take()  # type: ignore[union-attr]
    assert await world.play() == 6
    await world.settle()
    assert world.tags(tournament) == whole(3)
    assert tournament not in world.authority.director.registry.running
    for name in ("Ann", "Bo", "Cy", "Di"):
        peer = world.peer(name)
        assert peer is not None
        notices = [m for m in peer.take() if m["type"] == "tournament_state"]
        assert [m["status"] for m in notices] == ["finished"]
        assert notices[0]["games_played"] == 6


async def test_given_openings_replace_those_of_the_seed(world: TournamentWorld) -> None:
    ann = world.arrive("Ann")
    create = functools.partial(
        world.call, ann, client_messages.CreateTournament, key="k1", terms=terms(pairs=3)
    )
    made = await create(openings=((4,), (5, 6)))
    assert made["note"] == ("There are fewer openings (2) than game pairs (3). They are repeated.")
    core = world.running(made["tournament"]).core
    assert (core.terms.openings, core.terms.more_openings) == (((4,), (5, 6)), False)
    assert (await create(openings=((4,), (5, 6))))["tournament"] == made["tournament"]
    assert (await create(openings=((4,),)))["type"] == "error"
    made = await world.call(
        ann, client_messages.CreateTournament, key="k2", terms=terms(), openings=((4, 4),)
    )
    assert "draws edge" in made["message"]


async def test_when_the_end_is_stored_all_games_are_stored(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy")
    await world.play()
    await world.settle()
    batches = [
        batch
        for batch in world.store.batches
        for change in batch.tournaments
        if change.row is not None and change.row.status == "finished"
    ]
    assert len(batches) == 1
    before = world.store.batches[: world.store.batches.index(batches[0]) + 1]
    assert len([g for b in before for g in b.games if g.tag is not None]) == 2
    assert world.store.tournament_rows[tournament].status == "finished"


async def test_the_limit_of_simultaneous_games_holds_across_tournaments(
    world: TournamentWorld,
) -> None:
    one = await world.create("Bo", "Cy")
    other = await world.create("Bo", "Di")
    assert len(world.games()) == 1
    assert await world.play(1) == 1
    assert len(world.games()) == 1
    assert await world.play() == 3
    assert world.tags(one) == world.tags(other) == whole(1)


async def test_a_full_server_begins_the_game_later() -> None:
    world = await TournamentWorld(rooms=1).start()
    tournament = await world.create("Bo", "Cy", started=False)
    dee = world.arrive("Dee")
    made = await world.answer(dee, client_messages.CreateRoom, key="k", settings=dots(), seat=0)
    await world.call(world.peer("Ann"), client_messages.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    assert world.games() == []
    await world.answer(dee, client_messages.Leave, room=made["room"])
    assert world.games() == []
    await world.tick()
    assert len(world.games()) == 1
    world.crash()


# -- who comes back, who does not ------------------------------------------------------------


async def test_another_program_loses_the_games_of_the_former_one(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy", "Di")
    (room,) = [r for r in world.games() if r.seat_of("Bo") is not None] or world.games()
    while room.seat_of("Bo") is None:
        world.finish(room)
        await world.settle()
        (room,) = world.games()
    new = world.bot("Bo", "2")
    await world.settle()
    assert room.match is not None
    assert room.match.result is not None
    assert room.match.result.termination == "disconnect"
    assert room.match.result.winner == 1 - room.seat_of("Bo")  # type: ignore[operator]
    answer = await world.call(new, client_messages.JoinTournament, tournament=tournament)
    assert "entered as rules 1" in answer["message"]
    await world.play()
    assert all(r.seat_of("Bo") is None for r in world.games())
    # The player never returns as a bot, so the others stop waiting.
    await world.tick(world.authority.director.absence_ms + TICK_MS)
    row = world.store.entrants[tournament][0]
    assert (row.state, row.reason) == ("aside", "was away for 600 s")
    assert world.store.tournament_rows[tournament].status == "finished"


async def test_a_forfeit_by_another_program_that_was_not_stored_is_repeated(
    world: TournamentWorld,
) -> None:
    await world.create("Bo", "Cy")
    (room,) = world.games()
    world.store.fail_next()
    world.bot("Bo", "2")
    await world.settle()
    assert len(world.games()) == 1  # the commit failed, so it goes on
    await world.tick(TICK_MS)
    assert world.games() == []
    assert world.room(room.id).match.result.termination == "disconnect"  # type: ignore[union-attr]


async def test_an_absent_player_is_set_aside_when_the_tournament_waits_only_for_absent_players(
    world: TournamentWorld,
) -> None:
    tournament = await world.create("Bo", "Cy", "Di", pairs=2)
    bo = world.peer("Bo")
    assert bo is not None
    while any(r.seat_of("Bo") is not None for r in world.games()):
        await world.play(1)
    world.authority.depart(bo)
    await world.settle()
    wait = world.authority.director.absence_ms
    games = world.games()
    # As long as a game is played, the tournament has something to wait for.
    for room in games:
        world.time += wait // 2
        world.authority.director.tick(world.time)
        assert world.running(tournament).core.entrants[0].state == "in"
        world.finish(room)
        await world.settle()
    await world.play()
    if not games:
        world.time += wait - 1
        world.authority.director.tick(world.time)
        assert world.running(tournament).core.entrants[0].state == "in"
    await world.tick(wait)
    assert world.store.entrants[tournament][0].state == "aside"
    assert world.store.tournament_rows[tournament].status == "finished"
    assert all(count == 1 for count in world.tags(tournament).values())


async def test_who_does_not_come_loses_game_by_game(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy", pairs=3)
    world.authority.depart(world.peer("Bo"))  # type: ignore[arg-type]
    await world.tick(TIMES.grace_ms)  # for the game in play
    director = world.authority.director
    running = director.registry.running[tournament]
    no_show_ms = director.no_show_ms
    lost = []
    assert director.awaited(running) == {"Bo": no_show_ms - TIMES.grace_ms}
    for wait in (world.authority.director.no_show_ms, TICK_MS, TICK_MS):
        await world.tick(wait)
        rows = [r for r in world.store.games_by_id.values() if r.tag.tournament == tournament]
        lost.append([(row.termination, row.players[row.winner]) for row in rows])
    assert lost == [[("disconnect", "Cy")] * n for n in (2, 3, 3)]
    assert director.awaited(running) == {}
    again = await world.again()
    entrant = again.store.entrants[tournament][0]
    assert (entrant.state, entrant.reason) == ("aside", "lost 3 games in a row by disconnect")


async def test_a_player_who_returns_in_time_plays_on(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy")
    assert await world.play(1) == 1
    (room,) = world.games()
    world.finish(room)
    tournament = await world.create("Bo", "Cy", started=False)
    world.authority.depart(world.peer("Bo"))  # type: ignore[arg-type]
    await world.tick(world.authority.director.absence_ms * 5)
    # Absence counts from the start of the tournament, not from the disconnect before it.
    await world.call(world.peer("Ann"), client_messages.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    await world.tick(world.authority.director.no_show_ms - 1)
    world.bot("Bo")
    await world.settle()
    await world.tick(TICK_MS)
    assert await world.play() == 2
    assert world.tags(tournament) == whole(1)


async def test_a_player_who_is_busy_elsewhere_is_not_away(world: TournamentWorld) -> None:
    busy = await world.create("Bo", "Cy")
    waits = await world.create("Bo", "Di", "Ed", started=False)
    world.authority.depart(world.peer("Ed"))  # type: ignore[arg-type]
    await world.call(world.peer("Ann"), client_messages.StartTournament, tournament=waits)  # type: ignore[arg-type]
    assert [r.terms.tag.tournament for r in world.games()] == [busy]  # type: ignore[union-attr]
    world.time += world.authority.director.absence_ms + 1
    world.authority.director.tick(world.time)
    await world.settle()
    assert [e.state for e in world.running(waits).core.entrants] == ["in", "in", "in"]


async def test_a_ladder_waits_for_nobody(world: TournamentWorld) -> None:
    ladder = await world.create("Bo", "Cy", "Di", format="ladder")
    for name in ("Bo", "Cy", "Di"):
        world.authority.depart(world.peer(name))  # type: ignore[arg-type]
    world.time += TIMES.away_ms + 1
    world.authority.tick()
    await world.settle()
    await world.tick(world.authority.director.absence_ms + 1)
    await world.tick(world.authority.director.absence_ms + 1)
    assert [e.state for e in world.running(ladder).core.entrants] == ["in", "in", "in"]


async def test_players_may_join_late_where_that_is_allowed(world: TournamentWorld) -> None:
    closed = await world.create("Bo", "Cy")
    late = world.bot("Di")
    refused = await world.call(late, client_messages.JoinTournament, tournament=closed)
    assert refused["message"] == "Spring has started; nobody may join late."
    opened = await world.create("Bo", "Cy", late=True)
    assert await world.play(1) == 1
    joined = await world.call(late, client_messages.JoinTournament, tournament=opened)
    assert joined["type"] == "tournament_state"
    await world.play()
    assert world.tags(opened) == whole(3)


async def test_joining_again_changes_the_number_of_simultaneous_games(
    world: TournamentWorld,
) -> None:
    tournament = await world.create("Bo", "Cy", pairs=3)
    assert len(world.games()) == 1
    for name in ("Bo", "Cy"):
        peer = world.peer(name)
        assert peer is not None
        joined = await world.call(
            peer, client_messages.JoinTournament, tournament=tournament, at_once=2
        )
        assert joined["entrants_total"] == 2
    assert len(world.games()) == 2
    again = await world.again()
    assert [e.at_once for e in again.running(tournament).core.entrants] == [2, 2]
    again.crash()


async def test_the_lobby_shows_whether_people_may_join(world: TournamentWorld) -> None:
    eve = world.arrive("Eve")
    bots_only = await world.create("Bo", "Cy", started=False)
    refused = await world.call(eve, client_messages.JoinTournament, tournament=bots_only)
    assert refused["message"] == "Spring is for bots only."
    for_all = await world.create("Bo", started=False, people=True)
    ladder = await world.create("Bo", "Cy", people=True, format="ladder")

    def shown() -> dict[str, bool]:
        lines = world.authority.lobby_feed.state()["tournaments"]
        return {line["tournament"]: line["people"] for line in lines}

    assert shown() == {bots_only: False, for_all: True, ladder: True}
    await world.call(eve, client_messages.JoinTournament, tournament=for_all)
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, client_messages.StartTournament, tournament=for_all)
    assert shown() == {bots_only: False, for_all: False, ladder: True}
    eve.take()
    await world.play(8)
    assert sum(m["type"] == "match_finished" for m in eve.take()) == 2


async def test_a_player_of_two_tournaments_takes_turns(world: TournamentWorld) -> None:
    ladder = await world.create("Bo", "Cy", format="ladder")
    other = await world.create("Bo", "Di", pairs=5)
    assert await world.play(20) == 20
    await world.stored_games()
    assert world.tags(other) == whole(5)
    assert world.tags(ladder) == whole(5)


# -- making one ------------------------------------------------------------------------------


async def test_the_same_key_creates_one_tournament(world: TournamentWorld) -> None:
    ann = world.arrive("Ann")
    fields: dict[str, Any] = {"key": "k1", "terms": terms(seed=None)}
    ids = await asyncio.gather(
        world.send(ann, client_messages.CreateTournament, **fields),
        world.send(ann, client_messages.CreateTournament, **fields),
    )
    await world.until()
    answers = {m["id"]: m for m in ann.take()}
    assert answers[ids[0]]["tournament"] == answers[ids[1]]["tournament"]
    assert answers[ids[0]]["terms"] == answers[ids[1]]["terms"]
    assert len(world.store.tournament_rows) == 1
    again = await world.again()
    ann = again.arrive("Ann")
    answer = await again.call(ann, client_messages.CreateTournament, **fields)
    assert answer["tournament"] == answers[ids[0]]["tournament"]
    assert answer["terms"] == answers[ids[0]]["terms"]
    await again.call(ann, client_messages.EndTournament, tournament=answer["tournament"])
    assert again.authority.director.registry.running == {}
    ended = await again.call(ann, client_messages.CreateTournament, **fields)
    assert (ended["tournament"], ended["status"]) == (answer["tournament"], "cancelled")
    again.crash()


async def test_a_tournament_that_could_not_be_stored_does_not_exist(world: TournamentWorld) -> None:
    ann = world.arrive("Ann")
    world.store.fail_next()
    fields: dict[str, Any] = {"key": "k1", "terms": terms()}
    answer = await world.call(ann, client_messages.CreateTournament, **fields)
    assert answer["code"] == "storage_failed"
    assert world.authority.lobby_feed.state()["tournaments"] == ()
    await world.tick()
    assert world.authority.director.registry.running == {}
    answer = await world.call(ann, client_messages.CreateTournament, **fields)
    assert answer["status"] == "open"


async def test_the_limit_of_open_tournaments_holds_for_simultaneous_requests(
    world: TournamentWorld,
) -> None:
    ann = world.arrive("Ann")
    ids = await asyncio.gather(
        *(
            world.send(ann, client_messages.CreateTournament, key=f"k{n}", terms=terms())
            for n in range(OPEN_PER_OWNER + 5)
        )
    )
    await world.until()
    answers = {m["id"]: m for m in ann.take()}
    refused = [answers[i]["code"] for i in ids if answers[i]["type"] == "error"]
    assert refused == ["too_many"] * 5


async def test_an_admin_manages_everybodys_tournaments(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy", started=False)
    eve = world.arrive("Eve")
    answer = await world.call(eve, client_messages.StartTournament, tournament=tournament)
    assert answer["code"] == "not_yours"
    eve.rights = Rights("eve", GUEST | {"admin"})
    answer = await world.call(
        eve, client_messages.SetAside, tournament=tournament, player="bo", reason="rude"
    )
    assert {e["player"]: e["state"] for e in answer["entrants"]} == {"Bo": "aside", "Cy": "in"}


# -- ends, lobby, messages -------------------------------------------------------------------


async def test_an_ended_tournament_waits_for_its_live_games(world: TournamentWorld) -> None:
    tournament = await world.create("Bo", "Cy")
    eve = world.arrive("Eve")
    await world.answer(eve, client_messages.FollowLobby, on=True)
    ann = world.peer("Ann")
    assert ann is not None
    ended = await world.call(ann, client_messages.EndTournament, tournament=tournament)
    assert ended["status"] == "cancelled"
    (line,) = world.authority.lobby_feed.state()["tournaments"]
    assert line["status"] == "running"
    world.authority.lobby_feed.flush()
    await world.settle()
    eve.take()
    assert await world.play() == 1
    await world.settle()
    assert tournament not in world.authority.director.registry.running
    world.authority.lobby_feed.flush()
    await world.settle()
    changed = [m for m in eve.take() if m["type"] == "lobby_changed"]
    assert [gone for m in changed for gone in m["tournaments_gone"]] == [tournament]
    state = await world.call(ann, client_messages.GetTournament, tournament=tournament)
    assert (state["status"], state["games_played"]) == ("cancelled", 0)
    for kind in (
        client_messages.StartTournament,
        client_messages.EndTournament,
        client_messages.JoinTournament,
    ):
        answer = await world.call(ann, kind, tournament=tournament)
        assert answer["code"] == "unknown_tournament"


async def test_the_lobby_sends_changed_tournaments_only(world: TournamentWorld) -> None:
    eve = world.arrive("Eve")
    await world.answer(eve, client_messages.FollowLobby, on=True)

    async def news() -> list[tuple[str, int]]:
        world.authority.lobby_feed.flush()
        await world.settle()
        changed = [m for m in eve.take() if m["type"] == "lobby_changed"]
        return [(t["status"], t["entrants"]) for m in changed for t in m["tournaments"]]

    tournament = await world.create("Bo", started=False)
    assert await news() == [("open", 1)]
    await world.call(world.bot("Cy"), client_messages.JoinTournament, tournament=tournament)
    assert await news() == [("open", 2)]
    await world.call(world.peer("Ann"), client_messages.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    assert await news() == [("running", 2)]
    assert await world.play(1) == 1
    assert await news() == []  # games change nothing in its line


async def test_the_lobby_lists_the_newest_tournaments(
    world: TournamentWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.lobby.listing.MAX_TOURNAMENTS", 2)
    made = []
    for _ in range(3):
        world.time += 10
        made.append(await world.create(started=False))
    again = await world.again()
    shown = again.authority.lobby_feed.state()["tournaments"]
    assert [line["tournament"] for line in shown] == [made[2], made[1]]
    again.crash()


async def test_in_a_large_tournament_everybody_sees_the_own_entry(world: TournamentWorld) -> None:
    count = MOST_ENTRANTS + 3
    tournament = await world.create(started=False)
    held, director = world.running(tournament), world.authority.director
    peers = [world.bot(f"b{n:03}") for n in range(count)]
    for peer in peers:
        assert peer.player is not None
        join(director, held, peer.player, 1)
    await world.settle()
    asked = await world.call(peers[-1], client_messages.GetTournament, tournament=tournament)
    assert len(asked["entrants"]) == MOST_ENTRANTS + 1
    assert asked["entrants_total"] == count
    assert asked["entrants"][-1]["player"] == peers[-1].name
    ann = world.peer("Ann")
    assert ann is not None
    await world.call(ann, client_messages.SetAside, tournament=tournament, player=peers[-2].name)
    (notice,) = [m for m in peers[-2].take() if m["type"] == "tournament_state"]
    mine = [e for e in notice["entrants"] if e["player"] == peers[-2].name]
    assert [e["state"] for e in mine] == ["aside"]
