"""One connection to a server: a websocket that costs little, because it does nothing else.

The library's protocol without I/O parses the frames. Everything else that a client does, such as
following the rooms, would measure the client.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Any, Final, cast

import msgpack
from websockets.client import ClientProtocol
from websockets.exceptions import InvalidHandshake
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.typing import Subprotocol
from websockets.uri import parse_uri

from doublecross.protocol.version import MSGPACK, PROTOCOL_VERSION

Message = dict[str, Any]

ANSWER_S: Final = 20.0
"""The most seconds to wait for a connection or an answer."""


class LoadFailure(Exception):  # noqa: N818 - named for what happened
    """The server refused something, or did not answer; the text is a short reason."""


class Peer(asyncio.Protocol):
    """A player of the load."""

    def __init__(self, url: str) -> None:
        self._uri = parse_uri(url)
        self._protocol = ClientProtocol(
            self._uri, subprotocols=[Subprotocol(MSGPACK)], max_size=16 * 1024 * 1024
        )
        self._opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._last_id = 0
        self._transport: asyncio.Transport | None = None
        self.rooms: dict[str, Callable[[Message], None]] = {}
        """The handlers of messages about a room that answer no request."""
        self.lost = False
        self.sent_at = 0.0

    @classmethod
    async def log_in(cls, url: str, name: str) -> Peer:
        """Connect and say hello under a new name.

        Raises:
            LoadFailure: the server refused, closed, or did not answer.
        """
        peer = cls(url)
        uri = peer._uri
        try:
            async with asyncio.timeout(ANSWER_S):
                await asyncio.get_running_loop().create_connection(
                    lambda: peer,
                    uri.host,
                    uri.port,
                    ssl=ssl.create_default_context() if uri.secure else None,
                )
                await peer._opened
            # A person plays one match at a time: the offers in other rooms end when one begins.
            engine = {"name": "load", "version": "1"}
            hello = {"type": "hello", "protocol": PROTOCOL_VERSION, "kind": "bot", "name": name}
            await peer.ask({**hello, "engine": engine, "client": "doublecross load"})
        except TimeoutError:
            peer.close()
            raise LoadFailure("no answer to a connection") from None
        except OSError as error:
            raise LoadFailure(f"no connection: {error.strerror or error}") from None
        except LoadFailure:
            peer.close()
            raise
        return peer

    async def ask(self, message: Message) -> Message:
        """Send a request and return its answer.

        Raises:
            LoadFailure: the answer is an error, or there is none.
        """
        if self.lost:
            raise LoadFailure("the server closed a connection")
        self._last_id += 1
        number = self._last_id
        waiter = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.send({**message, "id": number})
        try:
            async with asyncio.timeout(ANSWER_S):
                answer: Message = await waiter
        except TimeoutError:
            raise LoadFailure(f"no answer to {message['type']}") from None
        finally:
            self._waiting.pop(number, None)
        if answer["type"] == "error":
            raise LoadFailure(f"{message['type']}: {answer['code']}")
        return answer

    def send(self, message: Message) -> None:
        """Send a message; a lost connection drops it (see `lost`)."""
        if self._protocol.state is not State.OPEN:
            return
        self.sent_at = asyncio.get_running_loop().time()
        self._protocol.send_binary(msgpack.packb(message))
        self._flush()

    def close(self) -> None:
        """Drop the connection."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the websocket handshake."""
        self._transport = cast(asyncio.Transport, transport)
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def data_received(self, data: bytes) -> None:
        """Handle what the server sent."""
        self._protocol.receive_data(data)
        for event in self._protocol.events_received():
            if isinstance(event, Response):
                self._handle_handshake()
            elif isinstance(event, Frame) and event.opcode is Opcode.BINARY:
                self._handle(msgpack.unpackb(event.data))
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail everything that waits."""
        self.lost = True
        code, reason = self._protocol.close_code, self._protocol.close_reason
        why = "" if code is None else f": {code} {reason}"
        failure = LoadFailure(f"the server closed a connection{why}")
        if not self._opened.done():
            self._opened.set_exception(failure)
        for waiter in self._waiting.values():
            if not waiter.done():
                waiter.set_exception(failure)

    def _handle_handshake(self) -> None:
        error = self._protocol.handshake_exc
        if self._opened.done():
            return
        if error is None:
            self._opened.set_result(None)
        else:
            reason = str(error) if isinstance(error, InvalidHandshake) else type(error).__name__
            self._opened.set_exception(LoadFailure(f"handshake: {reason}"))

    def _handle(self, message: Message) -> None:
        waiter = self._waiting.pop(message.get("id") or 0, None)
        if waiter is None:
            handler = self.rooms.get(message.get("room", ""))
            if handler is not None:
                handler(message)
        elif not waiter.done():
            waiter.set_result(message)

    def _flush(self) -> None:
        """Send what the protocol has made; an empty piece asks to close."""
        assert self._transport is not None
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._transport.close()
