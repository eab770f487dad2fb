"""Clients of a real server that validate every message of the server with the strict models."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from doublecross.protocol.codec import ANSWERS, Codec, JsonCodec, MsgpackCodec
from doublecross.protocol.documentation.schema import members, message_type
from doublecross.protocol.server_messages import Event
from doublecross.server.shell.analysis.advice import Adviser
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.settings import ServerSettings
from tests.fakes.database import new_database

PATIENCE_S = 5.0
EVENTS = frozenset(message_type(model) for model in members(Event))
MAX_KEYS = 14
"""Fields of an event without its id, see `MsgpackCodec.with_id`."""

Message = dict[str, Any]


@asynccontextmanager
async def serving(
    folder: Any,
    now: Callable[[], int] | None = None,
    adviser: Adviser | None = None,
    reviewer: Reviewer | None = None,
    host_token: str | None = None,
    **settings: Any,
) -> AsyncIterator[DoublecrossServer]:
    """Run a server on free ports."""
    fixed: dict[str, Any] = {"host": "127.0.0.1", "port": 0, "stop_s": 0.2}
    server = DoublecrossServer(
        ServerSettings(**{**fixed, "database": new_database(folder / "games.db"), **settings}),
        now=now,
        adviser=adviser,
        reviewer=reviewer,
        host_token=host_token,
    )
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


class WireClient:
    """One connection. Each received message is validated and kept in `received`."""

    def __init__(self, ws: ClientConnection, codec: Codec) -> None:
        self.ws = ws
        self.codec = codec
        self.ids = itertools.count(1)
        self.received: list[Message] = []
        self.seen: set[str] = set()
        """The types of all received messages."""
        self._taken = 0

    @classmethod
    async def open(cls, server: DoublecrossServer, codec: Codec) -> WireClient:
        ws = await connect(
            server.addresses.ws,
            subprotocols=[Subprotocol(codec.name)],
            compression=None,
            ping_interval=None,
            close_timeout=1,
        )
        return cls(ws, codec)

    @classmethod
    async def player(
        cls, server: DoublecrossServer, name: str, codec: Codec | None = None, **fields: Any
    ) -> WireClient:
        """Return a connection that is logged in as `name`."""
        client = await cls.open(server, codec or MsgpackCodec())
        hello = {"type": "hello", "protocol": 2, "kind": "human", "name": name, **fields}
        answer = await client.ask(hello)
        assert answer["type"] == "welcome", answer
        return client

    async def send(self, message: Message) -> None:
        await self.ws.send(self.codec.encode(message), text=self.codec.text)

    async def receive(self) -> Message:
        """Receive and validate the next message."""
        async with asyncio.timeout(PATIENCE_S):
            data = await self.ws.recv()
        message: Message
        if isinstance(data, str):
            assert isinstance(self.codec, JsonCodec)
            message = _tuples(json.loads(data))
        else:
            message = msgpack.unpackb(data, use_list=False)
        ANSWERS.validate_python(message, extra="forbid")
        if message["type"] in EVENTS:
            assert len(message.keys() - {"id"}) <= MAX_KEYS
        self.received.append(message)
        self.seen.add(message["type"])
        return message

    async def ask(self, message: Message) -> Message:
        """Send a request and wait for its answer."""
        request_id = next(self.ids)
        await self.send({**message, "id": request_id})
        while True:
            found = await self.receive()
            if found.get("id") == request_id:
                return found

    async def refused(self, message: Message) -> str:
        """Send a request that the server must refuse, and return the error code."""
        answer = await self.ask(message)
        assert answer["type"] == "error", answer
        code: str = answer["code"]
        return code

    async def wait(self, kind: str, **fields: Any) -> Message:
        """Return the next message of this type that `wait` has not passed yet."""
        while True:
            while self._taken < len(self.received):
                message = self.received[self._taken]
                self._taken += 1
                if message["type"] == kind and all(message.get(k) == v for k, v in fields.items()):
                    return message
            await self.receive()

    async def close(self) -> None:
        await self.ws.close()

    async def closed_with(self) -> int | None:
        """Read until the connection closes and return the close code."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            return None if closed.rcvd is None else closed.rcvd.code


def _tuples(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_tuples(part) for part in value)
    if isinstance(value, dict):
        return {key: _tuples(part) for key, part in value.items()}
    return value
