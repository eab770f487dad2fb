"""Rooms are closed, texts announced, servers drained, and rights changed."""

from __future__ import annotations

from pathlib import Path

from doublecross.protocol.version import CloseCode
from doublecross.server.core.storage import StoreError
from tests.protocol.wire import Message, WireClient
from tests.server.shell.accounts.people import GOOD, OTHER, Visitor, guest, member
from tests.server.shell.admin.hosting import audit, hosted
from tests.server.shell.test_http import SMALL, Reader
from tests.server.shell.test_play_over_wire import TIMED, move, table

RATED: Message = {**TIMED, "rated": True}
CREATE: Message = {"type": "create_room", "settings": SMALL}


async def test_a_closed_room_tells_everybody_why_and_counts_for_nothing(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann, bob, room = await table(server, RATED)
        cat = await WireClient.player(server, "Cat")
        await cat.ask({"type": "watch", "room": room})
        await ann.ask(move(room, 0, 0))
        await host.refused("admin/close-room", "unknown_room", {"room": "none"})
        await host.ask("admin/close-room", body={"room": room, "reason": "a bad name"})
        for client in (ann, bob, cat):
            over = await client.wait("match_finished")
            assert (over["termination"], over["winner"]) == ("aborted", None)
            assert "a bad name" in (await client.wait("room_closed"))["reason"]
        await host.refused("admin/close-room", "unknown_room", {"room": room})
        async with Reader(server) as http:
            assert (await http.get(f"/api/games/{over['game_id']}"))["result"] == "*"
        assert server.authority.ratings.of("Ann") == []
        waiting = await ann.ask({**CREATE, "key": "w"})
        await host.ask("admin/close-room", body={"room": waiting["room"]})
        assert (await ann.wait("room_closed", room=waiting["room"]))["reason"]
        assert await audit(host) == [
            ("host", "close_room", waiting["room"]),
            ("host", "close_room", room),
        ]


async def test_announcements_reach_those_who_are_here_and_those_who_come(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann = await WireClient.player(server, "Ann")
        told = await host.ask("admin/announce", body={"text": "now only", "minutes": 0})
        assert told == {"players": 1}
        assert (await ann.wait("announcement"))["until_ms"] is None
        bob = await WireClient.player(server, "Bob")
        await bob.ask({"type": "ping"})
        assert "announcement" not in bob.seen
        await host.ask("admin/announce", body={"text": "back at ten", "minutes": 30})
        first = await ann.wait("announcement")
        assert first["text"] == "back at ten"
        assert first["until_ms"] > server.authority.date()
        cat = await WireClient.player(server, "Cat")
        assert await cat.wait("announcement") == first
        await host.ask("admin/announce", body={"text": ""})
        assert (await cat.wait("announcement"))["text"] == ""
        dan = await WireClient.player(server, "Dan")
        await dan.ask({"type": "ping"})
        assert "announcement" not in dan.seen


async def test_a_draining_server_begins_nothing_and_lets_games_go_on(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host), Reader(server) as http:
        ann, bob, room = await table(server)
        terms = {"name": "cup", "format": "round-robin", "settings": SMALL, "people": True}
        cup = await ann.ask({"type": "create_tournament", "key": "c", "terms": terms})
        for client in (ann, bob):
            await client.ask({"type": "join_tournament", "tournament": cup["tournament"]})
        await host.ask("admin/drain", body={"on": True})
        assert (await host.ask("admin/overview"))["draining"] is True
        assert "draining" in (await http.get("/ready", 503))["reason"]
        key = {"key": "x", "settings": SMALL}
        for request in (
            {"type": "create_room", **key},
            {"type": "seek", **key},
            {"type": "quick_match", **key},
            {"type": "challenge", "player": "Bob", **key},
        ):
            assert await ann.refused(request) == "draining"
        stranger = await WireClient.open(server, ann.codec)
        hello = {"type": "hello", "protocol": 2, "kind": "human", "name": "New"}
        assert await stranger.refused(hello) == "draining"
        await stranger.close()
        await ann.ask({"type": "start_tournament", "tournament": cup["tournament"]})
        assert (await ann.ask(move(room, 0, 0)))["type"] == "move"
        await bob.ask({"type": "resign", "room": room})
        assert await bob.refused({"type": "rematch", "room": room}) == "draining"
        assert len(server.authority.lobby.rooms) == 1
        # A player who is known comes in; and after the end of the drain, the tournament goes on.
        await ann.close()
        ann = await Visitor(server, ann.received[0]["token"]).connect()
        await host.ask("admin/drain", body={"on": False})
        assert (await http.get("/ready"))["ready"]
        assert (await ann.wait("room_state"))["origin"] == cup["tournament"]
        assert [action for _, action, _ in await audit(host)] == ["drain", "drain"]


async def test_a_host_resets_a_password_ends_tokens_and_takes_rights_away(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann, bea, bob = (
            await member(server),
            await member(server, "Bea"),
            await guest(server, "Bob"),
        )
        client = await ann.connect()
        made = await host.ask("admin/password", body={"player": "Ann"})
        assert await client.closed_with() == CloseCode.REVOKED
        await ann.refused("account", "bad_token")
        link = made["link"].partition("=")[2]
        login = {"name": "Ann", "password": OTHER}
        await Visitor(server).ask("login/reset", body={"link": link, "password": OTHER})
        ann = Visitor(server, (await Visitor(server).ask("login", body=login))["secret"])
        details = [each["detail"] for each in (await host.ask("admin/audit"))["entries"]]
        assert not any(text in str(details) for text in (OTHER, link))

        for name in ("Ann", "Bea"):
            await host.ask("admin/grant", body={"player": name, "admin": True})
        client = await bea.connect()
        (peer,) = [p for p in server.connections.peers if p.name == "Bea"]
        assert peer.rights.is_admin
        await ann.ask("admin/grant", body={"player": "Bea", "admin": False})
        assert not peer.rights.is_admin
        await bea.refused("admin/overview", "missing_scope")
        await host.refused("admin/end-tokens", "wrong_state", {"player": "Bob"})
        assert (await bob.ask("account"))["name"] == "Bob"
        await host.ask("admin/end-tokens", body={"player": "Bea"})
        assert await client.closed_with() == CloseCode.REVOKED
        await bea.refused("account", "bad_token")
        login = {"name": "Bea", "password": GOOD}
        await Visitor(server).ask("login", body=login)


async def test_what_cannot_be_noted_is_not_done(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann = await WireClient.player(server, "Ann")
        store = server.authority.store.accounts

        async def fail(_: object) -> None:
            raise StoreError("The database is full.")

        store.add_audit = fail  # type: ignore[method-assign, assignment]
        answer = await host.ask("admin/kick", 503, {"player": "Ann"})
        assert answer["error"]
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"
