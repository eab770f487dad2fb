"""Run HAProxy in front of the nodes of a cluster, as `deploy/cluster/haproxy.cfg` does."""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

from doublecross.cli.cluster.programs import Program, find
from doublecross.processes.foreign import Job
from doublecross.processes.network import Host

PORT: Final = 80
_PROBE_S: Final = 1.0
_SETTINGS: Final = """\
global
    maxconn 2000

defaults
    mode http
    timeout connect 3s
    timeout http-request 10s
    timeout client 120s
    timeout server 120s
    timeout tunnel 120s
    option forwardfor
    option redispatch
    retries 3
    option srvtcpka
    srvtcpka-idle 3s
    srvtcpka-intvl 1s
    srvtcpka-cnt 3

frontend games
    bind {address}:{port}
    default_backend nodes

backend nodes
    balance leastconn
    option httpchk
    http-check send meth GET uri /health
    default-server check inter 1s fall 2 rise 2
{servers}
"""
"""`deploy/cluster/haproxy.cfg` without TLS and slowstart: all nodes of a demo have just come."""


def write_settings(folder: Path, host: Host, nodes: Mapping[str, str]) -> list[str]:
    """Write the file of settings, and return the command; `nodes` are the addresses by name."""
    servers = "\n".join(f"    server {name} {address} tcp-ut 3s" for name, address in nodes.items())
    file = folder / "haproxy.cfg"
    file.write_text(_SETTINGS.format(address=host.address, port=PORT, servers=servers))
    return [find("haproxy") or "haproxy", "-db", "-f", str(file)]


def answers(host: Host) -> bool:
    """Return whether a proxy accepts connections."""
    with contextlib.suppress(OSError), socket.create_connection((host.address, PORT), _PROBE_S):
        return True
    return False


@contextlib.asynccontextmanager
async def running_proxy(host: Host, nodes: Mapping[str, str]) -> AsyncIterator[str]:
    """Run the proxy on a host inside this context, and give its address for clients.

    Raises:
        Problem: it cannot be started.
        OSError: its folder cannot be written, or the system cannot start a process.
    """
    folder = Path(tempfile.mkdtemp(prefix="doublecross-demo-haproxy-"))
    try:
        words = write_settings(folder, host, nodes)
        job = Job([words], log=str(folder / "haproxy.log"), folder=str(folder))
        program = await Program.start("HAProxy", job, lambda: answers(host), host)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        yield f"ws://{host.address}:{PORT}"
    finally:
        await program.stop()
