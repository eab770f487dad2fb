"""The HTTP interface: health, rooms and games, and its answers to bad input."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from doublecross.server.shell.app import DoublecrossServer
from tests.fakes.http import plain_client
from tests.fakes.store import FakeStore
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_play_over_wire import play_out, table
from tests.server.shell.test_restart import start
from tests.server.shell.test_wire_abuse import until

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}


class Reader:
    """An HTTP client of one server."""

    def __init__(self, server: DoublecrossServer) -> None:
        self.client = plain_client(server.addresses.http)

    async def get(self, path: str, status: int = 200, **more: Any) -> Any:
        answer = await self.client.get(path, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def __aenter__(self) -> Reader:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.aclose()


async def test_games_are_listed_and_read_whole(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann, bob, room = await table(server, {**SMALL, "time": {"base_ms": 60_000}})
        over = await play_out(ann, bob, room)
        (game,) = (await http.get("/api/games"))["games"]
        assert game["id"] == over["game_id"] == f"{room}-1"
        assert (game["game"], game["size"]) == ("dots-and-boxes", "1x2")
        assert game["players"] == ["Ann", "Bob"]
        assert (game["plies"], game["scores"]) == (7, list(over["scores"]))
        assert (game["termination"], game["winner"]) == ("completed", over["winner"])
        assert "record" not in game
        first, second = game["players"]
        profile = await http.get(f"/api/players/{first.upper()}/profile")
        (against,) = profile["opponents"]
        assert (profile["games"], against["name"]) == (1, second)
        assert profile["pools"][0]["title"] == game["title"]
        whole = await http.get(f"/api/games/{game['id']}")
        assert game.items() <= whole.items()
        assert whole["params"] == {"rows": 1, "cols": 2}
        assert whole["opening"] == []
        assert whole["moves"] == list(range(7))
        assert all(0 < ms <= 60_000 for ms in whole["clock_ms"])
        path = f"/api/games/{game['id']}"
        for more in ({"params": {"format": "text"}}, {"headers": {"Accept": "text/plain"}}):
            text = await http.client.get(path, **more)  # type: ignore[arg-type]
            assert text.headers["content-type"].startswith("text/plain")
            assert text.text == whole["record"]
        for query, found in [
            ("player=ann", 1),
            ("player=Cat", 0),
            ("game=tic-tac-toe", 0),
            (f"before_ms={game['finished_ms']}", 0),
            (f"before_ms={game['finished_ms'] + 1}&game=dots-and-boxes&limit=1", 1),
        ]:
            assert len((await http.get(f"/api/games?{query}"))["games"]) == found


async def test_private_games_and_rooms_are_not_listed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        create = {"type": "create_room", "settings": SMALL, "seat": 0}
        made = await ann.ask({**create, "key": "k", "private": True})
        public = await ann.ask({**create, "key": "k2"})
        join = {"type": "join_room", "room": made["room"], "code": made["code"]}
        await bob.ask(join)
        over = await ann.ask({"type": "resign", "room": made["room"]})
        (room,) = (await http.get("/api/rooms"))["rooms"]
        assert room["room"] == public["room"]
        assert (room["status"], room["players"][1]) == ("waiting", None)
        assert (await http.get("/api/games"))["games"] == []
        assert over["game_id"]


async def test_waits_have_the_settings_that_the_lobby_shows(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        await bob.ask({"type": "follow_lobby"})
        for number in range(3):
            assert (await http.get("/api/waits"))["waits"] == []
            quick = {"type": "quick_match", "key": f"k{number}", "settings": SMALL}
            await ann.ask(quick)
            while not (seeks := (await bob.wait("lobby_changed")).get("seeks")):
                pass
            await ann.ask({"type": "resign", "room": (await bob.ask(quick))["room"]})
        (wait,) = (await http.get("/api/waits"))["waits"]
        # The page compares the texts, so the order counts.
        assert json.dumps(wait["settings"]) == json.dumps(seeks[0]["settings"])
        assert 0 <= wait["median_ms"] < 60_000


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Reader]:
    """Return an HTTP client of a server without games."""
    async with serving(tmp_path_factory.mktemp("shared")) as server, Reader(server) as http:
        yield http


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("game_id", ["none", "x" * 3000, "%00", "a%2Fb", "..%2F..", "%F0%9F%8E%B2"])
async def test_an_unknown_game_is_not_found(shared: Reader, game_id: str) -> None:
    answer = await shared.client.get(f"/api/games/{game_id}")
    assert answer.status_code == 404


@pytest.mark.asyncio(loop_scope="module")
async def test_http_answers_only_get_requests(shared: Reader) -> None:
    for path in ("/health", "/api/rooms", "/api/games"):
        posted = await shared.client.post(path)
        assert posted.status_code == 405
        assert "GET" in posted.headers["allow"]
    assert (await shared.client.get("/nothing")).status_code == 404


# -- health ------------------------------------------------------------------------------------


async def test_health_counts_rooms_players_and_commits(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        _ann, _bob, _ = await table(server)
        health = await http.get("/health")
        assert health["status"] == "ok"
        assert health["problem"] == ""
        assert health["epoch"] == server.authority.config.epoch
        assert (health["connections"], health["players"], health["rooms"]) == (2, 2, 1)
        assert health["events"] == 4
        assert health["commits"] >= 4  # two players, a room, a match
        assert health["failed_commits"] == 0


async def test_a_stalled_store_shows_in_health_and_delays_no_other_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.web.reading.STORED_S", 0.05)
    store = FakeStore()
    server = await start(tmp_path, store)
    async with Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        store.hold()
        create = {"type": "create_room", "key": "k", "settings": SMALL, "id": 5}
        await ann.send(create)
        await until(lambda: store.waiting)
        assert (await http.get("/health"))["status"] == "ok"
        monkeypatch.setattr("doublecross.server.shell.metrics.figures.STALLED_S", 0.0)
        health = await http.get("/health", 503)
        assert health["status"] == "failing"
        assert "waiting" in health["problem"]
        assert (await http.get("/api/rooms", 503))["error"]
        store.release()
        await ann.wait("room_state")
        assert len((await http.get("/api/rooms"))["rooms"]) == 1
        assert (await http.get("/health"))["status"] == "ok"
        server.front.gate.is_closing = True
        assert "stopping" in (await http.get("/health", 503))["problem"]
    await server.stop()


async def test_health_names_a_storage_that_fails_and_a_task_that_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.server.shell.app.CHECK_S", 0.0)
    store = FakeStore()
    server = await start(tmp_path, store)
    async with Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        store.fail_next()
        store.checking_fails = 10**9
        create = {"type": "create_room", "key": "k", "settings": SMALL}
        assert await ann.refused(create) == "storage_failed"
        health = await http.get("/health", 503)
        assert health["problem"].startswith("nothing can be stored: The disk is")
        assert health["storage"].startswith("The disk is")
        assert set(health["tasks"].values()) == {"running"}
        assert "stored" in (await http.get("/ready", 503))["reason"]
        metrics = (await http.client.get("/metrics")).text
        for line in ("ready 0.0", "storage_works 0.0", "commit_failures_total 1.0"):
            assert f"\ndoublecross_{line}\n" in metrics
        before = server.authority.now()
        store.checking_fails = 0
        async with asyncio.timeout(5):
            while (await http.client.get("/health")).status_code != 200:  # noqa: ASYNC110
                await asyncio.sleep(0)
        assert (await http.get("/health"))["storage"] == "ok"
        assert server.authority.now() >= before

        server.supervisor._down["sweep"] = "RuntimeError: a bug"
        health = await http.get("/health", 503)
        assert health["tasks"]["sweep"] == "RuntimeError: a bug"
        assert health["problem"] == "the task sweep is down: RuntimeError: a bug"
        del server.supervisor._down["sweep"]
    await server.stop()


async def test_a_room_that_was_not_stored_is_not_shown(tmp_path: Path) -> None:
    store = FakeStore()
    server = await start(tmp_path, store)
    async with Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        store.hold()
        store.fail_next()
        await ann.send({"type": "create_room", "key": "k", "settings": SMALL, "id": 5})
        await until(lambda: store.waiting)
        asked = asyncio.ensure_future(http.client.get("/api/rooms"))
        await until(lambda: server.authority.committer.backlog)
        store.release()
        assert (await asked).status_code == 503
        assert (await http.get("/api/rooms"))["rooms"] == []
    await server.stop()
