"""Answer the HTTP requests that other nodes have received; `forwarding.py` explains how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope

from doublecross.server.cluster.links.calls import CallError, RefusedError
from doublecross.server.cluster.web.calling import NodeCalls
from doublecross.server.cluster.web.forwarding import PART, PART_BYTES, REQUEST, ForwardedRequest
from doublecross.server.shell.http.protocol import ANSWER_S
from doublecross.server.shell.web.managing.admin import FROM_HOST

NOT_HERE: Final = "The hall is not here."


class HallLeftError(Exception):
    """The hall has moved while it made an answer. Nobody may see that answer."""


class Answering:
    """Let the application of the hall answer.

    `own` returns it while this node is the hall, the hall is open and the lease holds.
    """

    def __init__(self, calls: NodeCalls, own: Callable[[], ASGIApp | None]) -> None:
        self._calls = calls
        self._own = own
        calls.serve(REQUEST, self._answer)

    async def _answer(self, run: str, value: Any) -> tuple[int | None, Any, bytes] | None:
        """Return the end of the answer, after its other parts have been sent.

        Return None if another node may be the hall by now, because then nobody may see the answer.

        Raises:
            RefusedError: the hall is not here, so nothing was carried out; or the other node does
                not take the answer.
        """
        app = self._own()
        if app is None:
            raise RefusedError(NOT_HERE)
        request = ForwardedRequest(*value[: len(ForwardedRequest._fields)])
        sender = _Sender(self._calls, run, request.number, lambda: self._own() is app)
        try:
            await app(scope_of(request), _body(request.body), sender)
            return sender.end()
        except HallLeftError:
            return None
        except CallError as error:
            raise RefusedError(str(error)) from None


class _Sender:
    """Takes an answer as ASGI's `send`, and passes on all but its end.

    `holds` returns whether this node is still the hall, so that the answer may be shown.
    """

    def __init__(self, calls: NodeCalls, run: str, number: int, holds: Callable[[], bool]) -> None:
        self._calls = calls
        self._run = run
        self._number = number
        self._holds = holds
        self._status: int | None = None
        self._headers: list[tuple[bytes, bytes]] = []
        self._waiting = b""

    async def __call__(self, message: Message) -> None:
        """Take a part of the answer."""
        if message["type"] == "http.response.start":
            self._status, self._headers = message["status"], list(message["headers"])
            return
        waiting, start = self._waiting + message.get("body", b""), 0
        while len(waiting) - start > PART_BYTES:
            status, headers = self._take()
            value = (self._number, status, headers, waiting[start : start + PART_BYTES])
            await self._calls.call(self._run, PART, value, ANSWER_S)
            start += PART_BYTES
        self._waiting = waiting[start:]

    def end(self) -> tuple[int | None, Any, bytes]:
        """Return the rest of the answer, which was not sent yet."""
        return *self._take(), self._waiting

    def _take(self) -> tuple[int | None, list[tuple[bytes, bytes]]]:
        """Return the status and the headers for the next part; only the first part has them.

        Raises:
            HallLeftError: another node may be the hall by now.
        """
        if not self._holds():
            raise HallLeftError
        status, self._status = self._status, None
        headers, self._headers = self._headers, []
        return status, headers


def scope_of(request: ForwardedRequest) -> Scope:
    """Return the ASGI scope of a request that another node has received."""
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": request.http_version,
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "raw_path": request.raw_path,
        "query_string": request.query,
        "root_path": "",
        "headers": [(name, value) for name, value in request.headers],
        "client": request.client,
        "server": request.server,
        FROM_HOST: request.from_host,
    }


def _body(body: bytes) -> Receive:
    was_read = False

    async def receive() -> Message:
        nonlocal was_read
        if was_read:
            return {"type": "http.disconnect"}
        was_read = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receive
