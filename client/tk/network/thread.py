"""The thread of the network, as Tk's thread uses it: asks for work and gets what became of it.

Theory of operation
-------------------
Tk's thread asks by `ask` and `run`: the work is done as a task of the loop, and what becomes of it
goes into the inbox as an answer. For each connection a `Link` turns what changes in its session
into pictures. Nothing else passes between the threads, so neither has a lock on the other's data
nor ever waits for it; only `stop` waits for the end.

The work and the functions that an answer calls are kept by Tk's thread, under a number, until the
answer is taken: they hold widgets, and the last reference to one must not go in another thread.

From the moment that Tk's thread connects somebody anew or disconnects them, it takes no picture of
their old connection any more: each belongs to a visit (see `Inbox`), which is over then.

There is a connection for each `who`: `ME`, the person at the window, and `GUEST`, a second person
at the same one.
"""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from client.tk.models.pictures import LinkPicture
from client.tk.network.inbox import Inbox, Visit
from client.tk.network.loop import CLOSE_S, LAST_S, LEFT_S, NetworkLoop, Refusal
from client.transport import Client

__all__ = ["GUEST", "ME", "Network", "Refusal"]

ME: Final = "me"
GUEST: Final = "guest"

T = TypeVar("T")


def _ignore(_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked for; `work` is only kept. Nobody waits for it when `visit` is over."""

    work: object
    done: Callable[[Any], None]
    failed: Callable[[Refusal], None]
    visit: Visit | None


class Network:
    """The thread, used from Tk's thread after `start`.

    `clock` is the clients' clock, in seconds.
    """

    def __init__(self, inbox: Inbox, clock: Callable[[], float] = time.monotonic) -> None:
        self._loop = NetworkLoop(inbox, clock, self._tell, self._forget)
        self._thread = threading.Thread(target=self._loop.live, name="network", daemon=True)
        self._visits: dict[str, Visit] = {}
        self._numbers = itertools.count()
        self._asked: dict[int, _Asked] = {}
        self._stopping = False

    def start(self) -> None:
        """Begin; once, and not after `stop`."""
        if self._stopping:
            raise RuntimeError("This network has been stopped.")
        self._thread.start()

    def stop(self, last: Callable[[], Awaitable[None]] | None = None) -> None:
        """End the connections and do `last` in the loop; returns when the thread is over, or
        after some seconds anyway. What is still asked for is dropped."""
        first, self._stopping = not self._stopping, True
        for visit in self._visits.values():
            visit.over = True
        if self._thread.ident is None:  # it has never begun
            self._loop.loop.close()
        elif self._thread.is_alive():
            if first:
                self._loop.loop.call_soon_threadsafe(self._loop.end, last)
            self._thread.join(CLOSE_S + LAST_S + LEFT_S + 1.0)
        self._asked.clear()

    def connect(
        self,
        who: str,
        make: Callable[[], Awaitable[Client]],
        done: Callable[[LinkPicture], None],
        failed: Callable[[Refusal], None],
    ) -> None:
        """Let `make` bring a started client, which is then the connection of `who`; a connection
        that there is ends first, and one that is being made is given up.

        Neither `done` nor `failed` is called once `connect` or `disconnect` is for the same `who`.
        """
        visit = self._new_visit(who)
        number = self._note(make, done, failed, visit)
        self._post(functools.partial(self._loop.connect, who, make, visit, number))

    def disconnect(self, who: str) -> None:
        """End the connection of `who`, or give up making it."""
        visit = self._new_visit(who)
        self._post(functools.partial(self._loop.disconnect, who, visit))

    def ask(
        self,
        who: str,
        request: Callable[[Client], Awaitable[T]],
        done: Callable[[T], None] = _ignore,
        failed: Callable[[Refusal], None] = _ignore,
    ) -> None:
        """Make a request of the connection of `who`."""

        async def work() -> T:
            link = self._loop.links.get(who)
            if link is None:
                raise Refusal("There is no connection to a server.")
            try:
                return await request(link.client)
            finally:
                link.show_offers()

        self.run(work, done, failed)

    def run(
        self,
        work: Callable[[], Awaitable[T]],
        done: Callable[[T], None] = _ignore,
        failed: Callable[[Refusal], None] = _ignore,
    ) -> None:
        """Do some work in the loop; one of `done` and `failed` is called, unless `stop` is."""
        number = self._note(work, done, failed, None)
        self._post(functools.partial(self._loop.spawn, work, number))

    def look(self) -> None:
        """Put pictures of everything into the inbox."""
        self._post(functools.partial(self._loop.show_all, tuple(self._visits.items())))

    def _post(self, call: Callable[[], object]) -> None:
        if not self._stopping:
            self._loop.loop.call_soon_threadsafe(call)

    def _new_visit(self, who: str) -> Visit:
        if (old := self._visits.get(who)) is not None:
            old.over = True
        visit = self._visits[who] = Visit()
        return visit

    def _note(
        self,
        work: object,
        done: Callable[[T], None],
        failed: Callable[[Refusal], None],
        visit: Visit | None,
    ) -> int:
        number = next(self._numbers)
        if not self._stopping:
            self._asked[number] = _Asked(work, done, failed, visit)
        return number

    def _tell(self, number: int, result: Any, refusal: Refusal | None) -> None:
        """Hand what became of something asked for to whoever asked."""
        asked = self._asked.pop(number, None)
        if asked is None or (asked.visit is not None and asked.visit.over):
            return
        if refusal is None:
            asked.done(result)
        else:
            asked.failed(refusal)

    def _forget(self, number: int) -> None:
        """Drop something asked for that was given up."""
        self._asked.pop(number, None)
