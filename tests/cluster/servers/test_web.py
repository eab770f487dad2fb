"""What a visitor finds over HTTP at either of two nodes, one of which is the leader."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from doublecross.server.cluster.gateway.peer import GatewayPeer
from doublecross.server.cluster.web import forwarding
from doublecross.server.cluster.web.figures import AWAY_S
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.people.accounts import Ban
from doublecross.server.shell.journal import finished
from doublecross.server.shell.page.files import PREFIX
from tests.cluster.servers.conftest import (
    SMALL,
    Pair,
    Start,
    begin,
    is_leader,
    play,
    player,
    two,
    until,
    welcome,
)
from tests.deploy.metrics import OF_A_NODE, OF_A_SERVER, documented, exposed
from tests.fakes.advisers import FakeAdviser
from tests.fakes.http import plain_client
from tests.fakes.reviewers import FakeReviewer
from tests.protocol.wire import Message

PAGE = Path(__file__).resolve().parents[3] / "client" / "web"
BOT: Message = {"kind": "bot", "engine": {"name": "gateways", "version": "1"}}
PASSWORD = "blue lamp seven rivers"
SECRET = "of the host of the second node"
HOST = {"Authorization": f"Bearer {SECRET}"}


@pytest.fixture
async def pair(start: Start) -> Pair:
    return await two(
        start,
        settings={"page": PAGE, "exempt_addresses": ""},
        adviser=FakeAdviser,
        reviewer=lambda: FakeReviewer(at_once=True),
        host_token=SECRET,
    )


@pytest.fixture
async def near(pair: Pair) -> AsyncIterator[httpx.AsyncClient]:
    async with plain_client(pair.first.addresses.http, timeout=20) as reader:
        yield reader


@pytest.fixture
async def far(pair: Pair) -> AsyncIterator[httpx.AsyncClient]:
    async with plain_client(pair.second.addresses.http, timeout=20) as reader:
        yield reader


async def test_any_node_answers_for_all_and_without_the_leader_what_it_can_read(
    pair: Pair, near: httpx.AsyncClient, far: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished, "GAMES_S", 3600.0)
    ann, ben = await player(pair.second, "Ann"), await player(pair.second, "Ben")
    room = await begin(ann, ben)
    await play(room, ann, ben)
    path = f"/api/games/{(await ann.wait('match_finished'))['game_id']}"
    told = welcome(ann)
    assert told["http"] == pair.second.addresses.http
    assert told["page"] == pair.second.front.place()[1] is not None
    assert told["advice"] is True
    bearer = {"Authorization": f"Bearer {told['token']}"}
    of_leader = ("/api/rooms", "/api/previews/player/Ann", "/api/ratings")
    for reader in (near, far):
        page = await reader.get("/", headers={"Accept": "text/html"})
        assert (page.status_code, PREFIX in page.text) == (200, True)
        missing = await reader.get("/api/nothing")
        assert (missing.status_code, list(missing.json())) == (404, ["error"])
        assert missing.headers["x-content-type-options"] == "nosniff"
        described = (await reader.get("/api/openapi.json")).json()
        assert {"/health", "/metrics", "/api/admin/overview"} <= described["paths"].keys()
        answers = [(await reader.get(each)).json() for each in of_leader]
        assert [line["room"] for line in answers[0]["rooms"]] == [room]
        assert all(answers)
    # Only the node of the room knows of the game, until somebody names it.
    assert (await near.get("/api/games")).json()["games"] == []
    monkeypatch.setattr(forwarding, "WAIT_S", 0.0)
    for server in pair:
        monkeypatch.setattr(
            server.current.node,
            "owner",
            lambda log, owner=server.current.node.owner: log != LEADER and owner(log),
        )
    for reader in (near, far):
        game = (await reader.get(path)).json()
        assert (game["players"], game["plies"]) == (["Ann", "Ben"], 7)
        for other in (
            *("/api/players/Ann/profile", path.replace("games", "previews/game")),
            *("/api/catalogue", "/api/puzzles/today", "/api/lessons", "/api/protocol.json"),
            *("/api/geometry?game=nim", "/api/positions?game=nim", "/api/keys"),
            *("/api/games?player=Ann", f"{path}/report", f"{path}/picture?format=svg"),
            "/api/tournaments?player=Ann",
        ):
            answer = await reader.get(other)
            assert answer.status_code == 200, answer.text
        account = await reader.get("/api/account", headers=bearer)
        assert account.json()["name"] == "Ann"
        for missing_game in (f"{path}0", "/api/games/nowhere-1"):
            assert (await reader.get(missing_game)).status_code == 404
        for each in of_leader:
            assert (await reader.get(each)).status_code == 503
    tag = {"If-None-Match": (await far.get(path)).headers["etag"]}
    unchanged, head = await far.get(path, headers=tag), await far.head(path)
    assert [(each.status_code, each.content) for each in (unchanged, head)] == [
        (304, b""),
        (200, b""),
    ]
    for client in (ann, ben):
        await client.close()


async def test_any_node_shows_games_in_play_and_hides_their_values(
    pair: Pair, near: httpx.AsyncClient, far: httpx.AsyncClient
) -> None:
    ann, ben = await player(pair.second, "Ann"), await player(pair.second, "Ben")
    room = await begin(ann, ben)
    await play(room, ann, ben, plies=4)
    position = {**SMALL, "opening": [], "moves": [0, 1, 2, 3]}
    for reader in (near, far):
        live = (await reader.get(f"/api/rooms/{room}")).json()
        assert (live["players"], live["moves"]) == (["Ann", "Ben"], [0, 1, 2, 3])
        boards = (await reader.get(f"/api/boards?games=none-1&rooms={room},other")).json()
        assert boards == {"boards": [], "live": [live]}
        assert (await reader.get("/api/rooms/nowhere")).status_code == 404
        assert (await reader.post("/api/values", json=position)).status_code == 403
        other = {**position, "moves": [4]}
        assert (await reader.post("/api/values", json=other)).status_code == 200
    for client in (ann, ben):
        await client.close()


async def test_accounts_and_bans_hold_at_both_nodes(
    pair: Pair, near: httpx.AsyncClient, far: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await player(pair.second, "Ann")
    bearer = {"Authorization": f"Bearer {welcome(ann)['token']}"}
    chosen = {"password": PASSWORD}
    answer = await far.post("/api/account/password", json=chosen, headers=bearer)
    assert answer.status_code == 200, answer.text
    login = {"name": "Ann", "password": PASSWORD}
    session = (await far.post("/api/login", json=login)).json()["secret"]
    wrong = await near.post("/api/login", json={**login, "password": "no"})
    assert (wrong.status_code, wrong.json()["code"]) == (401, "bad_login")
    # Only the host of the second node has this token.
    assert (await near.get("/api/admin/overview", headers=HOST)).status_code == 401
    seen = (await far.get("/api/admin/overview", headers=HOST)).json()
    assert (seen["connections"], seen["players"]) == (1, 1)
    assert [(each["name"], each["leader"]) for each in seen["nodes"]] == [
        ("first", True),
        ("second", False),
    ]
    assert {each["version"] for each in seen["nodes"]} == {seen["version"]}
    announced = (await pair.first.storage.snapshot()).nodes.values()
    assert {each.version for each in announced} == {seen["version"]}
    grant = {"player": "Ann", "admin": True}
    answer = await far.post("/api/admin/grant", json=grant, headers=HOST)
    assert answer.status_code == 200, answer.text
    # Otherwise another leader would take her for a guest, whose logins end without her connection.
    (peer,) = pair.second.connections.peers
    assert isinstance(peer, GatewayPeer)
    introduction = peer.introduction
    assert introduction is not None
    assert introduction.rights == peer.rights
    assert (peer.rights.is_admin, peer.rights.is_session) == (True, True)
    admin = {"Authorization": f"Bearer {session}"}
    for reader in (near, far):
        assert (await reader.get("/api/admin/overview", headers=admin)).status_code == 200

    eve, fay = await player(pair.first, "Eve"), await player(pair.second, "Fay")
    for each, reader in (("Eve", far), ("Fay", near)):
        ban = {"player": each, "hours": 1, "reason": "noise"}
        answer = await reader.post("/api/admin/ban", json=ban, headers=admin)
        assert (answer.status_code, answer.json()["ended"]) == (200, 1), answer.text
    assert await eve.closed_with() == await fay.closed_with() == 4005
    told = {"text": "Lunch", "minutes": 5}
    answer = await far.post("/api/admin/announce", json=told, headers=admin)
    assert answer.json() == {"players": 1}
    assert (await ann.wait("announcement"))["text"] == "Lunch"
    # No admin can ban the own machine, where all clients of a test are.
    leader = pair.first.current.node.leader
    assert leader is not None
    await leader.authority.accounts.ban(Ban("b1", None, "127.0.0.1/32", None, "spam", 1, "host"))
    assert await ann.closed_with() == 4005
    for server in (pair.first, pair.second):
        await until(lambda server=server: server.current.web.bans.known.why_not("127.0.0.1"))
        with pytest.raises(InvalidStatus, match="403"):
            await player(server, "Gus")
    await leader.authority.accounts.lift("b1")
    await until(lambda: not pair.second.current.web.bans.known.why_not("127.0.0.1"))
    # The limits of an address count in the leader, or at the node that answers without it.
    for admission, refused in (
        (leader.authority.admission, {"/api/rooms": 429, "/api/games": 200}),
        (pair.second.front.admission, {"/api/rooms": 200, "/api/games": 429}),
    ):
        with monkeypatch.context() as busy:
            busy.setattr(admission, "wait_s", lambda *_: 1.0)
            assert {path: (await far.get(path)).status_code for path in refused} == refused
    gus = await player(pair.second, "Gus")
    assert (await gus.wait("announcement"))["text"] == "Lunch"
    await gus.close()


async def test_advice_reviews_and_records_reach_every_node(
    pair: Pair, near: httpx.AsyncClient, far: httpx.AsyncClient
) -> None:
    """Advice comes from the owner of a room, a review from the leader."""
    bot = await player(pair.second, "Bot", **BOT)
    for name, server in (("Ann", pair.first), ("Cat", pair.second)):
        client = await player(server, name)
        room = await begin(bot, client, key=name * 8, seat=1)
        assert room[:4] in pair.second.current.node.running
        advice = await client.ask({"type": "get_advice", "room": room})
        assert (advice["type"], advice["ply"]) == ("advice", 0), advice
        await client.close()
    await bot.close()

    ann, ben = await player(pair.second, "Ann2"), await player(pair.second, "Ben")
    room = await begin(ann, ben, key="p" * 16, private=True)
    code = next(each for each in ann.received if each.get("room") == room)["code"]
    fan = await player(pair.second, "Fan")
    watch = {"type": "watch", "room": room, "code": code}
    assert (await fan.ask(watch))["type"] == "room_state"
    stranger = await player(pair.first, "Stranger")
    await play(room, ann, ben)
    game_id = (await ann.wait("match_finished"))["game_id"]
    for client in (ann, fan):
        review = await client.ask({"type": "get_review", "game_id": game_id})
        if review["status"] != "done":
            review = await client.wait("review", status="done")
        assert review["report"] is not None
    asked = {"type": "get_record", "game_id": game_id}
    assert (await fan.ask(asked))["type"] == "record"
    assert await stranger.refused(asked) == "unknown_record"

    bearer = {"Authorization": f"Bearer {welcome(ann)['token']}"}
    for reader in (near, far):
        for path in (f"/api/games/{game_id}", f"/api/games/{game_id}/report"):
            assert (await reader.get(path)).status_code == 404
            found = await reader.get(path, headers=bearer)
            assert found.json().get("report", True), found.text
        assert (await reader.get(f"/api/games/{game_id}?code={code}")).status_code == 200
    answer = await far.get("/api/admin/player-data?player=Ben", headers=HOST)
    assert len(answer.json()["games"]) == 1
    for client in (ann, ben, fan, stranger):
        await client.close()


async def without_a_leader(pair: Pair) -> None:
    """Check that a node is not healthy for long then: people must not be sent there."""
    figures = pair.second.current.web.figures
    figures.check_leader()
    assert await figures.problem() == ""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "leader", lambda: None)
        assert await figures.problem() == ""
        figures._leader_s -= AWAY_S
        figures.check_leader()
        assert await figures.problem() == "no node that can be reached is the leader"
    figures.check_leader()


async def test_what_the_leader_knows_goes_on_when_it_moves(
    pair: Pair, near: httpx.AsyncClient, far: httpx.AsyncClient
) -> None:
    await without_a_leader(pair)
    ann = await player(pair.second, "Ann")
    epoch = ann.received[0]["epoch"]
    of_a_server, of_a_node = documented(OF_A_SERVER).keys(), documented(OF_A_NODE)
    only_leader = {"doublecross_tournaments", "doublecross_leader_players"}
    only_leader |= {each for each in of_a_server if "_reviews_" in each}
    told = {"text": "Lunch", "minutes": 5}
    assert (await far.post("/api/admin/announce", json=told, headers=HOST)).status_code == 200
    assert (await far.post("/api/admin/drain", json={"on": True}, headers=HOST)).is_success
    await until(lambda: pair.second.current.node.is_draining)
    for reader, name in ((near, "first"), (far, "second")):
        ready = await reader.get("/ready")
        assert (ready.status_code, "draining" in ready.json()["reason"]) == (503, True)
        health = (await reader.get("/health")).json()
        assert (health["status"], health["node"], health["links"]) == ("ok", name, 1)
        assert health["epoch"] == epoch
        metrics = (await reader.get("/metrics")).text
        found = exposed(metrics).metrics
        missing = set() if name == "first" else only_leader
        assert found.keys() == (of_a_server | of_a_node.keys()) - missing
        assert {each: found[each] for each in of_a_node.keys() - missing} == {
            each: row for each, row in of_a_node.items() if each not in missing
        }
        assert f'doublecross_node_info{{node="{name}"' in metrics
        assert f"doublecross_node_leader {float(name == 'first')}" in metrics
        assert ("doublecross_tournaments" in metrics) is (name == "first")
        assert "doublecross_ready 0.0" in metrics
        person = float(name == "second")
        assert f'doublecross_connections{{kind="person"}} {person}' in metrics
    create = {"type": "create_room", "key": "a" * 16, "settings": SMALL}
    assert await ann.refused(create) == "draining"
    stopping = asyncio.ensure_future(pair.first.stop())
    games = [await far.get("/api/games") for _ in range(3)]
    assert [answer.status_code for answer in games] == [200] * 3
    await stopping
    await until(lambda: is_leader(pair.second))
    assert "draining" in (await far.get("/ready")).json()["reason"]
    assert await ann.refused({**create, "key": "b" * 16}) == "draining"
    assert (await far.post("/api/admin/drain", json={"on": False}, headers=HOST)).is_success
    assert (await ann.ask({**create, "key": "c" * 16}))["type"] == "room_state"
    ben = await player(pair.second, "Ben")
    assert ben.received[0]["epoch"] == epoch
    assert (await ben.wait("announcement"))["text"] == "Lunch"
    seen = (await far.get("/api/admin/overview", headers=HOST)).json()
    assert [each["name"] for each in seen["nodes"]] == ["second"]
    for client in (ann, ben):
        await client.close()
