"""Answer `/metrics`, for those who may read it, and `/ready`."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.shell.addresses.sources import EXEMPT, Sources
from server.shell.metrics.observed import Observed, count
from server.shell.settings import MetricsReaders
from server.shell.web import answers
from server.shell.web.endpoints import Endpoint, error
from server.shell.web.limits import METRICS, READY

if TYPE_CHECKING:
    from server.shell.metrics.exposition import Exposition

_PASSED_ON: Final = ("x-forwarded-for", "x-real-ip", "forwarded", "via")
"""Headers of proxies. Behind one, a request of a stranger seems to come from this machine."""


class Probes:
    """The addresses by which other programs watch a server."""

    def __init__(self, observed: Observed, sources: Sources, readers: MetricsReaders) -> None:
        self._observed = observed
        self._sources = sources
        self._readers = readers
        self._exposition: Exposition | None = None

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
        reason = self._observed.not_ready()
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
        if self._exposition is None:
            # The library takes a third of a second to import, so a thread does that.
            exposition = await asyncio.to_thread(_imported)
            self._exposition = self._exposition or exposition(self._observed)
        counts = await count(self._observed)
        headers = {"Content-Type": self._exposition.content_type, "Cache-Control": "no-store"}
        return Response(self._exposition.text(counts), headers=headers)


def _imported() -> type[Exposition]:
    from server.shell.metrics.exposition import Exposition

    return Exposition


def is_local(request: Request, sources: Sources) -> bool:
    """Return whether a program on this machine, or at an exempt address, asks for itself.

    A page of another site in a browser on this machine does not, and neither does a proxy that
    passes on what a stranger asks.
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
