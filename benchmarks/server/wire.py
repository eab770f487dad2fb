"""The load's side of a websocket: raw sockets on one epoll, so that the load costs next to nothing.

Theory of operation
-------------------
Frames of a client must be masked (RFC 6455, 5.3); the key may be any, so ours is 0 and masking
changes nothing. The server unmasks all the same and cannot tell the difference. Frames from the
server are cut out of the stream and handed over as they are; only those that matter are unpacked.
"""

from __future__ import annotations

import base64
import select
import socket
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

BINARY: Final = 0x82
"""First byte of a whole binary frame."""
READ_BYTES: Final = 1 << 18
SPEAK: Final = "/speak"
"""Path of the connection whose messages the bare broadcast server broadcasts."""


class LoadError(Exception):
    """The load cannot go on: the peer closed, refused, or said what the script does not expect."""


def frame(payload: bytes) -> bytes:
    """A client's binary frame, masked with the key 0."""
    length = len(payload)
    if length < 126:
        head = bytes((BINARY, 0x80 | length))
    else:
        head = bytes((BINARY, 0x80 | 126)) + length.to_bytes(2, "big")
    return head + b"\0\0\0\0" + payload


class Client:
    """One open websocket; whole frames go to `heard`."""

    __slots__ = ("heard", "rest", "sock")

    def __init__(self, url: str, subprotocol: str = "") -> None:
        parts = urlsplit(url)
        self.sock = socket.create_connection((parts.hostname or "", parts.port or 80), timeout=30)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.heard: Callable[[bytes], None] = _nothing_expected
        offer = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self.sock.sendall(
            f"GET {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\n"
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

    def say(self, data: bytes) -> None:
        """Send one frame; small frames always fit into the buffer of an idle connection."""
        if self.sock.send(data) != len(data):
            raise LoadError("The connection does not take a whole frame.")

    def read(self) -> None:
        """Read once and hand over every whole frame."""
        data = self.sock.recv(READ_BYTES)
        if not data:
            raise LoadError("The server closed the connection.")
        self.take(self.rest + data if self.rest else data)

    def take(self, data: bytes) -> None:
        """Hand over every whole frame of `data` and keep the rest."""
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
            self.heard(data[start:stop])
            at = stop
        self.rest = data[at:]

    def next(self) -> bytes:
        """The next frame, waiting for it; only before the client is on a loop."""
        found: list[bytes] = []
        before, self.heard = self.heard, found.append
        try:
            if self.rest:
                rest, self.rest = self.rest, b""
                self.take(rest)
            while not found:
                self.read()
        finally:
            self.heard = before
        if len(found) > 1:  # give back what came along
            later = b"".join(server_frame(payload) for payload in found[1:])
            self.rest = later + self.rest
        return found[0]

    def close(self) -> None:
        """Drop the connection."""
        self.sock.close()


def server_frame(payload: bytes) -> bytes:
    """A server's binary frame."""
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
        """Read this client from now on, beginning with what it has received already."""
        client.sock.setblocking(False)
        self._clients[client.sock.fileno()] = client
        self._epoll.register(client.sock.fileno(), select.EPOLLIN)
        if client.rest:
            rest, client.rest = client.rest, b""
            client.take(rest)

    def remove(self, client: Client) -> None:
        """Read it no more."""
        del self._clients[client.sock.fileno()]
        self._epoll.unregister(client.sock.fileno())

    def turn(self, timeout_s: float) -> None:
        """Wait for something to read, at most that long, and read it."""
        clients = self._clients
        for fd, _ in self._epoll.poll(timeout_s):
            clients[fd].read()
