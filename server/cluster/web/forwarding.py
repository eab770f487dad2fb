"""Let the hall answer the HTTP requests that a node receives.

Theory of operation
-------------------
The hall has the ordinary HTTP application (`site.py`). The node that runs the hall calls it
directly. Another node sends the request to the hall in a call (`links/calls.py`), with the address
of the visitor, so that the limits of an address count in one place. A short answer is the answer of
the call. A longer one comes in parts before that, each in a call of the hall to this node, which
returns when the visitor has taken the part. So nothing is larger than a message of NATS, and no
answer is kept whole.

The hall moves when its node ends. A request then waits up to `WAIT_S` seconds for another hall. A
request that the former hall may have carried out is sent again only if it changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any, Final, NamedTuple

import structlog
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublecross.server.cluster.links.calls import (
    BusyError,
    CallError,
    CallTimeoutError,
    FailedError,
    LinkDownError,
    LinkResetError,
    RefusedError,
)
from doublecross.server.cluster.web.calling import NodeCalls
from doublecross.server.shell.http.protocol import ANSWER_S
from doublecross.server.shell.identity.rights import bearer
from doublecross.server.shell.web.endpoints import BadRequestError, body_of, error
from doublecross.server.shell.web.limits import is_private, may_have_body, most_body
from doublecross.server.shell.web.managing.admin import FROM_HOST, is_host

WAIT_S: Final = 3.0
"""How long a request waits for a hall, in seconds."""
CHECK_S: Final = 0.05
"""Seconds between two checks for a hall."""
TRIES: Final = 3
"""How often a request that changes nothing is sent."""
PART_BYTES: Final = 128 * 1024
"""The most bytes of an answer in one message."""
REQUEST: Final = "http"
PART: Final = "http part"
"""The names of the calls."""
NO_HALL: Final = (
    "The part of the server that answers this is moving to another machine; try again in a moment."
)
UNKNOWN: Final = (
    "The part of the server that answers this has stopped meanwhile. Look whether your request was"
    " carried out before you send it again."
)

LATE: Final = "The server did not answer in time; try again later."
BUG: Final = "The server has a bug, which it has logged."

_READING: Final = ("GET", "HEAD", "OPTIONS")
_log = structlog.get_logger("http")


class ForwardedRequest(NamedTuple):
    """A request as it travels to the hall. `number` names it in the calls with parts."""

    number: int
    method: str
    path: str
    raw_path: bytes
    query: bytes
    headers: list[tuple[bytes, bytes]]
    body: bytes
    client: tuple[str, int] | None
    server: tuple[str, int | None] | None
    scheme: str
    http_version: str
    from_host: bool


class _AnswerParts:
    """An answer that comes in parts. `run` is that of the hall."""

    def __init__(self, run: str, send: Send) -> None:
        self.run = run
        self.has_begun = False
        self._send = send

    async def take(self, status: int | None, headers: Any, body: bytes, *, more: bool) -> None:
        """Pass on a part; the first one has a status and headers."""
        if status is not None:
            self.has_begun = True
            pairs = [(name, value) for name, value in headers]
            await self._send({"type": "http.response.start", "status": status, "headers": pairs})
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


class Forwarding:
    """The ASGI application of a node for everything that the hall answers.

    `hall` returns the run that is the hall, or None. `own` returns the application of the hall
    while this node is the hall and it is open. `host_hash` is the hash of the token of this node's
    host.
    """

    def __init__(
        self,
        calls: NodeCalls,
        hall: Callable[[], str | None],
        own: Callable[[], ASGIApp | None],
        host_hash: bytes | None,
    ) -> None:
        self._calls = calls
        self._hall = hall
        self._own = own
        self._host_hash = host_hash
        self._numbers = count(1)
        self._answers: dict[int, _AnswerParts] = {}
        self.forwarded = 0
        """How many requests other nodes have answered."""
        calls.serve(PART, self._take_part)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        try:
            # If a body is not read here, the hall refuses the request by its headers.
            body = await body_of(Request(scope, receive)) if _has_good_body(scope) else b""
        except BadRequestError as bad:
            await error(400, str(bad))(scope, receive, send)
            return
        request = self._request(scope, body)
        loop = asyncio.get_running_loop()
        until, tries = loop.time() + WAIT_S, 0
        while True:
            run = self._hall()
            if run == self._calls.own:
                app = self._own()
                if app is not None:
                    await app({**scope, FROM_HOST: request.from_host}, _whole(body, receive), send)
                    return
            elif run is not None:
                parts = _AnswerParts(run, send)
                try:
                    await self._forward(run, request, parts)
                    self.forwarded += 1
                    return
                except (LinkDownError, RefusedError, BusyError):
                    pass  # it was not carried out
                except CallError as failed:
                    _log.warning("not_answered", run=run, path=request.path, reason=str(failed))
                    if parts.has_begun:
                        raise  # the connection ends, so the visitor sees that the answer is cut
                    tries += 1
                    answer = _answer_to(failed, request.method, tries)
                    if answer is not None:
                        await answer(scope, receive, send)
                        return
                    until = loop.time() + WAIT_S
            if loop.time() >= until:
                await _unanswered(NO_HALL)(scope, receive, send)
                return
            await asyncio.sleep(CHECK_S)

    def _request(self, scope: Scope, body: bytes) -> ForwardedRequest:
        path, client, server = scope["path"], scope["client"], scope.get("server")
        from_host = is_private(path) and is_host(bearer(Headers(scope=scope)), self._host_hash)
        return ForwardedRequest(
            0,
            scope["method"],
            path,
            scope.get("raw_path") or path.encode(),
            scope["query_string"],
            list(scope["headers"]),
            body,
            None if client is None else (client[0], client[1]),
            None if server is None else (server[0], server[1]),
            scope.get("scheme", "http"),
            scope.get("http_version", "1.1"),
            from_host,
        )

    async def _forward(self, run: str, request: ForwardedRequest, parts: _AnswerParts) -> None:
        # Each try has its own number, because parts of the answer to an earlier one may still come.
        number = next(self._numbers)
        self._answers[number] = parts
        try:
            value = tuple(request._replace(number=number))
            answer = await self._calls.call(run, REQUEST, value, ANSWER_S)
            if answer is None:
                raise LinkResetError("the hall has moved while it answered")
            status, headers, rest = answer
            await parts.take(status, headers, rest, more=False)
        finally:
            del self._answers[number]

    async def _take_part(self, run: str, value: Any) -> None:
        """Pass a part of an answer on; return when the visitor takes more."""
        number, status, headers, body = value
        parts = self._answers.get(number)
        if parts is None or parts.run != run:
            raise RefusedError("Nobody waits for this answer any more.")
        await parts.take(status, headers, body, more=True)


def _has_good_body(scope: Scope) -> bool:
    """Return whether a request has a body that the hall will read."""
    headers = Headers(scope=scope)
    length = headers.get("content-length", "")
    return (
        may_have_body(scope)
        and "transfer-encoding" not in headers
        and length.isdecimal()
        and int(length) <= most_body(scope["path"])
    )


def _whole(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body that was read already."""
    was_read = False

    async def whole() -> Message:
        nonlocal was_read
        if was_read:
            return await receive()
        was_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return whole


def _answer_to(failed: CallError, method: str, tries: int) -> ASGIApp | None:
    """Return the answer to a request that the hall did not answer; None: send it again."""
    if isinstance(failed, FailedError):
        return error(500, BUG)
    if isinstance(failed, CallTimeoutError):
        return _unanswered(LATE)
    if method not in _READING:
        return _unanswered(UNKNOWN)
    return _unanswered(NO_HALL) if tries == TRIES else None


def _unanswered(sentence: str) -> ASGIApp:
    answer = error(503, sentence)
    answer.headers["Retry-After"] = "1"
    # The next bytes of the connection may be a body that nobody reads.
    answer.headers["Connection"] = "close"
    return answer
