"""Run the HTTP application on connections that others accept."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import Any, cast

import uvicorn

from doublecross.server.shell.http.gate import HttpGate
from doublecross.server.shell.http.protocol import GatedHttp, protocol_of
from doublecross.server.supervisor import Supervisor


class _QuietUvicorn(uvicorn.Server):
    """Run uvicorn without its signal handlers, because this server installs its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


class HttpServer:
    """Answer HTTP requests with an ASGI application, on connections that others accept."""

    def __init__(
        self, application: Any, gate: HttpGate, headers: Sequence[tuple[str, str]] = ()
    ) -> None:
        """`headers` are those of each answer."""
        self._config = uvicorn.Config(
            application,
            http=cast("type[asyncio.Protocol]", protocol_of(gate)),
            log_config=None,
            access_log=False,
            log_level=logging.ERROR,  # its warnings are about bad requests of strangers
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=2,  # `LAST_ANSWER_S` ends all connections before
            timeout_keep_alive=15,
            proxy_headers=False,  # `Sources` believes only the proxies that the host trusts
            server_header=False,
            headers=list(headers),
        )
        self._uvicorn = _QuietUvicorn(self._config)

    async def start(self, supervisor: Supervisor) -> None:
        """Start uvicorn, as a task of the supervisor."""

        def serve() -> Awaitable[None]:
            # A server that has ended cannot start again, so each restart by the supervisor has a
            # new one.
            self._uvicorn = _QuietUvicorn(self._config)
            return self._uvicorn.serve([])

        supervisor.watch("http", serve)
        # uvicorn has no event for its start.
        while not self._uvicorn.started and not supervisor.failed.done():  # noqa: ASYNC110
            await asyncio.sleep(0.005)

    def connection(self, make_websocket: Callable[[], asyncio.Protocol]) -> GatedHttp:
        """Return the protocol of a new connection.

        `make_websocket` returns the one that it gets if the client asks for a websocket.
        """
        server = self._uvicorn
        made = cast("type[GatedHttp]", server.config.http_protocol_class)(
            config=server.config,
            server_state=server.server_state,
            app_state=server.lifespan.state,
        )
        made.make_websocket = make_websocket
        return made

    def stop(self) -> None:
        """Close idle connections, and let the others finish their answers."""
        self._uvicorn.should_exit = True
