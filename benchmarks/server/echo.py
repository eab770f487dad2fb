"""Run pairs of clients on an echo server, to measure what a message costs by itself.

A pair corresponds to a room of the server: two open connections and one message on its way. The two
take turns: each sends when the other's message has come back.
"""

from __future__ import annotations

from benchmarks.server.wire import Client, Loop, frame


class Echo:
    """All pairs on one echo server; `done` counts the messages that came back."""

    def __init__(self, loop: Loop, url: str, pid: int, pairs: int, length: int) -> None:
        self.pid = pid
        self.done = 0
        self.waiting = 0
        self.paused = True
        self.data = frame(bytes(length))
        self._loop = loop
        self._clients: list[EchoClient] = []
        self._ready: list[EchoClient] = []
        for _ in range(pairs):
            first, second = EchoClient(url, self), EchoClient(url, self)
            first.other, second.other = second, first
            self._clients += (first, second)
            self._ready.append(first)
        for client in self._clients:
            loop.add(client)

    def start(self) -> None:
        """Let all pairs send."""
        self.paused = False
        ready, self._ready = self._ready, []
        for client in ready:
            self.turn(client)

    def pause(self) -> None:
        """Stop sending new messages."""
        self.paused = True

    def turn(self, client: Client) -> None:
        """Let a client send, or keep its turn while paused."""
        if self.paused:
            assert isinstance(client, EchoClient)
            self._ready.append(client)
        else:
            self.waiting += 1
            client.send_frame(self.data)

    def close(self) -> None:
        """Drop all connections."""
        for client in self._clients:
            self._loop.remove(client)
            client.close()


class EchoClient(Client):
    """One client of a pair."""

    __slots__ = ("echo", "other")

    def __init__(self, url: str, echo: Echo) -> None:
        super().__init__(url)
        self.echo = echo
        self.other: EchoClient = self
        self.on_frame = self.handle_frame

    def handle_frame(self, payload: bytes) -> None:
        """Handle the message that came back; it is the other client's turn."""
        self.echo.done += 1
        self.echo.waiting -= 1
        self.echo.turn(self.other)
