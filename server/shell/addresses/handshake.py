"""Answer the opening handshakes of websockets, and hand the accepted ones to a `Wire`."""

from __future__ import annotations

import asyncio
import contextlib
import http
import json
import math
from collections.abc import Iterable
from typing import Final, cast

import structlog
from websockets.http11 import Request, Response
from websockets.protocol import CONNECTING, OPEN
from websockets.server import ServerProtocol
from websockets.typing import StatusLike, Subprotocol

from doublecross.protocol.version import MAX_INBOUND_BYTES, SUBPROTOCOLS
from doublecross.server.shell.addresses.admission import Arrival, Gate
from doublecross.server.shell.addresses.heads import END
from doublecross.server.shell.wire.wire import CLOSE_S, STEP_BYTES, Wire

_log = structlog.get_logger("connection")

LINGER_S: Final = 1.0
"""How long a connection that is refused may stay to read the reason."""


class Handshake(asyncio.Protocol):
    """A connection that has not completed its opening handshake yet.

    When its handshake is accepted, a `Wire` takes its place. The handshake must be complete after
    `wait_s` seconds.
    """

    __slots__ = (
        "_arrival",
        "_deadline",
        "_end",
        "_gate",
        "_is_due",
        "_library",
        "_loop",
        "_rest",
        "_transport",
        "_wait_s",
    )

    def __init__(self, gate: Gate, wait_s: float) -> None:
        self._gate = gate
        self._wait_s = wait_s
        self._loop = asyncio.get_running_loop()
        self._library = _Library(gate.headers)
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._arrival: Arrival | None = None
        self._rest = b""
        """Received bytes that wait for their turn. Meanwhile reading is paused."""
        self._is_due = False
        self._end = b""
        """The last bytes that were parsed, which may begin the end of the head."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or end it."""
        # uvloop's transports are of no class of asyncio.
        self._begin(cast("asyncio.Transport", transport), self._gate.arrive(transport))

    def take_over(self, transport: asyncio.Transport, arrival: Arrival, data: bytes) -> None:
        """Go on with a connection that is counted and has sent `data`; it reads nothing now."""
        transport.set_protocol(self)
        self._rest = data
        self._begin(transport, arrival)
        self._step()

    def _begin(self, transport: asyncio.Transport, arrival: Arrival | None) -> None:
        self._transport, self._arrival = transport, arrival
        self._gate.undecided.add(self)
        if arrival is None:
            self.abort()
        else:
            self._set_deadline(min(LINGER_S, self._wait_s) if arrival.is_refused else self._wait_s)

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
        library, arrival = self._library, self._arrival
        # A connection without one was aborted.
        assert arrival is not None
        try:
            refusal = self._gate.refusal(arrival, request.headers)
        except Exception:  # noqa: BLE001 - a bug here must not stop the server
            _log.exception("handshake_failed")
            text = "The handshake has failed; the server's log has the details.\n"
            response = library.reject(http.HTTPStatus.INTERNAL_SERVER_ERROR, text)
        else:
            if refusal is None:
                response = library.accept(request)
            else:
                text = json.dumps({"error": refusal.sentence, "phrase": refusal.sentence.phrase})
                response = library.reject(refusal.status, text + "\n")
                del response.headers["Content-Type"]
                response.headers["Content-Type"] = "application/json"
                if refusal.wait_s is not None:
                    response.headers["Retry-After"] = str(max(1, math.ceil(refusal.wait_s)))
        # Only handshakes that would succeed, so that all others still get their own reason.
        if response.status_code == http.HTTPStatus.SWITCHING_PROTOCOLS and self._gate.is_closing:
            status = http.HTTPStatus.SERVICE_UNAVAILABLE
            response = library.reject(status, "Server is shutting down.\n")
        library.send_response(response)

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
        subprotocol, rest, arrival = self._library.subprotocol, self._rest, self._arrival
        # The library refuses a handshake that names none of ours.
        assert subprotocol is not None
        assert arrival is not None
        gate, server = self._gate, self._gate.server
        self._arrival = None  # the wire leaves the gate
        self._let_go()
        wire = Wire(self._loop, transport, subprotocol, server, gate.turns, gate, arrival.source)
        transport.set_protocol(wire)
        # The log names the address of an exempt connection, which has no source.
        server.open(wire, arrival.source, arrival.source or arrival.host)
        transport.resume_reading()
        if rest:
            wire.data_received(rest)

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
        if self._arrival is not None:
            self._gate.forget(self._arrival)
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
