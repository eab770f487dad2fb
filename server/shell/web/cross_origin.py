"""Decide which requests pages of other sites may make over HTTP (CORS).

Everybody may read what is public. Requests that change something, or that say who asks, are for
this server's own pages and those of the setting `allowed_origins`. They are refused before they do
anything: a browser would only hide the answer.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublecross.server.shell.addresses.origins import CODE, REFUSED, Origins
from doublecross.server.shell.web.endpoints import error

READING: Final = ("GET", "HEAD")
METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE"
HEADERS: Final = "Authorization, Content-Type, Idempotency-Key"
"""The headers that allowed pages may send beside those that all pages may."""
READABLE: Final = "Retry-After"
"""The header of answers that a page may read beside those that are always readable."""
KEEP_S: Final = 600
"""How long a browser remembers what it may request, in seconds."""
_HARMLESS: Final = frozenset({"accept", "accept-language", "content-language", "content-type"})
"""The headers that any page may send with a request that reads."""


class CrossOrigin:
    """An ASGI application that applies the rule to another one; `hits` counts refusals."""

    def __init__(self, app: ASGIApp, origins: Origins, hits: Counter[str]) -> None:
        self._app = app
        self._origins = origins
        self._hits = hits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        asked = headers.get("access-control-request-method")
        preflight = scope["method"] == "OPTIONS" and asked is not None
        if preflight:
            wanted = headers.get("access-control-request-headers", "").lower()
            names = {name.strip() for name in wanted.split(",")} - {""}
            is_open = asked in READING and names <= _HARMLESS
        else:
            # A request with a token says who asks, and its answer may be for that person alone.
            is_open = scope["method"] in READING and "authorization" not in headers
        if is_open:
            more = {"Access-Control-Allow-Origin": "*"}
            methods, allowed = "GET, HEAD", ""
        elif (origin := _one(headers, "origin")) is None or self._allows(scope, headers, origin):
            more = {"Vary": "Origin"}
            if origin is not None:
                more["Access-Control-Allow-Origin"] = origin
            methods, allowed = METHODS, HEADERS
        else:
            self._hits["origin"] += 1
            refusal = error(403, REFUSED, CODE)
            # Nobody reads the body of the request, so no other request can follow it.
            refusal.headers["Connection"] = "close"
            refusal.headers["Vary"] = "Origin"
            await refusal(scope, receive, send)
            return
        if not preflight:
            await self._app(scope, receive, _adding(send, more))
            return
        more |= {"Access-Control-Allow-Methods": methods, "Access-Control-Max-Age": str(KEEP_S)}
        if allowed:
            more["Access-Control-Allow-Headers"] = allowed
        await Response(status_code=204, headers=more)(scope, receive, send)

    def _allows(self, scope: Scope, headers: Headers, origin: str) -> bool:
        client = scope["client"]
        return self._origins.allows(
            origin,
            headers.get("host", ""),
            client[0] if client else "",
            ", ".join(headers.getlist("x-forwarded-host")),
        )


def _one(headers: Headers, name: str) -> str | None:
    """Return a header; several become a text that is no origin."""
    found = headers.getlist(name)
    return ", ".join(found) if found else None


def _adding(send: Send, more: dict[str, str]) -> Send:
    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            # Copy the headers, because a kept answer has the same list for all readers.
            message = {**message, "headers": list(message["headers"])}
            headers = MutableHeaders(raw=message["headers"])
            for name, value in more.items():
                if name == "Vary":
                    headers.add_vary_header(value)
                else:
                    headers[name] = value
            headers["Access-Control-Expose-Headers"] = READABLE
        await send(message)

    return adding
