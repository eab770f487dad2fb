"""The shell of tournaments on a whole authority, with a storage that fails when a test says so."""

from __future__ import annotations

import asyncio
import inspect
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import msgpack
import pytest

from protocol import client_messages as said
from protocol.common import Engine, PlayerInfo, TournamentTerms
from server.channel import split_frames
from server.director import RETRY_MS, TICK_MS
from server.errors import Refused
from server.handlers import HANDLERS
from server.held import Held
from server.peer import Peer
from server.room import Room
from server.store.api import Batch, JournalEntry, StoreError
from server.tournament_messages import MOST_ENTRANTS, wire_tag
from server.tournament_requests import OPEN_PER_OWNER, join
from tests.fakes.peers import FakePeer
from tests.server.playing import TIMES, dots
from tests.server.world import World


def terms(**more: Any) -> TournamentTerms:
    given = {"name": "Spring", "format": "round-robin", "settings": dots(), "seed": 5, **more}
    return TournamentTerms(**given)


class Hall(World):
    """A world with tournaments; `tick` lets what is due happen, `play` plays games out."""

    async def start(self) -> Hall:
        await super().start()
        await self.authority.director.load()
        return self

    async def settle(self) -> None:
        for _ in range(30):
            await asyncio.sleep(0)

    async def until(self) -> None:
        """All that can happen has happened, threads included."""
        for _ in range(4):
            await asyncio.to_thread(int)
            await self.settle()

    def bot(self, name: str, version: str = "1") -> FakePeer:
        peer = FakePeer()
        engine = Engine(name="rules", version=version)
        self.authority.arrive(peer, PlayerInfo(name=name, kind="bot", engine=engine))
        return peer

    async def call(self, peer: Peer, kind: type[said.Request], **fields: Any) -> dict[str, Any]:
        """A request and its answer, also of a handler that waits."""
        assert isinstance(peer, FakePeer)
        request_id = await self.send(peer, kind, **fields)
        await self.until()
        (answer,) = [m for m in peer.take() if m.get("id") == request_id]
        return answer

    async def send(self, peer: Peer, kind: type[said.Request], **fields: Any) -> int:
        message = kind(id=next(self.ids), **fields)
        try:
            waiting = HANDLERS[type(message)](self.authority, peer, message)
            if inspect.isawaitable(waiting):
                await waiting
        except Refused as refused:
            peer.refuse(message.id, refused.code, refused.sentence)
        return message.id

    async def made(self, *names: str, started: bool = True, **more: Any) -> str:
        """A tournament of Ann's with these bots in it; returns its id."""
        ann = self.peer("Ann") or self.arrive("Ann")
        made = await self.call(ann, said.CreateTournament, key=self.key(), terms=terms(**more))
        assert made["type"] == "tournament_state", made
        tournament: str = made["tournament"]
        for name in names:
            peer = self.peer(name) or self.bot(name)
            joined = await self.call(peer, said.JoinTournament, tournament=tournament)
            assert joined["type"] == "tournament_state", joined
        if started:
            state = await self.call(ann, said.StartTournament, tournament=tournament)
            assert state["status"] == "running", state
        return tournament

    def peer(self, name: str) -> FakePeer | None:
        peer = self.authority.peers.get(name)
        assert peer is None or isinstance(peer, FakePeer)
        return peer

    def held(self, tournament: str) -> Held:
        return self.authority.director.held[tournament]

    def games(self) -> list[Room]:
        """Games of tournaments that are being played."""
        rooms = self.authority.lobby.rooms.values()
        return [r for r in rooms if r.terms.tag is not None and r.status == "playing"]

    def finish(self, room: Room) -> None:
        """Play a game to its end."""
        while room.status == "playing":
            assert room.match is not None
            mover = room.players[room.match.state.current_player()]
            assert mover is not None
            peer = self.peer(mover.name)
            assert peer is not None
            self.move(peer, room, room.match.state.legal_actions()[0])

    async def play(self, most: int = 1000) -> int:
        """Play games until none is left or `most` are over; how many."""
        count = 0
        while count < most and (games := self.games()):
            self.finish(games[0])
            count += 1
            await self.settle()
        return count

    async def tick(self, ms: int = RETRY_MS) -> None:
        self.time += ms
        self.authority.tick()
        await self.settle()

    async def again(self, **fields: Any) -> Hall:
        """Another server on the same storage; this one was killed."""
        self.crash()
        hall = Hall(self.store, seed=1)  # or new rooms would get the ids of old ones
        hall.time = self.time + 1000
        return await hall.start()

    def tags(self, tournament: str) -> Counter[tuple[int, int, int]]:
        """Of the finished games that are stored."""
        return Counter(
            (row.tag.pairing, row.tag.game, row.tag.attempt)
            for row in self.store.games_by_id.values()
            if row.tag is not None and row.tag.tournament == tournament
        )

    async def stored_games(self) -> None:
        await self.authority.committer.settled(games=True)


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    hall = await Hall().start()
    yield hall
    await hall.authority.director.close()
    hall.crash()


