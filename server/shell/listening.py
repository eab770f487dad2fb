"""Listen on the server's ports, and find the addresses at which others reach it."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass
from typing import Final

from server.shell.settings import ServerSettings

BACKLOG: Final = 1024
"""How many connections may wait until the server accepts them."""


class StartError(Exception):
    """The server cannot start. The message is one sentence for the host."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a running server.

    `ws` and `http` are URLs. `share` are the addresses to give to others, the best first: people
    open them in a browser, and programs take them too.
    """

    ws: str
    http: str
    share: tuple[str, ...]


def listen(host: str, port: int) -> socket.socket:
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
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        if error.errno == 98 or "in use" in str(error):
            raise StartError(
                f"Port {port} is in use by another program; choose another port."
            ) from None
        raise StartError(
            f"Cannot listen on {host} port {port} ({error.strerror}); choose another host or port."
        ) from None
    sock.setblocking(False)
    return sock


def addresses_of(
    settings: ServerSettings, ws_socket: socket.socket, http_socket: socket.socket
) -> Addresses:
    """Return the addresses of a server that listens on these sockets."""
    ws_port, http_port = ws_socket.getsockname()[1], http_socket.getsockname()[1]
    everywhere = settings.host in ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound
    hosts = _own_addresses() if everywhere else [settings.host]
    local = "127.0.0.1" if everywhere else settings.host
    shown = settings.public_http
    return Addresses(
        f"ws://{_bracket(local)}:{ws_port}",
        f"http://{_bracket(hosts[0] if everywhere else local)}:{http_port}",
        (shown,) if shown else tuple(f"http://{_bracket(host)}:{http_port}" for host in hosts),
    )


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_addresses() -> list[str]:
    """Return the addresses at which other machines reach this one.

    Returns the loopback address when there is no other.
    """
    found: list[str] = []
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
