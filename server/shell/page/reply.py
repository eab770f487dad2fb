"""Whole answers to HTTP requests, made once and sent often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

SAFE: Final[Mapping[str, str]] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""The headers of every answer, except the files of the page."""
NO_SNIFF: Final = "x-content-type-options"
"""The one of them that files have too. The others are for documents."""
CLOSED_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers that load nothing."""

HSTS: Final = ("strict-transport-security", "max-age=31536000")
"""The header of a server with https only: browsers use no plain http there for a year."""

Header = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer without its date. `head` has the lines of the headers, each with its end."""

    status: int
    body: bytes
    head: bytes = field(repr=False)

    @classmethod
    def made(
        cls,
        status: int,
        kind: str,
        body: bytes,
        more: Iterable[Header] = (),
        policy: str | None = CLOSED_POLICY,
    ) -> Reply:
        """Return an answer of the media type `kind`, with `more` headers.

        `policy` is the content security policy. With None the answer is no document: a script or a
        style is under the policy of the document that loads it.
        """
        headers = [("content-type", kind), ("content-length", str(len(body)))]
        safe = [(NO_SNIFF, SAFE[NO_SNIFF])] if policy is None else _safe(policy)
        return cls(status, body, _lines([*headers, *safe, *more]))

    @classmethod
    def unchanged(cls, more: Iterable[Header], policy: str) -> Reply:
        """Return the answer that the reader's copy is still right, with the same `more` headers."""
        return cls(304, b"", _lines([*_safe(policy), *more]))


def safe_headers(*, https: bool) -> list[Header]:
    """Return the headers of an answer that loads nothing; with `https` also `HSTS`."""
    return [*_safe(CLOSED_POLICY), *([HSTS] if https else [])]


def _safe(policy: str) -> list[Header]:
    return [("content-security-policy", policy), *SAFE.items()]


def _lines(headers: Iterable[Header]) -> bytes:
    return "".join(f"{name}: {value}\r\n" for name, value in headers).encode("latin-1")
