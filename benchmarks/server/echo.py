"""Pairs of clients of an echo server: what a message costs when nothing is done with it.

A pair is to the echo what a room is to the server: two open connections and one message under
way. The two take turns, each sends when the other's message has come back.
"""

from __future__ import annotations

from benchmarks.server.wire import Client, Loop, frame


class Echo:
    """All pairs on one echo server; `done` counts messages that came back."""

    def __init__(self, loop: Loop, url: str, pid: int, pairs: int, length: int) -> None:
        self.pid = pid
        self.done = 0
        self.waiting = 0
        self.held = True
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

    def go(self) -> None:
        """Let every pair go on."""
        self.held = False
        ready, self._ready = self._ready, []
        for client in ready:
            self.turn(client)

    def hold(self) -> None:
        """Let nobody begin anything new."""
        self.held = True

    def turn(self, client: Client) -> None:
        """This client's turn."""
        if self.held:
            assert isinstance(client, EchoClient)
            self._ready.append(client)
        else:
            self.waiting += 1
            client.say(self.data)

    def close(self) -> None:
        """Drop all connections."""
        for client in self._clients:
            self._loop.remove(client)
            client.close()


class EchoClient(Client):
    """One of a pair."""

    __slots__ = ("echo", "other")

    def __init__(self, url: str, echo: Echo) -> None:
        super().__init__(url)
        self.echo = echo
        self.other: EchoClient = self
        self.heard = self.hear

    def hear(self, payload: bytes) -> None:
        """The message is back."""
        self.echo.done += 1
        self.echo.waiting -= 1
        self.echo.turn(self.other)
