"""Generate the load of the fit: rooms over all nodes, and people who come, play and go."""

from __future__ import annotations

import sys
import time
from itertools import count, cycle
from random import Random
from typing import Any, Final

import msgpack

from benchmarks.cluster.load import ClusterLoad
from benchmarks.cluster.play import SplitPlay
from benchmarks.server.load import answer_orders
from benchmarks.server.meter import pin
from benchmarks.server.play import CLOCK, GAME, expect, pack
from benchmarks.server.wire import Client, LoadError, Loop, frame
from doublecross.protocol.version import MSGPACK, PROTOCOL_VERSION

SETTINGS: Final = {"game": GAME, "params": {"rows": 3, "cols": 3}, "time": CLOCK}
SIZE: Final = 5
MOVES_EACH: Final = 60
"""The moves of a match on such a board."""
PATIENCE_S: Final = 20.0
_QUIET: Final = frozenset(
    (
        *("lobby_changed", "ties", "open_games", "seek_posted"),
        *("match_started", "seated", "presence", "room_closed"),
    )
)


class Person(Client):
    """A connection of a person, who says hello at once."""

    def __init__(self, url: str, loop: Loop, **who: Any) -> None:
        super().__init__(url, MSGPACK)
        self._loop = loop
        hello = {"type": "hello", "id": 1, "protocol": PROTOCOL_VERSION, "kind": "human"}
        self.ask(**hello, **who)

    def ask(self, **request: Any) -> None:
        """Send a request."""
        self.send_frame(frame(pack(request)))

    def follow(self) -> None:
        """Follow the lobby, and read all that comes."""
        self.ask(type="follow_lobby", id=2)
        self.on_frame = lambda _: None
        self._loop.add(self)


class Visit(Person):
    """Somebody who is known, looks at the lobby, plays a quick match and goes."""

    def __init__(self, url: str, loop: Loop, counts: Counts, token: str) -> None:
        self._counts = counts
        self._room = ""
        super().__init__(url, loop, token=token)
        counts.here += 1
        self.on_frame = self.handle
        loop.add(self)

    def handle(self, payload: bytes) -> None:
        """Go on after a message."""
        message = msgpack.unpackb(payload)
        kind = message["type"]
        if kind == "welcome":
            self._counts.logins += 1
            self.ask(type="follow_lobby", id=2)
            self.ask(type="get_ties", id=6)
            self.ask(type="get_open_games", id=7)
        elif kind == "lobby_state" and not self._counts.play:
            self._end()
        elif kind == "lobby_state":
            key = f"quick-{next(self._counts.keys)}"
            self.ask(type="quick_match", id=3, key=key, settings=SETTINGS)
        elif kind == "room_state":
            self._room = message["room"]
            if message["seat"] == 0:
                self._counts.opened += 1
                self.ask(type="resign", id=4, room=self._room)
            elif message["snapshot"]["status"] == "finished":  # the opponent was quicker
                self.ask(type="leave", id=5, room=self._room)
        elif kind == "match_finished":
            self.ask(type="leave", id=5, room=self._room)
        elif kind == "done":
            self._end()
        elif kind not in _QUIET:
            raise LoadError(f"Unexpected {kind}: {message}")

    def _end(self) -> None:
        self._counts.here -= 1
        self._loop.remove(self)
        self.close()


class Counts:
    """What visitors have done so far, and how many are `here`."""

    def __init__(self) -> None:
        self.logins = 0
        self.opened = 0
        self.here = 0
        self.keys = count()
        self.play = True


class FitLoad(ClusterLoad):
    """The workloads of a cluster, and `settle_in` and `mixed`."""

    def settle_in(self, urls: list[str], rooms: int, followers: int, people: int) -> dict[str, Any]:
        """Open rooms, let people follow the lobby, and let others come for the first time."""
        self.urls = cycle(urls)
        self.counts = Counts()
        tokens = []
        for number in range(people):
            person = Person(next(self.urls), self.loop, name=f"visitor-{number}")
            tokens.append(expect(person.next(), "welcome")["token"])
            person.close()
        self.tokens = cycle(tokens)
        for number in range(followers):
            person = Person(next(self.urls), self.loop, name=f"follower-{number}")
            expect(person.next(), "welcome")
            person.follow()
        self.play_ = SplitPlay(self.loop, urls, 0, rooms, SIZE, "player")
        return {}

    def mixed(
        self, rate: float, pairs: float, seconds: float, *, play: bool = True
    ) -> dict[str, Any]:
        """Make so many moves a second, and let so many pairs of people come, at random moments.

        Returns what was done until everything had its answer.
        """
        work, counts, gap = self.play_, self.counts, Random(1).expovariate
        counts.play = play
        before = work.done, counts.logins, counts.opened
        work.paused, work.paced = False, True
        now = time.perf_counter()
        end, move_at, visit_at = now + seconds, now, now
        while min(move_at, visit_at) < end:
            now = time.perf_counter()
            while move_at <= now:
                work.pace(move_at)
                move_at += gap(rate)
            if visit_at <= now:
                for _ in range(2):
                    Visit(next(self.urls), self.loop, counts, next(self.tokens))
                visit_at += gap(pairs)
            self._wait(max(0.0, min(move_at, visit_at) - now))
        work.pause()
        self._settle(work)
        work.paced = False
        last = time.perf_counter() + PATIENCE_S
        while counts.here:
            if time.perf_counter() > last:
                raise LoadError(f"{counts.here} visitors have not finished.")
            self.loop.turn(0.1)
        return {
            "moves": work.done - before[0],
            "logins": counts.logins - before[1],
            "opened": counts.opened - before[2],
        }


if __name__ == "__main__":
    pin(int(sys.argv[1]))
    answer_orders(FitLoad())
