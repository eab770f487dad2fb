"""Start and stop the whole server: database, authority, websocket and HTTP in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from random import SystemRandom
from typing import Final

import structlog
import uvicorn
from websockets.asyncio.server import Server as WebsocketServer
from websockets.asyncio.server import serve as serve_websocket

from protocol.version import MAX_INBOUND_BYTES, SUBPROTOCOLS
from server.core.lobby.lobby import ID_LETTERS
from server.core.storage import Store, StoreError
from server.shell.addresses.files import FileGuard, raise_file_limit
from server.shell.addresses.handshake import Gate
from server.shell.authority import Authority, AuthorityConfig
from server.shell.connection import Connections
from server.shell.identity.admins import report_missing
from server.shell.identity.names import LOOK_VERSION, look_of
from server.shell.journal.recovery import recover
from server.shell.settings import ServerSettings
from server.shell.web.app import make_http
from server.shell.web.protocol import HttpGate
from server.store.sql import SqlStore, database_url

_log = structlog.get_logger("server")

TICK_S: Final = 0.05
"""Seconds between two checks for expired clocks and other deadlines.

A late check favours nobody: a move that arrives after its deadline is judged by the time at which
it arrived.
"""
SWEEP_S: Final = 0.25
"""Seconds between two passes over connections, expired offers and lobby changes."""
CLEAN_S: Final = 2.0
"""Seconds between two deletions of journal entries that no room needs."""
LAST_COMMIT_S: Final = 30.0
"""Seconds that a stopping server waits for its last commit."""
LAST_TASK_S: Final = 10.0
"""Seconds that a stopping server then waits for its connections, and again for its tasks."""


class StartError(Exception):
    """The server cannot start. The message is one sentence for the host."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of a running server.

    `ws` and `http` are URLs. `share` are the websocket URLs to give to players on other machines.
    """

    ws: str
    http: str
    share: tuple[str, ...]


class _QuietUvicorn(uvicorn.Server):
    """Run uvicorn without its signal handlers, because this server installs its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield


def monotonic_unix_ms() -> Callable[[], int]:
    """Return a clock in milliseconds since 1970 that never goes back.

    It starts at the system time and then ignores changes of the system time.
    """
    offset = time.time() - time.monotonic()
    monotonic = time.monotonic
    return lambda: int((monotonic() + offset) * 1000)


