"""HTTP connections with deadlines and limits, on top of uvicorn's protocol.

uvicorn waits for ever for the rest of a request, and stops answering anybody when too many
connections are open. Here each connection has a deadline: for its next whole request, and for its
reader to take the answer. When there are too many connections, the one that has waited for the
longest time without a request gives way to a new one, so idle connections block nobody.

Requests are read one after the other, in the turns of `ReadingTurns`, so that a flood of them
leaves half of the time to the games. Those for the browser page are answered at once. uvicorn gets
all others, one at a time. When one of them has a body or an unusual head, only uvicorn knows where
it ends, so the connection closes after its answer.

A connection whose body is not complete still gives way to new ones, and a visitor may have only a
few of them. When all connections wait for answers, a few more are reserved for requests that watch
the server.
"""

from __future__ import annotations

import asyncio
import http
from collections.abc import Callable
from typing import Any, Final

import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from doublecross.server.shell.addresses.heads import (
    END,
    Head,
    has_bare_line_end,
    may_be_request,
    read_head,
)
from doublecross.server.shell.addresses.sources import EXEMPT
from doublecross.server.shell.http.gate import HttpGate
from doublecross.server.shell.page.problem import problem
from doublecross.server.shell.page.reply import Reply
from doublecross.server.shell.page.site import inner_path

ANSWER_S: Final = 60.0
"""How long an answer may take in seconds, including the time until its reader has it."""
LAST_ANSWER_S: Final = 1.0
"""How long a reader may take for its last answer when the server stops, in seconds."""
STATUS: Final = {
    status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n".encode()
    for status in http.HTTPStatus
}

RESERVED: Final = ("health", "ready", "metrics", "api/admin")
"""The paths, and what lies below them, for which the gate has a reserve: hosts need them."""
RETRY_S: Final = 5
"""Seconds after which clients may try again while too many connections are open."""
MANY: Final = "Too many connections are open from your address; try again in a moment."
FULL: Final = "The server has too many connections; try again in a moment."
MANY_BODIES: Final = "Too many requests from your address are incomplete; try again in a moment."
BARE_LINE_END: Final = "The lines of a request end with CR LF."

_log = structlog.get_logger("http")


