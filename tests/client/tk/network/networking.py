"""Run the network thread without a window; the test's thread takes its updates."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from random import Random
from typing import Any, Final, TypeVar

import pytest

from doublecross.client.options import Login
from doublecross.client.tk.models.snapshots import (
    Answer,
    LinkSnapshot,
    LobbySnapshot,
    Overflow,
    RoomSnapshot,
    WindowUpdate,
)
from doublecross.client.tk.network.inbox import BOUND, Inbox, Visit
from doublecross.client.tk.network.thread import ME, Network
from doublecross.client.tk.refusal import Refusal
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl
from tests.client.tk.harness.serving import in_thread
from tests.fakes.server import FakeServer, Peer

T = TypeVar("T")
PATIENCE_S: Final = 20.0
SMALL: Final = MatchSettings(
    game="dots-and-boxes", params={"rows": 2, "cols": 2}, time=TimeControl(base_ms=60_000)
)


class Bell(Inbox):
    """Record what is put, and wake a waiting test."""

    def __init__(self, bound: int = BOUND) -> None:
        super().__init__(bound)
        self.rung = threading.Event()
        self.puts: list[tuple[float, WindowUpdate]] = []

    def put(self, update: WindowUpdate, visit: Visit | None = None) -> None:
        super().put(update, visit)
        self.puts.append((time.monotonic(), update))
        self.rung.set()


class Window:
    """Take updates as Tk's thread does. `seen` has all of them except answers."""

    def __init__(
        self, bound: int = BOUND, clock: Callable[[], float] = time.monotonic, *, start: bool = True
    ) -> None:
        self.inbox = Bell(bound)
        self.network = Network(self.inbox, clock)
        self.seen: list[WindowUpdate] = []
        if start:
            self.network.start()

    # -- taking ------------------------------------------------------------------------------

    def drain(self) -> None:
        """Take all updates that are in the inbox."""
        while (update := self.inbox.take()) is not None:
            if isinstance(update, Answer):
                update.deliver()
            else:
                self.seen.append(update)

    def until(self, condition: Callable[[], object], what: str = "something") -> None:
        """Take updates until the condition holds."""
        end = time.monotonic() + PATIENCE_S
        while True:
            self.inbox.rung.clear()
            self.drain()
            if condition():
                return
            left = end - time.monotonic()
            assert self.inbox.rung.wait(max(0.0, left)), f"not so: {what}; seen {self.seen[-5:]}"

    def settle(self) -> None:
        """Take all updates that result from earlier commands to the loop."""
        told: list[None] = []

        async def turns() -> None:
            for _ in range(20):
                await asyncio.sleep(0)

        self.network.run(turns, told.append)
        self.until(lambda: told, "the loop's answer")

    # -- what was seen -----------------------------------------------------------------------

    def last(self, kind: type[T], who: str = ME) -> T | None:
        """Return the newest snapshot of `kind`."""
        for update in reversed(self.seen):
            if isinstance(update, kind) and getattr(update, "who", who) == who:
                return update
        return None

    def links(self, who: str = ME) -> list[str]:
        """Return all states of the connection in order."""
        return [p.state for p in self.seen if isinstance(p, LinkSnapshot) and p.who == who]

    def rooms(self, who: str = ME) -> dict[str, RoomSnapshot]:
        """Return the newest snapshot of each room since the last overflow."""
        rooms: dict[str, RoomSnapshot] = {}
        for update in self.seen:
            if isinstance(update, Overflow):
                rooms.clear()
            elif isinstance(update, RoomSnapshot) and update.who == who:
                rooms[update.room] = update
        return rooms

    def lobbies(self) -> list[LobbySnapshot]:
        """Return all snapshots of the lobby."""
        return [p for p in self.seen if isinstance(p, LobbySnapshot)]

    # -- asking, and waiting for the answer ----------------------------------------------------

    def connected(self, make: Callable[[], Awaitable[Client]], who: str = ME) -> LinkSnapshot:
        """Connect `who` and return the snapshot of the connection."""
        return self._answer(lambda done, failed: self.network.connect(who, make, done, failed))

    def refused(self, make: Callable[[], Awaitable[Client]], who: str = ME) -> Refusal:
        """Try to connect `who`, which must fail, and return the refusal."""
        return self._failure(lambda done, failed: self.network.connect(who, make, done, failed))

    def asked(self, request: Callable[[Client], Awaitable[T]], who: str = ME) -> T:
        """Send a request and return its answer."""
        return self._answer(lambda done, failed: self.network.ask(who, request, done, failed))

    def denied(self, request: Callable[[Client], Awaitable[object]], who: str = ME) -> Refusal:
        """Send a request that must fail, and return the refusal."""
        return self._failure(lambda done, failed: self.network.ask(who, request, done, failed))

    def _answer(self, ask: Callable[[Callable[[T], None], Callable[[Refusal], None]], None]) -> T:
        answers: list[T] = []
        failures: list[Refusal] = []
        ask(answers.append, failures.append)
        self.until(lambda: answers or failures, "an answer")
        assert not failures, failures
        return answers[0]

    def _failure(
        self, ask: Callable[[Callable[[Any], None], Callable[[Refusal], None]], None]
    ) -> Refusal:
        answers: list[object] = []
        failures: list[Refusal] = []
        ask(answers.append, failures.append)
        self.until(lambda: answers or failures, "a refusal")
        assert not answers, answers
        return failures[0]


