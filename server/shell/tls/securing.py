"""Encrypt a connection before anything else reads it.

asyncio can accept connections with TLS by itself, but says nothing of them before their handshake
is complete. So connections are accepted without TLS here. They are counted for their address, may
be refused at once, and then begin the handshake, which has a deadline. A connection that is
encrypted gets the protocol that it would have had without TLS.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

from server.shell.addresses.admission import Action
from server.shell.addresses.handshake import Gate
from server.shell.addresses.sources import EXEMPT

Make = Callable[..., asyncio.Protocol]

SHUTDOWN_S: Final = 2.0
"""How long a client may take to confirm the end of an encrypted connection."""


def secured(gate: Gate, context: Callable[[], ssl.SSLContext], make: Make, wait_s: float) -> Make:
    """Return what makes the protocols of connections that TLS encrypts; `make` does without it."""

    def made(*args: Any, **options: Any) -> Securing:
        return Securing(gate, context, partial(make, *args, **options), wait_s)

    return made


class Securing(asyncio.Protocol):
    """A connection whose TLS handshake is not complete yet.

    `context` returns what new handshakes use. `make` returns the protocol for the encrypted
    connection. A handshake may take `wait_s` seconds.
    """

    def __init__(
        self,
        gate: Gate,
        context: Callable[[], ssl.SSLContext],
        make: Callable[[], asyncio.Protocol],
        wait_s: float,
    ) -> None:
        self._gate = gate
        self._context = context
        self._make = make
        self._wait_s = wait_s
        self._transport: asyncio.Transport | None = None
        self._source = EXEMPT
        self._counted = False
        self._early = b""
        """What the client has sent directly after the handshake."""
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection and begin the handshake, or end the connection."""
        self._transport = cast("asyncio.Transport", transport)
        gate = self._gate
        gate.undecided.add(self)
        host = str((transport.get_extra_info("peername") or ("",))[0])
        if not gate.files.admits(transport.get_extra_info("socket")) or not self._enter(host):
            self.abort()
            return
        # The first bytes are for the handshake.
        self._transport.pause_reading()
        self._task = asyncio.get_running_loop().create_task(self._secure(), name="TLS handshake")

    def _enter(self, host: str) -> bool:
        """Count the connection, unless a proxy sends it; return whether it may go on."""
        gate = self._gate
        if gate.sources.is_proxy(host):
            return True
        self._source = gate.sources.of(host)
        self._counted = True
        if not gate.open.enter(self._source):
            gate.hits["connections_per_address"] += 1
            return False
        return not gate.admission.wait_s(self._source, Action.HANDSHAKE)

    async def _secure(self) -> None:
        plain = self._transport
        assert plain is not None
        try:
            secured = await asyncio.get_running_loop().start_tls(
                plain,
                self,
                self._context(),
                server_side=True,
                ssl_handshake_timeout=self._wait_s,
                ssl_shutdown_timeout=SHUTDOWN_S,
            )
        except (OSError, ssl.SSLError):
            # What is no TLS, and who does not trust the certificate, is nothing to report.
            plain.abort()
            return
        finally:
            self._let_go()
        if secured is None or secured.is_closing():
            plain.abort()
            return
        protocol = self._make()
        secured.set_protocol(protocol)
        protocol.connection_made(secured)
        if self._early:
            protocol.data_received(self._early)

    def data_received(self, data: bytes) -> None:
        """Keep what arrives between the end of the handshake and the hand-over."""
        self._early += data

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._let_go()

    def _let_go(self) -> None:
        self._gate.undecided.discard(self)
        self._transport = None
        if self._counted:
            self._counted = False
            self._gate.open.leave(self._source)

    def abort(self) -> None:
        """End the connection."""
        if self._transport is not None:
            self._transport.abort()
