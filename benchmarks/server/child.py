"""Run one server under test in a process: Doublecross, a bare echo, a broadcast, or one on Node.js.

`python -m benchmarks.server.child {doublecross,echo,broadcast,node} CORE [SETTINGS]` prints its
addresses as one line of JSON and serves until SIGTERM. All servers are pinned to CORE. Those in
Python run on uvloop; the others replace this process by Node.js.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

from benchmarks.server.meter import pin
from benchmarks.server.node import PROGRAMS
from benchmarks.server.wire import SPEAK
from doublecross.protocol.version import MAX_INBOUND_BYTES


def doublecross(settings: dict[str, Any]) -> None:
    """Serve Doublecross until SIGTERM."""
    # Imported here, so that the bare servers start quickly and load nothing else.
    import structlog

    from doublecross.server.shell.app import DoublecrossServer
    from doublecross.server.shell.running import run
    from doublecross.server.shell.settings import ServerSettings

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )

    def ready(server: DoublecrossServer) -> None:
        _print_addresses(ws=server.addresses.ws, http=server.addresses.http)

    run(lambda: DoublecrossServer(ServerSettings(port=0, **settings)), ready)


async def _bare(handler: Callable[[ServerConnection], Awaitable[None]]) -> None:
    """Serve `handler` with the websockets library and the options that our server uses."""
    logging.getLogger("websockets").setLevel(
        logging.CRITICAL
    )  # the load drops connections without closing them
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    server = serve(
        handler,
        "127.0.0.1",
        0,
        compression=None,
        max_size=MAX_INBOUND_BYTES,
        max_queue=16,
        ping_interval=None,
        close_timeout=0.2,
        server_header=None,
        backlog=1024,
    )
    async with server as running:
        host, port = next(iter(running.sockets)).getsockname()[:2]
        _print_addresses(ws=f"ws://{host}:{port}")
        await stop.wait()
        for connection in running.connections:
            connection.transport.abort()


async def _echo(ws: ServerConnection) -> None:
    async for message in ws:
        await ws.send(message)


def _broadcaster() -> Callable[[ServerConnection], Awaitable[None]]:
    everybody: set[ServerConnection] = set()

    async def handler(ws: ServerConnection) -> None:
        everybody.add(ws)
        try:
            if ws.request is not None and ws.request.path == SPEAK:
                async for message in ws:
                    broadcast(everybody, message)
            else:
                await ws.wait_closed()
        finally:
            everybody.discard(ws)

    return handler


def _print_addresses(**addresses: str) -> None:
    print(json.dumps(addresses), flush=True)


def main(kind: str, core: str, settings: str = "{}") -> None:
    """Run the server of this kind, pinned to `core`."""
    pin(int(core))
    if kind == "doublecross":
        doublecross(json.loads(settings))
    elif kind == "node":
        # Node.js then has this process' number and core.
        program: list[str] = json.loads(settings)["program"]
        os.chdir(PROGRAMS)
        os.execve(program[0], program, {**os.environ, "NODE_ENV": "production"})
    else:
        handler = _echo if kind == "echo" else _broadcaster()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_bare(handler))


if __name__ == "__main__":
    main(*sys.argv[1:])
