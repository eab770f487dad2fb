"""Many connections that only listen: idle ones, spectators of a room, listeners of a broadcast.

Listeners are not on the loop. What they were sent is fetched from their sockets now and then, in
one read for many messages, and only counted, so that the load is never what limits the server.
"""

from __future__ import annotations

from typing import Final

import msgpack

from benchmarks.server.play import Play, expect, hello, pack
from benchmarks.server.wire import READ_BYTES, Client, LoadError, Loop, frame
from protocol.version import MSGPACK

FETCH_EVERY: Final = 16
"""Messages after which the listeners' sockets are emptied."""
RENEW_MATCH: Final = 20
"""A room that has come so far is left for a new one between two rounds: rooms have an end."""


class Listeners:
    """Connections that are read by `fetch`; `bytes` is what they have received in all."""

    def __init__(self) -> None:
        self.clients: list[Client] = []
        self.bytes = 0

    def add(self, client: Client) -> None:
        """Listen on this connection too."""
        client.sock.setblocking(False)
        self.clients.append(client)

    def fetch(self) -> None:
        """Empty all sockets."""
        for client in self.clients:
            while True:
                try:
                    data = client.sock.recv(READ_BYTES)
                except BlockingIOError:
                    break
                if not data:
                    raise LoadError("The server dropped a listener.")
                self.bytes += len(data)
                if len(data) < READ_BYTES:
                    break

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

    def __init__(self, loop: Loop, url: str, pid: int, spectators: int, size: int) -> None:
        self.loop = loop
        self.pid = pid
        self.play = Play(loop, url, pid, 1, size, "watched")
        self.crowd = Listeners()
        self._fetched = 0
        for i in range(spectators):
            client = Client(url, MSGPACK)
            hello(client, f"spectator{i}")
            self._watch(client)
            self.crowd.add(client)

    def _watch(self, client: Client) -> None:
        room = self.play.tables[0].room
        client.say(frame(pack({"type": "watch", "id": 1, "room": room})))
        while msgpack.unpackb(payload := client.next())["type"] != "room_state":
            expect(payload, "presence")

    @property
    def done(self) -> int:
        """Moves so far."""
        return self.play.done

    @property
    def waiting(self) -> int:
        """Requests without an answer, and messages that the listeners have not fetched."""
        return self.play.waiting

    @property
    def copies(self) -> int:
        """Copies of each message that are sent."""
        return len(self.crowd.clients) + 2

    def go(self) -> None:
        """Let the players play."""
        self.play.go()

    def hold(self) -> None:
        """Let the players wait."""
        self.play.hold()

    def turn(self) -> None:
        """Called after every turn of the loop."""
        if self.play.done - self._fetched >= FETCH_EVERY:
            self._fetched = self.play.done
            self.crowd.fetch()

    def renew(self) -> None:
        """Between two rounds: move on to a new room before this one reaches its last match."""
        table = self.play.tables[0]
        if table.match < RENEW_MATCH:
            return
        for client in self.crowd.clients:
            client.sock.setblocking(True)
        self.crowd.fetch()
        raise NotImplementedError

    def close(self) -> None:
        """Drop all connections."""
        self.play.close()
        self.crowd.close()
