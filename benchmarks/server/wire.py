"""Implements websocket clients for the load: raw sockets on one epoll, which cost little CPU.

Theory of operation
-------------------
A client must mask its frames (RFC 6455, 5.3). It may choose any key, so ours is 0, and masking
changes nothing. The server still unmasks each frame. Frames from the server are cut out of the
stream and passed on as bytes; only those that matter are unpacked.
"""

from __future__ import annotations

import base64
import select
import socket
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

BINARY: Final = 0x82
"""The first byte of a complete binary frame."""
READ_BYTES: Final = 1 << 18
SPEAK: Final = "/speak"
"""The path of the connection whose messages the bare broadcast server broadcasts."""


class LoadError(Exception):
    """The load cannot continue: the server closed, refused, or sent an unexpected message."""


def frame(payload: bytes) -> bytes:
    """Return a client's binary frame, masked with the key 0."""
    length = len(payload)
    if length < 126:
        head = bytes((BINARY, 0x80 | length))
    else:
        head = bytes((BINARY, 0x80 | 126)) + length.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class Client:
    """One open websocket; `on_frame` gets the payload of each complete frame."""

    __slots__ = ("on_frame", "rest", "sock")

    def __init__(self, url: str, subprotocol: str = "") -> None:
        parts = urlsplit(url)
        self.sock = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.on_frame: Callable[[bytes], None] = _nothing_expected
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        offer = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self.sock.sendall(
            f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n{offer}\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            data = self.sock.recv(READ_BYTES)
            if not data:
                raise LoadError("The server closed the connection in the handshake.")
            answer += data
        head, _, self.rest = answer.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise LoadError(f"The server refused the handshake: {head[:80]!r}")

    def send_frame(self, data: bytes) -> None:
        """Send one frame; small frames always fit into the buffer of an idle connection."""
        if self.sock.send(data) != len(data):
            raise LoadError("The socket did not accept a whole frame.")

    def read(self) -> None:
        """Read once and pass every complete frame to `on_frame`."""
        data = self.sock.recv(READ_BYTES)
        if not data:
            raise LoadError("The server closed the connection.")
        self.take(self.rest + data if self.rest else data)

    def take(self, data: bytes) -> None:
        """Pass every complete frame in `data` to `on_frame` and keep the rest."""
        at, end = 0, len(data)
        while end - at >= 2:
            length, start = data[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif length == 127:
                length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            stop = start + length
            if stop > end:
                break
            if data[at] != BINARY:
                raise LoadError(f"Unexpected frame {data[at]:#x}: {data[start:stop][:80]!r}")
            self.on_frame(data[start:stop])
            at = stop
        self.rest = data[at:]

    def next(self) -> bytes:
        """Wait for the next frame and return it; only before the client is on a loop."""
        found: list[bytes] = []
        before, self.on_frame = self.on_frame, found.append
        try:
            if self.rest:
                rest, self.rest = self.rest, b""
                self.take(rest)
            while not found:
                self.read()
        finally:
            self.on_frame = before
        if len(found) > 1:  # keep frames that arrived with it for later
            later = b"".join(server_frame(payload) for payload in found[1:])
            self.rest = later + self.rest
        return found[0]

    def close(self) -> None:
        """Drop the connection."""
        self.sock.close()


def server_frame(payload: bytes) -> bytes:
    """Return a server's binary frame."""
    length = len(payload)
    if length < 126:
        return bytes((BINARY, length)) + payload
    if length < 1 << 16:
        return bytes((BINARY, 126)) + length.to_bytes(2, "big") + payload
    return bytes((BINARY, 127)) + length.to_bytes(8, "big") + payload


def _nothing_expected(payload: bytes) -> None:
    raise LoadError(f"Nothing was expected here: {payload[:80]!r}")


class Loop:
    """One epoll over many clients."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._clients: dict[int, Client] = {}

    def add(self, client: Client) -> None:
        """Read this client from now on; handle first what it has received already."""
        client.sock.setblocking(False)
        self._clients[client.sock.fileno()] = client
        self._epoll.register(client.sock.fileno(), select.EPOLLIN)
        if client.rest:
            rest, client.rest = client.rest, b""
            client.take(rest)

    def remove(self, client: Client) -> None:
        """Stop reading this client."""
        del self._clients[client.sock.fileno()]
        self._epoll.unregister(client.sock.fileno())

    def turn(self, timeout_s: float) -> None:
        """Wait at most so long for data, and read it."""
        clients = self._clients
        for fd, _ in self._epoll.poll(timeout_s):
            client = clients.get(fd)
            if client is not None:  # otherwise it was removed in this turn
                client.read()

    def turn_until(self, wait_s: float) -> None:
        """Do as `turn` does, but wait exactly: epoll waits whole milliseconds, select does not.

        The processor is free meanwhile, for servers that share it with the load.
        """
        select.select([self._epoll], [], [], wait_s)
        self.turn(0.0)
