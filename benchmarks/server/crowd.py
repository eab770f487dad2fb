"""Many connections that only listen: idle ones, spectators of a room, listeners of a broadcast.

Listeners are not on the loop. What they were sent is fetched from their sockets now and then, in
one read for many messages, and only counted, so that the load is never what limits the server.
"""

from __future__ import annotations

import time
from typing import Final

import msgpack

from benchmarks.server.play import MOVE, Play, expect, hello, pack
from benchmarks.server.wire import READ_BYTES, SPEAK, Client, LoadError, Loop, frame
from protocol.version import MSGPACK

PATIENCE_S: Final = 10.0
FETCH_EVERY: Final = 16
"""Messages after which the listeners' sockets are emptied."""
LAST_MATCH: Final = 20
"""A watched room that has come so far is given up between two rounds: rooms have an end."""


class Listeners:
    """Connections that are read by `fetch`; `heard` counts the copies that they have received."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        self.heard = 0

    def add(self, client: Client) -> None:
        """Listen on this connection too."""
        client.sock.setblocking(False)
        self.clients.append(client)

    def fetch(self) -> None:
        """Empty all sockets."""
        for client in self.clients:
            try:
                data = client.sock.recv(READ_BYTES)
            except BlockingIOError:
                continue
            if not data:
                raise LoadError("The server dropped a listener.")
            self.heard += data.count(MOVE)

    def missing(self, messages: int) -> int:
        """Copies of so many messages that have not come, after waiting for the last of them: the
        one who spoke has its answer before everybody has a copy."""
        end = time.perf_counter() + PATIENCE_S
        while True:
            self.fetch()
            missing = messages * len(self.clients) - self.heard
            if not missing or time.perf_counter() > end:
                return missing
            time.sleep(0.005)

    def close(self) -> None:
        """Drop all connections."""
        for client in self.clients:
            client.close()


def idle(url: str, count: int, tag: str) -> Listeners:
    """`count` players who have said hello and do nothing."""
    crowd = Listeners()
    for i in range(count):
        client = Client(url, MSGPACK)
        hello(client, f"{tag}{i}")
        crowd.add(client)
    return crowd


class Watched:
    """One room with spectators, its two players answering at once."""

    def __init__(
        self, loop: Loop, url: str, pid: int, spectators: int, size: int, tag: str
    ) -> None:
        self.pid = pid
        self.play = Play(loop, url, pid, 1, size, f"{tag}p")
        self.crowd = idle(url, spectators, f"{tag}s")
        request = frame(pack({"type": "watch", "id": 1, "room": self.play.tables[0].room}))
        for client in self.crowd.clients:
            client.sock.setblocking(True)
            client.say(request)
            while msgpack.unpackb(payload := client.next())["type"] != "room_state":
                expect(payload, "presence")
            client.sock.setblocking(False)
        self.copies = spectators + 2
        self._fetched = 0

    @property
    def done(self) -> int:
        """Moves so far."""
        return self.play.done

    @property
    def waiting(self) -> int:
        """Requests without an answer."""
        return self.play.waiting

    @property
    def worn(self) -> bool:
        """Whether another room should be watched from now on."""
        return self.play.tables[0].match >= LAST_MATCH

    def go(self) -> None:
        """Let the players play."""
        self.play.go()

    def hold(self) -> None:
        """Let the players wait."""
        self.play.hold()

    def turned(self) -> None:
        """The loop has made a turn."""
        if self.done - self._fetched >= FETCH_EVERY:
            self._fetched = self.done
            self.crowd.fetch()

    def missing(self) -> int:
        """Copies that never reach the spectators; only while nothing is under way."""
        return self.crowd.missing(self.done)

    def close(self) -> None:
        """Drop all connections."""
        self.play.close()
        self.crowd.close()


class Shout:
    """A bare `broadcast` to listeners and to the one who spoke, again and again."""

    def __init__(self, loop: Loop, url: str, pid: int, listeners: int, length: int) -> None:
        self.pid = pid
        self.done = 0
        self.waiting = 0
        self.copies = listeners + 1
        self.worn = False
        self._loop = loop
        self._data = frame(b"\x80" + MOVE + bytes(max(0, length - 1 - len(MOVE))))
        self._held = True
        self._fetched = 0
        self.crowd = Listeners()
        for _ in range(listeners):
            self.crowd.add(Client(url))
        self._speaker = Client(url + SPEAK)
        self._speaker.heard = self._hear
        loop.add(self._speaker)

    def _say(self) -> None:
        self.waiting = 1
        self._speaker.say(self._data)

    def _hear(self, payload: bytes) -> None:
        self.done += 1
        self.waiting = 0
        if not self._held:
            self._say()

    def go(self) -> None:
        """Speak, and again whenever it comes back."""
        self._held = False
        self._say()

    def hold(self) -> None:
        """Be silent."""
        self._held = True

    def turned(self) -> None:
        """The loop has made a turn."""
        if self.done - self._fetched >= FETCH_EVERY:
            self._fetched = self.done
            self.crowd.fetch()

    def missing(self) -> int:
        """Copies that never reach the listeners; only while nothing is under way."""
        return self.crowd.missing(self.done)

    def close(self) -> None:
        """Drop all connections."""
        self._loop.remove(self._speaker)
        self._speaker.close()
        self.crowd.close()
