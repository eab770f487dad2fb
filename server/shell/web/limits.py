"""Limit the cost of HTTP requests: a rate for each source, no bodies, few pages at once, a cache.

An answer costs the server 1 to 11 ms. Requests for the same page within a second share one answer,
unless something has changed. At most `AT_ONCE` pages are made at the same time; more requests wait.
They are refused beyond `MOST_WAITING`, and after `TURN_S` seconds.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublecross.server.shell.addresses.admission import Action, Admission, sentence
from doublecross.server.shell.addresses.heads import accepts
from doublecross.server.shell.addresses.sources import Sources
from doublecross.server.shell.rooms.turn_messages import STOP

KEEP_S: Final = 1.0
"""How long an answer is reused, in seconds."""
MOST_KEPT: Final = 128
"""How many answers are kept."""
MOST_BYTES: Final = 256 * 1024
"""A longer answer is not kept."""
AT_ONCE: Final = 4
"""How many pages are made at the same time."""
MOST_WAITING: Final = 200
"""How many requests may wait for their turn."""
TURN_S: Final = 10.0
"""How long a request waits for its turn, in seconds."""
_OF_UNCHANGED: Final = (b"etag", b"cache-control", b"vary")
"""The headers of an answer that says that nothing has changed."""
HEALTH: Final = "/health"
"""The page that is always made anew, also while many requests for other pages wait."""
READY: Final = "/ready"
METRICS: Final = "/metrics"
MADE_ANEW: Final = (HEALTH, READY, METRICS)
"""The addresses by which programs watch the server; kept answers would be too old."""
VALUES: Final = "/api/values"
POLICY: Final = "/api/policy"
"""Both wait for the adviser, perhaps for long, so they wait there and hold no turn here."""
SOLVING: Final = "/api/solving"
PROGRESS: Final = "/api/account/progress"
NOTE: Final = "/api/account/note"
PRIVATE: Final = ("/api/login", "/api/account", "/api/admin", "/api/classes", SOLVING, STOP)
"""The addresses for one person only. Answers are never kept; requests may have a body."""
MOST_BODY: Final = 8 * 1024
"""The longest body, in bytes."""
MOST_PROGRESS: Final = 64 * 1024
"""The longest body with what somebody has learned or noted, in bytes."""
PICTURE: Final = "/picture"
"""The end of the address of a picture. A child process makes it, and keeps the last ones."""
REPLAY: Final = "/replay."
"""The end of the address of a moving picture, before the name of its format."""
_PICTURES: Final = (PICTURE, f"{REPLAY}webp", f"{REPLAY}gif")


def has_own_limits(path: str) -> bool:
    """Return whether a page waits for no turn here, such as pictures, which have a queue."""
    return path in MADE_ANEW or path == POLICY or is_picture(path) or is_private(path)


def is_private(path: str) -> bool:
    """Return whether an address is for one person only."""
    return path in PRIVATE or path.startswith(tuple(f"{start}/" for start in PRIVATE))


def is_picture(path: str) -> bool:
    """Return whether this is the address of a picture, and not of a player with such a name."""
    return path.startswith(("/api/games/", "/api/previews/")) and path.endswith(_PICTURES)


def wants_gzip(headers: Headers) -> bool:
    """Return whether a request with these headers accepts a compressed answer."""
    return accepts(", ".join(headers.getlist("accept-encoding")), "gzip")


def source_of(sources: Sources, scope: Scope) -> str:
    """Return the source of a request."""
    client = scope["client"]
    forwarded = Headers(scope=scope).getlist("x-forwarded-for")
    return sources.of(client[0] if client else "", forwarded)


def address_of(sources: Sources, scope: Scope) -> str:
    """Return the address of a request: its source, or its own address if that has no limits."""
    client = scope["client"]
    return source_of(sources, scope) or (client[0] if client else "")


@dataclass(frozen=True, slots=True)
class Page:
    """A whole answer."""

    start: Message
    body: bytes
    made_s: float

    async def send(self, send: Send, *, head: bool = False, known: str = "") -> None:
        """Send the answer; without its body for a HEAD request.

        `known` are the names of contents that the reader has (If-None-Match, RFC 9110, 13.1.2).
        """
        # Copy the list, because the middleware outside of this one adds headers to it.
        headers = list(self.start["headers"])
        name = Headers(raw=headers).get("etag")
        if known and name is not None and name in known.split(", "):
            headers = [pair for pair in headers if pair[0] in _OF_UNCHANGED]
            await send({**self.start, "status": 304, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await send({**self.start, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if head else self.body})


class PageLimits:
    """The middleware that applies the limits.

    `version` returns a number that grows whenever rooms, players, ratings or tournaments change, so
    that a kept answer never lacks a finished game. `now_s` returns seconds and never goes back.
    """

    def __init__(
        self,
        app: ASGIApp,
        sources: Sources,
        admission: Admission,
        version: Callable[[], int],
        now_s: Callable[[], float],
    ) -> None:
        self._app = app
        self._sources = sources
        self._admission = admission
        self._version = version
        self._now_s = now_s
        self._kept: OrderedDict[tuple[object, ...], Page] = OrderedDict()
        self._making: dict[tuple[object, ...], asyncio.Future[Page | None]] = {}
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send)
        elif may_have_body(scope):
            # uvicorn reads all requests of a connection after one with a body, but it does not have
            # the files of the page. So the answer closes the connection.
            await self._app(scope, receive, _closing(send))
        elif has_own_limits(scope["path"]) or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        """Return the answer to a request that is refused, or None."""
        refused = refused_body(scope)
        if refused is not None:
            return refused
        wait = self._admission.wait_s(source_of(self._sources, scope), Action.PAGE)
        return _busy(429, sentence(Action.PAGE, wait), wait) if wait else None

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        # All that an answer depends on, so that nobody gets one that was made for somebody else.
        key = (
            scope["path"],
            scope["query_string"],
            wants_gzip(headers),
            headers.get("accept", "").strip().lower().startswith("text/plain"),
            headers.get("authorization", ""),
            self._version(),
        )
        head = scope["method"] == "HEAD"
        page = self._kept_page(key)
        if page is None and (making := self._making.get(key)) is not None:
            # Shielded, because a reader who goes must not end the wait of the others.
            page = await asyncio.shield(making)
        if page is None:
            if self._waiting < MOST_WAITING:
                # Made whole even for HEAD, so that others can share it.
                page = await self._make(key, {**scope, "method": "GET"}, receive)
            if page is None:
                text = "The server makes many pages already; try again in a moment."
                await _busy(503, text, 1.0)(scope, receive, send)
                return
        await page.send(send, head=head, known=headers.get("if-none-match", ""))

    def _kept_page(self, key: tuple[object, ...]) -> Page | None:
        page = self._kept.get(key)
        if page is None:
            return None
        if self._now_s() - page.made_s <= KEEP_S:
            return page
        del self._kept[key]
        return None

    async def _make(self, key: tuple[object, ...], scope: Scope, receive: Receive) -> Page | None:
        """Make a page; others who ask for it meanwhile get the same one.

        Return None if it had no turn in time.
        """
        making: asyncio.Future[Page | None] = asyncio.get_running_loop().create_future()
        self._making[key] = making
        page: Page | None = None
        self._waiting += 1
        try:
            async with AsyncExitStack() as turn:
                try:
                    async with asyncio.timeout(TURN_S):
                        await turn.enter_async_context(self._turn)
                except TimeoutError:
                    return None
                # The answer shows what is there now, so its age counts from now.
                made_s = self._now_s()
                page = Page(*await answer_of(self._app, scope, receive), made_s)
        finally:
            self._waiting -= 1
            # Others who did not get the page may make it by now, and have taken this place.
            if self._making.get(key) is making:
                del self._making[key]
            making.set_result(page)  # None: the others make the page themselves
        if page.start["status"] == 200 and len(page.body) <= MOST_BYTES:
            self._kept[key] = page
            self._kept.move_to_end(key)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return page


async def answer_of(app: ASGIApp, scope: Scope, receive: Receive) -> tuple[Message, bytes]:
    """Return the start and the whole body of an application's answer."""
    start: dict[str, Any] = {}
    parts: list[bytes] = []

    async def collect(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            parts.append(message.get("body", b""))

    await app(scope, receive, collect)
    return start, b"".join(parts)


def may_have_body(scope: Scope) -> bool:
    """Return whether a request may have a body."""
    path = scope["path"]
    return bool((path == VALUES or is_private(path)) and scope["method"] == "POST")


def most_body(path: str) -> int:
    """Return how long the body of a request to this address may be, in bytes."""
    learned = path in (PROGRESS, NOTE) or path.startswith(f"{SOLVING}/")
    return MOST_PROGRESS if learned else MOST_BODY


def refused_body(scope: Scope) -> JSONResponse | None:
    """Return the answer to a request with a body that nobody will read, or None."""
    headers, path = Headers(scope=scope), scope["path"]
    length = headers.get("content-length", "0")
    # Nobody reads the body, so no other request can follow it.
    close = {"Connection": "close"}
    if not may_have_body(scope):
        if length != "0" or "transfer-encoding" in headers:
            return _error(413, "Requests must have no body.", close)
        return None
    # Browsers let pages of other sites send this type only after a preflight, which is refused.
    # Programs for mail post a form to `STOP`. The secret in the address makes that safe.
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and path != STOP:
        return _error(415, "Send the question as application/json.", close)
    # A body without a length could not be refused before it is read.
    most = most_body(path)
    if "transfer-encoding" in headers or not length.isdecimal() or int(length) > most:
        return _error(413, f"Send at most {most} bytes, and say how many.", close)
    return None


def _closing(send: Send) -> Send:
    """Let an answer end its connection."""

    async def closing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
        await send(message)

    return closing


def _error(status: int, text: str, headers: dict[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": text}, status_code=status, headers=headers)


def _busy(status: int, text: str, wait_s: float) -> JSONResponse:
    return _error(status, text, {"Retry-After": str(max(1, math.ceil(wait_s)))})
