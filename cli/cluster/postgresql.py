"""Run a PostgreSQL server of our own, with its data in a temporary folder."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Final

from doublecross.cli.cluster.programs import Program, account, find, give
from doublecross.processes.foreign import Job
from doublecross.processes.network import HERE, NET, Host
from doublecross.processes.ports import free_port

USER: Final = "doublecross"
SETTINGS: Final[Mapping[str, str]] = {
    "listen_addresses": "127.0.0.1",
    "shared_buffers": "16MB",
    "max_wal_size": "64MB",
    "jit": "off",
    "logging_collector": "off",
}
"""Settings for a small server that only this machine reaches."""


def initdb_words(data: Path, *, password_file: Path | None = None) -> list[str]:
    """Return the command that makes a data folder.

    Without a file that has a password, everybody on this machine may connect.
    """
    if password_file is None:
        access = ["--auth", "trust"]
    else:
        access = ["--auth", "scram-sha-256", "--pwfile", str(password_file)]
    return [
        *(find("initdb") or "initdb", "--pgdata", str(data), "--username", USER),
        *access,
        *("--no-sync", "--no-locale", "--encoding", "UTF8", "--wal-segsize", "1"),
    ]


def host_settings(data: Path, access: str, host: Host) -> Mapping[str, str]:
    """Return the settings for a server on a host of its own, or none for this machine.

    `access` is how the other hosts identify themselves, such as ``trust``.
    """
    if host is HERE:
        return {}
    file = data.parent / f"{data.name}.hba"
    lines = (f"host {what} all {NET} {access}\n" for what in ("all", "replication"))
    file.write_text("".join(lines))
    give(file)
    # The host may get another address.
    return {"listen_addresses": "0.0.0.0", "hba_file": str(file)}  # noqa: S104


def server_words(data: Path, port: int, settings: Mapping[str, str]) -> list[str]:
    """Return the command that runs a server. It has no socket beside its port."""
    options = [f"-c{name}={value}" for name, value in settings.items()]
    return [find("postgres") or "postgres", "-D", str(data), "-p", str(port), "-k", "", *options]


def is_ready(data: Path) -> bool:
    """Return whether the server of a data folder accepts connections."""
    with contextlib.suppress(OSError):
        # The last line says what the server is ready for.
        return (data / "postmaster.pid").read_text().rstrip().endswith("ready")
    return False


@contextlib.asynccontextmanager
async def running_postgresql(password: str, host: Host = HERE) -> AsyncIterator[str]:
    """Run a server on a host inside this context, and give the address of its database.

    The address has the password.

    Its folder is deleted when the server ends, also when this process is killed.

    Raises:
        Problem: it cannot be started.
        OSError: there is no room for its folder, or for one more process.
    """
    folder = give(Path(tempfile.mkdtemp(prefix="doublecross-demo-postgresql-")))
    try:
        program, port = await _start(folder, password, host)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    try:
        yield f"postgresql://{USER}:{password}@{host.address}:{port}/postgres"
    finally:
        await program.stop()


async def _start(folder: Path, password: str, host: Host) -> tuple[Program, int]:
    """Make a data folder in `folder` and start a server on it; return it and its port."""
    file, data, port = folder / "password", folder / "data", free_port()
    file.write_text(f"{password}\n")
    give(file)
    settings = {**SETTINGS, **host_settings(data, "scram-sha-256", host)}
    job = Job(
        [initdb_words(data, password_file=file), server_words(data, port, settings)],
        log=str(folder / "postgresql.log"),
        end="SIGINT",
        user=account(),
        folder=str(folder),
    )
    return await Program.start("PostgreSQL", job, lambda: is_ready(data), host), port
