"""Answer requests below a path of a proxy, such as ``https://example.org/games/``.

A proxy either leaves the path in its requests, and the host names it (`--base-path`), or removes
it and says so (`X-Forwarded-Prefix`). The application sees neither. Only addresses in its answers
begin with the path.
"""

from __future__ import annotations

import re
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.page.site import inner_path

_KEY: Final = "doublecross.prefix"
_PREFIX: Final = re.compile(r"(/[A-Za-z0-9._~-]+){1,8}")


class BelowPath:
    """An ASGI application that passes requests to another one without the `base` of their paths."""

    def __init__(self, app: ASGIApp, base: str, sources: Sources) -> None:
        self._app = app
        self._base = base
        self._sources = sources

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            path = inner_path(scope["path"], self._base)
            prefix = self._base if path != scope["path"] else self._forwarded(scope)
            if prefix:
                scope = {**scope, "path": path, "raw_path": path.encode(), _KEY: prefix}
        await self._app(scope, receive, send)

    def _forwarded(self, scope: Scope) -> str:
        """Return the path that a trusted proxy says it has removed; empty for none."""
        prefix = Headers(scope=scope).get("x-forwarded-prefix", "").rstrip("/")
        client = scope["client"]
        trusted = bool(prefix) and self._sources.is_proxy(client[0] if client else "")
        return prefix if trusted and _PREFIX.fullmatch(prefix) else ""


def prefix_of(scope: Scope) -> str:
    """Return the path of the proxy below which a request was made, usually empty."""
    found: str = scope.get(_KEY, "")
    return found
