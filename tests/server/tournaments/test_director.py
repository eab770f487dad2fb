"""The director on a whole authority: games, players who connect and leave, ends."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from doublecross.protocol import client_messages
from doublecross.server.shell.identity.rights import GUEST, Rights
from doublecross.server.tournaments.director import TICK_MS
from doublecross.server.tournaments.messages import MOST_ENTRANTS
from doublecross.server.tournaments.requests import OPEN_PER_OWNER, join
from tests.server.playing import TIMES, dots
from tests.server.tournaments.halls import Hall, terms, whole

# -- a tournament when nothing goes wrong ----------------------------------------------------


async def test_every_game_is_played_once_and_the_end_is_sent_to_players(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", "Di")
    for name in ("Ann", "Bo", "Cy", "Di"):
        hall.peer(name).take()  # type: ignore[union-attr]
    assert await hall.play() == 6
    await hall.settle()
    assert hall.tags(tournament) == whole(3)
    assert tournament not in hall.authority.director.registry.running
    for name in ("Ann", "Bo", "Cy", "Di"):
        peer = hall.peer(name)
        assert peer is not None
        notices = [m for m in peer.take() if m["type"] == "tournament_state"]
        assert [m["status"] for m in notices] == ["finished"]
        assert notices[0]["games_played"] == 6


async def test_when_the_end_is_stored_all_games_are_stored(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy")
    await hall.play()
    await hall.settle()
    batches = [
        batch
        for batch in hall.store.batches
        for change in batch.tournaments
        if change.row is not None and change.row.status == "finished"
    ]
    assert len(batches) == 1
    before = hall.store.batches[: hall.store.batches.index(batches[0]) + 1]
    assert len([g for b in before for g in b.games if g.tag is not None]) == 2
    assert hall.store.tournament_rows[tournament].status == "finished"


async def test_the_limit_of_simultaneous_games_holds_across_tournaments(hall: Hall) -> None:
    one = await hall.create("Bo", "Cy")
    other = await hall.create("Bo", "Di")
    assert len(hall.games()) == 1
    assert await hall.play(1) == 1
    assert len(hall.games()) == 1
    assert await hall.play() == 3
    assert hall.tags(one) == hall.tags(other) == whole(1)


async def test_a_full_server_begins_the_game_later() -> None:
    hall = await Hall(rooms=1).start()
    tournament = await hall.create("Bo", "Cy", started=False)
    dee = hall.arrive("Dee")
    made = await hall.answer(dee, client_messages.CreateRoom, key="k", settings=dots(), seat=0)
    await hall.call(hall.peer("Ann"), client_messages.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    assert hall.games() == []
    await hall.answer(dee, client_messages.Leave, room=made["room"])
    assert hall.games() == []
    await hall.tick()
    assert len(hall.games()) == 1
    hall.crash()


# -- who comes back, who does not ------------------------------------------------------------


async def test_a_replaced_connection_gets_the_games_that_begin(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", started=False)
    await hall.send(hall.peer("Ann"), client_messages.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    new = hall.bot("Bo")
    await hall.until()
    (room,) = hall.games()
    assert [m["room"] for m in new.take() if m["type"] == "room_state"] == [room.id]
    assert await hall.play() == 2


async def test_another_program_loses_the_games_of_the_former_one(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", "Di")
    (room,) = [r for r in hall.games() if r.seat_of("Bo") is not None] or hall.games()
    while room.seat_of("Bo") is None:
        hall.finish(room)
        await hall.settle()
        (room,) = hall.games()
    new = hall.bot("Bo", "2")
    await hall.settle()
    assert room.match is not None
    assert room.match.result is not None
    assert room.match.result.termination == "disconnect"
    assert room.match.result.winner == 1 - room.seat_of("Bo")  # type: ignore[operator]
    answer = await hall.call(new, client_messages.JoinTournament, tournament=tournament)
    assert "entered as rules 1" in answer["message"]
    await hall.play()
    assert all(r.seat_of("Bo") is None for r in hall.games())
    # The player never returns as a bot, so the others stop waiting.
    await hall.tick(hall.authority.director.absence_ms + TICK_MS)
    await hall.settle()
    row = hall.store.entrants[tournament][0]
    assert (row.state, row.reason) == ("aside", "was away for 600 s")
    assert hall.store.tournament_rows[tournament].status == "finished"


async def test_a_forfeit_by_another_program_that_was_not_stored_is_repeated(hall: Hall) -> None:
    await hall.create("Bo", "Cy")
    (room,) = hall.games()
    hall.store.fail_next()
    hall.bot("Bo", "2")
    await hall.settle()
    assert len(hall.games()) == 1  # the commit failed, so it goes on
    await hall.tick(TICK_MS)
    assert hall.games() == []
    assert hall.room(room.id).match.result.termination == "disconnect"  # type: ignore[union-attr]


async def test_an_absent_player_is_set_aside_when_the_tournament_waits_only_for_absent_players(
    hall: Hall,
) -> None:
    tournament = await hall.create("Bo", "Cy", "Di", pairs=2)
    bo = hall.peer("Bo")
    assert bo is not None
    while any(r.seat_of("Bo") is not None for r in hall.games()):
        await hall.play(1)
    hall.authority.depart(bo)
    await hall.settle()
    wait = hall.authority.director.absence_ms
    games = hall.games()
    # As long as a game is played, the tournament has something to wait for.
    for room in games:
        hall.time += wait // 2
        hall.authority.director.tick(hall.time)
        assert hall.running(tournament).core.entrants[0].state == "in"
        hall.finish(room)
        await hall.settle()
    await hall.play()
    if not games:
        hall.time += wait - 1
        hall.authority.director.tick(hall.time)
        assert hall.running(tournament).core.entrants[0].state == "in"
    await hall.tick(wait)
    assert hall.store.entrants[tournament][0].state == "aside"
    assert hall.store.tournament_rows[tournament].status == "finished"
    assert all(count == 1 for count in hall.tags(tournament).values())


async def test_a_player_who_returns_in_time_plays_on(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy")
    assert await hall.play(1) == 1
    (room,) = hall.games()
    hall.finish(room)
    tournament = await hall.create("Bo", "Cy", started=False)
    hall.authority.depart(hall.peer("Bo"))  # type: ignore[arg-type]
    await hall.tick(hall.authority.director.absence_ms * 5)
    # Absence counts from the start of the tournament, not from the disconnect before it.
    await hall.call(hall.peer("Ann"), client_messages.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    await hall.tick(hall.authority.director.absence_ms - 1)
    assert hall.running(tournament).core.entrants[0].state == "in"
    hall.bot("Bo")
    await hall.settle()
    await hall.tick(TICK_MS)
    assert await hall.play() == 2
    assert hall.tags(tournament) == whole(1)


async def test_a_player_who_is_busy_elsewhere_is_not_away(hall: Hall) -> None:
    busy = await hall.create("Bo", "Cy")
    waits = await hall.create("Bo", "Di", "Ed", started=False)
    hall.authority.depart(hall.peer("Ed"))  # type: ignore[arg-type]
    await hall.call(hall.peer("Ann"), client_messages.StartTournament, tournament=waits)  # type: ignore[arg-type]
    assert [r.terms.tag.tournament for r in hall.games()] == [busy]  # type: ignore[union-attr]
    hall.time += hall.authority.director.absence_ms + 1
    hall.authority.director.tick(hall.time)
    await hall.settle()
    assert [e.state for e in hall.running(waits).core.entrants] == ["in", "in", "in"]


async def test_a_ladder_waits_for_nobody(hall: Hall) -> None:
    ladder = await hall.create("Bo", "Cy", "Di", format="ladder")
    for name in ("Bo", "Cy", "Di"):
        hall.authority.depart(hall.peer(name))  # type: ignore[arg-type]
    hall.time += TIMES.away_ms + 1
    hall.authority.tick()
    await hall.settle()
    await hall.tick(hall.authority.director.absence_ms + 1)
    await hall.tick(hall.authority.director.absence_ms + 1)
    assert [e.state for e in hall.running(ladder).core.entrants] == ["in", "in", "in"]


async def test_players_may_join_late_where_that_is_allowed(hall: Hall) -> None:
    closed = await hall.create("Bo", "Cy")
    late = hall.bot("Di")
    refused = await hall.call(late, client_messages.JoinTournament, tournament=closed)
    assert refused["message"] == "Spring has started; nobody may join late."
    opened = await hall.create("Bo", "Cy", late=True)
    assert await hall.play(1) == 1
    joined = await hall.call(late, client_messages.JoinTournament, tournament=opened)
    assert joined["type"] == "tournament_state"
    await hall.play()
    assert hall.tags(opened) == whole(3)


async def test_joining_again_changes_the_number_of_simultaneous_games(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", pairs=3)
    assert len(hall.games()) == 1
    for name in ("Bo", "Cy"):
        peer = hall.peer(name)
        assert peer is not None
        joined = await hall.call(
            peer, client_messages.JoinTournament, tournament=tournament, at_once=2
        )
        assert joined["entrants_total"] == 2
    assert len(hall.games()) == 2
    again = await hall.again()
    assert [e.at_once for e in again.running(tournament).core.entrants] == [2, 2]
    again.crash()


async def test_the_lobby_shows_whether_people_may_join(hall: Hall) -> None:
    eve = hall.arrive("Eve")
    bots_only = await hall.create("Bo", "Cy", started=False)
    refused = await hall.call(eve, client_messages.JoinTournament, tournament=bots_only)
    assert refused["message"] == "Spring is for bots only."
    for_all = await hall.create("Bo", started=False, people=True)
    ladder = await hall.create("Bo", "Cy", people=True, format="ladder")

    def shown() -> dict[str, bool]:
        lines = hall.authority.lobby_feed.state()["tournaments"]
        return {line["tournament"]: line["people"] for line in lines}

    assert shown() == {bots_only: False, for_all: True, ladder: True}
    await hall.call(eve, client_messages.JoinTournament, tournament=for_all)
    ann = hall.peer("Ann")
    assert ann is not None
    await hall.call(ann, client_messages.StartTournament, tournament=for_all)
    assert shown() == {bots_only: False, for_all: False, ladder: True}
    eve.take()
    await hall.play(8)
    assert sum(m["type"] == "match_finished" for m in eve.take()) == 2


async def test_a_player_of_two_tournaments_takes_turns(hall: Hall) -> None:
    ladder = await hall.create("Bo", "Cy", format="ladder")
    other = await hall.create("Bo", "Di", pairs=5)
    assert await hall.play(20) == 20
    await hall.stored_games()
    assert hall.tags(other) == whole(5)
    assert hall.tags(ladder) == whole(5)


# -- making one ------------------------------------------------------------------------------


async def test_the_same_key_creates_one_tournament(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    fields: dict[str, Any] = {"key": "k1", "terms": terms(seed=None)}
    ids = await asyncio.gather(
        hall.send(ann, client_messages.CreateTournament, **fields),
        hall.send(ann, client_messages.CreateTournament, **fields),
    )
    await hall.until()
    answers = {m["id"]: m for m in ann.take()}
    assert answers[ids[0]]["tournament"] == answers[ids[1]]["tournament"]
    assert answers[ids[0]]["terms"] == answers[ids[1]]["terms"]
    assert len(hall.store.tournament_rows) == 1
    again = await hall.again()
    ann = again.arrive("Ann")
    answer = await again.call(ann, client_messages.CreateTournament, **fields)
    assert answer["tournament"] == answers[ids[0]]["tournament"]
    assert answer["terms"] == answers[ids[0]]["terms"]
    await again.call(ann, client_messages.EndTournament, tournament=answer["tournament"])
    assert again.authority.director.registry.running == {}
    ended = await again.call(ann, client_messages.CreateTournament, **fields)
    assert (ended["tournament"], ended["status"]) == (answer["tournament"], "cancelled")
    again.crash()


async def test_a_tournament_that_could_not_be_stored_does_not_exist(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    hall.store.fail_next()
    fields: dict[str, Any] = {"key": "k1", "terms": terms()}
    answer = await hall.call(ann, client_messages.CreateTournament, **fields)
    assert answer["code"] == "storage_failed"
    assert hall.authority.lobby_feed.state()["tournaments"] == ()
    await hall.tick()
    assert hall.authority.director.registry.running == {}
    answer = await hall.call(ann, client_messages.CreateTournament, **fields)
    assert answer["status"] == "open"


async def test_a_stale_tournament_is_not_reported_as_created(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    hall.store.fail_next()
    fields: dict[str, Any] = {"key": "k1", "terms": terms()}
    await hall.send(ann, client_messages.CreateTournament, **fields)
    hall.store.hold_reads()
    await hall.until()
    answers = []
    (held,) = hall.authority.director.registry.running.values()
    assert held.stale
    answers.append(await hall.call(ann, client_messages.CreateTournament, **fields))
    assert answers[0]["code"] == "storage_failed"
    hall.store.release_reads()


async def test_the_limit_of_open_tournaments_holds_for_simultaneous_requests(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    ids = await asyncio.gather(
        *(
            hall.send(ann, client_messages.CreateTournament, key=f"k{n}", terms=terms())
            for n in range(OPEN_PER_OWNER + 5)
        )
    )
    await hall.until()
    answers = {m["id"]: m for m in ann.take()}
    refused = [answers[i]["code"] for i in ids if answers[i]["type"] == "error"]
    assert refused == ["too_many"] * 5


async def test_an_admin_manages_everybodys_tournaments(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy", started=False)
    eve = hall.arrive("Eve")
    answer = await hall.call(eve, client_messages.StartTournament, tournament=tournament)
    assert answer["code"] == "not_yours"
    eve.rights = Rights("eve", GUEST | {"admin"})
    answer = await hall.call(
        eve, client_messages.SetAside, tournament=tournament, player="bo", reason="rude"
    )
    assert {e["player"]: e["state"] for e in answer["entrants"]} == {"Bo": "aside", "Cy": "in"}


# -- ends, lobby, messages -------------------------------------------------------------------


async def test_an_ended_tournament_waits_for_its_live_games(hall: Hall) -> None:
    tournament = await hall.create("Bo", "Cy")
    eve = hall.arrive("Eve")
    await hall.answer(eve, client_messages.FollowLobby, on=True)
    ann = hall.peer("Ann")
    assert ann is not None
    ended = await hall.call(ann, client_messages.EndTournament, tournament=tournament)
    assert ended["status"] == "cancelled"
    (line,) = hall.authority.lobby_feed.state()["tournaments"]
    assert line["status"] == "running"
    hall.authority.lobby_feed.flush()
    await hall.settle()
    eve.take()
    assert await hall.play() == 1
    await hall.settle()
    assert tournament not in hall.authority.director.registry.running
    hall.authority.lobby_feed.flush()
    await hall.settle()
    changed = [m for m in eve.take() if m["type"] == "lobby_changed"]
    assert [gone for m in changed for gone in m["tournaments_gone"]] == [tournament]
    state = await hall.call(ann, client_messages.GetTournament, tournament=tournament)
    assert (state["status"], state["games_played"]) == ("cancelled", 0)
    for kind in (
        client_messages.StartTournament,
        client_messages.EndTournament,
        client_messages.JoinTournament,
    ):
        answer = await hall.call(ann, kind, tournament=tournament)
        assert answer["code"] == "unknown_tournament"


async def test_the_lobby_sends_changed_tournaments_only(hall: Hall) -> None:
    eve = hall.arrive("Eve")
    await hall.answer(eve, client_messages.FollowLobby, on=True)

    async def news() -> list[tuple[str, int]]:
        hall.authority.lobby_feed.flush()
        await hall.settle()
        changed = [m for m in eve.take() if m["type"] == "lobby_changed"]
        return [(t["status"], t["entrants"]) for m in changed for t in m["tournaments"]]

    tournament = await hall.create("Bo", started=False)
    assert await news() == [("open", 1)]
    await hall.call(hall.bot("Cy"), client_messages.JoinTournament, tournament=tournament)
    assert await news() == [("open", 2)]
    await hall.call(hall.peer("Ann"), client_messages.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    assert await news() == [("running", 2)]
    assert await hall.play(1) == 1
    assert await news() == []  # games change nothing in its line


async def test_the_lobby_lists_the_newest_tournaments(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.lobby.picture.MAX_TOURNAMENTS", 2)
    made = []
    for _ in range(3):
        hall.time += 10
        made.append(await hall.create(started=False))
    again = await hall.again()
    shown = again.authority.lobby_feed.state()["tournaments"]
    assert [line["tournament"] for line in shown] == [made[2], made[1]]
    again.crash()


async def test_in_a_large_tournament_everybody_sees_the_own_entry(hall: Hall) -> None:
    count = MOST_ENTRANTS + 3
    tournament = await hall.create(started=False)
    held, director = hall.running(tournament), hall.authority.director
    peers = [hall.bot(f"b{n:03}") for n in range(count)]
    for peer in peers:
        assert peer.player is not None
        join(director, held, peer.player, 1)
    await hall.settle()
    asked = await hall.call(peers[-1], client_messages.GetTournament, tournament=tournament)
    assert len(asked["entrants"]) == MOST_ENTRANTS + 1
    assert asked["entrants_total"] == count
    assert asked["entrants"][-1]["player"] == peers[-1].name
    ann = hall.peer("Ann")
    assert ann is not None
    await hall.call(ann, client_messages.SetAside, tournament=tournament, player=peers[-2].name)
    (notice,) = [m for m in peers[-2].take() if m["type"] == "tournament_state"]
    mine = [e for e in notice["entrants"] if e["player"] == peers[-2].name]
    assert [e["state"] for e in mine] == ["aside"]
