"""Let the first request of a connection decide between websocket and HTTP.

Until its first request is complete, a connection counts as a websocket for its address, and has as
much time as a handshake. Then it is handed over, together with the bytes that it has sent. All that
is no plain HTTP request goes to the websocket library, which refuses it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, cast

from doublecross.server.shell.addresses.admission import Arrival, Gate
from doublecross.server.shell.addresses.handshake import LINGER_S, Handshake
from doublecross.server.shell.addresses.heads import END, may_be_request, read_head


class HttpConnection(Protocol):
    """The protocol that answers HTTP requests."""

    def take_over(self, transport: asyncio.Transport, data: bytes) -> None:
        """Serve a connection that has sent a whole head, and perhaps more."""
        ...


MakeWebsocket = Callable[[], Handshake]
MakeHttp = Callable[[MakeWebsocket], HttpConnection]


class FirstRequest(asyncio.Protocol):
    """A connection that has not sent its first request yet.

    `make_websocket` and `make_http` return the protocol that the connection gets then. A connection
    that speaks HTTP may ask for a websocket later, as those of proxies do.
    """

    __slots__ = (
        "_arrival",
        "_deadline",
        "_gate",
        "_loop",
        "_make_http",
        "_make_websocket",
        "_received",
        "_searched",
        "_transport",
    )

    def __init__(
        self,
        gate: Gate,
        make_websocket: MakeWebsocket,
        make_http: MakeHttp,
        wait_s: float,
    ) -> None:
        self._gate = gate
        self._make_websocket = make_websocket
        self._make_http = make_http
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.call_later(wait_s, self._end)
        self._transport: asyncio.Transport | None = None
        self._arrival: Arrival | None = None
        self._received = b""
        self._searched = 0
        """The bytes that contain no end of the head."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or end it."""
        # uvloop's transports are of no class of asyncio.
        self._transport = cast("asyncio.Transport", transport)
        self._gate.undecided.add(self)
        arrival = self._arrival = self._gate.arrive(transport)
        if arrival is None:
            self._end()
        elif arrival.is_refused:
            # Do not abort at once: the handshake refuses it with a reason that its client can read.
            self._deadline.cancel()
            self._deadline = self._loop.call_later(LINGER_S, self._end)

    def data_received(self, data: bytes) -> None:
        """Keep received bytes until it is this connection's turn."""
        self._received += data
        if self._transport is not None:
            # Nothing more is read until its turn, so what it has sent stays small.
            self._transport.pause_reading()
            self._gate.turns.wait(self._loop, self._step)

    def _step(self) -> None:
        """Look at the received bytes; hand the connection over as soon as they decide."""
        transport, received = self._transport, self._received
        if transport is None or transport.is_closing():
            return
        end = received.find(END, max(0, self._searched - len(END) + 1))
        # Whatever is no plain request goes on at once, and the library refuses it.
        if end < 0 and may_be_request(received, self._searched):
            self._searched = len(received)
            transport.resume_reading()
            return
        # A connection without one was aborted.
        arrival, self._arrival = self._arrival, None
        assert arrival is not None
        self._let_go()
        head = None if end < 0 else read_head(received[: end + len(END)])
        # A websocket counts as this connection does, and HTTP has a count of its own.
        if head is None or head.wants_websocket:
            self._make_websocket().take_over(transport, arrival, received)
        else:
            self._gate.forget(arrival)
            self._make_http(self._make_websocket).take_over(transport, received)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._let_go()

    def _let_go(self) -> None:
        self._transport = None
        self._received = b""
        self._deadline.cancel()
        self._gate.undecided.discard(self)
        if self._arrival is not None:
            self._gate.forget(self._arrival)

    def _end(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    abort = _end
