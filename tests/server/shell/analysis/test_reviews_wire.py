"""Reviews over real connections: who may ask, what arrives, and what survives a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from doublecross.protocol.codec import JsonCodec
from doublecross.server.core.review_queue import AWAY_MS
from doublecross.server.core.storage import ReviewRow
from tests.fakes.reviewers import REPORT, FakeReviewer
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_http import Reader
from tests.server.shell.test_wire_abuse import until

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}


async def finished(ann: WireClient, bob: WireClient, key: str, **more: object) -> Message:
    """Play one move of a game and resign; return the answer, with the join code if any."""
    create = {"type": "create_room", "settings": SMALL, "key": key, "seat": 0, **more}
    made = await ann.ask(create)
    room, code = made["room"], made.get("code")
    await bob.ask({"type": "join_room", "room": room, "code": code})
    await ann.ask({"type": "move", "room": room, "match": 1, "ply": 0, "action": 0})
    over = await ann.ask({"type": "resign", "room": room})
    return {"game_id": over["game_id"], "code": code, "room": room}


def ask(game: Message, **more: object) -> Message:
    return {"type": "get_review", "game_id": game["game_id"], **more}


async def test_two_players_wait_for_one_review_and_both_get_it(tmp_path: Path) -> None:
    reviewer = FakeReviewer()
    async with serving(tmp_path, reviewer=reviewer) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob", JsonCodec())
        assert ann.received[0]["reviews"] is True
        game = await finished(ann, bob, "k1")
        assert "review" not in (await http.get("/health"))["problem"]
        path = f"/api/games/{game['game_id']}/report"
        assert await http.get(path) == {"report": None}
        assert reviewer.orders == []

        first = await ann.ask(ask(game))
        assert first | {"id": 0} == {
            "type": "review",
            "id": 0,
            "game_id": game["game_id"],
            "status": "working",
            "place": 0,
            "done": 0,
            "all": 1,
            "reason": None,
            "phrase": None,
        }
        assert (await bob.ask(ask(game)))["status"] == "working"
        reviewer.judged(game["game_id"], 1)
        for peer in (ann, bob):
            told = await peer.wait("review", done=1)
            assert "id" not in told
        assert (await http.get("/health"))["reviews"]["working"] == 1
        reviewer.finish(game["game_id"])
        for peer in (ann, bob):
            report = (await peer.wait("review", status="done"))["report"]
            assert report["moves"][0]["phrases"][0]["values"] == {"count": 1, "edge": "b1"}
            assert report["moves"][0]["answer"] == (2,)
            assert report["accuracy"] == tuple(REPORT["accuracy"])
        again = await bob.ask(ask(game))
        assert (again["status"], again["report"]["version"]) == ("done", 1)
        # The server keeps the answer above for a second.
        stored = (await http.get(path, params={"code": "other"}))["report"]
        assert stored["accuracy"] == list(REPORT["accuracy"])
        health = await http.get("/health")
        assert (health["status"], health["reviews"]["made"]) == ("ok", 1)

    async with serving(tmp_path) as server:  # started again, without workers
        cat = await WireClient.player(server, "Cat")
        assert cat.received[0]["reviews"] is False
        assert (await cat.ask(ask(game)))["report"]["version"] == 1


async def test_a_review_is_for_those_who_may_read_the_record(tmp_path: Path) -> None:
    reviewer = FakeReviewer(at_once=True)
    async with serving(tmp_path, reviewer=reviewer) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        eve = await WireClient.player(server, "Eve")
        game = await finished(ann, bob, "k1", private=True)
        assert await eve.refused(ask(game)) == "unknown_record"
        assert await eve.refused(ask(game, code="wrong")) == "unknown_record"
        assert reviewer.orders == []
        assert (await eve.ask(ask(game, code=game["code"])))["type"] == "review"
        assert (await eve.wait("review", status="done"))["report"] is not None
        assert (await bob.ask(ask(game)))["status"] == "done"
        assert await eve.refused(ask(game)) == "unknown_record"  # the report is private, too
        path = f"/api/games/{game['game_id']}/report"
        assert (await http.client.get(path)).status_code == 404
        assert (await http.get(path, params={"code": game["code"]}))["report"] is not None

        create = {"type": "create_room", "settings": SMALL, "key": "k2", "private": True}
        made = await ann.ask(create)
        await bob.ask({"type": "join_room", "room": made["room"], "code": made["code"]})
        playing = {"game_id": f"{made['room']}-1"}
        assert await bob.refused(ask(playing)) == "wrong_state"
        assert await eve.refused(ask(playing)) == "unknown_record"
        assert await eve.refused(ask(playing, code=made["code"])) == "wrong_state"
        assert await eve.refused(ask({"game_id": "none"})) == "unknown_record"
        nim = {"game": "nim"}
        made = await ann.ask({**create, "settings": nim, "key": "k3", "private": False})
        await bob.ask({"type": "join_room", "room": made["room"]})
        over = await ann.ask({"type": "resign", "room": made["room"]})
        assert await bob.refused(ask(over)) == "no_review"


async def test_a_player_who_reconnects_asks_again_and_keeps_the_place(tmp_path: Path) -> None:
    reviewer = FakeReviewer()
    async with serving(tmp_path, reviewer=reviewer) as server:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        games = [await finished(ann, bob, f"k{number}") for number in range(2)]
        await ann.ask(ask(games[0]))
        assert (await bob.ask(ask(games[1])))["place"] == 1
        token = bob.received[0]["token"]
        await bob.close()
        cat = await WireClient.player(server, "Cat")
        assert (await cat.ask(ask(games[1])))["place"] == 1
        bob = await WireClient.player(server, "x", token=token)
        assert (await bob.ask(ask(games[1])))["place"] == 1
        reviewer.finish(games[0]["game_id"])
        assert (await bob.wait("review", status="working"))["game_id"] == games[1]["game_id"]
        await server.stop()
        assert (reviewer.closed, reviewer.running) == (True, [])


async def test_who_is_gone_when_the_storage_answers_keeps_the_place_for_a_while_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewer = FakeReviewer()
    async with serving(tmp_path, reviewer=reviewer) as server:
        authority = server.authority
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        game = await finished(ann, bob, "k1")
        reads, goes_on = asyncio.Event(), asyncio.Event()
        review = authority.store.review

        async def slow_review(game_id: str) -> ReviewRow | None:
            reads.set()
            await goes_on.wait()
            return await review(game_id)

        monkeypatch.setattr(authority.store, "review", slow_review)
        await ann.send({**ask(game), "id": 50})
        await reads.wait()
        await ann.close()
        await until(lambda: "Ann" not in authority.peers.sessions)
        goes_on.set()
        await until(lambda: reviewer.running)
        authority.reviews.sweep(authority.now() + AWAY_MS - 1000)
        await asyncio.sleep(0)
        assert reviewer.stopped == []
        authority.reviews.sweep(authority.now() + AWAY_MS)
        await until(lambda: not reviewer.running)
        assert reviewer.stopped == [game["game_id"]]


async def test_reviews_have_a_rate_and_a_price(tmp_path: Path) -> None:
    reviewer = FakeReviewer(at_once=True)
    limits = {"reviews_per_hour": 1, "exempt_addresses": "", "burst": 100, "messages_per_s": 100}
    async with serving(tmp_path, reviewer=reviewer, **limits) as server:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        one, two = [await finished(ann, bob, f"k{number}") for number in range(2)]
        await ann.ask(ask(one))
        await ann.wait("review", status="done")
        assert await bob.refused(ask(two)) == "rate_limited"
        assert (await bob.ask(ask(one)))["status"] == "done"  # nobody has to make it
        refusals = await asyncio.gather(*(ann.send({**ask(one), "id": n}) for n in range(50, 60)))
        answers: list[Message] = []
        while len(answers) < len(refusals):
            message = await ann.receive()
            if message.get("id", 0) in range(50, 60):
                answers.append(message)
        assert {each["type"] for each in answers} == {"review", "error"}
        assert {each["code"] for each in answers if each["type"] == "error"} == {"rate_limited"}
