"""Listen on the server's ports, and find the addresses at which others reach it."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from doublecross.server.shell.settings import ServerSettings

LOOPBACK: Final = "127.0.0.1"
BACKLOG: Final = 1024
"""How many connections may wait until the server accepts them."""


class StartError(Exception):
    """The server cannot start. The message is one sentence for the host."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a running server.

    `ws` and `http` are URLs. `share` are the addresses to give to others, the best first: people
    open them in a browser, and programs take them too. `local` is for programs that the server
    starts itself; with TLS it is a port on the loopback address without it, because no certificate
    is for that address.
    """

    ws: str
    http: str
    share: tuple[str, ...]
    local: str


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket.

    Raises:
        StartError: the port is in use, or the address does not belong to this machine.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise StartError(
            f"Cannot listen on {host!r} ({error.strerror}); choose another host."
        ) from None
    sock = socket.socket(family, kind, proto)
    # A server that restarts must not wait until the system forgets its former connections.
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        # 98 is the number on Linux; other systems have others.
        if error.errno == 98 or "in use" in str(error):
            raise StartError(
                f"Port {port} is in use by another program; choose another port,"
                " or --port 0 for a free one."
            ) from None
        raise StartError(
            f"Cannot listen on {host} port {port} ({error.strerror}); choose another host or port."
        ) from None
    sock.setblocking(False)
    return sock


@dataclass(frozen=True, slots=True)
class Ports:
    """The listening sockets of a server.

    `http` is None when it shares the port for games. `local` is there with TLS: a port without it,
    for programs that the server starts itself.
    """

    games: socket.socket
    http: socket.socket | None = None
    local: socket.socket | None = None

    @classmethod
    def open(cls, settings: ServerSettings) -> Ports:
        """Listen on all ports.

        Raises:
            StartError: one of them cannot be used.
        """
        ports = cls(listen(settings.host, settings.port))
        try:
            # Port 0 stands for any free one, so two of these are two ports.
            if settings.http_port not in (None, settings.port or None):
                ports = replace(ports, http=listen(settings.host, settings.http_port))
            if settings.tls_certificate is not None:
                ports = replace(ports, local=listen(LOOPBACK, 0))
        except StartError:
            ports.close()
            raise
        for sock in ports.sockets:
            # Connections inherit these. Otherwise the system keeps megabytes of each.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, settings.send_buffer_kib * 1024)
            unsent = settings.unsent_kib * 1024
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # Windows has no such option
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, unsent)
        return ports

    @property
    def sockets(self) -> list[socket.socket]:
        """All listening sockets."""
        return [each for each in (self.games, self.http, self.local) if each is not None]

    def close(self) -> None:
        """Stop listening."""
        for each in self.sockets:
            each.close()


def addresses_of(settings: ServerSettings, ports: Ports, names: Sequence[str] = ()) -> Addresses:
    """Return the addresses of a server that listens on these ports.

    `names` are the hosts that the certificate is for, with TLS.
    """
    ws_port = _number(ports.games)
    http_port = ws_port if ports.http is None else _number(ports.http)
    everywhere = settings.host in ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound
    hosts = _own_addresses() if everywhere else [settings.host]
    local = "127.0.0.1" if everywhere else settings.host
    shown = settings.public_http
    if ports.local is None:
        ws = f"ws://{_bracket(local)}:{ws_port}"
        return Addresses(
            ws,
            f"http://{_bracket(hosts[0] if everywhere else local)}:{http_port}",
            (shown,) if shown else tuple(f"http://{_bracket(host)}:{http_port}" for host in hosts),
            ws,
        )
    # A browser accepts only the names in the certificate.
    hosts = list(names) or hosts
    https = tuple(f"https://{_bracket(host)}{_port(http_port)}" for host in hosts)
    return Addresses(
        f"wss://{_bracket(hosts[0])}:{ws_port}",
        https[0],
        (shown,) if shown else https,
        f"ws://{LOOPBACK}:{_number(ports.local)}",
    )


def _number(listening: socket.socket) -> int:
    return int(listening.getsockname()[1])


def _port(port: int) -> str:
    return "" if port == 443 else f":{port}"


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_addresses() -> list[str]:
    """Return the addresses at which other machines reach this one.

    Returns the loopback address when there is no other.
    """
    found: list[str] = []
    # The system may not know the name of its own machine.
    with contextlib.suppress(OSError):
        for info in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            found.append(str(info[4][0]))
    # Connecting a datagram socket sends nothing, but selects the address that packets to other
    # machines would leave from.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    outside = [a for a in dict.fromkeys(found) if not a.startswith(("127.", "::1", "fe80"))]
    return outside or ["127.0.0.1"]