def client(url: str, name: str, **options: Any) -> Client:
    """Return a person's client, which reconnects quickly."""
    return Client(url, Login("human", name=name), rng=Random(1), **options)


def joining(url: str, name: str, **options: Any) -> Callable[[], Awaitable[Client]]:
    """Return the function that `Network.connect` calls to make a client."""

    async def make() -> Client:
        made = client(url, name, **options)
        await made.start()
        return made

    return make


class Script:
    """Run a scripted server in a thread of its own."""

    def __init__(self, server: Any, loop: asyncio.AbstractEventLoop) -> None:
        self.server = server
        self.url: str = server.url
        self._loop = loop

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` in the server's thread and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    def accept(self) -> Peer:
        """Return the next connection."""
        peer: Peer = self.do(self.server.accept())
        return peer

    def welcomed(self, *rooms: str, **options: Any) -> Peer:
        """Accept the next connection, answer its hello, and return it."""
        peer = self.accept()
        self.do(peer.welcome(*rooms, **options))
        return peer

    def cut(self, peer: Peer) -> None:
        """Break a connection without a close frame."""
        self._loop.call_soon_threadsafe(peer.cut)

    def over(self, peer: Peer) -> None:
        """Wait until a connection has ended."""
        self.do(peer.over.wait())


@contextlib.contextmanager
def scripted() -> Iterator[Script]:
    """Run a scripted server while the context is open."""
    with in_thread(FakeServer()) as (server, loop):
        yield Script(server, loop)


@contextlib.contextmanager
def opening() -> Iterator[Callable[..., Window]]:
    """Yield a function that makes windows; end their threads with the context."""
    made: list[Window] = []

    def make(*args: Any, **options: Any) -> Window:
        made.append(Window(*args, **options))
        return made[-1]

    try:
        yield make
    finally:
        for window in made:
            window.network.stop()
    assert not any(window.network._thread.is_alive() for window in made)


def connect(window: Window, script: Script, who: str = ME, name: str = "Ann") -> Peer:
    """Connect `who` and return the server's end of the connection."""
    answers: list[LinkSnapshot] = []
    window.network.connect(who, joining(script.url, name), answers.append, pytest.fail)
    peer = script.welcomed(name=name)
    window.until(lambda: answers, "a connection")
    return peer


def never(_: object) -> None:
    raise AssertionError("Nobody waits for this any more.")
