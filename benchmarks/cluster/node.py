"""Run one node of a cluster in a process.

`python -m benchmarks.cluster.node SETTINGS` prints its addresses as one line of JSON and serves
until SIGTERM. SETTINGS is a JSON object: the settings of the server, and `node`, `nats` and `logs`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import sys
from typing import Any

import structlog
import uvloop

from doublecross.server.cluster.server import ClusterServer
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.upkeep import pauses


async def _serve(settings: dict[str, Any]) -> None:
    # A node of the benchmark may have no log, which a host cannot choose.
    logs = {"cluster_logs": settings.pop("logs")}
    server = ClusterServer(ServerSettings(port=0, cluster=True, **settings).model_copy(update=logs))
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    await server.start()
    pauses.keep_short()
    print(json.dumps({"ws": server.addresses.ws, "http": server.addresses.http}), flush=True)
    await stop.wait()
    await server.stop()


def main(settings: str) -> None:
    """Run a node with these settings."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(json.loads(settings)))


if __name__ == "__main__":
    main(*sys.argv[1:])
