"""The thread of the network: one event loop with the connections and the helpers' processes.

Theory of operation
-------------------
Tk's thread asks by `ask` and `run`: the work is done as a task of the loop, and what becomes of it
goes into the inbox as an answer. For each connection a `Link` turns what changes in its session
into pictures. Nothing else passes between the threads, so neither has a lock on the other's data
nor ever waits for it; only `stop` waits for the end.

The work and the functions that an answer calls are kept by Tk's thread, under a number, until the
answer is told: they hold widgets, and the last reference to a widget must not go in another thread.

From the moment that Tk's thread connects somebody anew or disconnects them, it takes no picture of
their old connection any more: each belongs to a visit (see `Inbox`), which is over then. A
connection is closed by a task that nothing cancels, so that none stays open because somebody
changed their mind in between; the next one of the same `who` waits for it.

There is a connection for each `who`: `ME`, the person at the window, and `GUEST`, a second person
at the same one.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from client.core.errors import ClientError, RequestRefused
from client.tk.models.helpers import HelperFailed
from client.tk.models.pictures import Answer, LinkPicture, LinkState
from client.tk.network.inbox import Inbox, Visit
from client.tk.network.link import Link, report
from client.transport import Client

log = logging.getLogger(__name__)

ME: Final = "me"
GUEST: Final = "guest"

_CLOSE_S: Final = 4.0
"""How long connections may take to end when the thread does, in seconds."""
_LAST_S: Final = 10.0
"""How long what is done last may take, in seconds: helpers have some seconds to end."""
_LEFT_S: Final = 1.0
_BUG: Final = "A bug of this program has come in between; its log says more."
_CALLED_OFF: Final = "This was called off."
_TOO_LATE: Final = "There was no answer in time."

T = TypeVar("T")
_End = tuple[Any, "Refusal | None"]
"""What becomes of something asked for: its result, or why there is none."""


class Refusal(Exception):  # noqa: N818 - what Tk's thread is told, not what is raised there
    """Why something asked for was not done: one sentence for people, and the stable code if the
    server has refused it."""

    def __init__(self, sentence: str, code: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


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
    """The thread. All methods but the constructor's are for Tk's thread, after `start`.

    `clock` is the clients' clock, in seconds.
    """

    def __init__(self, inbox: Inbox, clock: Callable[[], float] = time.monotonic) -> None:
        self._inbox = inbox
        self._clock = clock
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._live, name="network", daemon=True)
        # Of Tk's thread:
        self._visits: dict[str, Visit] = {}
        self._numbers = itertools.count()
        self._asked: dict[int, _Asked] = {}
        self._stopping = False
        # Of the loop:
        self._links: dict[str, Link] = {}
        self._joining: dict[str, asyncio.Task[_End]] = {}
        self._closing: dict[str, set[asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[_End]] = set()
        self._ending: asyncio.Task[None] | None = None

    # -- for Tk's thread ---------------------------------------------------------------------

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
            self._loop.close()
        elif self._thread.is_alive():
            if first:
                self._loop.call_soon_threadsafe(self._begin_end, last)
            self._thread.join(_CLOSE_S + _LAST_S + _LEFT_S + 1.0)
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
        self._post(functools.partial(self._begin, who, make, visit, number))

    def disconnect(self, who: str) -> None:
        """End the connection of `who`, or give up making it."""
        visit = self._new_visit(who)

        def begin() -> None:
            if self._part(who):
                self._inbox.put(LinkPicture(who, "closed"), visit)

        self._post(begin)

    def ask(
        self,
        who: str,
        request: Callable[[Client], Awaitable[T]],
        done: Callable[[T], None] = _ignore,
        failed: Callable[[Refusal], None] = _ignore,
    ) -> None:
        """Make a request of the connection of `who`."""

        async def work() -> T:
            link = self._links.get(who)
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
        self._post(functools.partial(self._spawn, work, number))

    def look(self) -> None:
        """Have pictures of everything put into the inbox."""

        visits = tuple(self._visits.items())

        def show() -> None:
            for who, visit in visits:
                if (link := self._links.get(who)) is not None:
                    link.show_all()
                else:
                    state: LinkState = "connecting" if who in self._joining else "closed"
                    self._inbox.put(LinkPicture(who, state), visit)

        self._post(show)

    def _post(self, call: Callable[[], object]) -> None:
        if not self._stopping:
            self._loop.call_soon_threadsafe(call)

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
        """Something asked for has come to its end."""
        asked = self._asked.pop(number, None)
        if asked is None or (asked.visit is not None and asked.visit.over):
            return
        if refusal is None:
            asked.done(result)
        else:
            asked.failed(refusal)

    def _forget(self, number: int) -> None:
        """Something asked for was given up."""
        self._asked.pop(number, None)

    # -- in the loop -------------------------------------------------------------------------

    def _live(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(self._finish())
        finally:
            self._loop.close()

    def _spawn(self, work: Callable[[], Awaitable[Any]], number: int) -> asyncio.Task[_End]:
        task = self._loop.create_task(self._do(work))
        self._tasks.add(task)
        task.add_done_callback(functools.partial(self._answer, number))
        return task

    async def _do(self, work: Callable[[], Awaitable[Any]]) -> _End:
        try:
            return await work(), None
        except asyncio.CancelledError:
            me = asyncio.current_task()
            if me is not None and me.cancelling():
                raise
            # Not this task was cancelled but something that it waited for.
            return None, Refusal(_CALLED_OFF)
        except (Refusal, RequestRefused) as error:
            return None, Refusal(error.sentence, error.code)
        except (ClientError, HelperFailed, TimeoutError) as error:
            return None, Refusal(str(error) or _TOO_LATE)
        except Exception:
            log.exception("A bug ended something in the network's thread.")
            return None, Refusal(_BUG)

    def _answer(self, number: int, task: asyncio.Task[_End]) -> None:
        # A task that is done has let go of the work.
        self._tasks.discard(task)
        if task.cancelled():
            tell = functools.partial(self._forget, number)
        else:
            tell = functools.partial(self._tell, number, *task.result())
        self._inbox.put(Answer(tell))

    def _begin(
        self, who: str, make: Callable[[], Awaitable[Client]], visit: Visit, number: int
    ) -> None:
        self._part(who)
        self._inbox.put(LinkPicture(who, "connecting"), visit)
        self._joining[who] = self._spawn(functools.partial(self._join, who, make, visit), number)

    async def _join(
        self, who: str, make: Callable[[], Awaitable[Client]], visit: Visit
    ) -> LinkPicture:
        """Make the connection of `who`."""
        me = asyncio.current_task()
        try:
            await self._closed(who)
            client = await make()
            if self._joining.get(who) is not me:
                # Given up, but `make` has not minded.
                self._close(who, client.close())
                raise asyncio.CancelledError
            try:
                link = Link(who, client, self._inbox, visit, self._clock)
            except BaseException:
                self._close(who, client.close())
                raise
            self._links[who] = link
            return link.picture
        finally:
            if self._joining.get(who) is me:
                del self._joining[who]
            if who not in self._links:
                self._inbox.put(LinkPicture(who, "closed"), visit)

    def _part(self, who: str) -> bool:
        """Give up what is being made for `who` and begin to close what there is; whether there was
        anything."""
        joining, link = self._joining.pop(who, None), self._links.pop(who, None)
        if joining is not None:
            joining.cancel()
        if link is not None:
            # Its time is over at once: a request that fails now has nothing more to show.
            link.leave()
            self._close(who, link.close())
        return joining is not None or link is not None

    def _close(self, who: str, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work, name=f"closing of {who}")
        closing = self._closing.setdefault(who, set())
        closing.add(task)
        task.add_done_callback(closing.discard)
        task.add_done_callback(report)

    async def _closed(self, who: str) -> None:
        """Wait until the earlier connections of `who` are closed."""
        if closing := self._closing.get(who):
            await asyncio.wait(tuple(closing))  # cancels none of them

    def _begin_end(self, last: Callable[[], Awaitable[None]] | None) -> None:
        self._ending = self._loop.create_task(self._end(last))

    async def _end(self, last: Callable[[], Awaitable[None]] | None) -> None:
        try:
            for task in tuple(self._tasks):
                task.cancel()
            for who in tuple(self._links):
                self._part(who)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_CLOSE_S):
                    # What was being made may leave something to close.
                    while under_way := self._tasks.union(*self._closing.values()):
                        await asyncio.wait(under_way)
            if last is not None:
                async with asyncio.timeout(_LAST_S):
                    await last()
        except Exception:
            log.exception("The network's thread did not end well.")
        finally:
            self._loop.call_soon(self._loop.stop)

    async def _finish(self) -> None:
        """End what others have begun in the loop and left there."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=_LEFT_S)
        await self._loop.shutdown_asyncgens()
