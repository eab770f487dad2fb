"""Let the leader answer the HTTP requests that a node cannot answer by itself.

Theory of operation
-------------------
The leader has an HTTP application (`node_web.py`). The node that runs the leader calls it directly.
Another node sends the request to the leader in a call, with the address of the visitor, so that the
limits of an address count in one place. The answer of the call is the whole answer.

The leader moves when its node ends. A request then waits up to `WAIT_S` seconds for another leader.
A request that the former leader may have carried out is sent again only if it changes nothing.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable
from typing import Any, Final

import structlog
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from doublecross.server.cluster.links.calls import (
    CallError,
    CallTimeoutError,
    FailedError,
    LinkDownError,
    LinkResetError,
    NodeCalls,
    RefusedError,
)
from doublecross.server.shell.http.protocol import ANSWER_S
from doublecross.server.shell.identity.rights import bearer
from doublecross.server.shell.web.endpoints import BadRequestError, body_of, error
from doublecross.server.shell.web.limits import answer_of, is_private, may_have_body, refused_body
from doublecross.server.shell.web.managing.acting import FROM_HOST, is_host

WAIT_S: Final = 3.0
"""How long a request waits for a leader, in seconds."""
CHECK_S: Final = 0.05
"""Seconds between two checks for a leader."""
TRIES: Final = 3
"""How often a request that changes nothing is sent."""
REQUEST: Final = "http"
"""The name of the call. Its value is what `SENT` names of the scope, and the body."""
SENT: Final = (
    *("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string"),
    *("root_path", "headers", "client", "server", FROM_HOST),
)
PLAIN_BYTES: Final = 256 * 1024
"""A longer answer is compressed on its way between nodes."""
MOST_BYTES: Final = 1_000_000
"""The most bytes of an answer on its way: it is one message of NATS, of 1 MiB with all else.

Only a tournament in which more than some 13,000 games have been played is larger.
"""
TOO_LARGE: Final = (
    "This answer is too large to come from another node of the cluster. A tournament has shorter"
    " ones too, such as its table and its records."
)
NO_LEADER: Final = (
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


class Forwarding:
    """The ASGI application of a node for everything that the leader answers.

    `leader` returns the run that is the leader, or None. `own` returns the application of the
    leader while this node is the leader, the leader is open and the lease holds. `host_hash` is the
    hash of the token of this node's host.
    """

    def __init__(
        self,
        calls: NodeCalls,
        leader: Callable[[], str | None],
        own: Callable[[], ASGIApp | None],
        host_hash: bytes | None,
    ) -> None:
        self._calls = calls
        self._leader = leader
        self._own = own
        self._host_hash = host_hash
        calls.serve(REQUEST, self._answer_for)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        body = b""
        try:
            answer: ASGIApp | None = refused_body(scope)
            if answer is None and may_have_body(scope):
                body = await body_of(Request(scope, receive))
        except BadRequestError as bad:
            answer = error(400, str(bad))
        secret = bearer(Headers(scope=scope)) if is_private(scope["path"]) else ""
        scope = {**scope, FROM_HOST: is_host(secret, self._host_hash)}
        answer = answer or await self._answer(scope, body)
        await answer(scope, _received(body), send)

    async def _answer(self, scope: Scope, body: bytes) -> ASGIApp:
        """Return the leader's application if it is here, or else its answer."""
        loop = asyncio.get_running_loop()
        until, tries = loop.time() + WAIT_S, 0
        while True:
            run = self._leader()
            if run == self._calls.own:
                app = self._own()
                if app is not None:
                    return app
            elif run is not None:
                try:
                    return await self._forward(run, scope, body)
                except (LinkDownError, RefusedError):
                    pass  # it was not carried out
                except CallError as failed:
                    _log.warning("not_answered", run=run, path=scope["path"], reason=str(failed))
                    tries += 1
                    answer = _answer_to(failed, scope["method"], tries)
                    if answer is not None:
                        return answer
                    until = loop.time() + WAIT_S
            if loop.time() >= until:
                return _unanswered(NO_LEADER)
            await asyncio.sleep(CHECK_S)

    async def _forward(self, run: str, scope: Scope, body: bytes) -> ASGIApp:
        value = ({key: scope[key] for key in SENT if key in scope}, body)
        answer = await self._calls.call(run, REQUEST, value, ANSWER_S)
        if answer is None:
            raise LinkResetError("the leader has moved while it answered")
        status, headers, packed, shown = answer
        whole = Response(await asyncio.to_thread(zlib.decompress, shown) if packed else shown)
        whole.status_code, whole.raw_headers = status, [(name, value) for name, value in headers]
        return whole

    async def _answer_for(self, run: str, value: Any) -> tuple[int, Any, bool, bytes] | None:
        """Return the status, the headers, whether the body is compressed, and the body.

        Return None if another node may be the leader by now, because then nobody may see the
        answer.

        Raises:
            RefusedError: the leader is not here, so nothing was carried out.
        """
        app, (scope, body, *_) = self._own(), value
        if app is None:
            raise RefusedError("The leader is not here.")
        scope["headers"] = [tuple(pair) for pair in scope["headers"]]
        start, shown = await answer_of(app, scope, _received(body))
        packed = len(shown) > PLAIN_BYTES
        if packed:
            shown = await asyncio.to_thread(zlib.compress, shown)
        if len(shown) > MOST_BYTES:
            start, shown = await answer_of(error(500, TOO_LARGE), scope, _received(b""))
            packed = False
        answer = start["status"], list(start["headers"]), packed, shown
        return answer if self._own() is app else None


def _received(body: bytes) -> Receive:
    """Return a `receive` that gives a body that was read already."""
    messages = iter(({"type": "http.request", "body": body, "more_body": False},))

    async def receive() -> Message:
        return next(messages, {"type": "http.disconnect"})

    return receive


def _answer_to(failed: CallError, method: str, tries: int) -> ASGIApp | None:
    """Return the answer to a request that the leader did not answer; None: send it again."""
    if isinstance(failed, FailedError):
        return error(500, BUG)
    if isinstance(failed, CallTimeoutError):
        return _unanswered(LATE)
    if method not in _READING:
        return _unanswered(UNKNOWN)
    return _unanswered(NO_LEADER) if tries == TRIES else None


def _unanswered(sentence: str) -> ASGIApp:
    answer = error(503, sentence)
    answer.headers["Retry-After"] = "1"
    # The next bytes of the connection may be a body that nobody reads.
    answer.headers["Connection"] = "close"
    return answer