class DoublecrossServer:
    """Run one server in the current event loop: call `start`, later `stop`.

    A `store` of None opens the database that the settings name. `now` returns milliseconds since
    1970 and never goes back; None uses the machine's clock.
    """

    def __init__(
        self,
        settings: ServerSettings,
        store: Store | None = None,
        now: Callable[[], int] | None = None,
    ) -> None:
        self.settings = settings
        self._now = now or monotonic_unix_ms()
        self._given_store = store
        self._store: Store | None = None
        self._websocket: WebsocketServer | None = None
        self._uvicorn: _QuietUvicorn | None = None
        self._sources = settings.sources
        self._files = FileGuard(raise_file_limit(), time.monotonic)
        self._tasks: list[asyncio.Task[None]] = []
        """All tasks that run until the server stops."""
        self._repeating: list[asyncio.Task[None]] = []
        """Those of `_tasks` that loop forever and end only by being cancelled."""
        self.authority: Authority
        self.connections: Connections
        self.addresses: Addresses
        self.restored = 0
        """The number of unfinished rooms that the server restored when it started."""

    async def start(self) -> Addresses:
        """Open the database, restore the unfinished rooms, and listen.

        Raises:
            StartError: a port is in use, or the database cannot be used.
        """
        settings = self.settings
        # Bind the ports first: a server that cannot listen must not touch the database, which
        # another server may be using.
        ws_socket = _listen(settings.host, settings.port)
        try:
            http_socket = _listen(settings.host, settings.http_port)
        except StartError:
            ws_socket.close()
            raise
        try:
            await self._open()
        except StoreError as error:
            ws_socket.close()
            http_socket.close()
            raise StartError(str(error)) from error
        self.addresses = _addresses(settings, ws_socket, http_socket)
        self.connections.http = settings.public_http or self.addresses.http
        await self._start_http(http_socket)
        gate = Gate(self._sources, self.authority.admission, self._files)
        self._websocket = await serve_websocket(
            self.connections.serve,
            sock=ws_socket,
            create_connection=gate.connection_class(),
            process_request=gate.process_request,
            subprotocols=list(SUBPROTOCOLS),  # type: ignore[arg-type]  # a NewType of str
            compression=None,
            max_size=MAX_INBOUND_BYTES,
            max_queue=16,
            ping_interval=None,  # `Connections.sweep` drops silent peers
            open_timeout=settings.hello_s,
            close_timeout=2,
            server_header=None,
        )
        _log.info("started", ws=self.addresses.ws, http=self.addresses.http, rooms=self.restored)
        return self.addresses

    async def _open(self) -> None:
        settings = self.settings
        store = self._given_store
        if store is None:
            store = await SqlStore.open(database_url(settings.database))
        self._store = store
        rng = SystemRandom()
        try:
            config = AuthorityConfig(
                settings.times,
                settings.limits,
                epoch="".join(rng.choices(ID_LETTERS, k=12)),
                admins=settings.admin_names,
                absence_ms=round(settings.absence_s * 1000),
                addresses=settings.addresses,
            )
            await store.complete_looks(LOOK_VERSION, look_of)
            await report_missing(store, settings.admin_names)
            self.authority = Authority(store, rng, config, self._now, await store.last_entry_id())
            self.restored = await recover(self.authority)
        except StoreError:
            await store.close()
            raise
        self.connections = Connections(
            self.authority,
            hello_s=settings.hello_s,
            silence_s=settings.silence_s,
            write_buffer=settings.write_buffer_kib * 1024,
            max_connections=settings.max_connections,
        )
        loop = asyncio.get_running_loop()
        # The committer must run before the tournaments load, because they wait for commits.
        self._repeating = [
            loop.create_task(_every(TICK_S, self.authority.tick), name="clocks"),
            loop.create_task(_every(SWEEP_S, self._sweep), name="sweep"),
            loop.create_task(self._clean(), name="journal"),
        ]
        committing = loop.create_task(self.authority.committer.run(), name="committer")
        self._tasks = [committing, *self._repeating]
        try:
            await self.authority.director.load()
            async for played in store.rated_games():
                self.authority.ratings.add(played)
        except StoreError:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await store.close()
            raise

    async def _start_http(self, http_socket: socket.socket) -> None:
        gate = HttpGate(
            self._sources,
            self._files,
            most=self.settings.http_connections,
            most_each=self.settings.http_connections_per_address,
            request_s=self.settings.http_request_s,
        )
        config = uvicorn.Config(
            make_http(self.authority, self.connections, self._sources),
            http=gate.protocol_class(),
            log_config=None,
            access_log=False,
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
            timeout_keep_alive=15,
            proxy_headers=False,  # `Sources` believes only the proxies that the host trusts
            server_header=False,
        )
        self._uvicorn = _QuietUvicorn(config)
        loop = asyncio.get_running_loop()
        self._tasks.append(loop.create_task(self._uvicorn.serve([http_socket]), name="http"))
        while not self._uvicorn.started:  # noqa: ASYNC110 - uvicorn offers no event for it
            await asyncio.sleep(0.005)

    def _sweep(self) -> None:
        self.connections.sweep()
        self.authority.sweep()

    async def _clean(self) -> None:
        """Delete journal entries that no open room needs, again and again."""
        while True:
            await asyncio.sleep(CLEAN_S)
            await self.authority.rooms.registry.retention.clean()

    async def stop(self) -> None:
        """Stop the server without losing an event.

        Accept nothing new, notify all players, finish the commits, close the connections within
        the grace period, and abort those that are left.
        """
        self.authority.close()
        if self._websocket is not None:
            self._websocket.close(close_connections=False)
        notice = {"type": "closing", "grace_ms": round(self.settings.stop_s * 1000)}
        for peer in list(self.authority.peers.by_name.values()):
            peer.send(notice)
        with contextlib.suppress(StoreError, TimeoutError):
            async with asyncio.timeout(LAST_COMMIT_S):
                await self.authority.committer.settled()
        await self.connections.close_all(self.settings.stop_s)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_TASK_S):
                if self._websocket is not None:
                    await self._websocket.wait_closed()
                await self.authority.rooms.registry.retention.clean()
        if self._uvicorn is not None:
            self._uvicorn.should_exit = True
        await self.authority.committer.close()
        await self.authority.director.close()
        for task in self._repeating:
            task.cancel()
        _, pending = await asyncio.wait(self._tasks, timeout=LAST_TASK_S)
        for task in pending:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._store is not None:
            await self._store.close()
        _log.info("stopped")


