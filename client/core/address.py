"""Turn the server addresses that a person typed into websocket URLs, and choose which to try next.

Theory of operation
-------------------
The nodes of a cluster form one server, and each has an address. A person names one or several of
them, and each welcome can name all. A client stays at the address where it is connected. When that
connection breaks, it tries the others in random order, so that the clients of a dead node do not
all arrive at the same other one. The address of the broken connection comes last. When all
addresses have failed, the next round tries them in the same order, after the usual delay.

A token opens a connection as its player, so it goes only to addresses that the person named, or
that the server named over a connection that was as safe: an encrypted connection is never followed
by one that is not, and a server elsewhere cannot name an address of this machine.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ipaddress import ip_address
from random import Random
from typing import Final
from urllib.parse import urlsplit

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.version import DEFAULT_PORT

_DEFAULT_PORTS: Final = {"ws": DEFAULT_PORT, "wss": 443, "http": 80, "https": 443}
MOST_ADDRESSES: Final = 32
"""The most addresses that a client learns from a server."""
_BELOW = re.compile(r"(/.+)/(?:room|game|tournament)/[^/]+/?$")
"""The path of a page below a path of a proxy, which the group has."""
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*)://")


def server_url(text: str) -> str:
    """Return the websocket URL of an address: ``ws://host:port/path``, ``host:port`` or ``host``.

    The default port is 8765, or 443 for ``wss://``. The address of a page, such as
    ``http://host:port/room/ID``, gives the server of that page; its default port is 80, or 443 for
    ``https://``. A path before ``/room/ID`` is where a proxy serves it.

    Raises:
        ValueError: `text` is not such an address. The message is one sentence for people.
    """
    text = text.strip()
    found = _SCHEME.match(text)
    scheme = found[1].lower() if found else "ws"
    none = Sentence("{text} is not a server address. {hint}", repr(text), _HINT)
    try:
        parts = urlsplit(text if found else f"ws://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError(none) from None
    # urlsplit drops tabs and line ends silently, so check the text itself.
    if not host or any(c.isspace() or ord(c) < 32 for c in text):
        raise ValueError(none)
    # urlsplit removes the brackets of an IPv6 address.
    shown = f"[{host}]" if ":" in host else host
    if scheme not in _DEFAULT_PORTS:
        raise ValueError(
            Sentence(
                "{text} begins with {scheme}, but servers have http, https, ws or wss. {hint}",
                repr(text),
                scheme,
                _HINT,
            )
        )
    is_page = scheme in ("http", "https")
    if parts.username is not None or (not is_page and (parts.query or parts.fragment)):
        raise ValueError(
            Sentence("{text} has more than a host, a port and a path. {hint}", repr(text), _HINT)
        )
    if port == 0:
        raise ValueError(Sentence("{text} has port 0; use a port from 1 to 65535.", repr(text)))
    port = port or _DEFAULT_PORTS[scheme]
    if is_page:
        below = _BELOW.match(parts.path)
        base = "" if below is None else below[1]
        return f"{'wss' if scheme == 'https' else 'ws'}://{shown}:{port}{base}"
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
            Sentence(
                "Some of these addresses are encrypted and some are not; write https:// or"
                " wss:// before each of them, or before none."
            )
        )
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


class Addresses:
    """The addresses of one server, of which `current` is in use or the next to try.

    `text` has the addresses that the person named, between commas, and `known` those that the
    server named in an earlier welcome. `rng` draws the order after a break.

    Raises:
        ValueError: `text` has a malformed address. The message is one sentence for people.
    """

    def __init__(self, text: str, rng: Random, known: Sequence[str] = ()) -> None:
        self._named = tuple(server_urls(text).split(","))
        self._rng = rng
        self._order = list(self._named)
        self._failed = 0
        self.learned: tuple[str, ...] = ()
        self._learn(self._named[0], known)

    @property
    def current(self) -> str:
        """The address in use, or the next to try."""
        return self._order[0]

    def __len__(self) -> int:
        return len(self._order)

    def welcomed(self, servers: Sequence[str]) -> None:
        """Note that the current address answered, and which addresses of the server it named."""
        self._failed = 0
        self._learn(self.current, servers)

    def lost(self) -> None:
        """Put the others first, in random order, because the current connection broke."""
        self._failed = 0
        current, *others = self._order
        self._rng.shuffle(others)
        self._order = [*others, current]

    def failed(self) -> bool:
        """Go to the next address, because the current one failed; return whether all have."""
        self._order.append(self._order.pop(0))
        self._failed += 1
        if self._failed < len(self._order):
            return False
        self._failed = 0
        return True

    def _learn(self, teller: str, servers: Sequence[str]) -> None:
        """Replace the addresses that the server named before by those that may be used."""
        self.learned = trusted(teller, servers)
        wanted = dict.fromkeys([*self._named, *self.learned])
        kept = [url for url in self._order if url in wanted or url == teller]
        new = [url for url in wanted if url not in kept]
        self._order = [*kept, *new]


def trusted(teller: str, servers: Sequence[str]) -> tuple[str, ...]:
    """Return the URLs of those `servers` to which the player's token at `teller` may go.

    `teller` is the websocket URL of the server that named them.
    """
    scheme, here = urlsplit(teller).scheme, is_loopback(teller)
    found: dict[str, None] = {}
    for text in servers[:MOST_ADDRESSES]:
        try:
            url = server_url(text)
        except ValueError:
            continue  # an address of a newer server, perhaps
        if urlsplit(url).scheme == scheme and (here or not is_loopback(url)):
            found[url] = None
    return tuple(found)


_HINT: Final = Sentence("Write http://host:port, host:port or host.")
