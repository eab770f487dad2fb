"""A client that the server refuses for now says why, and may try again."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.core.errors import Unreachable
from client.handshake import open_socket
from protocol.codec import MsgpackCodec
from tests.protocol.wire import serving


async def test_a_refused_connection_says_how_long_to_wait(tmp_path: Path) -> None:
    limits = {"new_connections_per_minute": 1, "exempt_addresses": ""}
    async with serving(tmp_path, **limits) as server:
        first = await open_socket(server.addresses.ws, MsgpackCodec(), 5.0)
        with pytest.raises(Unreachable, match="from your address; try again in 60 sec") as refused:
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