async def _every(seconds: float, act: Callable[[], None]) -> None:
    """Call `act` every `seconds` seconds; log its errors and go on."""
    while True:
        await asyncio.sleep(seconds)
        try:
            act()
        except Exception:  # noqa: BLE001 - an error in one room must not stop all clocks
            _log.exception("periodic_work_failed")


def _listen(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        StartError: the port is in use, or the address does not belong to this machine.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise StartError(
            f"Cannot listen on {host!r} ({error.strerror}); choose another host."
        ) from None
    sock = socket.socket(family, kind, proto)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(address)
        sock.listen(1024)
    except OSError as error:
        sock.close()
        if error.errno == 98 or "in use" in str(error):
            raise StartError(
                f"Port {port} is in use by another program; choose another port."
            ) from None
        raise StartError(
            f"Cannot listen on {host} port {port} ({error.strerror}); choose another host or port."
        ) from None
    sock.setblocking(False)
    return sock


def _addresses(
    settings: ServerSettings, ws_socket: socket.socket, http_socket: socket.socket
) -> Addresses:
    ws_port, http_port = ws_socket.getsockname()[1], http_socket.getsockname()[1]
    everywhere = settings.host in ("", "0.0.0.0", "::")  # noqa: S104 - compared, not bound
    hosts = _own_addresses() if everywhere else [settings.host]
    local = "127.0.0.1" if everywhere else settings.host
    return Addresses(
        f"ws://{_bracket(local)}:{ws_port}",
        f"http://{_bracket(hosts[0] if everywhere else local)}:{http_port}",
        tuple(f"ws://{_bracket(host)}:{ws_port}" for host in hosts),
    )


def _bracket(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _own_addresses() -> list[str]:
    """Return the addresses at which other machines reach this one.

    Returns the loopback address when there is no other.
    """
    found: list[str] = []
    with contextlib.suppress(OSError):
        for info in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            found.append(str(info[4][0]))
    # Connecting a datagram socket sends nothing, but selects the address that packets to other
    # machines would leave from.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    outside = [a for a in dict.fromkeys(found) if not a.startswith(("127.", "::1", "fe80"))]
    return outside or ["127.0.0.1"]


async def run_until_signal(
    settings: ServerSettings, on_ready: Callable[[DoublecrossServer], None]
) -> None:
    """Serve until SIGTERM or SIGINT; a second signal ends the grace period at once.

    Calls `on_ready` once the server accepts connections.

    Raises:
        StartError: see `DoublecrossServer.start`.
    """
    server = DoublecrossServer(settings)
    loop = asyncio.get_running_loop()
    signals: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, signals.put_nowait, int(number))
    await server.start()
    # Everything allocated so far stays until the end, and later objects are mostly freed by their
    # reference counts. Frequent cycle collections would only add pauses.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    on_ready(server)
    await signals.get()
    stopping = loop.create_task(server.stop())
    again = loop.create_task(signals.get())
    done, _ = await asyncio.wait((stopping, again), return_when=asyncio.FIRST_COMPLETED)
    if stopping not in done:
        for peer in list(server.connections.peers):
            peer.abort()
    again.cancel()
    await stopping


def run(settings: ServerSettings, on_ready: Callable[[DoublecrossServer], None]) -> None:
    """Serve until SIGTERM or SIGINT, on uvloop where it is installed.

    Raises:
        StartError: see `DoublecrossServer.start`.
    """
    try:
        import uvloop

        factory: Callable[[], asyncio.AbstractEventLoop] | None = uvloop.new_event_loop
    except ImportError:
        factory = None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(run_until_signal(settings, on_ready))
