"""Decide when a client's requests are sent, and match the answers to them.

Theory of operation
-------------------
A request stays in `pending` until its answer arrives, even when connections break meanwhile.
`begin` starts a new connection. It first queues the session's own requests (resume the rooms,
follow the lobby, renew offers) and then every pending request. A request about a room that is
being resumed is held until the room is up to date. `doublecross.client.core.resend` then decides
whether to send it again, or finds that the server had already carried it out.

Ids are never reused. A late or repeated answer therefore matches no pending request, and only
updates the session. A temporary refusal is not an answer: the request is queued again after a
delay. A temporary refusal without an id may concern any request, so all sent ones are repeated.

This module performs no I/O and never waits. The transport calls `next_to_send` at the time that
`wait_s` returns, sends the result, passes incoming messages to `receive`, and delivers the answers
from `take_answers`.
"""

from __future__ import annotations

import itertools
from collections import deque
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from doublecross.client.core.build import Build
from doublecross.client.core.pacing import retry_delay
from doublecross.client.core.resend import done_before, is_temporary, send_again
from doublecross.client.core.session import Session
from doublecross.client.core.updates import StorageFailing, StorageRecovered, Update
from doublecross.protocol.client_messages import Ping, Request, Resume, Watch
from doublecross.protocol.errors import DecodeError, ErrorCode
from doublecross.protocol.server_messages import Failed, MoveMade, ServerMessage

TIMER_SLACK_S: Final = 0.001
"""How much too early a timer may fire, in seconds."""

REPORTED_REFUSALS: Final = 3
"""After so many refusals of one request the storage of the server is reported as failing. A short
failure passes without a word."""

Stage = Literal["waiting", "queued", "held", "sent", "resting"]
"""The stage of a request: `waiting` for a connection, `queued` to be sent, `held` until its room is
up to date, `sent`, or `resting` after a temporary refusal until it is sent again."""


