"""Open, serve and close the connections in the event loop of the network thread.

Theory of operation
-------------------
A separate task closes each connection, and nothing cancels that task. So no connection stays open
when the person connects or disconnects again meanwhile. The next connection of the same `who` waits
until the earlier ones are closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import traceback
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

from doublecross.client.core.errors import ClientError, RequestRefused
from doublecross.client.language import said
from doublecross.client.tk.models.helpers import HelperFailed
from doublecross.client.tk.models.snapshots import Answer, LinkSnapshot, LinkState
from doublecross.client.tk.network.inbox import Inbox, Visit
from doublecross.client.tk.network.link import Link, report
from doublecross.client.tk.refusal import Refusal
from doublecross.client.transport import Client

log = logging.getLogger(__name__)

CLOSE_S: Final = 4.0
"""How long the connections may take to close when the thread ends, in seconds."""
LAST_S: Final = 10.0
"""How long the final work may take, in seconds; helper processes need some seconds to end."""
LEFT_S: Final = 1.0
"""How long tasks that others left in the loop may take to end, in seconds."""
_BUG: Final = "Something went wrong. Details are in the log."
_CALLED_OFF: Final = "This was cancelled."
_TOO_LATE: Final = "There was no answer in time; try again."


_Outcome = tuple[Any, Refusal | None]
"""The outcome of some work: its result and None, or None and why it failed."""


class NetworkLoop:
    """The connections, one for each `who`, and the work that runs in the loop.

    Only `run` and the constructor are called outside the loop. `report` and `forget` are called in
    Tk's thread, by way of the inbox: `report` with the number of some work and its outcome,
    `forget` with the number of work that was cancelled.
    """

    def __init__(
        self,
        inbox: Inbox,
        clock: Callable[[], float],
        report: Callable[[int, Any, Refusal | None], None],
        forget: Callable[[int], None],
    ) -> None:
        self.loop = asyncio.new_event_loop()
        self.links: dict[str, Link] = {}
        self._inbox = inbox
        self._clock = clock
        self._report = report
        self._forget = forget
        self._joining: dict[str, asyncio.Task[_Outcome]] = {}
        self._closing: dict[str, set[asyncio.Task[None]]] = {}
        self._tasks: dict[int, asyncio.Task[_Outcome]] = {}
        """The work by its number."""
        self._ending: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Run the loop until `end` is done; this is the body of the thread."""
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
            self.loop.run_until_complete(self._finish())
        finally:
            self.loop.close()

    def spawn(self, work: Callable[[], Awaitable[Any]], number: int) -> asyncio.Task[_Outcome]:
        """Do some work as a task; put its outcome into the inbox."""
        task = self.loop.create_task(self._do(work))
        self._tasks[number] = task
        task.add_done_callback(functools.partial(self._answer, number))
        return task

    def cancel(self, number: int) -> None:
        """Cancel the work with this number, if it still runs."""
        if (task := self._tasks.get(number)) is not None:
            task.cancel()

    def connect(
        self, who: str, make: Callable[[], Awaitable[Client]], visit: Visit, number: int
    ) -> None:
        """Replace the connection of `who` by the one that `make` returns."""
        self._part(who)
        self._inbox.put(LinkSnapshot(who, "connecting"), visit)
        self._joining[who] = self.spawn(functools.partial(self._join, who, make, visit), number)

    def disconnect(self, who: str, visit: Visit) -> None:
        """End the connection of `who`, or cancel the attempt to make one."""
        if self._part(who):
            self._inbox.put(LinkSnapshot(who, "closed"), visit)

    def show_all(self, visits: tuple[tuple[str, Visit], ...]) -> None:
        """Put snapshots of everything into the inbox."""
        for who, visit in visits:
            if (link := self.links.get(who)) is not None:
                link.show_all()
            else:
                state: LinkState = "connecting" if who in self._joining else "closed"
                self._inbox.put(LinkSnapshot(who, state), visit)

    def end(self, last: Callable[[], Awaitable[None]] | None) -> None:
        """Close everything, do `last`, and stop the loop."""
        self._ending = self.loop.create_task(self._end(last))

    async def _do(self, work: Callable[[], Awaitable[Any]]) -> _Outcome:
        try:
            return await work(), None
        except asyncio.CancelledError:
            me = asyncio.current_task()
            if me is not None and me.cancelling():
                raise
            # Something that this task waited for was cancelled, not the task itself.
            return None, Refusal(_CALLED_OFF)
        except (Refusal, RequestRefused) as error:
            return None, Refusal(said(error.sentence), error.code)
        except (ClientError, HelperFailed, TimeoutError) as error:
            return None, Refusal(said(next(iter(error.args), "")) or _TOO_LATE)
        except Exception:
            log.exception("Unexpected error in the network thread.")
            return None, Refusal(_BUG)

    def _answer(self, number: int, task: asyncio.Task[_Outcome]) -> None:
        """Put the outcome of a task into the inbox.

        Only now may Tk's thread drop the work: before, the task still refers to it.
        """
        self._tasks.pop(number, None)
        if task.cancelled():
            _forget_frames(task)
            deliver = functools.partial(self._forget, number)
        else:
            deliver = functools.partial(self._report, number, *task.result())
        self._inbox.put(Answer(deliver))

    async def _join(
        self, who: str, make: Callable[[], Awaitable[Client]], visit: Visit
    ) -> LinkSnapshot:
        """Connect `who`, once the earlier connections are closed."""
        me = asyncio.current_task()
        try:
            await self._closed(who)
            client = await make()
            if self._joining.get(who) is not me:
                # Cancelled, but `make` returned a client nevertheless.
                self._close(who, client.close())
                raise asyncio.CancelledError
            try:
                link = Link(who, client, self._inbox, visit, self._clock)
            except BaseException:
                self._close(who, client.close())
                raise
            self.links[who] = link
            return link.snapshot
        finally:
            if self._joining.get(who) is me:
                del self._joining[who]
            if who not in self.links:
                self._inbox.put(LinkSnapshot(who, "closed"), visit)

    def _part(self, who: str) -> bool:
        """Cancel the attempt to connect `who`, and begin to close the connection if there is one.

        Return whether there was either.
        """
        joining, link = self._joining.pop(who, None), self.links.pop(who, None)
        if joining is not None:
            joining.cancel()
        if link is not None:
            # Stop its snapshots first: closing makes requests fail, which nobody needs to see.
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
            for task in tuple(self._tasks.values()):
                task.cancel()
            for who in tuple(self.links):
                self._part(who)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    # A cancelled attempt to connect may leave a connection to close.
                    while under_way := set(self._tasks.values()).union(*self._closing.values()):
                        await asyncio.wait(under_way)
            if last is not None:
                async with asyncio.timeout(LAST_S):
                    await last()
        except Exception:
            log.exception("The network thread did not end cleanly.")
        finally:
            self.loop.call_soon(self.loop.stop)

    async def _finish(self) -> None:
        """Cancel the tasks that are left in the loop."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=LEFT_S)
        await self.loop.shutdown_asyncgens()


def _forget_frames(cancelled: asyncio.Task[Any]) -> None:
    """Drop what the traceback of a cancelled task refers to: its work, and so perhaps widgets.

    The task would keep it, and the last reference would go with the task, in this thread.
    """
    try:
        cancelled.result()
    except asyncio.CancelledError as error:
        link: BaseException | None = error
        while link is not None:
            traceback.clear_frames(link.__traceback__)
            link = link.__context__
