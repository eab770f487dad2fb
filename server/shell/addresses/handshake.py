"""Admit websocket connections by the address that they come from, before their handshake."""

from __future__ import annotations

import asyncio
import contextlib
import http
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, Protocol, cast

import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import CONNECTING, OPEN
from websockets.server import ServerProtocol
from websockets.typing import StatusLike, Subprotocol

from doublecross.protocol.version import MAX_INBOUND_BYTES, SUBPROTOCOLS
from doublecross.server.shell.addresses.admission import (
    Action,
    Admission,
    FileGuard,
    OpenConnections,
    sentence,
)
from doublecross.server.shell.addresses.heads import END
from doublecross.server.shell.addresses.origins import REFUSED, Origins
from doublecross.server.shell.addresses.sources import EXEMPT, Sources
from doublecross.server.shell.wire.turns import STEP_BYTES, ReadingTurns
from doublecross.server.shell.wire.websocket import WebSocket
from doublecross.server.shell.wire.wire import CLOSE_S, Owner, Wire

_log = structlog.get_logger("connection")

WAIT_S: Final = 10.0
"""When to try again while too many connections are open."""
LINGER_S: Final = 1.0
"""How long a connection that is refused may stay to read the reason."""


class Undecided(Protocol):
    """A connection that is not encrypted yet, or whose first request is not answered yet."""

    def abort(self) -> None:
        """End the connection."""
        ...


class Server(Owner, Protocol):
    """Whoever serves the websockets that were admitted."""

    def open(self, websocket: WebSocket, source: str, address: str) -> object:
        """Serve a new websocket, which comes from this source and address, until it is lost."""
        ...


class Gate:
    """Decide about new connections. The server may have `most` at the same time.

    `banned` returns why nobody from an address may come in; empty if they may. `headers` are those
    of each handshake that is refused.
    """

    def __init__(
        self,
        sources: Sources,
        origins: Origins,
        admission: Admission,
        files: FileGuard,
        most: int,
        headers: Iterable[tuple[str, str]] = (),
        banned: Callable[[str], str] = lambda _: "",
    ) -> None:
        self.sources = sources
        self.origins = origins
        self.headers = tuple(headers)
        self.admission = admission
        self.files = files
        self.open = OpenConnections(admission.limits.connections)
        self.turns = ReadingTurns()
        """The turns in which all connections of the server are read."""
        self.undecided: set[Undecided] = set()
        """The connections whose first request is not answered yet."""
        self.admitted = 0
        """The open connections whose handshake was accepted."""
        self.hits: Counter[str] = Counter()
        """How many connections were refused by each limit on open connections, and for their
        origin."""
        self.is_closing = False
        """True when the server is stopping, so that all handshakes are refused."""
        self._most = most
        self._banned = banned
        self._warned = False

    @property
    def is_full(self) -> bool:
        """True when as many connections are open as the server may have."""
        return self.admitted >= self._most

    def process_request(self, ws: Handshake, request: Request) -> Response | None:
        """Answer a handshake with an error, or return None to go on."""
        forwarded = request.headers.get_all("X-Forwarded-For")
        ws.identify(forwarded)
        if forwarded and ws.is_forwarded_unasked and not self._warned:
            self._warned = True
            _log.warning(
                "proxy_not_trusted",
                forwarded_for=forwarded[0][:60],
                what="A proxy on this machine passes visitors on, who therefore have no limits."
                " Name it with --trusted-proxy 127.0.0.1.",
            )
        banned = self._banned(ws.address)
        if banned:
            self.hits["bans"] += 1
            return ws.respond(http.HTTPStatus.FORBIDDEN, banned + "\n")
        if ws.is_refused:
            return _refusal(ws, "Too many connections are open from your address.", WAIT_S)
        if self.is_full:
            self.hits["connections"] += 1
            text = "The server is full; try again later."
            return _refusal(ws, text, WAIT_S, http.HTTPStatus.SERVICE_UNAVAILABLE)
        if not self._may_come_from(ws, request.headers):
            self.hits["origin"] += 1
            return ws.respond(http.HTTPStatus.FORBIDDEN, REFUSED + "\n")
        # Last, so that a refusal for another reason takes no token.
        wait = self.admission.wait_s(ws.source, Action.CONNECT)
        if wait:
            return _refusal(ws, sentence(Action.CONNECT, wait), wait)
        ws.admit()
        return None

    def _may_come_from(self, ws: Handshake, headers: Headers) -> bool:
        origins = headers.get_all("Origin")
        return self.origins.allows(
            ", ".join(origins) if origins else None,
            ", ".join(headers.get_all("Host")),
            ws.peer_host,
            ", ".join(headers.get_all("X-Forwarded-Host")),
        )

    def leave(self, source: str) -> None:
        """Count one admitted connection less."""
        self.open.leave(source)
        self.admitted -= 1


