"""Find the address that a connection comes from, also behind trusted proxies.

Limits apply to *sources*. An IPv4 address is a source. Of an IPv6 address only the first 64 bits
count, because a home or a machine usually has all addresses that begin with them. The empty source
stands for exempt addresses, such as this machine's own.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network

EXEMPT: Final = ""
UNKNOWN: Final = "unknown"
"""The source of connections without an address, such as those of a Unix socket."""
_MOST_HOPS: Final = 32
"""How many proxies one request may pass through."""


def networks(text: str) -> tuple[Network, ...]:
    """Return the networks in a text such as ``10.0.0.0/8, ::1``.

    Raises:
        ValueError: one of them is no network. The message is one sentence for the host.
    """
    found = []
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            found.append(ipaddress.ip_network(part))
        except ValueError:
            raise ValueError(
                f"{part!r} is no address or network; write it like 10.0.0.0/8 or ::1"
            ) from None
    return tuple(found)


class Sources:
    """Find sources. `trusted` are the proxies to believe, `exempt` addresses without limits."""

    def __init__(self, trusted: Sequence[Network] = (), exempt: Sequence[Network] = ()) -> None:
        self._trusted = tuple(trusted)
        self._exempt = tuple(exempt)

    def is_proxy(self, host: str) -> bool:
        """Return whether this is the address of a trusted proxy."""
        address = _parsed(host)
        return address is not None and _within(address, self._trusted)

    def direct(self, host: str) -> str | None:
        """Return the source of a connection from `host`; None if a trusted proxy sends it."""
        return None if self.is_proxy(host) else self.of(host)

    def of(self, host: str, forwarded: Iterable[str] = ()) -> str:
        """Return the source of a connection from `host`.

        `forwarded` are the values of its ``X-Forwarded-For`` headers. Each proxy appends the
        address that it was called from. Only what trusted proxies append is true, so the source is
        the last address that is not a trusted proxy. Other programs' headers are ignored.
        """
        address = _parsed(host)
        if address is None:
            return UNKNOWN
        if self._trusted and _within(address, self._trusted):
            hops = [hop for value in forwarded for hop in value.split(",")]
            # From the end, because only the last entries come from proxies that are trusted.
            for hop in reversed(hops[-_MOST_HOPS:]):
                found = _parsed(hop)
                # Not an address, so the proxy before it is as far as this can be traced.
                if found is None:
                    return _group(address)
                address = found
                if not _within(address, self._trusted):
                    # The exempt addresses are those of direct connections. A visitor who comes
                    # through a proxy is never exempt.
                    return _group(address)
        return EXEMPT if _within(address, self._exempt) else _group(address)


def is_local(source: str) -> bool:
    """Return whether a source is exempt, or is this machine although it is not exempt."""
    if source == EXEMPT:
        return True
    address = _parsed(source)
    return address is not None and address.is_loopback


def _parsed(text: str) -> Address | None:
    text = text.strip().partition("%")[0]  # without the zone of a link-local address
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        host, colon, port = text.rpartition(":")
        if not colon or not port.isdecimal() or ":" in host:
            return None
        try:
            address = ipaddress.ip_address(host)  # some proxies add the port
        except ValueError:
            return None
    # A socket for IPv6 shows IPv4 visitors this way. Their limits and bans must be the same.
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def _within(address: Address, found: Iterable[Network]) -> bool:
    return any(address in network for network in found)


def _group(address: Address) -> str:
    if isinstance(address, ipaddress.IPv4Address) or address.is_loopback:
        return str(address)
    return str(ipaddress.IPv6Network((address, 64), strict=False))
