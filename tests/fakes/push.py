"""A real push service on this machine, which opens what it gets as a browser would."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import http_ece
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid

from doublecross.server.shell.push import new_key


def text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class PushService:
    """The service: `statuses` are its answers to the next pushes, after which it takes all."""

    def __init__(self, key: Path) -> None:
        self.key = key
        self.origin = ""
        self.statuses: list[int] = []
        self.calls = 0
        """How many requests have come."""
        self._browsers: dict[str, tuple[ec.EllipticCurvePrivateKey, bytes]] = {}
        self._got: asyncio.Queue[tuple[str, dict[str, Any], dict[str, str]]] = asyncio.Queue()

    def browser(self, name: str) -> dict[str, str]:
        """Return the subscription of a new browser."""
        private, secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self._browsers[name] = private, secret
        point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        endpoint = f"{self.origin}/{name}"
        return {"endpoint": endpoint, "p256dh": text(point), "auth": text(secret)}

    async def handle(self, request: web.Request) -> web.Response:
        self.calls += 1
        status = self.statuses.pop(0) if self.statuses else 201
        if status != 201:
            return web.Response(status=status, headers={"Location": f"{self.origin}/elsewhere"})
        name, signature = request.path[1:], request.headers["Authorization"]
        private, secret = self._browsers[name]
        assert Vapid.verify(signature)
        claims = json.loads(base64.urlsafe_b64decode(signature.split(".")[1] + "=="))
        assert claims["aud"] == self.origin
        assert time.time() < claims["exp"] <= time.time() + 86_400
        opened = http_ece.decrypt(
            await request.read(), private_key=private, auth_secret=secret, version="aes128gcm"
        )
        headers = {key.lower(): value for key, value in request.headers.items()}
        await self._got.put((name, json.loads(opened), {**headers, "sub": claims["sub"]}))
        return web.Response(status=201)

    async def push(self) -> tuple[str, dict[str, Any], dict[str, str]]:
        """Return which browser got the next push, what it says, and its headers."""
        async with asyncio.timeout(10):
            return await self._got.get()

    def nothing(self) -> bool:
        return self._got.empty()

    @property
    def settings(self) -> dict[str, object]:
        """The settings of a server that may call this service."""
        return {
            "public_http": "https://games.example.org/",
            "push_key": self.key,
            "push_services": f"push.example.org, {self.origin}",
        }


@asynccontextmanager
async def push_service(folder: Path) -> AsyncIterator[PushService]:
    """Run such a service; the key of its server is in `folder`."""
    key = folder / "push.pem"
    key.write_text(new_key())
    key.chmod(0o600)
    service = PushService(key)
    application = web.Application()
    application.router.add_post("/{name}", service.handle)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    service.origin = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield service
    finally:
        await runner.cleanup()