class Handshake(asyncio.Protocol):
    """A connection that has not completed its opening handshake yet.

    It counts for its source. When its handshake is accepted, a `Wire` takes its place, which
    `server` serves. The handshake must be complete after `wait_s` seconds.
    """

    __slots__ = (
        "_admitted",
        "_counted",
        "_deadline",
        "_end",
        "_gate",
        "_host",
        "_is_due",
        "_library",
        "_loop",
        "_rest",
        "_server",
        "_transport",
        "_wait_s",
        "is_refused",
        "source",
    )

    def __init__(self, gate: Gate, server: Server, wait_s: float) -> None:
        self.source = EXEMPT
        self.is_refused = False
        self._gate = gate
        self._server = server
        self._wait_s = wait_s
        self._loop = asyncio.get_running_loop()
        self._library = _Library(gate.headers)
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._host = ""
        self._counted = False
        self._admitted = False
        self._rest = b""
        """Received bytes that wait for their turn. Meanwhile reading is paused."""
        self._is_due = False
        self._end = b""
        """The last bytes that were parsed, which may begin the end of the head."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, unless a proxy sends it; its source is in the handshake then."""
        # uvloop's transports are of no class of asyncio.
        self._transport = cast("asyncio.Transport", transport)
        gate = self._gate
        gate.undecided.add(self)
        self._set_deadline(self._wait_s)
        if not gate.files.admits(transport.get_extra_info("socket")):
            self.abort()
            return
        self._host = str((transport.get_extra_info("peername") or ("",))[0])
        if not gate.sources.is_proxy(self._host):
            self._enter(gate.sources.of(self._host))

    def data_received(self, data: bytes) -> None:
        """Keep received bytes until it is this connection's turn."""
        self._rest += data
        self._hold()

    def _hold(self) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        self._transport.pause_reading()
        if not self._is_due:
            self._is_due = True
            self._gate.turns.wait(self._loop, self._step)

    def _step(self) -> None:
        """Parse the first of the received bytes; leave the others for the next turn."""
        self._is_due = False
        transport, library = self._transport, self._library
        if transport is None or transport.is_closing():
            return
        data, self._rest = self._rest[:STEP_BYTES], self._rest[STEP_BYTES:]
        if library.state is CONNECTING:
            end = (self._end + data).find(END)
            if end >= 0:
                # What follows the head is not for this library.
                end += len(END) - len(self._end)
                data, self._rest = data[:end], data[end:] + self._rest
            # One byte less than the end has, because with all of them it would have been found.
            self._end = (self._end + data)[1 - len(END) :]
        library.receive_data(data)
        for event in library.events_received():
            self._answer(cast("Request", event))
        self._flush()
        if transport.is_closing():
            return
        if library.state is OPEN:
            self._become_wire(transport)
            return
        if library.eof_sent:
            self._set_deadline(CLOSE_S)  # so long it may take to read why
        if self._rest:
            self._hold()
        else:
            transport.resume_reading()

    def _answer(self, request: Request) -> None:
        """Accept a handshake, or refuse it."""
        library = self._library
        try:
            response = self._gate.process_request(self, request)
        except Exception:  # noqa: BLE001 - a bug here must not stop the server
            _log.exception("handshake_failed")
            text = "The handshake has failed; the server's log has the details.\n"
            response = self.respond(http.HTTPStatus.INTERNAL_SERVER_ERROR, text)
        if response is None:
            response = library.accept(request)
        # Only handshakes that would succeed, so that all others still get their own reason.
        if response.status_code == http.HTTPStatus.SWITCHING_PROTOCOLS and self._gate.is_closing:
            status = http.HTTPStatus.SERVICE_UNAVAILABLE
            response = self.respond(status, "Server is shutting down.\n")
        library.send_response(response)

    def respond(self, status: StatusLike, text: str) -> Response:
        """Return an answer that refuses the handshake."""
        return self._library.reject(status, text)

    def _flush(self) -> None:
        """Write what the library has to send."""
        transport = self._transport
        for data in self._library.data_to_send():
            if transport is None or transport.is_closing():
                return
            if data:
                transport.write(data)
            elif transport.can_write_eof():
                # uvloop raises it when the connection ends just now.
                with contextlib.suppress(OSError, RuntimeError):
                    transport.write_eof()
            else:
                transport.close()  # TLS has no half-closed connections

    def _become_wire(self, transport: asyncio.Transport) -> None:
        """Hand the connection over, together with the bytes after the handshake."""
        subprotocol, rest = self._library.subprotocol, self._rest
        # The library refuses a handshake that names none of ours.
        assert subprotocol is not None
        gate, server = self._gate, self._server
        self._counted = self._admitted = False  # the wire leaves the gate
        self._let_go()
        address = self.address
        wire = Wire(self._loop, transport, subprotocol, server, gate.turns, gate, self.source)
        transport.set_protocol(wire)
        server.open(wire, self.source, address)
        transport.resume_reading()
        if rest:
            wire.data_received(rest)

    def identify(self, forwarded: list[str]) -> None:
        """Find the source of a connection that a proxy sends, from its headers."""
        if not self._counted:
            self._enter(self._gate.sources.of(self._host, forwarded))

    @property
    def peer_host(self) -> str:
        """The address that the connection comes from, perhaps that of a proxy."""
        return self._host

    @property
    def address(self) -> str:
        """The address for the log: the source, or that of the connection if it is exempt."""
        return self.source or self._host

    @property
    def is_forwarded_unasked(self) -> bool:
        """Return whether a proxy that passed this on is exempt from limits, but not trusted."""
        return self.source == EXEMPT and not self._gate.sources.is_proxy(self._host)

    def admit(self) -> None:
        """Count the connection as admitted until it ends."""
        self._admitted = True
        self._gate.admitted += 1

    def _enter(self, source: str) -> None:
        self.source = source
        self._counted = True
        self.is_refused = not self._gate.open.enter(source)
        if self.is_refused:
            self._gate.hits["connections_per_address"] += 1
            self._set_deadline(min(LINGER_S, self._wait_s))

    def _set_deadline(self, seconds: float) -> None:
        """End the connection after so many seconds, unless it must end earlier."""
        due, deadline = self._loop.time() + seconds, self._deadline
        if deadline is not None:
            if deadline.when() <= due:
                return
            deadline.cancel()
        self._deadline = self._loop.call_at(due, self.abort)

    def abort(self) -> None:
        """End the connection."""
        if self._transport is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._counted:
            self._counted = False
            self._gate.open.leave(self.source)
        if self._admitted:
            self._admitted = False
            self._gate.admitted -= 1
        self._let_go()

    def _let_go(self) -> None:
        """Forget all that refers back to this connection."""
        self._transport = None
        self._rest = b""
        self._gate.undecided.discard(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._library.finish()


class _Library(ServerProtocol):
    """The library's protocol of one handshake. `headers` are those of each refusal."""

    def __init__(self, headers: Iterable[tuple[str, str]]) -> None:
        super().__init__(
            subprotocols=[Subprotocol(name) for name in SUBPROTOCOLS], max_size=MAX_INBOUND_BYTES
        )
        self._refusal_headers = headers

    def finish(self) -> None:
        """Break the circles in this object, so that its memory is free at once."""
        self.parser.close()
        error: BaseException | None = self.handshake_exc
        while error is not None:
            error.__traceback__ = None
            error = error.__cause__ or error.__context__

    def reject(self, status: StatusLike, text: str) -> Response:
        """Refuse a handshake; the library does so in some cases by itself."""
        response = super().reject(status, text)
        for name, value in self._refusal_headers:
            response.headers[name] = value
        return response


def _refusal(
    ws: Handshake,
    text: str,
    wait_s: float,
    status: http.HTTPStatus = http.HTTPStatus.TOO_MANY_REQUESTS,
) -> Response:
    response = ws.respond(status, text + "\n")
    response.headers["Retry-After"] = str(max(1, math.ceil(wait_s)))
    return response
