"""Run a NATS server of our own on a free port of this machine."""

from __future__ import annotations

import contextlib
import shutil
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from doublecross.cli.cluster.programs import Program, find
from doublecross.processes.foreign import Job
from doublecross.processes.ports import free_port

_PROBE_S: Final = 1.0


def server_words(port: int) -> list[str]:
    """Return the command that runs a server on a port of this machine."""
    return [find("nats-server") or "nats-server", "--addr", "127.0.0.1", "--port", str(port)]


def answers(port: int) -> bool:
    """Return whether a NATS server answers on a port of this machine."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_PROBE_S) as probe:
            return probe.recv(5) == b"INFO "
    except OSError:
        return False


@contextlib.asynccontextmanager
async def running_nats(password: str, folder: Path) -> AsyncIterator[str]:
    """Run a server inside this context, and give its address, with the password.

    The folder is deleted when the server ends, also when this process is killed.

    Raises:
        Problem: it cannot be started.
        OSError: the folder cannot be written, or the system cannot start a process.
    """
    port = free_port()
    # Everybody can read the arguments of a process, but not this folder.
    settings = folder / "nats.conf"
    settings.write_text(f'authorization {{ token: "{password}" }}\n')
    words = [*server_words(port), "--config", str(settings)]
    job = Job([words], log=str(folder / "nats.log"), folder=str(folder))
    try:
        program = await Program.start("NATS", job, lambda: answers(port))
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        yield f"nats://{password}@127.0.0.1:{port}"
    finally:
        await program.stop()
