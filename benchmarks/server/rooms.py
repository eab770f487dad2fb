"""Rooms of two clients that answer at once or at given moments, for the loads of all servers."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence

from benchmarks.server.wire import Client, Loop


class Rooms:
    """All rooms on one server, whose process is `pid`.

    `done` counts moves. While `timing`, `latencies` collects the seconds of each move.
    """

    def __init__(self, loop: Loop, pid: int) -> None:
        self.loop = loop
        self.pid = pid
        self.done = 0
        self.waiting = 0
        self.request_bytes = 0
        self.event_bytes = 0
        self.paused = True
        self.due: deque[float] = deque()
        """While paced: the times of moves that are due but have no free room yet."""
        self.paced = False
        self.ready: deque[Pair] = deque()
        self.latencies: list[float] = []
        self.timing = False

    def players(self) -> Sequence[Client]:
        """Return the clients of all rooms."""
        raise NotImplementedError

    @property
    def message_bytes(self) -> tuple[float, float]:
        """The mean bytes of a request and of an event's copy, so far."""
        return self.request_bytes / (self.done or 1), self.event_bytes / (2 * self.done or 1)

    def start(self) -> None:
        """Let all rooms play."""
        self.paused = False
        ready, self.ready = self.ready, deque()
        for pair in ready:
            pair.act()

    def pause(self) -> None:
        """Stop sending new requests. Those on their way still get their answers."""
        self.paused = True
        self.due.clear()

    def pace(self, now: float) -> None:
        """Let the room that has waited longest make the move that is due `now`."""
        if self.ready:
            self.ready.popleft().act(now)
        else:
            self.due.append(now)

    def answered(self, sent_at: float) -> None:
        """Count a move whose answer has arrived."""
        self.done += 1
        self.waiting -= 1
        if self.timing:
            self.latencies.append(time.perf_counter() - sent_at)

    def close(self) -> None:
        """Drop all connections."""
        for player in self.players():
            self.loop.remove(player)
            player.close()


class Pair:
    """The two clients of a room, or of one room after another; `next` is their next step."""

    def __init__(self, play: Rooms) -> None:
        self._play = play
        self.sent_at = 0.0
        self.next: Callable[[], None] = lambda: None

    def offer(self) -> None:
        """Do the next step at once, or keep it until it is due or the pause ends."""
        play = self._play
        if play.paused:
            play.ready.append(self)
        elif not play.paced:
            self.act()
        elif play.due:
            self.act(play.due.popleft())
        else:
            play.ready.append(self)

    def act(self, at: float | None = None) -> None:
        """Do the next step; `at` is when it was due (None: now)."""
        self.sent_at = time.perf_counter() if at is None else at
        self.next()
