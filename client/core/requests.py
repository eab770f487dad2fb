"""The requests of a client: which are to be sent when, and which answer belongs to which.

Theory of operation
-------------------
A request is in `pending` from its making until its answer, whatever happens to connections
meanwhile. `begin` says that there is a connection and queues what a new one starts with: what the
session wants to ask (resume the rooms, follow the lobby, renew offers), then all that is pending.
A request about a room that is being resumed is held until the room is caught up, and then
`client.core.resend` says whether it is sent again or was done before.

Ids are never used twice, so an answer that comes late or twice finds nobody waiting and counts
only as news. A refusal of the kind "not now" is no answer: the request is queued again after a
delay. Where such a refusal has no id, any request may be meant, and all that were sent are.

Nothing here waits. The transport calls `next_to_send` whenever `wait_s` says so and sends what it
returns, feeds messages into `receive`, and hands out what `take_answers` returns.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from client.core.build import Build
from client.core.pacing import retry_delay
from client.core.resend import RETRIED, done_before, send_again
from client.core.session import Session
from client.core.updates import Update
from protocol.client_messages import Ping, Request, Resume, Watch
from protocol.errors import DecodeError
from protocol.server_messages import Failed, ServerMessage

TIMER_SLACK_S: Final = 0.001
"""A timer may fire this much early, in seconds."""

Stage = Literal["waiting", "queued", "held", "sent", "resting"]
"""`waiting` for a connection, `queued` to be sent, `held` until its room is caught up, `sent`,
`resting` until it is sent again after a refusal of the kind "not now"."""


@dataclass(slots=True, eq=False)
class PendingRequest:
    """One request without an answer yet.

    `awaited` is false for the client's own requests (pings, resumes). `match` is the number of
    the room's match when the request was made, None without a room. `sends` counts how often it
    was sent, `refusals` those of the kind "not now". `sent_at` is when it was last sent and
    `retry_at` when it is due again, in seconds.
    """

    request: Request
    awaited: bool
    match: int | None = None
    stage: Stage = "waiting"
    sends: int = 0
    refusals: int = 0
    sent_at: float = 0.0
    retry_at: float = 0.0

    @property
    def room(self) -> str | None:
        """The room that the request is about."""
        return getattr(self.request, "room", None)


class RequestQueue:
    """The requests of one client. `rng` draws the delays before a request is tried again.

    Every `now` is in seconds of any clock that never goes back.
    """

    def __init__(self, session: Session, rng: Random) -> None:
        self.pending: dict[int, PendingRequest] = {}
        self._session = session
        self._rng = rng
        self._ids = itertools.count(1)
        self._outbox: deque[PendingRequest] = deque()
        self._resting: list[PendingRequest] = []
        self._answers: list[tuple[int, ServerMessage]] = []
        self._connected = False
        self._resuming: set[str] = set()

    # -- requests ----------------------------------------------------------------------------

    def new_id(self) -> int:
        """Return an id that no request had before."""
        return next(self._ids)

    def add(self, build: Build, *, awaited: bool = True) -> Request:
        """Take a request; `awaited` says whether its answer belongs to `take_answers`.

        Raises:
            pydantic.ValidationError: `build` made no valid request.
        """
        pending = PendingRequest(build(self.new_id()), awaited)
        if pending.room is not None and (mirror := self._session.rooms.get(pending.room)):
            pending.match = mirror.match
        self._session.sending(pending.request)
        self.pending[pending.request.id] = pending
        self._submit(pending)
        return pending.request

    def drop(self, request_id: int) -> None:
        """Forget a request whose answer nobody waits for any more."""
        self.pending.pop(request_id, None)

    def ping(self) -> None:
        """Ask for a sign of life, unless an earlier ping is still unanswered."""
        if not any(type(p.request) is Ping and not p.awaited for p in self.pending.values()):
            self.add(lambda i: Ping(id=i), awaited=False)

    @property
    def unanswered_since(self) -> float | None:
        """When the oldest of the client's own requests without an answer was sent."""
        return min(
            (
                pending.sent_at
                for pending in self.pending.values()
                if not pending.awaited and pending.sends and not pending.refusals
            ),
            default=None,
        )

    # -- connections -------------------------------------------------------------------------

    def begin(self) -> None:
        """Queue what a new connection, which has been welcomed, starts with."""
        self.end()
        others = [pending for pending in self.pending.values() if pending.awaited]
        self.pending = {pending.request.id: pending for pending in others}
        self._connected = True
        self._ask_wanted()  # instead of the client's own requests of before
        for pending in others:
            self._submit(pending)

    def end(self) -> None:
        """Let everything pending wait for the next connection."""
        self._connected = False
        self._outbox.clear()
        self._resting.clear()
        self._resuming.clear()
        for pending in self.pending.values():
            pending.stage = "waiting"

    # -- sending -----------------------------------------------------------------------------

    def wait_s(self, now: float) -> float | None:
        """Return the seconds until `next_to_send` is to be called, None: nothing is to be sent."""
        if self._outbox:
            return 0.0
        wait = min((pending.retry_at - now for pending in self._resting), default=None)
        return None if wait is None else 0.0 if wait <= TIMER_SLACK_S else wait

    def next_to_send(self, now: float) -> Request | None:
        """Return a request to send at `now`, which counts as sent; None when none is due."""
        rested = [p for p in self._resting if p.retry_at <= now + TIMER_SLACK_S]
        for pending in rested:
            self._resting.remove(pending)
            self._submit(pending)
        while self._outbox:
            pending = self._outbox.popleft()
            request = pending.request
            if request.id not in self.pending:
                continue
            if pending.sends:
                mirror = None if pending.room is None else self._session.rooms.get(pending.room)
                outcome = send_again(request, pending.match, mirror)
                if not isinstance(outcome, Request):
                    self._settle(pending, outcome)
                    continue
                request = outcome
            pending.stage = "sent"
            pending.sends += 1
            pending.sent_at = now
            return request
        return None

    # -- answers -----------------------------------------------------------------------------

    def take_answers(self) -> list[tuple[int, ServerMessage]]:
        """Return the answers that have come for awaited requests, by request id, once each."""
        answers, self._answers = self._answers, []
        return answers

    def receive(self, message: ServerMessage, now: float) -> list[Update]:
        """Take one message of the server: into the session, and as an answer if it is one."""
        request_id: int | None = getattr(message, "id", None)
        pending = None if request_id is None else self.pending.get(request_id)
        if type(message) is Failed:
            if message.code in RETRIED:
                self._rest(request_id, pending, now)
                return []
            if pending is not None and pending.sends > 1:
                message = done_before(pending.request, message) or message
        request = None if pending is None else pending.request
        updates = self._session.receive(message, now, request)
        if pending is not None:
            self._settle(pending, message)
        if self._connected:
            self._ask_wanted()
        if pending is not None and not pending.awaited:
            self._release(pending.request)
        return updates

    def receive_unreadable(self, error: DecodeError, now: float) -> list[Update]:
        """Take a message that makes no sense: as a failure, where it answers a request. If it was
        an event, the gap will show."""
        if error.request_id is None or error.request_id not in self.pending:
            return []
        failed = Failed(id=error.request_id, code="unreadable_answer", message=error.sentence)
        return self.receive(failed, now)

    # -- the pieces --------------------------------------------------------------------------

    def _submit(self, pending: PendingRequest) -> None:
        """Queue a request for the connection there is; without one it waits for the next."""
        if not self._connected:
            return
        if pending.awaited and pending.room in self._resuming:
            pending.stage = "held"
        else:
            pending.stage = "queued"
            self._outbox.append(pending)

    def _ask_wanted(self) -> None:
        """Send what the session wants to ask."""
        for build in self._session.take_wanted():
            request = self.add(build, awaited=False)
            if isinstance(request, Resume | Watch):
                self._resuming.add(request.room)

    def _settle(self, pending: PendingRequest, answer: ServerMessage) -> None:
        del self.pending[pending.request.id]
        if pending.awaited:
            self._answers.append((pending.request.id, answer))

    def _release(self, request: Request) -> None:
        """Send what waited for a room that has been caught up or cannot be."""
        if not isinstance(request, Resume | Watch):
            return
        here = [pending for pending in self.pending.values() if pending.room == request.room]
        if any(not p.awaited and isinstance(p.request, Resume | Watch) for p in here):
            return  # it is being asked for in another way
        self._resuming.discard(request.room)
        for pending in here:
            if pending.stage == "held":
                self._submit(pending)

    def _rest(self, request_id: int | None, pending: PendingRequest | None, now: float) -> None:
        """Try a request that was refused for the moment, or all that may be meant, again later."""
        if request_id is None:
            meant = list(self.pending.values())
        else:
            meant = [] if pending is None else [pending]
        for each in meant:
            if each.stage == "sent":
                each.stage = "resting"
                each.refusals += 1
                each.retry_at = now + retry_delay(each.refusals, self._rng)
                self._resting.append(each)
