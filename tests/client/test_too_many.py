"""A client that the server refuses for now says why, and may try again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection

from doublecross.client.core.errors import Unreachable
from doublecross.client.core.updates import Reconnected
from doublecross.client.handshake import open_socket
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.codec import Codec, MsgpackCodec
from tests.protocol.wire import serving


async def test_a_refused_connection_says_how_long_to_wait(tmp_path: Path) -> None:
    limits = {"new_connections_per_minute": 1, "exempt_addresses": ""}
    async with serving(tmp_path, **limits) as server:
        first = await open_socket(server.addresses.ws, MsgpackCodec(), 5.0)
        with pytest.raises(Unreachable, match="from your address; try again in 60 s") as refused:
            await open_socket(server.addresses.ws, MsgpackCodec(), 5.0)
        assert not refused.value.lasting
        await first.close()


async def test_a_full_server_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path, max_connections=1) as server:
        first = await open_socket(server.addresses.ws, MsgpackCodec(), 5.0)
        with pytest.raises(
            Unreachable, match=r"^The server is full; try again later\.$"
        ) as refused:
            await open_socket(server.addresses.ws, MsgpackCodec(), 5.0)
        assert not refused.value.lasting
        await first.close()


async def test_a_client_comes_back_to_a_server_that_was_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = 0
    others: list[ClientConnection] = []

    async def dial(url: str, codec: Codec, timeout: float) -> ClientConnection:
        """Let somebody else take the place before the first try, and leave before the third."""
        nonlocal tries
        tries += 1
        if tries == 1:
            others.append(await open_socket(url, codec, timeout))
        elif tries == 3:
            await others[0].close()
        return await open_socket(url, codec, timeout)

    async with (
        serving(tmp_path, max_connections=1) as server,
        Client(server.addresses.ws, Login("human", name="Ann"), rng=Random(1)) as client,
    ):
        updates = client.updates()
        monkeypatch.setattr("doublecross.client.transport.open_socket", dial)
        monkeypatch.setattr("doublecross.client.transport.reconnect_delay", lambda *_: 0.0)
        (peer,) = server.connections.peers
        peer.abort()
        async with asyncio.timeout(10):
            async for update in updates:
                if isinstance(update, Reconnected):
                    break
        assert tries >= 3
        await client.ping()
