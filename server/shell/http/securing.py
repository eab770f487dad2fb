"""Encrypt a connection before anything else reads it.

asyncio can accept connections with TLS by itself, but does not show them before their handshake is
complete. So connections are accepted without TLS here. They count for their address as
websockets do, may be refused at once, and have a deadline. Their first bytes begin the handshake,
for which `loop.start_tls` puts a protocol of the library between the connection and us. The first
bytes are then given to that protocol, before it reads any others. An encrypted connection gets the
protocol that it would have had without TLS.

A client that speaks HTTP without TLS gets a sentence about that, or a redirect.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from doublecross.games.api.sentence import Sentence
from doublecross.server.shell.addresses.admission import Action, Arrival, Gate
from doublecross.server.shell.addresses.heads import END, read_head
from doublecross.server.shell.page.reply import Reply

Make = Callable[[], asyncio.Protocol]

SHUTDOWN_S: Final = 2.0
"""How long a client may take to confirm the end of an encrypted connection."""
HANDSHAKE: Final = 0x16
"""The first byte of TLS (RFC 8446, 5.1)."""
NOT_ENCRYPTED: Final = Sentence(
    "This server encrypts all connections; put https:// or wss:// before its address."
)
_NO_TLS = Reply.made(
    426,
    "text/plain; charset=utf-8",
    f"{NOT_ENCRYPTED}\n".encode(),
    [("upgrade", "TLS/1.2, HTTP/1.1"), ("connection", "upgrade, close")],
)


@dataclass(frozen=True, slots=True)
class TlsTerms:
    """The terms of encrypted connections.

    `context` returns the TLS context for new handshakes, which must be complete after `wait_s`
    seconds. `address` is the HTTP address of the server.
    """

    context: Callable[[], ssl.SSLContext]
    wait_s: float
    address: str


def secured(gate: Gate, terms: TlsTerms, make: Make) -> Make:
    """Return a factory of protocols for encrypted connections; `make` makes those without TLS."""

    return partial(Securing, gate, terms, make)


class Securing(asyncio.Protocol):
    """A connection whose TLS handshake is not complete yet.

    `make` returns the protocol for the encrypted connection.
    """

    def __init__(self, gate: Gate, terms: TlsTerms, make: Callable[[], asyncio.Protocol]) -> None:
        self._gate = gate
        self._terms = terms
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._deadline = self._loop.call_later(terms.wait_s, self.abort)
        self._transport: asyncio.Transport | None = None
        self._arrival: Arrival | None = None
        self._task: asyncio.Task[None] | None = None
        self._early = b""
        """The bytes that the client has sent directly after the handshake."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or end it."""
        self._transport = cast("asyncio.Transport", transport)
        gate = self._gate
        gate.undecided.add(self)
        arrival = self._arrival = gate.arrive(transport)
        # No reason can be given before the connection is encrypted.
        if arrival is None or not self._may_go_on(arrival):
            self.abort()

    def _may_go_on(self, arrival: Arrival) -> bool:
        if arrival.is_refused:
            self._gate.hits["connections_per_address"] += 1
            return False
        # The source of a proxy's connection is not known yet.
        if not arrival.is_counted:
            return True
        return not self._gate.admission.wait_s(arrival.source, Action.HANDSHAKE)

    def data_received(self, data: bytes) -> None:
        """Begin the handshake with the first bytes; keep what comes directly after it."""
        if self._task is not None:
            self._early += data
        elif self._transport is not None and not self._transport.is_closing():
            if data[0] == HANDSHAKE:
                # Nothing may arrive before the TLS protocol reads.
                self._transport.pause_reading()
                self._task = self._loop.create_task(self._secure(data), name="TLS handshake")
            else:
                self._transport.write(_plain_answer(data, self._terms.address))
                self._transport.close()

    async def _secure(self, first: bytes) -> None:
        plain = self._transport
        if plain is None:
            return
        starting = self._loop.start_tls(
            plain,
            self,
            self._terms.context(),
            server_side=True,
            ssl_handshake_timeout=self._terms.wait_s,
            ssl_shutdown_timeout=SHUTDOWN_S,
        )
        try:
            # `start_tls` connects its protocol and resumes reading with `call_soon`. So nothing
            # can be read between these calls and the next one.
            secured = await _Begun(starting, lambda: self._loop.call_soon(_feed, plain, first))
        except OSError:  # such as ssl.SSLError
            # A client that speaks no TLS, or does not trust the certificate, is no problem of ours.
            plain.abort()
            return
        finally:
            # From here on the next protocol counts the connection.
            self._let_go()
        if secured is None or secured.is_closing():
            plain.abort()
            return
        protocol = self._make()
        secured.set_protocol(protocol)
        protocol.connection_made(secured)
        if self._early:
            protocol.data_received(self._early)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._let_go()

    def _let_go(self) -> None:
        self._deadline.cancel()
        self._gate.undecided.discard(self)
        self._transport = None
        if self._arrival is not None:
            self._gate.forget(self._arrival)

    def abort(self) -> None:
        """End the connection."""
        if self._transport is not None:
            self._transport.abort()


class _Begun:
    """Await a coroutine, and call `begun` as soon as it waits for the first time."""

    def __init__(
        self, coroutine: Coroutine[Any, Any, asyncio.Transport | None], begun: Callable[[], object]
    ) -> None:
        self._coroutine = coroutine
        self._begun = begun

    def __await__(self) -> Generator[Any, Any, asyncio.Transport | None]:
        inner = self._coroutine.__await__()
        try:
            waits_for = next(inner)
            self._begun()
            while True:
                try:
                    sent = yield waits_for
                except BaseException as error:  # noqa: BLE001 - passed on, as `await` does
                    waits_for = inner.throw(error)
                else:
                    waits_for = inner.send(sent)
        except StopIteration as end:
            return cast("asyncio.Transport | None", end.value)


def _feed(transport: asyncio.Transport, data: bytes) -> None:
    """Give bytes that were read before to the protocol that reads now."""
    protocol = transport.get_protocol()
    if transport.is_closing() or not hasattr(protocol, "buffer_updated"):
        return
    receiver = cast("asyncio.BufferedProtocol", protocol)
    # A buffer may be smaller than the bytes.
    while data:
        buffer = memoryview(receiver.get_buffer(len(data)))
        size = min(len(buffer), len(data))
        buffer[:size] = data[:size]
        receiver.buffer_updated(size)
        data = data[size:]


def _plain_answer(data: bytes, address: str) -> bytes:
    """Return the answer to a request without TLS: pages are at this address.

    The name in the request may be anybody's, so it does not count.
    """
    end = data.find(END)
    head = None if end < 0 else read_head(data[: end + len(END)])
    reply, first = _NO_TLS, b"HTTP/1.1 426 Upgrade Required\r\n"
    if head is not None and head.method in ("GET", "HEAD") and not head.wants_websocket:
        more = [("location", f"{address}{head.path}"), ("connection", "close")]
        reply = Reply.made(308, "text/plain; charset=utf-8", _NO_TLS.body, more)
        first = b"HTTP/1.1 308 Permanent Redirect\r\n"
    return b"".join((first, reply.head, b"\r\n", reply.body))
