"""Hello over a real websocket: names, tokens, replaced and silent connections, the full server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from doublecross.protocol.codec import JsonCodec, MsgpackCodec
from doublecross.protocol.version import CloseCode
from doublecross.server.shell import connection
from doublecross.server.shell.handlers.hello import hello
from tests.fakes.store import FakeStore
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_restart import start
from tests.server.shell.test_wire_abuse import until

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
HELLO: Message = {"type": "hello", "protocol": 2, "kind": "human"}
ENGINE: Message = {"name": "rules", "version": "1"}


async def test_the_welcome_names_the_player_and_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path, grace_s=7, silence_s=9, messages_per_s=50) as server:
        client = await WireClient.open(server, JsonCodec())
        welcome = await client.ask(
            {**HELLO, "kind": "bot", "name": "Rob", "engine": ENGINE, "client": "a test"}
        )
    assert welcome["player"] == {"name": "Rob", "kind": "bot", "engine": ENGINE}
    assert welcome["rooms"] == ()
    assert welcome["http"] == server.addresses.http
    assert welcome["epoch"] == server.authority.config.epoch
    assert len(welcome["token"]) >= 32
    assert welcome["limits"] == {
        "frame_bytes": 8192,
        "messages_per_s": 50.0,
        "grace_ms": 7000,
        "silence_ms": 9000,
    }


async def test_a_taken_name_is_refused_and_another_may_be_tried(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        first = await WireClient.player(server, "Ann")
        await first.close()  # the name stays taken
        second = await WireClient.open(server, MsgpackCodec())
        for name in ("Ann", "ANN", "ann"):
            assert await second.refused({**HELLO, "name": name}) == "name_taken"
        assert (await second.ask({**HELLO, "name": "Bob"}))["type"] == "welcome"


async def test_a_hello_that_is_sent_again_during_a_slow_commit_logs_in(tmp_path: Path) -> None:
    server = await start(tmp_path, store := FakeStore())
    store.hold()
    hello = {**HELLO, "name": "Ann", "key": "k" * 32}
    clients = [await WireClient.open(server, JsonCodec()) for _ in range(3)]
    asking = [asyncio.ensure_future(client.ask(hello)) for client in clients[:2]]
    await until(lambda: store.waiting == 1 and len(server.connections.peers) == 3)
    assert await clients[2].refused({**hello, "key": "x" * 32}) == "name_taken"
    store.release()
    first, second = await asyncio.gather(*asking)
    assert first["type"] == second["type"] == "welcome"
    assert first["token"] == second["token"]
    assert server.authority.accounts.newcomers._reserved == {}
    for client in clients:
        await client.close()
    await server.stop()


async def test_of_simultaneous_hellos_with_one_name_one_succeeds(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        clients = [await WireClient.open(server, MsgpackCodec()) for _ in range(4)]
        answers = await asyncio.gather(
            *(c.ask({**HELLO, "name": name}) for c, name in zip(clients, ["Al", "AL", "al", "aL"]))  # noqa: B905
        )
        for client in clients:
            await client.close()
    kinds = sorted(answer.get("code", "welcome") for answer in answers)
    assert kinds == ["name_taken"] * 3 + ["welcome"]
    assert server.authority.accounts.newcomers._reserved == {}


NO_HELLOS: list[tuple[Message, str]] = [
    ({**HELLO, "name": "Ann", "kind": "bot"}, "bad_message"),
    ({**HELLO, "name": "Ann", "engine": ENGINE}, "bad_message"),
    (HELLO, "bad_message"),
    ({**HELLO, "token": "x" * 32}, "bad_token"),
    ({**HELLO, "name": "no\nname"}, "bad_message"),
    ({"type": "ping"}, "hello_first"),
    ({"type": "rain"}, "unknown_type"),
]


async def test_an_invalid_hello_is_answered_and_a_valid_one_may_follow(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server:
        for number, (hello, code) in enumerate(NO_HELLOS):
            client = await WireClient.open(server, JsonCodec())
            assert await client.refused(hello) == code
            assert (await client.ask({**HELLO, "name": f"Ann {number}"}))["type"] == "welcome"
            assert await client.refused({**HELLO, "name": "Bob"}) == "hello_first"
            await client.close()


async def test_another_protocol_version_ends_the_connection(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        client = await WireClient.open(server, JsonCodec())
        assert await client.refused({**HELLO, "protocol": 1, "name": "A"}) == "unsupported_version"
        assert await client.closed_with() == CloseCode.REFUSED


async def test_a_player_may_come_back_as_a_bot(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        token = ann.received[0]["token"]
        await ann.close()
        for _ in range(2):
            back = await WireClient.open(server, JsonCodec())
            bot: Message = {**HELLO, "kind": "bot", "token": token, "engine": ENGINE}
            assert (await back.ask(bot))["player"]["engine"] == ENGINE
            await back.close()
        row = await server.authority.store.player_by_name("ann")
        assert row is not None
        assert (row.kind, row.engine, row.engine_version) == ("bot", "rules", "1")


async def test_a_connection_that_wants_to_be_alone_takes_over(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        token = ann.received[0]["token"]
        room = (await ann.ask({"type": "create_room", "key": "k", "settings": SMALL}))["room"]
        other = await WireClient.open(server, JsonCodec())
        await other.ask({**HELLO, "token": token, "exclusive": True})
        assert await ann.closed_with() == CloseCode.REPLACED
        # The end of the old connection does not take the new one with it.
        assert set(server.authority.peers.sessions) == {"Ann"}
        assert (await other.ask({"type": "resume", "room": room, "seq": 0}))["seat"] is not None
        assert server.authority.lobby.rooms[room].attendance.connections in ([0, 1], [1, 0])


async def test_a_replaced_connection_does_nothing_more(tmp_path: Path) -> None:
    """Requests that arrived just before the replacement are dropped too."""
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        (old,) = server.connections.peers
        token = ann.received[0]["token"]
        other = await WireClient.open(server, JsonCodec())
        closing: list[Any] = []
        server.connections._close = lambda *args: closing.append(args)  # type: ignore[method-assign]
        await other.ask({**HELLO, "token": token, "exclusive": True})
        assert old.replaced
        await ann.send({"type": "create_room", "key": "k", "settings": SMALL, "id": 5})
        # Its connection is read in order, so the server has read the request when the pong comes.
        await (await ann.ws.ping())
        assert (await other.ask({"type": "ping"}))["type"] == "pong"
        assert server.authority.rooms.registry.channels == {}
        assert [peer for peer, _ in closing] == [old]


async def test_a_full_server_refuses_new_connections(tmp_path: Path) -> None:
    async with serving(tmp_path, max_connections=1) as server:
        ann = await WireClient.player(server, "Ann")
        for _ in range(2):
            with pytest.raises(InvalidStatus) as refused:
                await WireClient.open(server, MsgpackCodec())
            response = refused.value.response
            assert (response.status_code, response.headers["Retry-After"]) == (503, "10")
            full = {"error": "The server is full; try again later.", "phrase": None}
            assert json.loads(response.body) == full
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"
        await ann.close()
        await WireClient.player(server, "Bob")


async def test_a_silent_peer_is_dropped_and_an_active_one_stays(tmp_path: Path) -> None:
    async with serving(tmp_path, silence_s=1000) as server:
        silent = await WireClient.player(server, "Ann")
        alive = await WireClient.player(server, "Bob")
        (peer,) = [p for p in server.connections.peers if p.name == "Ann"]
        peer.last_message_s -= 1001
        server.connections.sweep()
        assert await silent.closed_with() == CloseCode.SILENT
        assert (await alive.ask({"type": "ping"}))["type"] == "pong"


async def test_the_welcome_omits_a_room_that_was_left(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, ben = await WireClient.player(server, "Ann"), await WireClient.player(server, "Ben")
        room = (await ann.ask({"type": "create_room", "key": "k", "settings": SMALL}))["room"]
        await ben.ask({"type": "join_room", "room": room})
        await ann.ask({"type": "resign", "room": room})
        await ann.ask({"type": "leave", "room": room})
        for client, rooms in ((ann, []), (ben, [room])):
            again = await WireClient.open(server, JsonCodec())
            welcome = await again.ask({**HELLO, "token": client.received[0]["token"]})
            assert list(welcome["rooms"]) == rooms
            await again.close()


async def test_each_turn_of_the_loop_begins_one_login(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, turn, began = asyncio.get_running_loop(), 0, list[int]()

    def count() -> None:
        nonlocal turn
        turn += 1
        if len(began) < 8:
            loop.call_soon(count)

    async def noted(*args: Any) -> Any:
        began.append(turn)
        return await hello(*args)

    monkeypatch.setattr(connection, "hello", noted)
    async with serving(tmp_path) as server:
        count()
        await asyncio.gather(*(WireClient.player(server, f"P{number}") for number in range(8)))
    assert len(set(began)) == 8
