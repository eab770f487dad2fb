"""The desk where requests wait: to be sent, for their answer, for their room, for another try.

Theory of operation
-------------------
A request is in `pending` from its making until its answer, whatever happens to connections
meanwhile. The desk is open while there is a connection; `begin` opens it and queues what a new
connection starts with: what the session wants to ask (resume the rooms, follow the lobby, renew
offers), then all that is pending. A request about a room that is being resumed is held until the
room is caught up, and then `client.pending` says whether it is sent again or was done before.

Ids are never used twice, so an answer that comes late or twice finds nobody waiting and counts
only as news. A refusal of the kind "not now" is no answer: the request is queued again after a
delay. Where such a refusal has no id, any request may be meant, and all that were sent are.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from random import Random

from client.core.build import Build
from client.core.pacing import retry_delay
from client.core.session import Session
from client.core.updates import Update
from client.pending import RETRIED, Pending, done_before, sent_again
from protocol.client_messages import Ping, Request, Resume, Watch
from protocol.errors import DecodeError
from protocol.server_messages import Failed, ServerMessage

log = logging.getLogger(__name__)


class Desk:
    """The requests of one client. `clock` is in seconds, `rng` draws the delays of retries."""

    def __init__(
        self,
        session: Session,
        rng: Random,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        self.pending: dict[int, Pending] = {}
        self._session = session
        self._rng = rng
        self._clock = clock
        self._sleep = sleep
        self._ids = itertools.count(1)
        self._outbox: deque[Pending] = deque()
        self._wake = asyncio.Event()
        self._open = False
        self._resuming: set[str] = set()
        self._retries: set[asyncio.Task[None]] = set()

    # -- requests ----------------------------------------------------------------------------

    def new_id(self) -> int:
        """An id that no request had before."""
        return next(self._ids)

    def add(self, build: Build, future: asyncio.Future[ServerMessage] | None) -> Pending:
        """Take a request; `future` gets its answer, None: nobody waits for it.

        Raises:
            pydantic.ValidationError: `build` made no valid request.
        """
        pending = Pending(build(self.new_id()), future)
        if pending.room is not None and (mirror := self._session.rooms.get(pending.room)):
            pending.match = mirror.match
        self._session.sending(pending.request)
        self.pending[pending.request.id] = pending
        self._submit(pending)
        return pending

    def ping(self) -> None:
        """Ask for a sign of life, unless that is being waited for."""
        if not any(
            type(pending.request) is Ping and pending.future is None
            for pending in self.pending.values()
        ):
            self.add(lambda i: Ping(id=i), None)

    def fail_all(self, error: Exception) -> None:
        """Everybody who waits gets `error`; the desk stays closed."""
        self.end()
        for pending in self.pending.values():
            pending.fail(error)
        self.pending.clear()

    @property
    def unanswered_since(self) -> float | None:
        """When the oldest of the client's own requests without an answer was sent."""
        return min(
            (
                pending.sent_at
                for pending in self.pending.values()
                if pending.future is None and pending.sends and not pending.tries
            ),
            default=None,
        )

    # -- connections -------------------------------------------------------------------------

    def begin(self) -> None:
        """There is a new connection, and it has been welcomed."""
        self.end()
        others = []
        for request_id, pending in list(self.pending.items()):
            if pending.future is None:
                del self.pending[request_id]  # the session asks for what is wanted now
            else:
                others.append(pending)
        self._open = True
        self._pursue()
        for pending in others:
            self._submit(pending)

    def end(self) -> None:
        """The connection is gone; what is pending waits for the next one."""
        self._open = False
        self._outbox.clear()
        self._resuming.clear()
        for task in self._retries:
            task.cancel()
        for pending in self.pending.values():
            pending.queued = pending.held = pending.resting = False

    async def next_to_send(self) -> tuple[Pending, Request]:
        """Wait for a request that is due; the second is what to send for it."""
        while True:
            while not self._outbox:
                self._wake.clear()
                await self._wake.wait()
            pending = self._outbox.popleft()
            pending.queued = False
            if pending.over or pending.request.id not in self.pending:
                continue
            if pending.sends == 0:
                return pending, pending.request
            outcome = sent_again(pending, self._session)
            if isinstance(outcome, Request):
                return pending, outcome
            self._settle(pending, outcome)

    # -- answers -----------------------------------------------------------------------------

    def take(self, message: ServerMessage) -> list[Update]:
        """Take one message of the server into the session, and to who waits for it."""
        request_id: int | None = getattr(message, "id", None)
        pending = None if request_id is None else self.pending.get(request_id)
        if type(message) is Failed:
            if message.code in RETRIED:
                self._not_now(request_id, pending)
                return []
            if pending is None:
                log.info("The server says: %s", message.message)
            else:
                message = done_before(pending, message) or message
        if pending is None:
            updates = self._session.receive(message, self._clock())
        else:
            updates = self._session.receive(message, self._clock(), pending.request)
            self._settle(pending, message)
        if self._session.wanted and self._open:
            self._pursue()
        if pending is not None and pending.future is None:
            self._release(pending.request)
        return updates

    def take_unreadable(self, error: DecodeError) -> list[Update]:
        """Take a message that makes no sense: a failure, where it answers a request. If it was
        an event, the gap will show."""
        if error.request_id is None or error.request_id not in self.pending:
            return []
        return self.take(
            Failed(id=error.request_id, code="unreadable_answer", message=error.sentence)
        )

    # -- the pieces --------------------------------------------------------------------------

    def _submit(self, pending: Pending) -> None:
        """Queue a request for the connection there is; without one it waits for the next."""
        if not self._open or pending.queued:
            return
        pending.held = pending.future is not None and pending.room in self._resuming
        if not pending.held:
            pending.queued = True
            self._outbox.append(pending)
            self._wake.set()

    def _pursue(self) -> None:
        """Send what the session wants to ask."""
        for build in self._session.take_wanted():
            request = self.add(build, None).request
            if isinstance(request, Resume | Watch):
                self._resuming.add(request.room)

    def _settle(self, pending: Pending, answer: ServerMessage) -> None:
        self.pending.pop(pending.request.id, None)
        pending.answer(answer)

    def _release(self, request: Request) -> None:
        """A room that was asked for has come, or will not come: send what waited for that."""
        if not isinstance(request, Resume | Watch):
            return
        here = [pending for pending in self.pending.values() if pending.room == request.room]
        if any(p.future is None and isinstance(p.request, Resume | Watch) for p in here):
            return  # it is being asked for in another way
        self._resuming.discard(request.room)
        for pending in here:
            if pending.held:
                self._submit(pending)

    def _not_now(self, request_id: int | None, pending: Pending | None) -> None:
        if request_id is None:
            meant = [p for p in self.pending.values() if p.sends and not p.queued and not p.held]
        else:
            meant = [] if pending is None else [pending]
        for each in meant:
            if not each.resting:
                each.resting = True
                each.tries += 1
                task = asyncio.create_task(self._retry(each))
                self._retries.add(task)
                task.add_done_callback(self._retries.discard)

    async def _retry(self, pending: Pending) -> None:
        await self._sleep(retry_delay(pending.tries, self._rng))
        pending.resting = False
        if pending.request.id in self.pending:
            self._submit(pending)
