"""People who use the accounts of a real server, over HTTP and websocket."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from argon2 import PasswordHasher

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.accounts.passwords import Passwords
from doublecross.server.shell.app import DoublecrossServer
from tests.fakes.http import plain_client
from tests.protocol.wire import Message, WireClient, serving

GOOD = "blue lamp seven rivers"
OTHER = "green door nine lakes"
HELLO: Message = {"type": "hello", "protocol": 2, "kind": "human"}
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""The same kind of hash, without its cost."""


class Visitor:
    """Somebody who sends requests about accounts, with the token `secret` if there is one."""

    def __init__(self, server: DoublecrossServer, secret: str = "") -> None:
        self.server = server
        self.secret = secret

    async def ask(
        self, path: str, status: int = 200, body: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        answer = await self._send(path, body)
        assert answer.status_code == status, answer.text
        assert status != 200 or answer.headers["cache-control"] == "no-store"
        found: dict[str, Any] = answer.json()
        return found

    async def refused(self, path: str, code: str, body: dict[str, Any] | None = None) -> str:
        """Send a request that must be refused with this code; return the sentence."""
        answer = await self._send(path, body)
        assert answer.json().get("code") == code, answer.text
        assert answer.status_code >= 400
        sentence: str = answer.json()["error"]
        return sentence

    async def _send(self, path: str, body: dict[str, Any] | None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        async with plain_client(f"{self.server.addresses.http}/api/", headers=headers) as client:
            return await (client.get(path) if body is None else client.post(path, json=body))

    async def connect(self, **fields: Any) -> WireClient:
        """Log in over a websocket with the token."""
        client = await WireClient.open(self.server, JsonCodec())
        answer = await client.ask({**HELLO, "token": self.secret, **fields})
        assert answer["type"] == "welcome", answer
        return client

    async def hello_refused(self, **fields: Any) -> str:
        """Return the code with which the token's hello is refused."""
        client = await WireClient.open(self.server, JsonCodec())
        code = await client.refused({**HELLO, "token": self.secret, **fields})
        await client.close()
        return code


@asynccontextmanager
async def open_server(folder: Path, **settings: Any) -> AsyncIterator[DoublecrossServer]:
    """Run a server whose passwords cost little."""
    async with serving(folder, **settings) as server:
        server.authority.accounts.passwords.close()
        server.authority.accounts.passwords = Passwords(CHEAP)
        yield server


async def guest(server: DoublecrossServer, name: str = "Ann") -> Visitor:
    """Return a guest who has been here."""
    client = await WireClient.player(server, name)
    await client.close()
    return Visitor(server, client.received[0]["token"])


async def member(server: DoublecrossServer, name: str = "Ann") -> Visitor:
    """Return a guest who has set the password `GOOD`."""
    visitor = await guest(server, name)
    await visitor.ask("account/password", body={"password": GOOD})
    return visitor
