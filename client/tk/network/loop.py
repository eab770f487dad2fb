"""The event loop of the network's thread: makes, keeps and closes the connections.

Theory of operation
-------------------
A connection is closed by a task that nothing cancels, so that none stays open because somebody
changed their mind in between; the next one of the same `who` waits for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from client.core.errors import ClientError, RequestRefused
from client.tk.models.helpers import HelperFailed
from client.tk.models.pictures import Answer, LinkPicture, LinkState
from client.tk.network.inbox import Inbox, Visit
from client.tk.network.link import Link, report
from client.transport import Client

log = logging.getLogger(__name__)

CLOSE_S: Final = 4.0
"""How long connections may take to end when the thread does, in seconds."""
LAST_S: Final = 10.0
"""How long what is done last may take, in seconds: helpers have some seconds to end."""
LEFT_S: Final = 1.0
_BUG: Final = "A bug of this program has come in between; its log says more."
_CALLED_OFF: Final = "This was called off."
_TOO_LATE: Final = "There was no answer in time."


class Refusal(Exception):  # noqa: N818 - an answer to Tk's thread, which does not raise it
    """Why something asked for was not done: one sentence for people, and the stable code if the
    server has refused it."""

    def __init__(self, sentence: str, code: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


_End = tuple[Any, Refusal | None]
"""What becomes of something asked for: its result, or why there is none."""


class NetworkLoop:
    """The connections, one for each `who`, and the work that goes on in the loop.

    Only `live` and the constructor are called outside of the loop. `tell` and `forget` are called
    in Tk's thread, by way of the inbox: the first with the number of some work and what became of
    it, the second with the number of work that was given up.
    """

    def __init__(
        self,
        inbox: Inbox,
        clock: Callable[[], float],
        tell: Callable[[int, Any, Refusal | None], None],
        forget: Callable[[int], None],
    ) -> None:
        self.loop = asyncio.new_event_loop()
        self.links: dict[str, Link] = {}
        self._inbox = inbox
        self._clock = clock
        self._tell = tell
        self._forget = forget
        self._joining: dict[str, asyncio.Task[_End]] = {}
        self._closing: dict[str, set[asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[_End]] = set()
        self._ending: asyncio.Task[None] | None = None

    def live(self) -> None:
        """Run until `end` is done; the body of the thread."""
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
            self.loop.run_until_complete(self._finish())
        finally:
            self.loop.close()

    def spawn(self, work: Callable[[], Awaitable[Any]], number: int) -> asyncio.Task[_End]:
        """Do some work as a task; what becomes of it goes into the inbox."""
        task = self.loop.create_task(self._do(work))
        self._tasks.add(task)
        task.add_done_callback(functools.partial(self._answer, number))
        return task

    def connect(
        self, who: str, make: Callable[[], Awaitable[Client]], visit: Visit, number: int
    ) -> None:
        """Replace the connection of `who` by the one that `make` brings."""
        self._part(who)
        self._inbox.put(LinkPicture(who, "connecting"), visit)
        self._joining[who] = self.spawn(functools.partial(self._join, who, make, visit), number)

    def disconnect(self, who: str, visit: Visit) -> None:
        """End the connection of `who`, or give up making it."""
        if self._part(who):
            self._inbox.put(LinkPicture(who, "closed"), visit)

    def show_all(self, visits: tuple[tuple[str, Visit], ...]) -> None:
        """Put pictures of everything into the inbox."""
        for who, visit in visits:
            if (link := self.links.get(who)) is not None:
                link.show_all()
            else:
                state: LinkState = "connecting" if who in self._joining else "closed"
                self._inbox.put(LinkPicture(who, state), visit)

    def end(self, last: Callable[[], Awaitable[None]] | None) -> None:
        """Close everything, do `last`, and stop the loop."""
        self._ending = self.loop.create_task(self._end(last))

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
            self.links[who] = link
            return link.picture
        finally:
            if self._joining.get(who) is me:
                del self._joining[who]
            if who not in self.links:
                self._inbox.put(LinkPicture(who, "closed"), visit)

    def _part(self, who: str) -> bool:
        """Give up what is being made for `who` and begin to close what there is; whether there was
        anything."""
        joining, link = self._joining.pop(who, None), self.links.pop(who, None)
        if joining is not None:
            joining.cancel()
        if link is not None:
            # Its time is over at once: a request that fails now has nothing more to show.
            link.leave()
            self._close(who, link.close())
        return joining is not None or link is not None

    def _close(self, who: str, work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(work, name=f"closing of {who}")
        closing = self._closing.setdefault(who, set())
        closing.add(task)
        task.add_done_callback(closing.discard)
        task.add_done_callback(report)

    async def _closed(self, who: str) -> None:
        """Wait until the earlier connections of `who` are closed."""
        if closing := self._closing.get(who):
            await asyncio.wait(tuple(closing))  # cancels none of them

    async def _end(self, last: Callable[[], Awaitable[None]] | None) -> None:
        try:
            for task in tuple(self._tasks):
                task.cancel()
            for who in tuple(self.links):
                self._part(who)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    # What was being made may leave something to close.
                    while under_way := self._tasks.union(*self._closing.values()):
                        await asyncio.wait(under_way)
            if last is not None:
                async with asyncio.timeout(LAST_S):
                    await last()
        except Exception:
            log.exception("The network's thread did not end well.")
        finally:
            self.loop.call_soon(self.loop.stop)

    async def _finish(self) -> None:
        """End what others have begun in the loop and left there."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=LEFT_S)
        await self.loop.shutdown_asyncgens()
