"""Run work in the network thread, and call back in Tk's thread with its outcome.

Theory of operation
-------------------
Tk's thread starts work with `ask` and `run`. The work runs as a task in the network thread's event
loop, and its outcome comes back through the inbox as an `Answer`. For each connection a `Link`
turns changes of the session into snapshots, which take the same way. The threads share nothing
else. So neither needs a lock on the other's data, and neither waits for the other, except in
`stop`.

Tk's thread keeps the work and its callbacks, under a number, until it has taken the answer. They
refer to widgets, and the last reference to a widget must not be dropped in another thread.

When Tk's thread connects or disconnects a `who`, it takes no more updates of the old connection:
each update belongs to a `Visit` (see `Inbox`), and the old visit is then over.

Each `who` has a connection of its own: `ME` is the person at the window, `GUEST` a second person at
the same window.
"""

from __future__ import annotations

import functools
import itertools
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from doublecross.client.language import tr
from doublecross.client.tk.models.snapshots import LinkSnapshot
from doublecross.client.tk.network.inbox import Inbox, Visit
from doublecross.client.tk.network.loop import CLOSE_S, LAST_S, LEFT_S, NetworkLoop
from doublecross.client.tk.refusal import Refusal
from doublecross.client.transport import Client

ME: Final = "me"
GUEST: Final = "guest"

T = TypeVar("T")


def _ignore(_: object) -> None:
    pass


@dataclass(frozen=True, slots=True)
class _Job:
    """Some work and its callbacks, which are not called once `visit` is over.

    `work` is only kept alive here; see the top of the file.
    """

    work: object
    done: Callable[[Any], None]
    failed: Callable[[Refusal], None]
    visit: Visit | None


class Network:
    """The network thread. Only Tk's thread calls the methods.

    `clock` is the clients' clock, in seconds.
    """

    def __init__(self, inbox: Inbox, clock: Callable[[], float] = time.monotonic) -> None:
        self._loop = NetworkLoop(inbox, clock, self._report, self._forget)
        self._thread = threading.Thread(target=self._loop.run, name="network", daemon=True)
        self._visits: dict[str, Visit] = {}
        self._numbers = itertools.count()
        self._jobs: dict[int, _Job] = {}
        self._stopping = False

    def start(self) -> None:
        """Start the thread. Call this once, and not after `stop`."""
        if self._stopping:
            raise RuntimeError("This network has been stopped.")
        self._thread.start()

    def stop(self, last: Callable[[], Awaitable[None]] | None = None) -> None:
        """End the connections, do `last` in the loop, and end the thread.

        Return when the thread has ended, or after some seconds. Callbacks of unfinished work are
        dropped.
        """
        first, self._stopping = not self._stopping, True
        for visit in self._visits.values():
            visit.over = True
        if self._thread.ident is None:  # it was never started
            self._loop.loop.close()
        elif self._thread.is_alive():
            if first:
                self._loop.loop.call_soon_threadsafe(self._loop.end, last)
            self._thread.join(CLOSE_S + LAST_S + LEFT_S + 1.0)
        self._jobs.clear()

    def connect(
        self,
        who: str,
        make: Callable[[], Awaitable[Client]],
        done: Callable[[LinkSnapshot], None],
        failed: Callable[[Refusal], None],
    ) -> None:
        """Connect `who` by the client that `make` starts and returns.

        The present connection of `who` is closed first, and an attempt under way is cancelled. A
        later `connect` or `disconnect` for the same `who` drops both callbacks.
        """
        visit = self._new_visit(who)
        number = self._note(make, done, failed, visit)
        self._post(functools.partial(self._loop.connect, who, make, visit, number))

    def disconnect(self, who: str) -> None:
        """End the connection of `who`, or cancel the attempt to make one."""
        visit = self._new_visit(who)
        self._post(functools.partial(self._loop.disconnect, who, visit))

    def ask(
        self,
        who: str,
        request: Callable[[Client], Awaitable[T]],
        done: Callable[[T], None] = _ignore,
        failed: Callable[[Refusal], None] = _ignore,
    ) -> None:
        """Make a request over the connection of `who`; then call `done` or `failed`."""

        async def work() -> T:
            link = self._loop.links.get(who)
            if link is None:
                raise Refusal(tr("There is no connection to a server."))
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
    ) -> int:
        """Do some work in the loop; then call `done` or `failed`, unless `stop` comes first.

        Return the number of the work for `cancel`.
        """
        number = self._note(work, done, failed, None)
        self._post(functools.partial(self._loop.spawn, work, number))
        return number

    def cancel(self, number: int) -> None:
        """Cancel the work with this number, if it still runs; neither callback is called."""
        job = self._jobs.get(number)
        if job is not None:
            # The task may still refer to its work, so only the callbacks go now.
            self._jobs[number] = _Job(job.work, _ignore, _ignore, None)
            self._post(functools.partial(self._loop.cancel, number))

    def request_snapshots(self) -> None:
        """Put snapshots of everything into the inbox."""
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
            self._jobs[number] = _Job(work, done, failed, visit)
        return number

    def _report(self, number: int, result: Any, refusal: Refusal | None) -> None:
        """Call back with the outcome of some work."""
        job = self._jobs.pop(number, None)
        if job is None or (job.visit is not None and job.visit.over):
            return
        if refusal is None:
            job.done(result)
        else:
            job.failed(refusal)

    def _forget(self, number: int) -> None:
        """Drop cancelled work."""
        self._jobs.pop(number, None)
