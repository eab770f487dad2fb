"""Turn the server addresses that a person typed into websocket URLs."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from protocol.version import DEFAULT_PORT

_DEFAULT_PORTS: Final = {"ws": DEFAULT_PORT, "wss": 443, "http": 80, "https": 443}
MOST_ADDRESSES: Final = 32
"""The most addresses of one server that a client tries."""
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://")


def server_url(text: str) -> str:
    """Return the websocket URL of an address: ``ws://host:port/path``, ``host:port`` or ``host``.

    The default port is 8765, or 443 for ``wss://``. The address of a page, such as
    ``http://host:port/room/ID``, gives the server of that page; its default port is 80, or 443 for
    ``https://``.

    Raises:
        ValueError: `text` is not such an address. The message is one sentence for people.
    """
    text = text.strip()
    found = _SCHEME.match(text)
    scheme = found[1].lower() if found else "ws"
    try:
        parts = urlsplit(text if found else f"ws://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"{text!r} is not a server address. {_HINT}") from None
    # urlsplit drops tabs and line ends silently, so check the text itself.
    if not host or any(c.isspace() or ord(c) < 32 for c in text):
        raise ValueError(f"{text!r} is not a server address. {_HINT}")
    # urlsplit removes the brackets of an IPv6 address.
    shown = f"[{host}]" if ":" in host else host
    if scheme not in _DEFAULT_PORTS:
        raise ValueError(
            f"{text!r} begins with {scheme}, but servers have http, https, ws or wss. {_HINT}"
        )
    is_page = scheme in ("http", "https")
    if parts.username is not None or (not is_page and (parts.query or parts.fragment)):
        raise ValueError(f"{text!r} has more than a host, a port and a path. {_HINT}")
    if port == 0:
        raise ValueError(f"{text!r} has port 0; use a port from 1 to 65535.")
    port = port or _DEFAULT_PORTS[scheme]
    if is_page:
        return f"{'wss' if scheme == 'https' else 'ws'}://{shown}:{port}"
    return f"{scheme}://{shown}:{port}{parts.path}"


def server_urls(text: str) -> str:
    """Return the websocket URLs of the addresses of one server, between commas.

    `text` has addresses that `server_url` accepts, between commas. The nodes of a cluster have one
    each. Those that stand there twice are kept once.

    Raises:
        ValueError: one of them is no address, or only some are encrypted. The message is one
            sentence for people.
    """
    parts = [part for part in text.split(",") if part.strip()]
    found = dict.fromkeys(server_url(part) for part in parts or [""])
    if len({urlsplit(url).scheme for url in found}) > 1:
        raise ValueError(
            "Some of these addresses are encrypted and some are not; write https:// or wss://"
            " before each of them, or before none."
        )
    if len(found) > MOST_ADDRESSES:
        raise ValueError(f"A server has {MOST_ADDRESSES} addresses at most; leave some out.")
    return ",".join(found)


def shown_address(url: str) -> str:
    """Return a websocket URL for people: ``play.example``, ``192.168.1.5:9000``.

    The scheme is left out, and so is the default port. Several URLs between commas stay several.
    """
    if "," in url:
        return ", ".join(map(shown_address, url.split(",")))
    parts = urlsplit(url)
    default = 443 if parts.scheme == "wss" else DEFAULT_PORT
    host = parts.hostname or url
    host = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, default) else f":{parts.port}"
    return f"{host}{port}{parts.path.rstrip('/')}"


def http_url(url: str) -> str:
    """Return where the server at a websocket URL answers HTTP requests: at the same address."""
    parts = urlsplit(url)
    scheme = "https" if parts.scheme == "wss" else "http"
    return f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def is_loopback(url: str) -> bool:
    """Return whether the host of `url` is this machine, which is never reached by a proxy."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        # RFC 6761 reserves these names for the loopback interface.
        return host == "localhost" or host.endswith(".localhost")


_HINT: Final = "Write http://host:port, host:port or host."
