"""Read the addresses at which clients reach the nodes of a cluster."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from doublecross.protocol.version import DEFAULT_PORT

_PORTS: Final = {"ws": DEFAULT_PORT, "wss": 443, "http": 80, "https": 443}
MOST: Final = 32
"""The most addresses; clients read no more of them."""
_HOST: Final = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")


class NodeAddress(NamedTuple):
    """Where clients find a node: the host, the port, and whether it encrypts."""

    host: str
    port: int
    encrypted: bool

    @property
    def websocket(self) -> str:
        """The URL of its websocket."""
        return f"{'wss' if self.encrypted else 'ws'}://{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """The origin of its page."""
        return f"{'https' if self.encrypted else 'http'}://{self.host}:{self.port}"


def node_addresses(text: str) -> tuple[NodeAddress, ...]:
    """Return the addresses in a list with commas, such as ``wss://a.example,wss://b.example``.

    Raises:
        ValueError: one of them is no address, or only some are encrypted. The message is one
            sentence for the host.
    """
    found = dict.fromkeys(_address(part) for part in filter(None, map(str.strip, text.split(","))))
    if len({address.encrypted for address in found}) > 1:
        raise ValueError(
            "some of these addresses are encrypted and some are not; a client never goes from one"
            " to the other, so write wss:// before each of them, or ws:// before each"
        )
    if len(found) > MOST:
        raise ValueError(f"a cluster can name {MOST} addresses at most")
    return tuple(found)


def _address(text: str) -> NodeAddress:
    scheme, separator, rest = text.partition("://")
    scheme, host = scheme.lower(), rest.rstrip("/")
    try:
        port = urlsplit(f"//{host}").port
    except ValueError:
        port = 0
    name = re.sub(r":\d*$", "", host)
    if not separator or scheme not in _PORTS or port == 0 or not _HOST.fullmatch(name):
        raise ValueError(
            f"{text!r} is no address of a node; write it like wss://a.example.org or"
            " ws://10.0.0.5:8765, without a path"
        )
    return NodeAddress(name.lower(), port or _PORTS[scheme], scheme in ("wss", "https"))
