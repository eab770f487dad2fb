"""HTTP connections with deadlines and limits, on top of uvicorn's protocol.

uvicorn waits for ever for the rest of a request, and stops answering anybody when too many
connections are open. Here each connection has a deadline: for its next whole request, and for its
reader to take the answer. When there are too many connections, the one that has waited for the
longest time without a request gives way to a new one, so idle connections block nobody.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any, Final

import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from server.shell.addresses.admission import OpenConnections
from server.shell.addresses.files import FileGuard
from server.shell.addresses.sources import EXEMPT, Sources

ANSWER_S: Final = 60.0
"""How long an answer may take, with the time that its reader needs for it."""

_log = structlog.get_logger("http")


class HttpGate:
    """The connections of one HTTP server: at most `most`, and fewer from each source.

    `request_s` is how long a connection may take for a whole request, from its start or from the
    end of the last answer.
    """

    def __init__(
        self, sources: Sources, files: FileGuard, *, most: int, most_each: int, request_s: float
    ) -> None:
        self.sources = sources
        self.files = files
        self.request_s = request_s
        self.open = OpenConnections(most_each)
        self.waiting: OrderedDict[GatedHttp, None] = OrderedDict()
        """The connections without a request, longest first."""
        self.count = 0
        self._most = most

    def protocol_class(self) -> type[asyncio.Protocol]:
        """Return the protocol for uvicorn's setting `http`."""
        return type("GatedHttp", (GatedHttp,), {"gate": self})

    def make_room(self) -> bool:
        """Return whether one more connection may stay; close an idle one for it if necessary."""
        if self.count <= self._most:
            return True
        if not self.waiting:
            return False
        idle, _ = self.waiting.popitem(last=False)
        idle.transport.abort()
        return True


class GatedHttp(H11Protocol):
    """One HTTP connection; `HttpGate.protocol_class` returns a subclass with its gate."""

    gate: HttpGate
    _source = EXEMPT
    _counted = False
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Admit the connection, or close it."""
        super().connection_made(transport)
        gate = self.gate
        host = self.client[0] if self.client else ""
        # A proxy's connections carry requests of many people, so they have no limit of their own.
        self._source = EXEMPT if gate.sources.is_proxy(host) else gate.sources.of(host)
        self._counted = True
        gate.count += 1
        fits = gate.open.enter(self._source)
        if not (fits and gate.files.admits(transport.get_extra_info("socket"))):
            transport.abort()
        elif gate.make_room():
            self._wait()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        if self._counted:
            self._counted = False
            self.gate.count -= 1
            self.gate.open.leave(self._source)
        self.gate.waiting.pop(self, None)
        self._cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Pass the bytes on; when they complete a request, wait for its answer instead."""
        super().data_received(data)
        if self._is_answering() and self in self.gate.waiting:
            self._answer()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        if self._is_answering():
            self._answer()  # the next request had arrived already
        else:
            self._wait()

    def _is_answering(self) -> bool:
        cycle: Any = self.cycle
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self.gate.waiting[self] = None
        self._set_deadline(self.gate.request_s)

    def _answer(self) -> None:
        self.gate.waiting.pop(self, None)
        self._set_deadline(ANSWER_S)

    def _set_deadline(self, seconds: float) -> None:
        self._cancel()
        if not self.transport.is_closing():
            self._deadline = self.loop.call_later(seconds, self._late)

    def _cancel(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self) -> None:
        """End a connection whose request or reader took too long."""
        _log.info("http_deadline", client=self.client and self.client[0])
        self.transport.abort()
