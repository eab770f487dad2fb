"""Run a server until a signal ends it, or until it cannot go on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable

from server.shell.advice.desk import Adviser
from server.shell.app import DoublecrossServer
from server.shell.reviews.desk import Reviewer
from server.shell.settings import ServerSettings
from server.shell.upkeep import pauses


class ServerFailedError(Exception):
    """The server cannot go on and has stopped. The message is one sentence for the host."""


async def run_until_signal(
    settings: ServerSettings,
    on_ready: Callable[[DoublecrossServer], None],
    adviser: Callable[[], Adviser | None] = lambda: None,
    reviewer: Callable[[], Reviewer | None] = lambda: None,
    host_token: str | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; a second signal ends the grace period at once.

    SIGHUP loads the certificate again; see `_on_hangup` for a server without one.

    Calls `on_ready` once the server accepts connections. `adviser` returns what thinks for people
    who play bots, if anything does, and `reviewer` what judges finished games. Whoever
    has the `host_token` may manage the server.

    Raises:
        StartError: see `DoublecrossServer.start`.
        ServerFailedError: the server could not go on.
    """
    server = DoublecrossServer(
        settings, adviser=adviser(), reviewer=reviewer(), host_token=host_token
    )
    loop = asyncio.get_running_loop()
    signals: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signals.put_nowait, int(number))
    _on_hangup(server, lambda: signals.put_nowait(signal.SIGTERM))
    await server.start()
    pauses.keep_short()
    on_ready(server)
    failed = server.supervisor.failed
    again = loop.create_task(signals.get())
    await asyncio.wait((again, failed), return_when=asyncio.FIRST_COMPLETED)
    stopping = loop.create_task(server.stop())
    if again.done():
        again = loop.create_task(signals.get())
    done, _ = await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if stopping not in done:
        for peer in list(server.connections.peers):
            peer.abort()
    again.cancel()
    await stopping
    if failed.done():
        raise ServerFailedError(failed.result())


def _on_hangup(server: DoublecrossServer, stop: Callable[[], None]) -> None:
    """Decide what SIGHUP does: load the certificate again, where there is one.

    Without one it ends a server in a terminal that is closed. Elsewhere it does nothing, so that a
    service may always be told to load its files again.
    """
    if not hasattr(signal, "SIGHUP"):
        return
    loop = asyncio.get_running_loop()
    if server.settings.tls_certificate is not None:
        loop.add_signal_handler(signal.SIGHUP, server.reload)
    elif signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as nohup sets it
        loop.add_signal_handler(signal.SIGHUP, stop if os.isatty(0) else server.reload)


def run(
    settings: ServerSettings,
    on_ready: Callable[[DoublecrossServer], None],
    adviser: Callable[[], Adviser | None] = lambda: None,
    reviewer: Callable[[], Reviewer | None] = lambda: None,
    host_token: str | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, on uvloop where it is installed; see `run_until_signal`.

    Raises:
        StartError: see `DoublecrossServer.start`.
        ServerFailedError: the server could not go on.
    """
    try:
        import uvloop

        factory: Callable[[], asyncio.AbstractEventLoop] | None = uvloop.new_event_loop
    except ImportError:
        factory = None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(run_until_signal(settings, on_ready, adviser, reviewer, host_token))
