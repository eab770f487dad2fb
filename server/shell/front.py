"""The side of a server that faces the network: ports, TLS, the page, and who may come in."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.server.shell.addresses.admission import (
    Admission,
    FileGuard,
    Gate,
    raise_file_limit,
)
from doublecross.server.shell.addresses.first_request import FirstRequest
from doublecross.server.shell.addresses.handshake import Handshake
from doublecross.server.shell.http.certificate import Tls, TlsError
from doublecross.server.shell.http.gate import HttpGate
from doublecross.server.shell.http.securing import TlsTerms, secured
from doublecross.server.shell.http.serving import HttpServer
from doublecross.server.shell.listening import BACKLOG, Addresses, Ports, StartError, addresses_of
from doublecross.server.shell.page.files import PageError
from doublecross.server.shell.page.linked import LinkedDocuments
from doublecross.server.shell.page.reply import HSTS, safe_headers
from doublecross.server.shell.page.site import PageSite
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.traffic import PeerTraffic
from doublecross.server.supervisor import Supervisor

_log = structlog.get_logger("server")


class Front:
    """Take connections, and hand websockets to a `PeerTraffic` and HTTP requests to an application.

    Call `bind`, `open`, `serve`, and in the end `close` and `stop_http`.

    Raises:
        StartError: the page or the certificate cannot be used.
    """

    gate: Gate
    """Decides which connections may come in; there is none before `open`."""
    http: HttpGate
    admission: Admission
    addresses: Addresses

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self.sources = settings.sources
        self.origins = settings.origins
        self.files = FileGuard(raise_file_limit(), time.monotonic)
        self.tls: Tls | None = None
        try:
            if settings.tls_certificate is not None and settings.tls_key is not None:
                self.tls = Tls(settings.tls_certificate, settings.tls_key)
            self.site = PageSite(
                settings.page,
                self.sources,
                reload=settings.page_reload,
                servers=[address.websocket for address in settings.nodes],
                base=settings.base_path,
            )
        except (PageError, TlsError) as error:
            raise StartError(str(error)) from None
        self._ports: Ports | None = None
        self.listening: list[asyncio.Server] = []
        self.server: HttpServer | None = None

    def bind(self) -> None:
        """Bind the ports.

        Raises:
            StartError: one of them is in use.
        """
        self._ports = Ports.open(self._settings)

    def place(self) -> tuple[str | None, str | None]:
        """Return the HTTP address for clients, and the version of the page there."""
        page = self.site.page
        http = self._settings.public_http or f"{self.addresses.http}{self._settings.base_path}"
        return http.rstrip("/"), None if page is None else page.hash

    @property
    def port(self) -> int:
        """The port for games, which must be bound."""
        assert self._ports is not None
        return int(self._ports.games.getsockname()[1])

    def unbind(self) -> None:
        """Give the ports back, because the server cannot start."""
        if self._ports is not None:
            self._ports.close()

    def open(self, admission: Admission, banned: Callable[[str], Sentence | None]) -> None:
        """Make the gates. `banned` returns why nobody from an address may come in, or None."""
        settings, ports = self._settings, self._ports
        assert ports is not None
        names = () if self.tls is None else self.tls.certificate.names
        self.addresses = addresses_of(settings, ports, names)
        self.admission = self.site.admission = admission
        self.gate = Gate(
            self.sources,
            self.origins,
            admission,
            self.files,
            settings.max_connections,
            safe_headers(https=settings.is_https),
            banned,
        )
        self.gate.turns.step_s = settings.patience.turn_s
        self.http = HttpGate(
            self.sources,
            self.files,
            self.gate.turns,
            self.site,
            most=settings.http_connections,
            most_each=settings.http_connections_per_address,
            unread=settings.unread,
            request_s=settings.http_request_s,
        )

    async def serve(
        self, application: Any, connections: PeerTraffic, supervisor: Supervisor
    ) -> None:
        """Accept connections from now on; `application` answers HTTP requests (ASGI)."""
        self.gate.server = connections
        headers = [HSTS] if self._settings.is_https else []
        linked = LinkedDocuments(
            application,
            self.site,
            self.sources,
            self._settings.public_http,
            https=self._settings.is_https,
        )
        self.server = HttpServer(linked, self.http, headers)
        await self.server.start(supervisor)
        await self._accept(self.server)

    async def _accept(self, http: HttpServer) -> None:
        """Accept connections: on one port for everything, or on one for games and one for HTTP.

        With TLS these are encrypted, and `ports.local` is not.
        """
        gate, hello_s, ports = self.gate, self._settings.hello_s, self._ports
        assert ports is not None
        websocket = partial(Handshake, gate, hello_s)
        either = partial(FirstRequest, gate, websocket, http.connection, hello_s)
        only_http = partial(http.connection, websocket)
        kinds: list[tuple[socket.socket, Callable[[], asyncio.Protocol]]]
        kinds = [(ports.games, either)]
        if ports.http is not None:
            kinds = [(ports.games, websocket), (ports.http, only_http)]
        if self.tls is not None and ports.local is not None:
            # Look the context up for each connection, because `reload` replaces it.
            context = partial(getattr, self.tls, "context")
            shown = urlsplit(self.addresses.share[0])
            terms = TlsTerms(context, hello_s, f"{shown.scheme}://{shown.netloc}")
            kinds = [(sock, secured(gate, terms, kind)) for sock, kind in kinds]
            kinds.append((ports.local, either))
        loop = asyncio.get_running_loop()
        for sock, kind in kinds:
            # `create_server` listens once more, with a backlog of 100 unless it is told.
            listening = await loop.create_server(kind, sock=sock, backlog=BACKLOG)
            self.listening.append(listening)

    def reload(self) -> None:
        """Load the certificate and its key again; open connections keep the former one."""
        if self.tls is None:
            _log.warning("nothing_reloaded", what="Start the server again to change its settings.")
        else:
            self.tls.reload()

    def close(self) -> None:
        """Accept no more connections."""
        for listening in self.listening:
            listening.close()
        if hasattr(self, "gate"):
            self.gate.is_closing = True
            for connection in list(self.gate.undecided):
                connection.abort()

    def stop_http(self) -> None:
        """Close idle HTTP connections, and let the others finish their answers."""
        if self.server is not None:
            self.server.stop()