@dataclass(slots=True, eq=False)
class PendingRequest:
    """A request that has no answer yet.

    `awaited` is false for requests that the client makes by itself (pings, resumes). `match` is
    the number of the room's match when the request was made, or None if it concerns no followed
    room. `sends` counts how often it was sent, `refusals` its temporary refusals. `sent_at` is the
    time when it was last sent, `retry_at` the time when it is due again, both in seconds.
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
        """The id of the room that the request concerns, or None."""
        return getattr(self.request, "room", None)


class RequestQueue:
    """The requests of one client. `rng` draws the delays before a request is sent again.

    Every `now` is in seconds, by a clock that never goes back.
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
        self._storage_failing = False

    # -- requests ----------------------------------------------------------------------------

    def new_id(self) -> int:
        """Return an id that no earlier request has."""
        return next(self._ids)

    def add(self, build: Build, *, awaited: bool = True) -> Request:
        """Queue the request that `build` makes; `take_answers` returns its answer if `awaited`.

        Raises:
            pydantic.ValidationError: the request is not valid.
        """
        pending = PendingRequest(build(self.new_id()), awaited)
        if pending.room is not None and (mirror := self._session.rooms.get(pending.room)):
            pending.match = mirror.match
        self._session.note_request(pending.request)
        self.pending[pending.request.id] = pending
        self._submit(pending)
        return pending.request

    def drop(self, request_id: int) -> None:
        """Remove a request whose answer nobody waits for any more."""
        self.pending.pop(request_id, None)

    def ping(self) -> None:
        """Queue a ping, unless an earlier one is still unanswered."""
        # Only the client's own ping counts: a ping of the caller must not replace it.
        if not any(type(p.request) is Ping and not p.awaited for p in self.pending.values()):
            self.add(lambda i: Ping(id=i), awaited=False)

    @property
    def unanswered_since(self) -> float | None:
        """The time, in seconds, of the client's oldest own request without an answer, or None.

        Requests that were temporarily refused do not count: the refusal was a sign of life.
        """
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
        """Queue all requests for a new connection, which the server has welcomed."""
        # Without this, a second welcome would queue every request twice.
        self.end()
        others = [pending for pending in self.pending.values() if pending.awaited]
        self.pending = {pending.request.id: pending for pending in others}
        self._connected = True
        # The session asks anew, so the client's own requests of the last connection are dropped.
        self._ask_wanted()
        for pending in others:
            self._submit(pending)

    def end(self) -> None:
        """Make all pending requests wait for the next connection."""
        self._connected = False
        self._outbox.clear()
        self._resting.clear()
        self._resuming.clear()
        for pending in self.pending.values():
            pending.stage = "waiting"

    # -- sending -----------------------------------------------------------------------------

    def wait_s(self, now: float) -> float | None:
        """Return the seconds until `next_to_send` has a request, or None when none is queued."""
        if self._outbox:
            return 0.0
        wait = min((pending.retry_at - now for pending in self._resting), default=None)
        return None if wait is None else 0.0 if wait <= TIMER_SLACK_S else wait

    def next_to_send(self, now: float) -> Request | None:
        """Return a request that is due, and count it as sent; None when none is due."""
        rested = [p for p in self._resting if p.retry_at <= now + TIMER_SLACK_S]
        for pending in rested:
            self._resting.remove(pending)
            self._submit(pending)
        while self._outbox:
            pending = self._outbox.popleft()
            request = pending.request
            if request.id not in self.pending:  # dropped since it was queued
                continue
            if pending.sends:
                mirror = None if pending.room is None else self._session.rooms.get(pending.room)
                # Decide only now, because the room may have changed since the request was queued.
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
        """Return the new answers to awaited requests, with their request ids, and forget them."""
        answers, self._answers = self._answers, []
        return answers

    def receive(self, message: ServerMessage, now: float) -> list[Update]:
        """Apply a server message to the session, and keep it if it answers an awaited request."""
        request_id: int | None = getattr(message, "id", None)
        pending = None if request_id is None else self.pending.get(request_id)
        if type(message) is Failed:
            if is_temporary(None if pending is None else pending.request, message):
                self._rest(request_id, pending, now)
                return self._note_storage(pending, message)
            if pending is not None and pending.sends > 1:
                message = done_before(pending.request, message) or message
        request = None if pending is None else pending.request
        updates = self._session.receive(message, now, request)
        # Moves arrive only after their commit.
        stored = isinstance(message, MoveMade) or (pending is not None and pending.refusals > 0)
        if self._storage_failing and stored:
            self._storage_failing = False
            updates = [StorageRecovered(), *updates]
        if pending is not None:
            self._settle(pending, message)
        # Before the release below: a room that needs another resume must keep its requests held.
        if self._connected:
            self._ask_wanted()
        if pending is not None and not pending.awaited:
            self._release(pending.request)
        return updates

    def receive_unreadable(self, error: DecodeError, now: float) -> list[Update]:
        """Treat an unreadable message as a failure of the request that it answers.

        An unreadable event needs no treatment: its missing number shows up as a gap in the room.
        """
        if error.request_id is None or error.request_id not in self.pending:
            return []
        failed = Failed(id=error.request_id, code="unreadable_answer", message=error.sentence)
        return self.receive(failed, now)

    # -- inner steps -------------------------------------------------------------------------

    def _submit(self, pending: PendingRequest) -> None:
        """Queue a request, or hold it while its room is resumed; without a connection it waits."""
        if not self._connected:
            return
        if pending.awaited and pending.room in self._resuming:
            pending.stage = "held"
        else:
            pending.stage = "queued"
            self._outbox.append(pending)

    def _ask_wanted(self) -> None:
        """Queue the requests that the session needs."""
        for build in self._session.take_wanted():
            request = self.add(build, awaited=False)
            if isinstance(request, Resume | Watch):
                self._resuming.add(request.room)

    def _settle(self, pending: PendingRequest, answer: ServerMessage) -> None:
        del self.pending[pending.request.id]
        if pending.awaited:
            self._answers.append((pending.request.id, answer))

    def _release(self, request: Request) -> None:
        """Queue the requests held for a room, once `request` to update it has been answered."""
        if not isinstance(request, Resume | Watch):
            return
        here = [pending for pending in self.pending.values() if pending.room == request.room]
        if any(not p.awaited and isinstance(p.request, Resume | Watch) for p in here):
            return  # another request for the same room is still unanswered
        self._resuming.discard(request.room)
        for pending in here:
            if pending.stage == "held":
                self._submit(pending)

    def _note_storage(self, pending: PendingRequest | None, failed: Failed) -> list[Update]:
        """Report once that the storage fails, when a request was refused for that often enough."""
        if (
            self._storage_failing
            or failed.code != ErrorCode.STORAGE_FAILED
            or pending is None
            or pending.refusals < REPORTED_REFUSALS
        ):
            return []
        self._storage_failing = True
        return [StorageFailing()]

    def _rest(self, request_id: int | None, pending: PendingRequest | None, now: float) -> None:
        """Schedule a temporarily refused request again; without an id, all sent requests."""
        if request_id is None:
            meant = list(self.pending.values())
        else:
            meant = [] if pending is None else [pending]
        for each in meant:
            # A request that already waits is not delayed a second time.
            if each.stage == "sent":
                each.stage = "resting"
                each.refusals += 1
                each.retry_at = now + retry_delay(each.refusals, self._rng)
                self._resting.append(each)
