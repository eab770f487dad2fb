"""Decide which pages in browsers may use this server.

A browser says in the header ``Origin`` which site a page comes from. Programs send none, and may do
what they like: they have no passwords of other people in them. A page of another site is refused a
websocket, and every request that changes something or shows who asks. It may read what is public.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.server.shell.addresses.sources import Sources

_log = structlog.get_logger("origin")

ANY: Final = "*"
"""The setting that allows the pages of all sites."""
CODE: Final = "origin_not_allowed"
"""The code of the refusal over HTTP."""
REFUSED: Final = Sentence(
    "Pages of this site may not use this server; its host can allow the site"
    " with the setting allowed_origins."
)
MOST_LOGGED: Final = 100
"""How many different origins are logged. Strangers can invent as many as they like."""
_PORTS: Final = {"http": 80, "https": 443}
_HOST: Final = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")


class Origin(NamedTuple):
    """A site: the scheme, the host in lower case, and the port."""

    scheme: str
    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> Origin | None:
        """Return the origin of an address such as ``https://games.example.org``; None for others.

        ``null``, which browsers send for pages without an address, is none.
        """
        scheme, separator, rest = text.strip().lower().partition("://")
        if not separator or scheme not in _PORTS:
            return None
        try:
            port = urlsplit(f"{scheme}://{rest}").port
        except ValueError:
            return None
        host, _ = _split(rest)
        return cls(scheme, host, port or _PORTS[scheme]) if _HOST.fullmatch(host) else None

    @property
    def text(self) -> str:
        """The origin as browsers write it, without the usual port."""
        port = "" if self.port == _PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"


def origins_of(text: str) -> frozenset[Origin]:
    """Return the origins in a list with commas; those of `ANY` stand for themselves.

    Raises:
        ValueError: one of them is no origin. The message is one sentence for the host.
    """
    found = set()
    for part in filter(None, map(str.strip, text.split(","))):
        if part == ANY:
            continue
        origin = Origin.read(part)
        if origin is None or part.count("/") > 2:
            raise ValueError(
                f"{part!r} is no origin; write it like https://games.example.org or "
                f"http://localhost:8000, without a path, or {ANY} for all"
            )
        found.add(origin)
    return frozenset(found)


class Origins:
    """The rule for one server.

    `allowed` is the setting, `public` the address that people open, if a proxy is in front, and
    `tls` whether the server encrypts by itself. `sources` knows the proxies to believe.
    """

    def __init__(self, sources: Sources, allowed: str, public: str | None, *, tls: bool) -> None:
        self._sources = sources
        self._any = ANY in map(str.strip, allowed.split(","))
        self._allowed = set(origins_of(allowed))
        self._tls = tls
        self._public = own = None if public is None else Origin.read(public)
        self._secure_host = own.host if own is not None and own.scheme == "https" else None
        self._logged: set[str] = set()

    def allows(self, origin: str | None, host: str, peer: str, forwarded: str = "") -> bool:
        """Return whether a request may act; log an origin that may not, once.

        `origin` is its header, None without one. `host` is the header ``Host``, `forwarded` the
        header ``X-Forwarded-Host``, and `peer` the address that the request comes from.
        """
        if origin is None or self._any:
            return True
        found = Origin.read(origin)
        if found is not None and found in self._allowed:
            return True
        if self.own(origin, host, peer, forwarded) is not None:
            return True
        self._log(origin, host)
        return False

    def own(self, origin: str, host: str, peer: str, forwarded: str = "") -> Origin | None:
        """Return the site of a request of the server's own page; None for that of another site."""
        found = Origin.read(origin)
        if found is None or found == self._public:
            return found
        hosts = [host]
        if forwarded and self._sources.is_proxy(peer):
            # The last one is what the trusted proxy has appended.
            hosts.append(forwarded.rpartition(",")[2])
        return found if any(self._is_own(found, name) for name in hosts) else None

    def _is_own(self, origin: Origin, host: str) -> bool:
        """Return whether the page comes from the host that it asks.

        The request does not say whether a proxy has decrypted it. Where that is known, a page that
        came without encryption is foreign, because anybody on its way may have written it.
        """
        if origin.scheme == "http" and (self._tls or origin.host == self._secure_host):
            return False
        # A browser leaves out the usual port in both headers.
        name, port = _split(host.strip().lower())
        return name == origin.host and (port or str(_PORTS[origin.scheme])) == str(origin.port)

    def _log(self, origin: str, host: str) -> None:
        if origin in self._logged or len(self._logged) >= MOST_LOGGED:
            return
        self._logged.add(origin)
        _log.warning(
            "origin_refused",
            origin=origin[:100],
            host=host[:100],
            what="A page of this site asks for a game. If the site is yours, add it to the setting"
            " allowed_origins, or name the address that people open with public_http.",
        )


def _split(text: str) -> tuple[str, str]:
    """Return the host and the port of the part of an address behind the scheme."""
    text = text.partition("/")[0]
    host, colon, port = text.rpartition(":")
    return (host, port) if colon and "]" not in port else (text, "")
