"""One websocket: hello within its deadline, then message after message to the handlers.

Whatever a peer sends, it gets exactly one answer for each message, and the server goes on: what
cannot be read is `bad_message`, what is too fast `rate_limited`, what the rules of the game or
of the room do not allow has its own code, and a bug of ours is logged and answered `internal`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from functools import partial
from typing import Final

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from protocol.client_messages import Hello, Request
from protocol.errors import DecodeError, ErrorCode
from protocol.version import CloseCode
from server.background import BackgroundTasks
from server.core.errors import Refused
from server.shell.authority import Authority
from server.shell.handlers import HANDLERS
from server.shell.hello import hello
from server.shell.peer import Peer
from server.shell.push import PushConnection

_log = structlog.get_logger("connection")

_CLOSE_REASON: Final = {
    CloseCode.REPLACED: "you have connected again elsewhere",
    CloseCode.REFUSED: "no valid hello",
    CloseCode.ABUSE: "too many bad messages",
    CloseCode.SILENT: "nothing heard for too long",
    CloseCode.RESTART: "the server is going down",
}


async def close(ws: ServerConnection, code: int) -> None:
    """Close with one of our codes and its reason."""
    await ws.close(code, _CLOSE_REASON[code])


class Connections:
    """All connections of a server: serves each, and drops the silent and the slow."""

    def __init__(
        self,
        authority: Authority,
        *,
        hello_s: float,
        silence_s: float,
        write_buffer: int,
        max_connections: int,
    ) -> None:
        self.authority = authority
        self.peers: set[Peer] = set()
        self.http: str | None = None
        """The HTTP address that clients are told."""
        self._hello_s = hello_s
        self._silence_s = silence_s
        self._write_buffer = write_buffer
        self._max_connections = max_connections
        self._loop = asyncio.get_running_loop()
        self._time = self._loop.time
        self._tasks = BackgroundTasks()

    async def serve(self, ws: ServerConnection) -> None:
        """The life of one connection."""
        peer = Peer(ws, self.authority.config.limits, self._loop.time())
        self.peers.add(peer)
        try:
            if len(self.peers) > self._max_connections:
                peer.refuse(None, ErrorCode.TOO_MANY, "The server is full; try again later.")
                await ws.close(1013, "the server is full")
            elif await self._greet(peer):
                await self._listen(peer)
            else:
                await close(ws, CloseCode.REFUSED)
        except ConnectionClosed:
            pass
        finally:
            self.peers.discard(peer)
            if not peer.replaced:
                self.authority.depart(peer)

    async def _greet(self, peer: Peer) -> bool:
        """Whether a valid hello came in time; a refused one is answered and may be tried again
        (another name, say) until the deadline."""
        deadline = self._loop.time() + self._hello_s
        for _ in range(20):
            try:
                async with asyncio.timeout_at(deadline):
                    data = await peer.ws.recv()
            except TimeoutError:
                return False
            peer.heard = self._loop.time()
            try:
                message = peer.codec.decode_request(data)
            except DecodeError as error:
                peer.refuse(error.request_id, error.code, error.sentence)
                continue
            if not isinstance(message, Hello):
                peer.refuse(message.id, ErrorCode.HELLO_FIRST, "Say hello first.")
                continue
            try:
                self.authority.check_open()
                replaced = await hello(
                    self.authority, peer, message, self.http, round(self._silence_s * 1000)
                )
            except Refused as refused:
                peer.refuse(message.id, refused.code, refused.sentence)
                if refused.code is ErrorCode.UNSUPPORTED_VERSION:
                    return False
                continue
            except Exception:  # noqa: BLE001 - our bug: logged, answered, and on we go
                _log.exception("hello_failed")
                peer.refuse(message.id, ErrorCode.INTERNAL, "The server has made a mistake.")
                return False
            if replaced is not None:
                self._close_later(replaced, CloseCode.REPLACED)
            return True
        return False

    async def _listen(self, peer: Peer) -> None:
        """Message after message, until the connection ends."""
        ws = peer.ws
        assert isinstance(ws, PushConnection)
        await ws.push_to(partial(self._receive, peer))

    def _receive(self, peer: Peer, data: bytes | str) -> None:
        """Read one message and admit it, or refuse it: too many are not carried out."""
        if peer.deaf:
            return
        peer.heard = now = self._time()
        within_rate = peer.bucket.take(now)
        try:
            message = peer.codec.decode_request(data)
        except DecodeError as error:
            peer.refuse(error.request_id, error.code, error.sentence)
            self._offence(peer, now)
            return
        if not within_rate:
            rate = self.authority.config.limits.messages_per_s
            peer.refuse(
                message.id,
                ErrorCode.RATE_LIMITED,
                f"At most {rate:g} messages a second; send it again later.",
            )
            self._offence(peer, now)
            return
        self._carry_out(peer, message)

    def _carry_out(self, peer: Peer, message: Request) -> None:
        """Carry out an admitted request: it is answered now, after a commit, or by a task of its
        own."""
        handler = HANDLERS.get(type(message))
        try:
            if handler is None:
                raise Refused(ErrorCode.HELLO_FIRST, "Hello comes once, as the first message.")
            waiting = handler(self.authority, peer, message)
        except Exception as error:  # noqa: BLE001 - ours or the peer's: answered either way
            self._failed(peer, message, error)
            return
        if waiting is not None:
            self._tasks.start(self._finish(peer, message, waiting))

    async def _finish(self, peer: Peer, message: Request, waiting: Awaitable[None]) -> None:
        """The rest of a handler that waits for something."""
        try:
            await waiting
        except Exception as error:  # noqa: BLE001 - ours or the peer's: answered either way
            self._failed(peer, message, error)

    @staticmethod
    def _failed(peer: Peer, message: Request, error: Exception) -> None:
        """Answer a request that was refused, or that met a bug of ours."""
        if isinstance(error, Refused):
            peer.refuse(message.id, error.code, error.sentence)
            return
        _log.error(
            "handler_failed",
            message=type(message).__name__,
            player=peer.name,
            client=peer.client,
            exc_info=error,
        )
        peer.refuse(message.id, ErrorCode.INTERNAL, "The server has made a mistake.")

    def _offence(self, peer: Peer, now: float) -> None:
        """A malformed or excess message; too many of them end the connection."""
        if not peer.offences.take(now):
            peer.deaf = True
            self._close_later(peer, CloseCode.ABUSE)

    def sweep(self) -> None:
        """Drop peers that do not read (they may resume) and peers that say nothing."""
        now = self._loop.time()
        silent_since = now - self._silence_s
        for peer in list(self.peers):
            if peer.buffered() > self._write_buffer:
                _log.warning("slow_peer_dropped", player=peer.name, client=peer.client)
                peer.abort()
            elif peer.heard < silent_since and peer.player is not None:
                peer.heard = now
                self._close_later(peer, CloseCode.SILENT)

    def _close_later(self, peer: Peer, code: int) -> None:
        """Close a connection without waiting for it; one that does not answer is cut off by the
        websocket library's close timeout."""
        peer.deaf = True
        self._tasks.start(close(peer.ws, code))

    async def close_all(self, grace_s: float) -> None:
        """Close everything within `grace_s` seconds, then abort what is left."""
        peers = list(self.peers)
        if peers:
            closing = [self._loop.create_task(close(peer.ws, CloseCode.RESTART)) for peer in peers]
            _, late = await asyncio.wait(closing, timeout=max(grace_s, 0.01))
            for peer, task in zip(peers, closing, strict=True):
                if task in late:
                    task.cancel()
                    peer.abort()
            await asyncio.gather(*closing, return_exceptions=True)
        self._tasks.cancel()
