"""Run a server, or a node of a cluster, until a signal ends it, or until it cannot go on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from doublecross.protocol.codec import REQUESTS
from doublecross.server.shell.front import Front
from doublecross.server.shell.identity.names import look_of
from doublecross.server.shell.listening import Addresses
from doublecross.server.shell.memory_end import end_out_of_memory
from doublecross.server.shell.page.files import BrowserPage
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.traffic import PeerTraffic
from doublecross.server.shell.upkeep import huge_pages, pauses
from doublecross.server.supervisor import Supervisor

GROWTH_S: Final = 60.0
"""Seconds after which the memory of a server may have grown."""


class ServerFailedError(Exception):
    """The server cannot go on and has stopped. The message is one sentence for the host."""


class RunningServer(Protocol):
    """A process that serves: a server by itself, or a node of a cluster."""

    @property
    def settings(self) -> ServerSettings:
        """The settings of the host."""

    @property
    def front(self) -> Front:
        """The side of the server that faces the network."""

    @property
    def supervisor(self) -> Supervisor:
        """Runs all tasks that must not end before the server stops; it is there after `start`."""

    @property
    def connections(self) -> PeerTraffic:
        """The connections of clients; they are there after `start`."""

    async def start(self) -> Addresses:
        """Begin to serve.

        Raises:
            StartError: the server cannot start.
        """

    async def stop(self) -> None:
        """End in order."""

    def reload(self) -> None:
        """Load the certificate again."""


S = TypeVar("S", bound=RunningServer)


async def run_until_signal(make: Callable[[], S], on_ready: Callable[[S], None]) -> None:
    """Serve until SIGTERM or SIGINT; a second signal ends the grace period at once.

    SIGHUP loads the certificate again; see `_on_hangup` for a server without one.

    `make` returns the server, and `on_ready` is called with it once it accepts connections. A
    signal before that ends the server as soon as it has started.

    Raises:
        StartError: the server cannot start.
        ServerFailedError: the server could not go on.
    """
    server = make()
    loop = asyncio.get_running_loop()
    signals: asyncio.Queue[int] = asyncio.Queue()
    # Before the start, so that a signal during it ends the server in order.
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signals.put_nowait, int(number))
    _on_hangup(server, lambda: signals.put_nowait(signal.SIGTERM))
    await server.start()
    # Only now: what the start has made mostly stays until the end.
    pauses.keep_short()
    on_ready(server)
    loop.run_in_executor(None, _prepare, server.front.site.page)
    asking = loop.create_task(_ask_for_huge_pages())
    failed = server.supervisor.failed
    again = loop.create_task(signals.get())
    await asyncio.wait((again, failed), return_when=asyncio.FIRST_COMPLETED)
    # A task, so that a second signal can be heard meanwhile.
    stopping = loop.create_task(server.stop())
    if again.done():  # the first signal; the next one ends the grace period
        again = loop.create_task(signals.get())
    done, _ = await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if stopping not in done:
        # Without connections there is nothing to wait for, so `stop` ends soon.
        for peer in list(server.connections.peers):
            peer.abort()
    again.cancel()
    asking.cancel()
    await stopping
    if failed.done():
        raise ServerFailedError(failed.result())


async def _ask_for_huge_pages() -> None:
    while True:
        await asyncio.to_thread(huge_pages.ask)
        await asyncio.sleep(GROWTH_S)


def build() -> None:
    """Make what the first requests need at any server; a fork server does it for all its forks."""
    REQUESTS.rebuild()
    look_of("")


def _prepare(page: BrowserPage | None) -> None:
    """Make in a thread what the first requests need, so that none of them makes the others wait.

    Nobody has to wait for it before the server is ready.
    """
    build()
    if page is not None:
        page.prepare()


def _on_hangup(server: RunningServer, stop: Callable[[], None]) -> None:
    """Decide what SIGHUP does: load the certificate again, where there is one.

    Without one it ends a server in a terminal that is closed. Elsewhere it does nothing, so that a
    service may always be told to load its files again.
    """
    if not hasattr(signal, "SIGHUP"):
        return
    loop = asyncio.get_running_loop()
    if server.settings.tls_certificate is not None:
        loop.add_signal_handler(signal.SIGHUP, server.reload)
    elif signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup ignores the signal
        loop.add_signal_handler(signal.SIGHUP, stop if os.isatty(0) else server.reload)


def run(make: Callable[[], S], on_ready: Callable[[S], None]) -> None:
    """Serve until SIGTERM or SIGINT, on uvloop where it is installed; see `run_until_signal`.

    Raises:
        StartError: the server cannot start.
        ServerFailedError: the server could not go on.
    """
    try:
        import uvloop

        factory: Callable[[], asyncio.AbstractEventLoop] | None = uvloop.new_event_loop
    except ImportError:
        factory = None
    with asyncio.Runner(loop_factory=factory) as runner:
        try:
            runner.run(run_until_signal(make, on_ready))
        except MemoryError:
            end_out_of_memory()
