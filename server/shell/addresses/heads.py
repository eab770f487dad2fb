"""Find and read the heads of HTTP requests in a stream of bytes.

A head goes to its last empty line. Only plain heads are read here. All others, odd and harmful
ones included, are left to the parser of the library that serves the rest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

END: Final = b"\r\n\r\n"
MAX_HEAD: Final = 16 * 1024
"""The most bytes of a head that is read here."""
_REQUEST_LINE: Final = re.compile(rb"[A-Z]{1,16} [!-~]+ HTTP/1\.[01]\r\n")
_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HALF_LINE: Final = re.compile(rb"[A-Z]{0,16}(?: [!-~]*(?: [HTP/1.0\r]{0,9})?)?")
_BARE_LINE_END: Final = re.compile(rb"(?<!\r)\n")


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a request. The names of headers are in lower case; equal ones are joined."""

    method: str
    path: str
    """The path as it was sent, without the query."""
    is_11: bool
    """True when the version is HTTP/1.1, and not 1.0."""
    headers: Mapping[str, str]

    @property
    def has_body(self) -> bool:
        """Return whether bytes follow that belong to this request."""
        length = self.headers.get("content-length", "0")
        return length != "0" or "transfer-encoding" in self.headers or "expect" in self.headers

    @property
    def wants_websocket(self) -> bool:
        """Return whether the client asks to speak websocket on this connection."""
        return self.headers.get("upgrade", "").strip().lower() == "websocket"

    @property
    def keeps_open(self) -> bool:
        """Return whether more requests may follow on the connection."""
        return self.is_11 and "close" not in self.headers.get("connection", "").lower()


def has_bare_line_end(data: bytes, since: int = 0) -> bool:
    """Return whether a line ends with LF alone; the bytes before `since` were checked before."""
    # From one byte before, because the CR may have been the last byte that was checked.
    return _BARE_LINE_END.search(data, max(0, since - 1)) is not None


def may_be_request(data: bytes, since: int = 0) -> bool:
    """Return whether an incomplete head can still become one that `read_head` reads.

    The bytes before `since` were checked before.
    """
    if len(data) > MAX_HEAD or has_bare_line_end(data, since):
        return False
    line = _REQUEST_LINE.match(data) if b"\n" in data else _HALF_LINE.fullmatch(data)
    return line is not None


def read_head(head: bytes) -> Head | None:
    """Read a whole head, its empty line included; return None when it is not a plain one."""
    if len(head) > MAX_HEAD or _REQUEST_LINE.match(head) is None:
        return None
    text = head[: -len(END)].decode("latin-1")
    first, *lines = text.split("\r\n")
    count = len(lines)
    # Proxies and servers read a lone CR or LF differently, which lets requests be smuggled.
    if "\0" in text or text.count("\r") != count or text.count("\n") != count:
        return None
    method, target, version = first.split(" ")
    if not target.startswith("/"):
        return None
    path = target.partition("?")[0]
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or _NAME.fullmatch(name) is None:
            return None
        name, value = name.lower(), value.strip(" \t")
        if name in headers:
            # Two hosts could mean two things to a proxy and to this server.
            if name == "host":
                return None
            value = f"{headers[name]}, {value}"
        headers[name] = value
    is_11 = version == "HTTP/1.1"
    # Programs that watch servers often ask with HTTP/1.0, which needs no host.
    if is_11 and "host" not in headers:
        return None
    return Head(method, path, is_11, headers)


def accepts(accepted: str, wanted: str) -> bool:
    """Return whether the value of Accept-Encoding allows a coding (RFC 9110, 12.5.3)."""
    weights: dict[str, str] = {}
    for part in accepted.lower().split(","):
        coding, _, weight = part.partition(";")
        weights[coding.strip()] = weight.replace(" ", "").removeprefix("q=")
    weight = weights.get(wanted, weights.get("*", "0"))
    return weight.strip("0.") != "" or weight == ""