def whole(pairs: int, attempt: int = 1) -> Counter[tuple[int, int, int]]:
    return Counter((pairing, game, attempt) for pairing in range(pairs) for game in (0, 1))


# -- a tournament when nothing goes wrong ----------------------------------------------------


async def test_every_game_is_played_once_and_the_end_is_told(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", "Di")
    for name in ("Ann", "Bo", "Cy", "Di"):
        hall.peer(name).take()  # type: ignore[union-attr]
    assert await hall.play() == 6
    await hall.settle()
    assert hall.tags(tournament) == whole(3)
    assert tournament not in hall.authority.director.held
    for name in ("Ann", "Bo", "Cy", "Di"):
        peer = hall.peer(name)
        assert peer is not None
        notices = [m for m in peer.take() if m["type"] == "tournament_state"]
        assert [m["status"] for m in notices] == ["finished"]
        assert notices[0]["games_played"] == 6


async def test_whoever_reads_the_end_finds_all_games(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy")
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


async def test_a_player_in_two_tournaments_plays_no_more_at_once_than_it_said(hall: Hall) -> None:
    one = await hall.made("Bo", "Cy")
    other = await hall.made("Bo", "Di")
    assert len(hall.games()) == 1
    assert await hall.play(1) == 1
    assert len(hall.games()) == 1
    assert await hall.play() == 3
    assert hall.tags(one) == hall.tags(other) == whole(1)


async def test_a_full_server_begins_the_game_later() -> None:
    hall = await Hall(rooms=1).start()
    tournament = await hall.made("Bo", "Cy", started=False)
    dee = hall.arrive("Dee")
    made = await hall.answer(dee, said.CreateRoom, key="k", settings=dots(), seat=0)
    await hall.call(hall.peer("Ann"), said.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    assert hall.games() == []
    await hall.answer(dee, said.Leave, room=made["room"])
    assert hall.games() == []
    await hall.tick()
    assert len(hall.games()) == 1
    hall.crash()


# -- a storage that fails --------------------------------------------------------------------


@pytest.mark.parametrize("stored", [False, True])
async def test_a_failed_commit_of_new_games_begins_them_once(hall: Hall, stored: bool) -> None:
    tournament = await hall.made("Bo", "Cy", "Di", "Ed", started=False)
    hall.store.fail_next(stored=stored)
    await hall.send(hall.peer("Ann"), said.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    await hall.until()
    if not stored:  # the organiser has heard that, and asks again
        assert hall.held(tournament).core.status == "open"
        await hall.send(hall.peer("Ann"), said.StartTournament, tournament=tournament)  # type: ignore[arg-type]
        await hall.until()
    assert len(hall.games()) == 2
    assert await hall.play() == 12
    await hall.stored_games()
    assert hall.tags(tournament) == whole(6)


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("at", range(6))
async def test_any_commit_may_fail_and_nothing_is_lost_or_counted_twice(
    hall: Hall, at: int, stored: bool
) -> None:
    tournament = await hall.made("Bo", "Cy", "Di")
    for number in range(40):
        if tournament not in hall.authority.director.held:
            break
        for room in hall.games():
            if number == at:
                hall.store.fail_next(stored=stored)
            hall.finish(room)
            await hall.until()
            if hall.games():
                await hall.tick(RETRY_MS)
        await hall.tick(RETRY_MS)
    await hall.stored_games()
    assert hall.store.troubles == []
    assert hall.tags(tournament) == whole(3)
    assert hall.store.tournament_rows[tournament].status == "finished"


async def test_a_game_that_ends_while_the_tournament_is_read_counts_once(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", "Di", "Ed")
    first, second = hall.games()
    hall.store.hold_reads()
    hall.authority.director.lost(first.terms.tag)  # type: ignore[arg-type]
    await hall.settle()
    assert hall.held(tournament).stale
    hall.finish(first)  # it ends, and that is stored, while the rows are read
    await hall.settle()
    hall.store.hold()
    hall.finish(second)  # it ends, and that is not stored when they have been read
    await hall.settle()
    hall.store.release_reads()
    await hall.settle()
    held = hall.held(tournament)
    assert not held.stale
    tags = [wire_tag(tag) for tag in held.core.live]
    assert second.terms.tag in tags  # its end is still to come
    assert first.terms.tag not in tags
    hall.store.release()
    await hall.settle()
    assert await hall.play() == 10
    await hall.stored_games()
    assert hall.tags(tournament) == whole(6)


async def test_a_storage_that_cannot_be_read_is_asked_again_in_time(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy")
    hall.store.reading_fails = 2
    hall.authority.director.lost(hall.games()[0].terms.tag)  # type: ignore[arg-type]
    await hall.until()
    bo = hall.peer("Bo")
    assert bo is not None
    answer = await hall.call(bo, said.LeaveTournament, tournament=tournament)
    assert answer["code"] == "storage_failed"
    for fails in (1, 1, 0):
        assert hall.store.reading_fails == fails
        assert hall.held(tournament).stale
        await hall.tick(RETRY_MS - (fails and RETRY_MS - TICK_MS))
        hall.time += RETRY_MS
    await hall.tick()
    assert not hall.held(tournament).stale
    assert await hall.play() == 2
    assert hall.tags(tournament) == whole(1)


async def test_a_disk_that_stays_full_is_not_asked_without_a_pause(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await hall.made("Bo", "Cy")
    failed = 0
    commit = hall.store.commit

    async def fails(batch: Batch) -> None:
        nonlocal failed
        if batch.entry is not None and b"room_created" in batch.entry.frames:
            failed += 1
            raise StoreError("The disk is full.")
        await commit(batch)

    with monkeypatch.context() as patched:
        patched.setattr(hall.store, "commit", fails)
        hall.finish(hall.games()[0])
        for _ in range(20):
            await hall.until()
        assert failed == 2  # once again at once, as most failures are over by then
        await hall.tick(RETRY_MS - TICK_MS)
        assert failed == 2
        await hall.tick(TICK_MS)
        await hall.until()
        assert 3 <= failed <= 4
    await hall.tick()
    await hall.tick()
    assert await hall.play() == 1
    await hall.stored_games()
    assert hall.tags(tournament) == whole(1)


@pytest.mark.parametrize("stored", [False, True])
async def test_an_end_that_is_not_stored_comes_again(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    tournament = await hall.made("Bo", "Cy")
    bo = hall.peer("Bo")
    assert bo is not None
    assert await hall.play(1) == 1
    bo.take()
    commit = hall.store.commit

    async def fails_once(batch: Batch) -> None:
        if any(c.row is not None and c.row.status == "finished" for c in batch.tournaments):
            monkeypatch.undo()
            hall.store.fail_next(stored=stored)
        await commit(batch)

    monkeypatch.setattr(hall.store, "commit", fails_once)
    hall.finish(hall.games()[0])
    await hall.until()
    await hall.tick()
    await hall.until()
    assert hall.store.tournament_rows[tournament].status == "finished"
    assert tournament not in hall.authority.director.held
    notices = [m["status"] for m in bo.take() if m["type"] == "tournament_state"]
    assert notices
    assert set(notices) == {"finished"}
    await hall.stored_games()
    assert hall.tags(tournament) == whole(1)


async def test_a_bug_in_a_tournament_builds_it_again(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await hall.made("Bo", "Cy")

    def breaks(*_: object) -> None:
        raise RuntimeError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(Room, "open", breaks)
        hall.finish(hall.games()[0])
        await hall.settle()
    assert hall.games() == []
    for _ in range(3):
        await hall.tick()
    assert await hall.play() == 1
    assert hall.tags(tournament) == whole(1)


# -- who comes back, who does not ------------------------------------------------------------


async def test_a_replaced_connection_gets_the_games_that_begin(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", started=False)
    await hall.send(hall.peer("Ann"), said.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    new = hall.bot("Bo")
    await hall.until()
    (room,) = hall.games()
    assert [m["room"] for m in new.take() if m["type"] == "room_state"] == [room.id]
    assert await hall.play() == 2


async def test_nobody_plays_on_for_another_program(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", "Di")
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
    answer = await hall.call(new, said.JoinTournament, tournament=tournament)
    assert "entered as rules 1" in answer["message"]
    await hall.play()
    assert all(r.seat_of("Bo") is None for r in hall.games())
    # It never comes back as what it was: the others do not wait for ever.
    await hall.tick(hall.authority.absence_ms + TICK_MS)
    await hall.settle()
    row = hall.store.entrants[tournament][0]
    assert (row.state, row.reason) == ("aside", "was away for 600 s")
    assert hall.store.tournament_rows[tournament].status == "finished"


async def test_an_end_by_another_program_that_is_not_stored_comes_again(hall: Hall) -> None:
    await hall.made("Bo", "Cy")
    (room,) = hall.games()
    hall.store.fail_next()
    hall.bot("Bo", "2")
    await hall.settle()
    assert len(hall.games()) == 1  # the commit failed, so it goes on
    await hall.tick(TICK_MS)
    assert hall.games() == []
    assert hall.room(room.id).match.result.termination == "disconnect"  # type: ignore[union-attr]


async def test_one_who_stays_away_is_set_aside_when_only_that_is_waited_for(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", "Di", pairs=2)
    bo = hall.peer("Bo")
    assert bo is not None
    while any(r.seat_of("Bo") is not None for r in hall.games()):
        await hall.play(1)
    hall.authority.depart(bo)
    await hall.settle()
    wait = hall.authority.absence_ms
    games = hall.games()
    # As long as a game is played, the tournament has something to wait for.
    for room in games:
        hall.time += wait // 2
        hall.authority.director.tick(hall.time)
        assert hall.held(tournament).core.entrants[0].state == "in"
        hall.finish(room)
        await hall.settle()
    await hall.play()
    if not games:
        hall.time += wait - 1
        hall.authority.director.tick(hall.time)
        assert hall.held(tournament).core.entrants[0].state == "in"
    await hall.tick(wait)
    assert hall.store.entrants[tournament][0].state == "aside"
    assert hall.store.tournament_rows[tournament].status == "finished"
    assert all(count == 1 for count in hall.tags(tournament).values())


async def test_one_who_is_back_in_time_plays_on(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy")
    assert await hall.play(1) == 1
    (room,) = hall.games()
    hall.finish(room)
    tournament = await hall.made("Bo", "Cy", started=False)
    hall.authority.depart(hall.peer("Bo"))  # type: ignore[arg-type]
    await hall.tick(hall.authority.absence_ms * 5)
    # Before the start nobody is away for too long, and then the time begins anew.
    await hall.call(hall.peer("Ann"), said.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    await hall.tick(hall.authority.absence_ms - 1)
    assert hall.held(tournament).core.entrants[0].state == "in"
    hall.bot("Bo")
    await hall.settle()
    await hall.tick(TICK_MS)
    assert await hall.play() == 2
    assert hall.tags(tournament) == whole(1)


async def test_who_is_busy_elsewhere_is_not_away(hall: Hall) -> None:
    busy = await hall.made("Bo", "Cy")
    waits = await hall.made("Bo", "Di", "Ed", started=False)
    hall.authority.depart(hall.peer("Ed"))  # type: ignore[arg-type]
    await hall.call(hall.peer("Ann"), said.StartTournament, tournament=waits)  # type: ignore[arg-type]
    assert [r.terms.tag.tournament for r in hall.games()] == [busy]  # type: ignore[union-attr]
    hall.time += hall.authority.absence_ms + 1
    hall.authority.director.tick(hall.time)
    await hall.settle()
    assert [e.state for e in hall.held(waits).core.entrants] == ["in", "in", "in"]


async def test_a_ladder_waits_for_nobody(hall: Hall) -> None:
    ladder = await hall.made("Bo", "Cy", "Di", format="ladder")
    for name in ("Bo", "Cy", "Di"):
        hall.authority.depart(hall.peer(name))  # type: ignore[arg-type]
    hall.time += TIMES.away_ms + 1
    hall.authority.tick()
    await hall.settle()
    await hall.tick(hall.authority.absence_ms + 1)
    await hall.tick(hall.authority.absence_ms + 1)
    assert [e.state for e in hall.held(ladder).core.entrants] == ["in", "in", "in"]


# -- making one ------------------------------------------------------------------------------


async def test_the_same_key_makes_one_tournament(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    fields: dict[str, Any] = {"key": "k1", "terms": terms(seed=None)}
    ids = await asyncio.gather(
        hall.send(ann, said.CreateTournament, **fields),
        hall.send(ann, said.CreateTournament, **fields),
    )
    await hall.until()
    answers = {m["id"]: m for m in ann.take()}
    assert answers[ids[0]]["tournament"] == answers[ids[1]]["tournament"]
    assert answers[ids[0]]["terms"] == answers[ids[1]]["terms"]
    assert len(hall.store.tournament_rows) == 1
    again = await hall.again()
    ann = again.arrive("Ann")
    answer = await again.call(ann, said.CreateTournament, **fields)
    assert answer["tournament"] == answers[ids[0]]["tournament"]
    assert answer["terms"] == answers[ids[0]]["terms"]
    await again.call(ann, said.EndTournament, tournament=answer["tournament"])
    assert again.authority.director.held == {}
    ended = await again.call(ann, said.CreateTournament, **fields)
    assert (ended["tournament"], ended["status"]) == (answer["tournament"], "cancelled")
    again.crash()


async def test_one_that_could_not_be_stored_is_not_there(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    hall.store.fail_next()
    fields: dict[str, Any] = {"key": "k1", "terms": terms()}
    answer = await hall.call(ann, said.CreateTournament, **fields)
    assert answer["code"] == "storage_failed"
    assert hall.authority.lobby_feed.state()["tournaments"] == ()
    await hall.tick()
    assert hall.authority.director.held == {}
    answer = await hall.call(ann, said.CreateTournament, **fields)
    assert answer["status"] == "open"


async def test_a_stale_one_is_not_answered_as_made(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    hall.store.fail_next()
    fields: dict[str, Any] = {"key": "k1", "terms": terms()}
    await hall.send(ann, said.CreateTournament, **fields)
    hall.store.hold_reads()
    await hall.until()
    answers = []
    (held,) = hall.authority.director.held.values()
    assert held.stale
    answers.append(await hall.call(ann, said.CreateTournament, **fields))
    assert answers[0]["code"] == "storage_failed"
    hall.store.release_reads()


async def test_an_organiser_has_so_many_and_no_more_even_at_once(hall: Hall) -> None:
    ann = hall.arrive("Ann")
    ids = await asyncio.gather(
        *(
            hall.send(ann, said.CreateTournament, key=f"k{n}", terms=terms())
            for n in range(OPEN_PER_OWNER + 5)
        )
    )
    await hall.until()
    answers = {m["id"]: m for m in ann.take()}
    refused = [answers[i]["code"] for i in ids if answers[i]["type"] == "error"]
    assert refused == ["too_many"] * 5


async def test_admins_organise_whatever_the_case_of_their_names(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", started=False)
    eve = hall.arrive("Eve")
    answer = await hall.call(eve, said.StartTournament, tournament=tournament)
    assert answer["code"] == "not_yours"
    hall.authority.admins = frozenset({"eve"})
    answer = await hall.call(eve, said.SetAside, tournament=tournament, player="bo", reason="rude")
    assert {e["player"]: e["state"] for e in answer["entrants"]} == {"Bo": "aside", "Cy": "in"}


# -- ends, lobby, messages -------------------------------------------------------------------


async def test_one_that_is_ended_waits_for_its_games(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy")
    eve = hall.arrive("Eve")
    await hall.answer(eve, said.FollowLobby, on=True)
    ann = hall.peer("Ann")
    assert ann is not None
    ended = await hall.call(ann, said.EndTournament, tournament=tournament)
    assert ended["status"] == "cancelled"
    (line,) = hall.authority.lobby_feed.state()["tournaments"]
    assert line["status"] == "running"
    hall.authority.lobby_feed.flush()
    await hall.settle()
    eve.take()
    assert await hall.play() == 1
    await hall.settle()
    assert tournament not in hall.authority.director.held
    hall.authority.lobby_feed.flush()
    await hall.settle()
    changed = [m for m in eve.take() if m["type"] == "lobby_changed"]
    assert [gone for m in changed for gone in m["tournaments_gone"]] == [tournament]
    state = await hall.call(ann, said.GetTournament, tournament=tournament)
    assert (state["status"], state["games_played"]) == ("cancelled", 0)
    for kind in (said.StartTournament, said.EndTournament, said.JoinTournament):
        answer = await hall.call(ann, kind, tournament=tournament)
        assert answer["code"] == "unknown_tournament"


async def test_the_lobby_tells_what_has_changed_and_only_that(hall: Hall) -> None:
    eve = hall.arrive("Eve")
    await hall.answer(eve, said.FollowLobby, on=True)

    async def news() -> list[tuple[str, int]]:
        hall.authority.lobby_feed.flush()
        await hall.settle()
        changed = [m for m in eve.take() if m["type"] == "lobby_changed"]
        return [(t["status"], t["entrants"]) for m in changed for t in m["tournaments"]]

    tournament = await hall.made("Bo", started=False)
    assert await news() == [("open", 1)]
    await hall.call(hall.bot("Cy"), said.JoinTournament, tournament=tournament)
    assert await news() == [("open", 2)]
    await hall.call(hall.peer("Ann"), said.StartTournament, tournament=tournament)  # type: ignore[arg-type]
    assert await news() == [("running", 2)]
    assert await hall.play(1) == 1
    assert await news() == []  # games change nothing in its line


async def test_the_lobby_lists_the_newest(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.lobby_feed.MAX_TOURNAMENTS", 2)
    made = []
    for _ in range(3):
        hall.time += 10
        made.append(await hall.made(started=False))
    again = await hall.again()
    shown = again.authority.lobby_feed.state()["tournaments"]
    assert [line["tournament"] for line in shown] == [made[2], made[1]]
    again.crash()


async def test_a_large_tournament_tells_everybody_of_themselves(hall: Hall) -> None:
    count = MOST_ENTRANTS + 3
    tournament = await hall.made(started=False)
    held, director = hall.held(tournament), hall.authority.director
    peers = [hall.bot(f"b{n:03}") for n in range(count)]
    for peer in peers:
        assert peer.player is not None
        join(director, held, peer.player, 1)
    await hall.settle()
    asked = await hall.call(peers[-1], said.GetTournament, tournament=tournament)
    assert len(asked["entrants"]) == MOST_ENTRANTS + 1
    assert asked["entrants_total"] == count
    assert asked["entrants"][-1]["player"] == peers[-1].name
    ann = hall.peer("Ann")
    assert ann is not None
    await hall.call(ann, said.SetAside, tournament=tournament, player=peers[-2].name)
    (notice,) = [m for m in peers[-2].take() if m["type"] == "tournament_state"]
    mine = [e for e in notice["entrants"] if e["player"] == peers[-2].name]
    assert [e["state"] for e in mine] == ["aside"]


# -- restarts --------------------------------------------------------------------------------


async def test_a_restart_goes_on_with_live_games(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", "Di", "Ed")
    assert await hall.play(3) == 3
    live = {room.id for room in hall.games()}
    assert live
    again = await hall.again()
    assert {room.id for room in again.games()} == live
    for name in ("Ann", "Bo", "Cy", "Di", "Ed"):
        again.arrive(name) if name == "Ann" else again.bot(name)
    await again.settle()
    assert live <= {room.id for room in again.games()}
    assert await again.play() == 9
    await again.stored_games()
    assert again.tags(tournament) == whole(6)
    again.crash()


async def test_a_restart_after_an_end_with_live_games_counts_them(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy", pairs=2)
    assert await hall.play(1) == 1
    ann = hall.peer("Ann")
    assert ann is not None
    await hall.call(ann, said.EndTournament, tournament=tournament)
    again = await hall.again()
    ann = again.arrive("Ann")
    again.bot("Bo")
    again.bot("Cy")
    assert len(again.games()) == 1
    state = await again.call(ann, said.GetTournament, tournament=tournament)
    assert [e["playing"] for e in state["entrants"]] == [1, 1]
    assert await again.play() == 1
    await again.until()
    assert again.authority.director.held == {}
    assert [p.state for p in again.store.pairings[tournament].values()] == ["done", "unplayed"]
    state = await again.call(ann, said.GetTournament, tournament=tournament)
    assert (state["status"], state["games_played"]) == ("cancelled", 2)
    again.crash()


async def test_a_game_whose_log_is_corrupt_is_played_again(hall: Hall) -> None:
    tournament = await hall.made("Bo", "Cy")
    (room,) = hall.games()
    assert room.match is not None
    mover = hall.peer(room.players[0].name)  # type: ignore[union-attr]
    assert mover is not None
    hall.move(mover, room, room.match.state.legal_actions()[0])
    await hall.settle()
    for entry in list(hall.store.entries.values()):
        events = [event for event, _ in split_frames(entry.frames)]
        if any(event["type"] == "move" for event in events):
            spoilt = b"".join(
                msgpack.packb({**e, "action": 99} if e["type"] == "move" else e) for e in events
            )
            hall.store.entries[entry.entry_id] = JournalEntry(entry.entry_id, entry.at_ms, spoilt)
    again = await hall.again()
    assert again.games() == []
    again.bot("Bo")
    again.bot("Cy")
    await again.settle()
    assert await again.play() == 2
    await again.stored_games()
    assert again.tags(tournament) == whole(1, attempt=2) + Counter([(0, 0, 1)])
    assert again.store.tournament_rows[tournament].status == "finished"
    again.crash()


@pytest.mark.parametrize("fault", ["terms", "entrants", "pairings"])
async def test_a_corrupt_tournament_is_left_out_and_said_to_be(hall: Hall, fault: str) -> None:
    bad, good = await hall.made("Bo", "Cy"), await hall.made("Di", "Ed")
    store = hall.store
    if fault == "terms":
        store.tournament_rows[bad] = replace(store.tournament_rows[bad], terms='{"terms": 3}')
    elif fault == "entrants":
        del store.entrants[bad][0]
    else:
        store.pairings[bad][0] = replace(store.pairings[bad][0], first=7)
    again = await hall.again()
    assert list(again.authority.director.held) == [good]
    ann = again.arrive("Ann")
    for kind in (said.GetTournament, said.JoinTournament, said.StartTournament):
        answer = await again.call(ann, kind, tournament=bad)
        assert answer["code"] == "internal"
        assert "makes no sense" in answer["message"]
    for name in ("Bo", "Cy", "Di", "Ed"):
        again.bot(name)
    await again.play()
    assert again.store.tournament_rows[good].status == "finished"
    again.crash()


async def test_a_storage_that_fails_at_the_start_stops_the_server(hall: Hall) -> None:
    await hall.made("Bo", "Cy")
    hall.crash()
    hall.store.reading_fails = 1
    again = Hall(hall.store)
    with pytest.raises(Exception, match="could not be read"):
        await again.start()
    again.crash()
