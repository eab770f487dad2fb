"""Answer requests for the browser page from memory, before the HTTP application sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from server.shell.web.page import ASK_AGAIN, FOR_EVER, PREFIX, BrowserPage, PageFile
from server.shell.web.page_document import ROUTES

SAFE: Final[Mapping[str, str]] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""The headers of every answer."""
CLOSED_POLICY: Final = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of answers that load nothing."""
APPLICATION: Final = ("api", "health", "metrics")
"""The first parts of the paths that the HTTP application answers."""
_PLAIN: Final = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer. `head` has the headers, each with its line end, without the date."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    head: bytes = field(init=False)

    def __post_init__(self) -> None:
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.headers)
        object.__setattr__(self, "head", lines.encode("latin-1"))


class PageSite:
    """Answer requests for the files and documents of the browser page.

    With `reload` it reads the folder again for each document, for people who change the page.
    """

    def __init__(self, folder: Path | None, *, reload: bool = False) -> None:
        """Read the page.

        Raises:
            PageError: the folder is no browser page.
        """
        self.page = None if folder is None else BrowserPage.read(folder)
        self._reloaded = folder if reload else None

    def reply(self, method: str, path: str, headers: Mapping[str, str]) -> Reply | None:
        """Return the answer to a request, or None when the HTTP application answers it.

        `path` is as it was sent, without the query. The names of `headers` are in lower case.
        """
        first = path[1:].partition("/")[0]
        if first in APPLICATION:
            return None
        if self.page is None:
            return self._absent(method, path)
        if path.startswith(PREFIX):
            file = self.page.files.get(path)
            if file is None:
                return None
            return self._file(method, file, headers, FOR_EVER, 200)
        if self._reloaded is not None:
            self.page = BrowserPage.read(self._reloaded)
        if first in ROUTES:
            return self._file(method, self.page.documents[first], headers, ASK_AGAIN, 200)
        if "text/html" in headers.get("accept", ""):
            return self._file(method, self.page.documents[""], headers, ASK_AGAIN, 404)
        return None

    def _absent(self, method: str, path: str) -> Reply | None:
        if path != "/" or method not in ("GET", "HEAD"):
            return None
        text = "This is a Doublecross server. It serves no browser page.\n"
        return Reply(200, _headers(_PLAIN, len(text), CLOSED_POLICY), text.encode())

    def _file(
        self, method: str, file: PageFile, headers: Mapping[str, str], caching: str, status: int
    ) -> Reply | None:
        if method not in ("GET", "HEAD"):
            return None
        packed = file.packed is not None and "gzip" in headers.get("accept-encoding", "")
        body = file.packed if packed and file.packed is not None else file.body
        assert self.page is not None
        policy = self.page.policy if caching == ASK_AGAIN else CLOSED_POLICY
        more = [("cache-control", caching)]
        if file.packed is not None:
            more.append(("vary", "accept-encoding"))
        if packed:
            more.append(("content-encoding", "gzip"))
        return Reply(status, _headers(file.type, len(body), policy, *more), body)


def _headers(
    kind: str, length: int, policy: str, *more: tuple[str, str]
) -> tuple[tuple[str, str], ...]:
    return (
        ("content-type", kind),
        ("content-length", str(length)),
        ("content-security-policy", policy),
        *SAFE.items(),
        *more,
    )


class PageMiddleware:
    """The ASGI application that answers for a site, and passes all else to another application."""

    def __init__(self, app: ASGIApp, site: PageSite) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        path = scope["raw_path"].decode("latin-1").partition("?")[0]
        reply = self._site.reply(scope["method"], path, headers)
        if reply is None:
            await self._app(scope, receive, send)
            return
        start = {
            "type": "http.response.start",
            "status": reply.status,
            "headers": [(n.encode("latin-1"), v.encode("latin-1")) for n, v in reply.headers],
        }
        await send(start)
        body = b"" if scope["method"] == "HEAD" else reply.body
        await send({"type": "http.response.body", "body": body})
