"""Run a NATS server of our own."""

from __future__ import annotations

import contextlib
import shutil
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from doublecross.cli.cluster.programs import Program, find
from doublecross.processes.foreign import Job
from doublecross.processes.network import HERE, Host
from doublecross.processes.ports import free_port

_PROBE_S: Final = 1.0


def server_words(port: int, address: str = HERE.address) -> list[str]:
    """Return the command that runs a server."""
    return [find("nats-server") or "nats-server", "--addr", address, "--port", str(port)]


def answers(port: int, address: str = HERE.address) -> bool:
    """Return whether a NATS server answers."""
    try:
        with socket.create_connection((address, port), timeout=_PROBE_S) as probe:
            return probe.recv(5) == b"INFO "
    except OSError:
        return False


@contextlib.asynccontextmanager
async def running_nats(password: str, folder: Path, host: Host = HERE) -> AsyncIterator[str]:
    """Run a server on a host inside this context, and give its address, with the password.

    The folder is deleted when the server ends, also when this process is killed.

    Raises:
        Problem: it cannot be started.
        OSError: the folder cannot be written, or the system cannot start a process.
    """
    port = free_port()
    # Everybody can read the arguments of a process, but not this folder.
    settings = folder / "nats.conf"
    settings.write_text(f'authorization {{ token: "{password}" }}\n')
    words = [*server_words(port, host.address), "--config", str(settings)]
    job = Job([words], log=str(folder / "nats.log"), folder=str(folder))
    try:
        program = await Program.start("NATS", job, lambda: answers(port, host.address), host)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        yield f"nats://{password}@{host.address}:{port}"
    finally:
        await program.stop()
