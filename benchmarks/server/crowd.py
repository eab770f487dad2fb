"""Open many connections that only receive: idle ones, spectators, listeners of a broadcast.

They are not on the event loop. `fetch` reads their sockets now and then, many messages in one read,
and only counts the messages. So the load never limits the server.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import msgpack

from benchmarks.server.play import MOVE, Play, expect, hello, pack
from benchmarks.server.wire import READ_BYTES, SPEAK, Client, LoadError, Loop, frame
from doublecross.protocol.version import MSGPACK

PATIENCE_S: Final = 10.0
"""The most seconds to wait for the last copies."""
FETCH_EVERY: Final = 16
"""Read the listeners' sockets after so many messages."""
LAST_MATCH: Final = 20
"""Open a new room after so many matches, because a room allows a limited number of matches."""


class Listeners:
    """Connections that `fetch` reads; `received` counts the copies of messages."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        self.received = 0

    def add(self, client: Client) -> None:
        """Add a connection."""
        client.sock.setblocking(False)
        self.clients.append(client)

    def fetch(self) -> None:
        """Read everything that has arrived on all sockets."""
        for client in self.clients:
            try:
                data = client.sock.recv(READ_BYTES)
            except BlockingIOError:
                continue
            if not data:
                raise LoadError("The server dropped a listener.")
            self.received += data.count(MOVE)

    def missing(self, messages: int) -> int:
        """Return how many copies of so many messages are missing, after waiting for the last ones.

        The sender gets its answer before all listeners have their copies.
        """
        end = time.perf_counter() + PATIENCE_S
        while True:
            self.fetch()
            missing = messages * len(self.clients) - self.received
            if not missing or time.perf_counter() > end:
                return missing
            time.sleep(0.005)

    def close(self) -> None:
        """Drop all connections."""
        for client in self.clients:
            client.close()


def idle(urls: str | Sequence[str], count: int, tag: str) -> Listeners:
    """Connect `count` players, to the addresses in turn, who say hello and then do nothing."""
    urls = (urls,) if isinstance(urls, str) else urls
    crowd = Listeners()
    for i in range(count):
        client = Client(urls[i % len(urls)], MSGPACK)
        hello(client, f"{tag}{i}")
        crowd.add(client)
    return crowd


class WatchedRoom:
    """One room with spectators, whose two players answer at once.

    The players connect to the first of the addresses, and the spectators to all in turn.
    """

    def __init__(
        self,
        loop: Loop,
        urls: str | Sequence[str],
        pid: int,
        spectators: int,
        size: int,
        tag: str,
    ) -> None:
        self.pid = pid
        self.play = Play(loop, urls if isinstance(urls, str) else urls[0], pid, 1, size, f"{tag}p")
        self.crowd = idle(urls, spectators, f"{tag}s")
        request = frame(pack({"type": "watch", "id": 1, "room": self.play.pairs[0].room}))
        for client in self.crowd.clients:
            client.sock.setblocking(True)
            client.send_frame(request)
            while msgpack.unpackb(payload := client.next())["type"] != "room_state":
                expect(payload, "presence")
            client.sock.setblocking(False)
        self.copies = spectators + 2
        self._fetched = 0

    @property
    def done(self) -> int:
        """The number of moves so far."""
        return self.play.done

    @property
    def waiting(self) -> int:
        """The number of requests without an answer."""
        return self.play.waiting

    @property
    def used_up(self) -> bool:
        """Whether the room has played so many matches that a new one is needed."""
        return self.play.pairs[0].match >= LAST_MATCH

    def start(self) -> None:
        """Let the players play."""
        self.play.start()

    def pause(self) -> None:
        """Stop the players from sending new requests."""
        self.play.pause()

    def after_turn(self) -> None:
        """Read the listeners' sockets if enough messages were sent; call it after each turn."""
        if self.done - self._fetched >= FETCH_EVERY:
            self._fetched = self.done
            self.crowd.fetch()

    def missing(self) -> int:
        """Return how many copies did not reach the spectators; call it only while paused."""
        return self.crowd.missing(self.done)

    def close(self) -> None:
        """Drop all connections."""
        self.play.close()
        self.crowd.close()


class BareBroadcast:
    """A bare `broadcast` to listeners and to its sender, again and again."""

    def __init__(self, loop: Loop, url: str, pid: int, listeners: int, length: int) -> None:
        self.pid = pid
        self.done = 0
        self.waiting = 0
        self.copies = listeners + 1
        self.used_up = False
        self._loop = loop
        self._data = frame(b"\x80" + MOVE + bytes(max(0, length - 1 - len(MOVE))))
        self._paused = True
        self._fetched = 0
        self.crowd = Listeners()
        for _ in range(listeners):
            self.crowd.add(Client(url))
        self._speaker = Client(url + SPEAK)
        self._speaker.on_frame = self._handle_frame
        loop.add(self._speaker)

    def _send(self) -> None:
        self.waiting = 1
        self._speaker.send_frame(self._data)

    def _handle_frame(self, payload: bytes) -> None:
        self.done += 1
        self.waiting = 0
        if not self._paused:
            self._send()

    def start(self) -> None:
        """Send a message, and the next one whenever a message comes back."""
        self._paused = False
        self._send()

    def pause(self) -> None:
        """Stop sending."""
        self._paused = True

    def after_turn(self) -> None:
        """Read the listeners' sockets if enough messages were sent; call it after each turn."""
        if self.done - self._fetched >= FETCH_EVERY:
            self._fetched = self.done
            self.crowd.fetch()

    def missing(self) -> int:
        """Return how many copies did not reach the listeners; call it only while paused."""
        return self.crowd.missing(self.done)

    def close(self) -> None:
        """Drop all connections."""
        self._loop.remove(self._speaker)
        self._speaker.close()
        self.crowd.close()
