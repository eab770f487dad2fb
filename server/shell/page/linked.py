"""Say in the head of a document what its address leads to, for messengers that show links.

The HTTP application answers what a link leads to, as it answers every reader without rights, and
with its limits. When it refuses or takes too long, the document says no more than usual: people who
open a link need the page first of all.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, unquote

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.page.document import PREVIEWED, Linked, route_of
from doublecross.server.shell.page.reply import Reply
from doublecross.server.shell.page.site import READING, PageSite, inner_path

PATIENCE_S: Final = 2.0
"""How long a document waits for what it says about its address, in seconds."""
_HOST: Final = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")
_PREFIX: Final = re.compile(r"(/[A-Za-z0-9._~-]+){0,8}")


class LinkedDocuments:
    """An ASGI application that answers with these documents, and asks `app` for all else.

    `public` is the address for clients, if the host has set it; otherwise the request names it.
    """

    def __init__(
        self, app: ASGIApp, site: PageSite, sources: Sources, public: str | None, *, https: bool
    ) -> None:
        self._app = app
        self._site = site
        self._sources = sources
        self._public = public
        self._https = https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        page = self._site.page
        if scope["type"] != "http" or scope["method"] not in READING or page is None:
            await self._app(scope, receive, send)
            return
        path = inner_path(scope["raw_path"].decode("latin-1"), self._site.base)
        route = route_of(path)
        if route is None or route not in PREVIEWED:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        key = unquote(path.rstrip("/").rpartition("/")[2])
        found = await self._preview(scope, receive, PREVIEWED[route], key)
        if found:
            document = page.linked(route, path, Linked(**found, root=self._root(scope), path=path))
        else:
            document = page.document(route, path)  # made already
        known = headers.get("if-none-match")
        if known is not None and document.is_known(known):
            reply = document.unchanged
        else:
            reply = document.file.best(", ".join(headers.getlist("accept-encoding")))
        await _send(reply, send, head=scope["method"] == "HEAD")

    async def _preview(
        self, scope: Scope, receive: Receive, kind: str, key: str
    ) -> Mapping[str, Any]:
        """Return the fields of a preview; none if there is no answer in time."""
        path = f"/api/previews/{kind}/{key}"
        asked = {
            **scope,
            "method": "GET",
            "path": path,
            "raw_path": quote(path).encode(),
            "query_string": b"",
            # Those of the reader would change the answer.
            "headers": [pair for pair in scope["headers"] if pair[0] == b"x-forwarded-for"],
        }
        status, body = 0, b""

        async def take(message: Message) -> None:
            nonlocal status, body
            status = message.get("status", status)
            body += message.get("body", b"")

        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._app(asked, receive, take)
        except TimeoutError:
            return {}
        found: dict[str, Any] = json.loads(body) if status == 200 else {}
        return found

    def _root(self, scope: Scope) -> str:
        """Return the absolute address of the start page without its last slash, or nothing."""
        if self._public is not None:
            return self._public.rstrip("/")
        headers = Headers(scope=scope)
        host, prefix, https = headers.get("host", ""), self._site.base, self._https
        if self._sources.is_proxy(scope["client"][0] if scope["client"] else ""):
            https = https or headers.get("x-forwarded-proto", "") == "https"
            prefix = prefix or headers.get("x-forwarded-prefix", "").rstrip("/")
        if not _HOST.fullmatch(host) or not _PREFIX.fullmatch(prefix):
            return ""
        return f"http{'s' if https else ''}://{host}{prefix}"


async def _send(reply: Reply, send: Send, *, head: bool) -> None:
    lines = (line.partition(b": ") for line in reply.head.splitlines())
    headers = [(name, value) for name, _, value in lines]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if head else reply.body})