class GatedHttp(H11Protocol):
    """One HTTP connection; `protocol_of` returns a subclass with its gate."""

    gate: HttpGate
    make_websocket: Callable[[], asyncio.Protocol] | None = None
    """Returns the protocol that the connection gets when it asks for a websocket."""
    source = EXEMPT
    _was_answered = False
    """True once the connection has had an answer, so that it may be closed between requests."""
    _counted = False
    _deadline: asyncio.TimerHandle | None = None
    _rest = b""
    """Received bytes that wait for their turn, or for the end of an answer."""
    _searched = 0
    """The bytes of `_rest` that contain no end of a head."""
    _is_due = False
    """True while the connection waits for its turn."""
    _is_raw = False
    """True when uvicorn reads all further bytes, because a request has a body or is unusual.

    Only uvicorn knows where such a request ends, and it does not know the files of the page. So the
    connection closes after the answer.
    """
    _visitor: str | None = None
    """The source of the request whose body is not complete."""
    _is_spare = False
    """True while the connection is one of the reserve, and has sent no request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or close it."""
        super().connection_made(transport)
        # There is no request yet to which a refusal could be the answer.
        if self._enter():
            transport.abort()

    def _enter(self) -> str:
        """Count the connection; return why it may not stay, or an empty text."""
        gate = self.gate
        host = self.client[0] if self.client else ""
        # A proxy's connections carry requests of many people, so they have no limit of their own.
        self.source = EXEMPT if gate.sources.is_proxy(host) else gate.sources.of(host)
        self._counted = True
        gate.count += 1
        fits = gate.open.enter(self.source) or gate.make_room_for(self.source)
        if not fits:
            gate.hits["http_connections_per_address"] += 1
            return MANY
        if not gate.files.admits(self.transport.get_extra_info("socket")):
            return FULL
        if not gate.make_room():
            if not gate.has_reserve():
                gate.hits["http_connections"] += 1
                return FULL
            self._is_spare = True  # its first request shows whether it may use the reserve
        self._wait()
        return ""

    def take_over(self, transport: asyncio.Transport, data: bytes) -> None:
        """Serve a connection that has sent a whole head; `transport` reads nothing now."""
        transport.set_protocol(self)
        # Not the method of this class, because this connection has a request: refuse it with a
        # reason.
        super().connection_made(transport)
        self._rest = data
        refused = self._enter()
        if refused:
            self._refuse(429 if refused == MANY else 503, refused, html=b"text/html" in data)
        else:
            self._step()

    def _refuse(self, status: int, text: str, *, html: bool = False) -> None:
        accept = "text/html" if html else ""
        reply = problem(status, text, accept, [("retry-after", str(RETRY_S))])
        self._write(reply, closing=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        if self._counted:
            self._counted = False
            self.gate.count -= 1
            self.gate.open.leave(self.source)
        self.gate.waiting.pop(self, None)
        self._forget_body()
        self._cancel()
        self._rest = b""

    def data_received(self, data: bytes) -> None:
        """Keep received bytes until it is this connection's turn."""
        self._rest += data
        self.transport.pause_reading()
        self._hold()

    def _hold(self) -> None:
        """Wait for a turn, unless an answer must be finished first."""
        if self._rest and not (self._is_due or self._is_busy()):
            self._is_due = True
            self.gate.turns.wait(self.loop, self._step)

    def _is_busy(self) -> bool:
        """Return whether the next request must wait."""
        return self.flow.write_paused or (self._is_answering() and not self._is_raw)

    def _step(self) -> None:
        """Read one request; leave the bytes after it for the next turn."""
        self._is_due = False
        if self.transport.is_closing():
            return
        if self._is_busy():
            return
        # uvicorn's timer for idle connections must not close one that has sent something.
        self._unset_keepalive_if_required()
        if not self._is_raw and not self._take_request():
            return
        if self._is_raw:
            data, self._rest = self._rest, b""
            self._pass_on(data)
        if self._rest:
            self._hold()
        else:
            self._resume()

    def _take_request(self) -> bool:
        """Answer or pass on the first request; return whether the connection still is HTTP."""
        rest = self._rest
        # The end of the head may have begun in the bytes that were searched before.
        end = rest.find(END, max(0, self._searched - len(END) + 1))
        if end < 0:
            searched, self._searched = self._searched, len(rest)
            if may_be_request(rest, searched):
                self._resume()
                return False
            if has_bare_line_end(rest):
                # uvicorn would wait for the end of such a head.
                self._write(problem(400, BARE_LINE_END, ""), closing=True)
                return False
            return self._begin_raw(None)
        self._searched = 0
        size = end + len(END)
        head = read_head(rest[:size])
        if head is None or head.has_body:
            return self._begin_raw(head)
        if not self._may_stay(head):
            return False
        if head.wants_websocket and self.make_websocket is not None:
            self._become_websocket(self.make_websocket())
            return False
        self._rest = rest[size:]
        reply = self.gate.site.reply(head, self.client[0] if self.client else "")
        if reply is None:
            self._pass_on(rest[:size])
        else:
            self._send(reply, head)
        return True

    def _begin_raw(self, head: Head | None) -> bool:
        """Let uvicorn read all further bytes, and close the connection after its answer."""
        if not self._may_stay(head):
            return False
        self._is_raw = True
        self.app = _closing(self.app)
        return True

    def _may_stay(self, head: Head | None) -> bool:
        """Refuse the first request of a connection of the reserve, unless it is in `RESERVED`."""
        if not self._is_spare:
            return True
        self._is_spare = False
        path = "" if head is None else inner_path(head.path, self.gate.site.base)[1:]
        if any(path == each or path.startswith(f"{each}/") for each in RESERVED):
            return True
        self.gate.hits["http_connections"] += 1
        accept = "" if head is None else head.headers.get("accept", "")
        self._refuse(503, FULL, html="text/html" in accept)
        return False

    def _become_websocket(self, websocket: asyncio.Protocol) -> None:
        transport, data = self.transport, self._rest
        # The websocket counts for its address by itself.
        self._leave()
        self.connections.discard(self)  # uvicorn shuts these down when the server stops
        transport.set_protocol(websocket)
        websocket.connection_made(transport)
        transport.resume_reading()
        websocket.data_received(data)

    def _send(self, reply: Reply, head: Head) -> None:
        """Send a whole answer, and wait for the next request if the connection stays open."""
        self._write(reply, closing=not head.keeps_open, headless=head.method == "HEAD")
        self._wait_for_next()

    def _write(self, reply: Reply, *, closing: bool, headless: bool = False) -> None:
        parts = [STATUS[reply.status]]
        for name, value in self.server_state.default_headers:
            parts += (name, b": ", value, b"\r\n")
        parts.append(reply.head)
        parts.append(b"connection: close\r\n\r\n" if closing else b"\r\n")
        if not headless:
            parts.append(reply.body)
        self.transport.write(b"".join(parts))
        if closing:
            self._answer()
            self.transport.close()

    def _pass_on(self, data: bytes) -> None:
        """Give bytes to uvicorn; when they complete a request, wait for its answer instead."""
        was_answering = self._is_answering()
        super().data_received(data)
        if not self._is_answering():
            return
        cycle: Any = self.cycle
        if not cycle.more_body:
            if self._visitor is not None or not was_answering:
                self._forget_body()
                self._answer()
        elif not was_answering:
            # Its body is not complete, so it still gives way to a new connection.
            self._set_deadline(ANSWER_S)
            self._count_body(cycle)

    def _count_body(self, cycle: Any) -> None:
        """Count a body that is not complete for its visitor; refuse one too many."""
        forwarded = [
            value.decode("latin-1")
            for name, value in cycle.scope["headers"]
            if name == b"x-forwarded-for"
        ]
        visitor = self.gate.sources.of(self.client[0] if self.client else "", forwarded)
        self._visitor = visitor
        if not self.gate.bodies.enter(visitor):
            cycle.disconnected = True
            cycle.message_event.set()
            self._refuse(429, MANY_BODIES)

    def _forget_body(self) -> None:
        if self._visitor is not None:
            self.gate.bodies.leave(self._visitor)
            self._visitor = None

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no HTTP; uvicorn calls this, perhaps during an earlier answer."""
        cycle: Any = self.cycle
        if self._is_answering():
            # The answer can no longer be sent. Otherwise uvicorn would log it as our error.
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.abort()
                return
        # h11 refuses to send this in some states, for example after a HEAD request.
        self._write(problem(400, msg, ""), closing=True)

    def _resume(self) -> None:
        # uvicorn stops reading while it has requests that wait for the one that it answers.
        if not (self.transport.is_closing() or self.flow.read_paused):
            self.transport.resume_reading()

    def resume_writing(self) -> None:
        """Go on when the reader has taken the last answers."""
        super().resume_writing()
        self._hold()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._forget_body()
        super().on_response_complete()
        if self._is_answering():
            self._answer()  # the next request had arrived already
        else:
            self._wait_for_next()
            self._hold()

    @property
    def is_idle(self) -> bool:
        """Return whether no answer is under way and no new request has begun."""
        return (
            self._was_answered and self.has_sent_all and not self._rest and not self._is_answering()
        )

    @property
    def has_sent_all(self) -> bool:
        """Return whether the system has taken all that was written."""
        return not self.transport.get_write_buffer_size()

    def shutdown(self) -> None:
        """Close the connection after its answer, because the server stops; uvicorn calls this."""
        # After a second close, asyncio's TLS transports ignore `abort` (seen in Python 3.11).
        if not self.transport.is_closing():
            super().shutdown()
        self.gate.waiting.pop(self, None)
        self._set_deadline(LAST_ANSWER_S)

    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait_for_next(self) -> None:
        self._was_answered = True
        # A connection that closes holds its last answer until the reader has it.
        if self.source != EXEMPT and not self.has_sent_all and self._unread() > self.gate.unread:
            self.gate.hits["http_unread_per_address"] += 1
            self.transport.abort()
        elif not self.transport.is_closing():
            self._wait()

    def _unread(self) -> int:
        """Return how many bytes of answers wait until the clients of this source take them."""
        return sum(
            connection.transport.get_write_buffer_size()
            for connection in self.connections
            if isinstance(connection, GatedHttp) and connection.source == self.source
        )

    def _wait(self) -> None:
        self.gate.waiting[self] = None
        self.gate.waiting.move_to_end(self)
        self._set_deadline(self.gate.request_s)

    def _answer(self) -> None:
        self.gate.waiting.pop(self, None)
        self._set_deadline(ANSWER_S)

    def _set_deadline(self, seconds: float) -> None:
        self._cancel()
        if self._counted:
            self._deadline = self.loop.call_later(seconds, self._late)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        """End a connection whose request or reader took too long."""
        if self in self.gate.waiting and not self.has_sent_all:
            self._answer()  # a slow reader still takes the last answer; allow the usual time
            return
        _log.info("http_deadline", client=self.client and self.client[0])
        self.transport.abort()


def protocol_of(gate: HttpGate) -> type[GatedHttp]:
    """Return the protocol for uvicorn's setting `http`."""
    return type("GatedHttp", (GatedHttp,), {"gate": gate})


def _closing(app: Any) -> Any:
    """Return the ASGI application with answers that announce the end of the connection."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        async def announce(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = [pair for pair in message["headers"] if pair[0].lower() != b"connection"]
                message = {**message, "headers": [*headers, (b"connection", b"close")]}
            await send(message)

        await app(scope, receive, announce)

    return answer
