"""Admit websocket connections by the address that they come from, before their handshake."""

from __future__ import annotations

import asyncio
import http
import math
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol, cast

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import CLOSED
from websockets.server import ServerProtocol
from websockets.typing import StatusLike

from server.shell.addresses.admission import Action, Admission, OpenConnections, sentence
from server.shell.addresses.files import FileGuard
from server.shell.addresses.origins import REFUSED, Origins
from server.shell.addresses.sources import EXEMPT, Sources
from server.shell.push import PushConnection, ReadingTurns

_log = structlog.get_logger("connection")

WAIT_S: Final = 10.0
"""When to try again while too many connections are open."""
LINGER_S: Final = 1.0
"""How long a connection that is refused may stay to read the reason."""


class Undecided(Protocol):
    """A connection that is not encrypted yet, or has not sent its first request yet."""

    def abort(self) -> None:
        """End the connection."""
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
        """The connections that have not sent their first request yet."""
        self.admitted = 0
        """The open connections whose handshake was accepted."""
        self.hits: Counter[str] = Counter()
        """How many connections were refused by each limit on open connections, and for their
        origin."""
        self._most = most
        self._banned = banned
        self._warned = False

    @property
    def is_full(self) -> bool:
        """Whether as many connections are open as the server may have."""
        return self.admitted >= self._most

    def connection_class(self) -> type[ServerConnection]:
        """Return the class of the connections that this gate watches."""
        return type("GatedConnection", (GatedConnection,), {"gate": self, "turns": self.turns})

    def process_request(self, ws: ServerConnection, request: Request) -> Response | None:
        """Answer a handshake with an error, or return None to go on; websockets calls this."""
        connection = cast("GatedConnection", ws)
        if connection.protocol.state is CLOSED:
            return None  # nobody would take it back if it were counted now
        forwarded = request.headers.get_all("X-Forwarded-For")
        connection.identify(forwarded)
        if forwarded and connection.is_forwarded_unasked and not self._warned:
            self._warned = True
            _log.warning(
                "proxy_not_trusted",
                forwarded_for=forwarded[0][:60],
                what="A proxy on this machine passes visitors on, who therefore have no limits."
                " Name it with --trusted-proxy 127.0.0.1.",
            )
        banned = self._banned(connection.address)
        if banned:
            self.hits["bans"] += 1
            return ws.respond(http.HTTPStatus.FORBIDDEN, banned + "\n")
        if connection.is_refused:
            return _refusal(ws, "Too many connections are open from your address.", WAIT_S)
        if self.is_full:
            self.hits["connections"] += 1
            text = "The server is full; try again later."
            return _refusal(ws, text, WAIT_S, http.HTTPStatus.SERVICE_UNAVAILABLE)
        if not self._may_come_from(connection, request.headers):
            self.hits["origin"] += 1
            return ws.respond(http.HTTPStatus.FORBIDDEN, REFUSED + "\n")
        wait = self.admission.wait_s(connection.source, Action.CONNECT)
        if wait:
            return _refusal(ws, sentence(Action.CONNECT, wait), wait)
        connection.admit()
        return None

    def _may_come_from(self, connection: GatedConnection, headers: Headers) -> bool:
        origins = headers.get_all("Origin")
        return self.origins.allows(
            ", ".join(origins) if origins else None,
            ", ".join(headers.get_all("Host")),
            connection.peer_host,
            ", ".join(headers.get_all("X-Forwarded-Host")),
        )


class GatedConnection(PushConnection):
    """A websocket that counts for its source while it is open, also before its handshake."""

    gate: Gate
    source = EXEMPT
    is_refused = False
    _counted = False
    _admitted = False
    _host = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The library refuses some handshakes before `process_request`.
        self.protocol.reject = self._reject  # type: ignore[method-assign]

    def _reject(self, status: StatusLike, text: str) -> Response:
        response = ServerProtocol.reject(self.protocol, status, text)
        for name, value in self.gate.headers:
            response.headers[name] = value
        return response

    @property
    def peer_host(self) -> str:
        """The address that the connection comes from, perhaps that of a proxy."""
        return self._host

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, unless a proxy sends it; its source is in the handshake then."""
        super().connection_made(transport)
        if not self.gate.files.admits(transport.get_extra_info("socket")):
            self.transport.abort()
            return
        self._host = str((transport.get_extra_info("peername") or ("",))[0])
        if not self.gate.sources.is_proxy(self._host):
            self._enter(self.gate.sources.of(self._host))

    def identify(self, forwarded: list[str]) -> None:
        """Find the source of a connection that a proxy sends, from its headers."""
        if not self._counted:
            self._enter(self.gate.sources.of(self._host, forwarded))

    @property
    def address(self) -> str:
        """The address for the log: the source, or that of the connection if it is exempt."""
        return self.source or self._host

    @property
    def is_forwarded_unasked(self) -> bool:
        """Return whether a proxy that passed this on is exempt from limits, but not trusted."""
        return self.source == EXEMPT and not self.gate.sources.is_proxy(self._host)

    def admit(self) -> None:
        """Count the connection as admitted until it ends."""
        self._admitted = True
        self.gate.admitted += 1

    def _enter(self, source: str) -> None:
        self.source = source
        self._counted = True
        self.is_refused = not self.gate.open.enter(source)
        if self.is_refused:
            self.gate.hits["connections_per_address"] += 1
            self.loop.call_later(LINGER_S, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._counted:
            self._counted = False
            self.gate.open.leave(self.source)
        if self._admitted:
            self._admitted = False
            self.gate.admitted -= 1
        super().connection_lost(exc)
        del self.protocol.reject  # else the two would keep each other alive


def _refusal(
    ws: ServerConnection,
    text: str,
    wait_s: float,
    status: http.HTTPStatus = http.HTTPStatus.TOO_MANY_REQUESTS,
) -> Response:
    response = ws.respond(status, text + "\n")
    response.headers["Retry-After"] = str(max(1, math.ceil(wait_s)))
    return response
