"""Answer `/ready`, and `/metrics` for its permitted readers."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.server.shell.addresses.sources import EXEMPT, Sources
from doublecross.server.shell.metrics.figures import Counts, Observed
from doublecross.server.shell.settings import MetricsReaders
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint, error
from doublecross.server.shell.web.limits import METRICS, READY

if TYPE_CHECKING:
    from doublecross.server.shell.metrics.exposition import Exposition

TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of the text format of Prometheus."""
_PASSED_ON: Final = ("x-forwarded-for", "x-real-ip", "forwarded", "via")
"""Headers of proxies. Behind one, a request of a stranger seems to come from this machine."""


class MetricsText:
    """The metrics as text; call it to get the present ones.

    `make` returns the object that makes the text. It is called when the first reader comes, in a
    thread, because the library takes a third of a second to import. `count` counts rooms and
    connections one by one.
    """

    def __init__(
        self, make: Callable[[], Exposition], count: Callable[[], Awaitable[Counts]]
    ) -> None:
        self._make = make
        self._count = count
        self._made: Exposition | None = None

    async def __call__(self) -> bytes:
        """Return the metrics of now."""
        if self._made is None:
            made = await asyncio.to_thread(self._make)
            # Another reader may have come during the import.
            self._made = self._made or made
        return self._made.text(await self._count())


class Probes:
    """The addresses by which other programs watch a server.

    `not_ready` returns why it accepts no clients; an empty text if it does. `metrics` returns its
    metrics as text.
    """

    def __init__(
        self,
        not_ready: Callable[[], str],
        metrics: Callable[[], Awaitable[bytes]],
        sources: Sources,
        readers: MetricsReaders,
    ) -> None:
        self._not_ready = not_ready
        self._text = metrics
        self._sources = sources
        self._readers = readers

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints; without `/metrics` if nobody may read it."""
        ready = Endpoint(
            READY,
            self._ready,
            "Whether the server accepts new connections and rooms.",
            answers.Readiness,
            errors={503: "It does not; `reason` says why."},
        )
        if self._readers == "off":
            return [ready]
        metrics = Endpoint(
            METRICS,
            self._metrics,
            "Figures for monitoring, in the text format of Prometheus.",
            answers.Metrics,
            errors={403: "Only programs on the server's machine may read them."},
            is_text=True,
        )
        return [ready, metrics]

    async def _ready(self, _: Request) -> Response:
        reason = self._not_ready()
        body = {"ready": not reason, "reason": reason}
        return JSONResponse(
            body, status_code=503 if reason else 200, headers={"Cache-Control": "no-store"}
        )

    async def _metrics(self, request: Request) -> Response:
        if self._readers == "local" and not is_local(request, self._sources):
            return error(
                403,
                "Only programs on the server's machine may read this; the host can change that with"
                " the setting metrics.",
            )
        headers = {"Content-Type": TEXT, "Cache-Control": "no-store"}
        return Response(await self._text(), headers=headers)


def metrics_of(observed: Observed) -> MetricsText:
    """Return the metrics of a single server."""

    def make() -> Exposition:
        from doublecross.server.shell.metrics.exposition import Exposition, ServerMetrics

        return Exposition(ServerMetrics(observed))

    return MetricsText(make, observed.count)


def is_local(request: Request, sources: Sources) -> bool:
    """Return whether a program on this machine, or at an exempt address, asks for itself.

    This is false for a page of another site in a browser on this machine, and for a proxy that
    passes on the request of a stranger.
    """
    if "origin" in request.headers or any(name in request.headers for name in _PASSED_ON):
        return False
    host = request.client.host if request.client else ""
    if sources.is_proxy(host):
        return False
    if sources.of(host) == EXEMPT:
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    own = (request.scope.get("server") or ("",))[0]
    return address.is_loopback or host == own
