"""Answer requests for the browser page from memory, before the HTTP application sees them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import structlog

from doublecross.server.shell.addresses.admission import Action, Admission, sentence
from doublecross.server.shell.addresses.heads import Head
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.page.document import PREVIEWED, route_of
from doublecross.server.shell.page.files import PREFIX, WORKER, BrowserPage, PageError
from doublecross.server.shell.page.problem import problem
from doublecross.server.shell.page.reply import Reply

_log = structlog.get_logger("http")

APPLICATION: Final = ("api", "health", "metrics", "ready")
"""The first parts of the paths that the HTTP application answers."""
READING: Final = ("GET", "HEAD")
"""The methods of requests for the page."""
MOST_DEEP: Final = 8
"""The page says that an address does not exist only if its path has no more slashes than this."""
SOCKET: Final = "/socket"
"""The path at which the page opens its websocket. Other clients may use any path."""


class PageSite:
    """Answer requests for the files and documents of the browser page.

    `admission` limits how many of them one address may ask for. With `reload` the files are
    read again for each document, for people who change the page. `servers` has the
    websocket URLs of the nodes of a cluster. `base` is the path below which a proxy may ask, such
    as ``/games``.
    """

    def __init__(
        self,
        folder: Path | None,
        sources: Sources,
        *,
        reload: bool = False,
        servers: Sequence[str] = (),
        base: str = "",
    ) -> None:
        """Read the page from `folder`; with None there is no page.

        Raises:
            PageError: the folder is no browser page.
        """
        self._servers = servers
        self.base = base
        self.page = None if folder is None else self._read(folder)
        self.admission: Admission | None = None
        self._sources = sources
        self._reloaded = folder if reload else None

    def reply(self, head: Head, host: str) -> Reply | None:
        """Return the answer to a request of `host`, or None when the application answers it."""
        accept = head.headers.get("accept", "")
        if self.base and head.path == self.base:
            # The addresses in a document are relative to it, and so is this one.
            to = [("location", f"{self.base.rpartition('/')[2]}/")]
            return Reply.made(308, "text/plain", b"", to)
        path = inner_path(head.path, self.base)
        # Relative, because a proxy may have removed a path that the server does not know.
        start = "../" * (path.count("/") - 1) or "./"
        first = path[1:].partition("/")[0]
        # The application has limits of its own.
        if first in APPLICATION:
            return None
        refused = self._refusal(head, host, accept, start)
        if refused is not None:
            return refused
        if path == SOCKET:
            return _use_websocket(accept, start)
        if self.page is None:
            return None if path != "/" else _no_page(accept)
        # Not for files: they belong to the document that was loaded, and have its hash.
        if self._reloaded is not None and not path.startswith(PREFIX):
            self._read_again(self._reloaded)
        if path.startswith(PREFIX):
            file = self.page.files.get(path)
            if file is None:
                text = "This file is not here any more; load the page again."
                return problem(404, text, accept, start=start)
        elif path == f"/{WORKER}" and self.page.worker is not None:
            file = self.page.worker
        elif (route := route_of(path)) in PREVIEWED and head.method in READING:
            return None  # the application says more about it
        elif route is not None:
            document = self.page.document(route, path)
            file = document.file
            known = head.headers.get("if-none-match")
            if known is not None and document.is_known(known) and head.method in READING:
                return document.unchanged
        elif "text/html" in accept and head.method in READING and path.count("/") <= MOST_DEEP:
            file = self.page.nothing(path)
        else:
            return None
        if head.method not in READING:
            text = "This address answers only GET requests."
            return problem(405, text, accept, [("allow", "GET, HEAD")], start)
        return file.best(head.headers.get("accept-encoding", ""))

    def _read(self, folder: Path) -> BrowserPage:
        return BrowserPage.read(folder, servers=self._servers)

    def _read_again(self, folder: Path) -> None:
        """Read the page again; keep the former one while a file is missing."""
        try:
            self.page = self._read(folder)
        except PageError as error:
            _log.warning("page_not_read", why=str(error))

    def _refusal(self, head: Head, host: str, accept: str, start: str) -> Reply | None:
        if self.admission is None:
            return None
        forwarded = head.headers.get("x-forwarded-for")
        source = self._sources.of(host, () if forwarded is None else (forwarded,))
        wait = self.admission.wait_s(source, Action.FILE)
        if not wait:
            return None
        retry = ("retry-after", str(max(1, math.ceil(wait))))
        return problem(429, sentence(Action.FILE, wait), accept, [retry], start)


def inner_path(path: str, base: str) -> str:
    """Return a path without the `base` that a proxy may have left in it."""
    return path.removeprefix(base) if base and path.startswith(f"{base}/") else path


def _no_page(accept: str) -> Reply:
    return problem(404, "This is a Doublecross server without a browser page.", accept)


def _use_websocket(accept: str, start: str) -> Reply:
    text = "This address is for the websockets of players; open the start page instead."
    return problem(404, text, accept, start=start)
