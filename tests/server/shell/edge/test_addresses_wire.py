"""Limits for each address on a real server, which trusts the test as a proxy."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.app import DoublecrossServer
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_http import Reader

HELLO: Message = {"type": "hello", "protocol": 2, "kind": "human"}
SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
PROXY = {"trusted_proxy": "127.0.0.1"}


async def visit(server: DoublecrossServer, address: str | None) -> WireClient:
    ws = await connect(
        server.addresses.ws,
        subprotocols=[Subprotocol(JsonCodec.name)],
        compression=None,
        additional_headers=None if address is None else {"X-Forwarded-For": address},
        close_timeout=1,
    )
    return WireClient(ws, JsonCodec())


async def test_new_names_are_limited_for_each_address_and_logins_are_not(tmp_path: Path) -> None:
    async with serving(tmp_path, **PROXY, new_names_per_hour=3) as server:
        eve = [await visit(server, "2001:db8::1") for _ in range(4)]
        tokens = []
        for n, client in enumerate(eve[:3]):
            tokens.append((await client.ask({**HELLO, "name": f"Eve {n}"}))["token"])
        refused = await eve[3].ask({**HELLO, "name": "Eve 3"})
        assert refused["code"] == "rate_limited"
        assert "Too many new names come from your address; try again in" in refused["message"]
        # The same /64 is the same source; whoever is known already may log in.
        again = await visit(server, "2001:db8::ffff:2")
        assert await again.refused({**HELLO, "name": "Eve 4"}) == "rate_limited"
        assert (await again.ask({**HELLO, "token": tokens[0]}))["type"] == "welcome"
        other = await visit(server, "2001:db8:0:1::1")
        assert (await other.ask({**HELLO, "name": "Ann"}))["type"] == "welcome"


async def test_local_programs_have_no_limits(tmp_path: Path) -> None:
    async with serving(tmp_path, **PROXY, new_names_per_hour=1, logins_per_minute=1) as server:
        clients = [await visit(server, None) for _ in range(5)]
        for n, client in enumerate(clients):
            assert (await client.ask({**HELLO, "name": f"Bot {n}"}))["type"] == "welcome"
            await client.close()


async def test_rooms_logins_and_records_are_limited(tmp_path: Path) -> None:
    limits = {"new_rooms_per_minute": 2, "logins_per_minute": 2, "records_per_minute": 1}
    async with serving(tmp_path, **PROXY, **limits) as server:
        ann = await visit(server, "192.0.2.1")
        assert (await ann.ask({**HELLO, "name": "Ann"}))["type"] == "welcome"
        create = {"type": "create_room", "settings": SMALL}
        first = await ann.ask({**create, "key": "0"})
        await ann.ask({**create, "key": "1"})
        assert await ann.refused({**create, "key": "2"}) == "rate_limited"
        # Asking again with a key creates nothing and costs nothing.
        assert (await ann.ask({**create, "key": "0"}))["room"] == first["room"]
        assert await ann.refused({"type": "get_record", "game_id": "x"}) == "unknown_record"
        assert await ann.refused({"type": "get_record", "game_id": "x"}) == "rate_limited"
        bob = await visit(server, "192.0.2.1")
        assert (await bob.ask({**HELLO, "name": "Bob"}))["type"] == "welcome"
        cat = await visit(server, "192.0.2.1")
        assert await cat.refused({**HELLO, "name": "Cat"}) == "rate_limited"


@pytest.mark.parametrize(
    "limits", [{"new_connections_per_minute": 3}, {"connections_per_address": 3}]
)
async def test_connections_are_limited_before_their_handshake(
    tmp_path: Path, limits: dict[str, Any]
) -> None:
    async with serving(tmp_path, **PROXY, **limits) as server:
        clients = [await visit(server, "192.0.2.1") for _ in range(3)]
        with pytest.raises(InvalidStatus) as refused:
            await visit(server, "192.0.2.1")
        response = refused.value.response
        assert response.status_code == 429
        assert int(response.headers["Retry-After"]) >= 1
        assert b"from your address" in (response.body or b"")
        clients.append(await visit(server, "192.0.2.2"))
        for client in clients:
            await client.close()


async def test_pages_are_limited_for_each_address(tmp_path: Path) -> None:
    async with serving(tmp_path, **PROXY, pages_per_minute=2) as server, Reader(server) as http:
        mine = {"headers": {"X-Forwarded-For": "192.0.2.1"}}
        for _ in range(2):
            await http.get("/api/games", **mine)
        answer = await http.client.get("/api/games", **mine)  # type: ignore[arg-type]
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, "30")
        assert answer.json()["error"].endswith("try again in 30 s.")
        await http.get("/api/games", headers={"X-Forwarded-For": "192.0.2.2"})
        await http.get("/api/games")


async def test_a_flood_of_reads_is_bounded_and_delays_no_login(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        eve = await WireClient.player(server, "Eve")
        for n in range(200):
            await eve.send({"type": "get_record", "game_id": f"x{n}", "id": 1000 + n})
        await WireClient.player(server, "Ann")  # while Eve's requests wait
        async with asyncio.timeout(10):
            while sum(message.get("id", 0) >= 1000 for message in eve.received) < 200:
                await eve.receive()
        codes = Counter(m["code"] for m in eve.received if m["type"] == "error")
        assert codes.keys() == {"unknown_record", "rate_limited"}
        assert codes["unknown_record"] < 100
        assert codes.total() == 200


async def test_the_host_learns_of_a_proxy_that_is_not_trusted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(tmp_path) as server:
        for address in ("192.0.2.1", "192.0.2.2"):
            await (await visit(server, address)).close()
    assert capsys.readouterr().out.count("proxy_not_trusted") == 1


async def test_a_trusted_proxy_may_pass_on_programs_of_its_own_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with serving(tmp_path, trusted_proxy="127.0.0.1") as server:
        await (await visit(server, "127.0.0.1")).close()
    assert "proxy_not_trusted" not in capsys.readouterr().out
