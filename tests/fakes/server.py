"""A real websocket server on 127.0.0.1 whose messages a test writes.

The test takes connections with `accept`, reads requests with `Peer.next` and answers them. The peer
answers pings by itself unless `answers_pings` is false.
"""

from __future__ import annotations

import asyncio
from typing import Any, Self, TypeVar

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from doublecross.protocol.client_messages import Hello, Ping, Request
from doublecross.protocol.codec import Codec, codec_for
from doublecross.protocol.common import PlayerInfo, WireModel
from doublecross.protocol.server_messages import Failed, Limits, Pong, Welcome
from doublecross.protocol.version import SUBPROTOCOLS

PATIENCE_S = 5.0
TOKEN = "token-of-ann-0123456789"
LIMITS = Limits(frame_bytes=8192, messages_per_s=0, grace_ms=30_000, silence_ms=30_000)

R = TypeVar("R", bound=Request)


class Peer:
    """The server's end of one connection."""

    def __init__(self, ws: ServerConnection) -> None:
        self.ws = ws
        self.codec: Codec = codec_for(ws.subprotocol)
        self.requests: asyncio.Queue[Request] = asyncio.Queue()
        self.over = asyncio.Event()
        self.answers_pings = True
        self.pings = 0

    async def listen(self) -> None:
        try:
            async for data in self.ws:
                request = self.codec.decode_request(data)
                if isinstance(request, Ping):
                    self.pings += 1
                    if self.answers_pings:
                        await self.send(Pong(id=request.id))
                        continue
                self.requests.put_nowait(request)
        except ConnectionClosed:
            pass
        finally:
            self.over.set()

    async def next(self, kind: type[R]) -> R:
        """Return the next request, which must be of `kind`."""
        async with asyncio.timeout(PATIENCE_S):
            request = await self.requests.get()
        assert isinstance(request, kind), request
        return request

    async def send(self, *messages: WireModel | dict[str, Any]) -> None:
        for message in messages:
            await self.send_bytes(self.codec.encode(message))

    async def send_bytes(self, data: bytes) -> None:
        await self.ws.send(data, text=self.codec.text)

    async def refuse(self, request: Request, code: str, message: str = "No.") -> None:
        await self.send(Failed(id=request.id, code=code, message=message))

    async def welcome(
        self,
        *rooms: str,
        epoch: str = "e1",
        name: str = "Ann",
        limits: Limits = LIMITS,
        token: str = TOKEN,
        servers: tuple[str, ...] = (),
    ) -> Hello:
        """Wait for the hello and answer it."""
        hello = await self.next(Hello)
        await self.send(
            Welcome(
                id=hello.id,
                protocol=2,
                server="fake",
                epoch=epoch,
                player=PlayerInfo(name=name, kind=hello.kind, engine=hello.engine),
                token=token,
                rooms=rooms,
                http=None,
                limits=limits,
                servers=servers,
            )
        )
        return hello

    def cut(self) -> None:
        """Abort the connection without a close frame."""
        self.ws.transport.abort()

    async def close(self, code: int, reason: str = "") -> None:
        await self.ws.close(code, reason)


class FakeServer:
    """A server that listens while the context is open."""

    def __init__(self, subprotocols: tuple[str, ...] | None = SUBPROTOCOLS, port: int = 0) -> None:
        self._subprotocols = subprotocols
        self._port = port
        self._peers: asyncio.Queue[Peer] = asyncio.Queue()
        self._server: Server | None = None

    @property
    def port(self) -> int:
        assert self._server is not None
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return port

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await serve(
            self._handle,
            "127.0.0.1",
            self._port,
            subprotocols=None
            if self._subprotocols is None
            else [Subprotocol(name) for name in self._subprotocols],
            compression=None,
            ping_interval=None,
            close_timeout=0.2,
        )
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        assert self._server is not None
        for connection in self._server.connections:
            connection.transport.abort()
        self._server.close()
        await self._server.wait_closed()

    async def _handle(self, ws: ServerConnection) -> None:
        peer = Peer(ws)
        self._peers.put_nowait(peer)
        await peer.listen()

    async def accept(self) -> Peer:
        """Return the next connection."""
        async with asyncio.timeout(PATIENCE_S):
            return await self._peers.get()
