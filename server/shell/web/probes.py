"""Answer `/health` and `/ready`, and `/metrics` for its permitted readers."""

from __future__ import annotations

import ipaddress
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from doublecross.server.shell.addresses.sources import EXEMPT, Sources
from doublecross.server.shell.metrics.exposition import Exposition
from doublecross.server.shell.metrics.figures import Figures
from doublecross.server.shell.settings import MetricsReaders
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.endpoints import Endpoint, error
from doublecross.server.shell.web.limits import HEALTH, METRICS, READY

TEXT: Final = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of the text format of Prometheus."""
_PASSED_ON: Final = ("x-forwarded-for", "x-real-ip", "forwarded", "via")
"""Headers of proxies. Behind one, a request of a stranger seems to come from this machine."""


class Probes:
    """The addresses by which other programs watch a server; `readers` may read its metrics."""

    def __init__(self, figures: Figures, readers: MetricsReaders) -> None:
        self._figures = figures
        self._readers = readers
        self._exposition = Exposition(figures)

    def endpoints(self) -> list[Endpoint]:
        """Return the endpoints; without `/metrics` if nobody may read it."""
        health = Endpoint(
            HEALTH,
            self._health,
            "Whether the server works, and how much it does.",
            answers.HealthReport,
            errors={503: "The server does not work; `problem` says why."},
        )
        ready = Endpoint(
            READY,
            self._ready,
            "Whether the server accepts new connections and rooms.",
            answers.Readiness,
            errors={503: "It does not; `reason` says why."},
        )
        if self._readers == "off":
            return [health, ready]
        metrics = Endpoint(
            METRICS,
            self._metrics,
            "Figures for monitoring, in the text format of Prometheus.",
            answers.Metrics,
            errors={403: "Only programs on the server's machine may read them."},
            is_text=True,
        )
        return [health, ready, metrics]

    async def _health(self, _: Request) -> Response:
        report = await self._figures.health()
        return JSONResponse(report, status_code=503 if report["problem"] else 200)

    async def _ready(self, _: Request) -> Response:
        reason = self._figures.not_ready()
        body = {"ready": not reason, "reason": reason}
        return JSONResponse(
            body, status_code=503 if reason else 200, headers={"Cache-Control": "no-store"}
        )

    async def _metrics(self, request: Request) -> Response:
        if self._readers == "local" and not is_local(request, self._figures.front.sources):
            return error(
                403,
                "Only programs on the server's machine may read this; the host can change that with"
                " the setting metrics.",
            )
        headers = {"Content-Type": TEXT, "Cache-Control": "no-store"}
        return Response(await self._exposition.text(), headers=headers)


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
