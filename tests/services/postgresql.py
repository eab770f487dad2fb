"""PostgreSQL servers that tests start, stop, freeze, kill and let follow each other.

`make_template` runs initdb once. Each server starts from a copy of that folder. `fsync` is off: a
server that crashes while the system runs on has lost nothing of what it has written.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Self

import asyncpg
import psutil

from doublecross.cli.cluster.postgresql import (
    SETTINGS,
    USER,
    host_settings,
    initdb_words,
    is_ready,
    server_words,
)
from doublecross.cli.cluster.programs import give
from doublecross.processes.network import HERE, Host
from doublecross.processes.ports import free_port
from tests.services.binaries import command

_SETTINGS: Final = {
    **SETTINGS,
    "fsync": "off",
    "max_connections": "60",
    "max_wal_senders": "3",
    "wal_level": "replica",
    "autovacuum": "off",
}
_PATIENCE_S: Final = 30.0
_PORT: Final = 5432


def _run(*words: str) -> None:
    done = subprocess.run(
        command(*words), capture_output=True, text=True, timeout=_PATIENCE_S, cwd="/"
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"


def make_template() -> Path:
    """Make the data folder that all servers start from, in a folder for them all."""
    # PostgreSQL's user may enter it; the folders of pytest are for root alone.
    data = give(Path(tempfile.mkdtemp(prefix="doublecross-postgresql-"))) / "template"
    _run(*initdb_words(data))
    return data


class Postgres:
    """A server with its own data folder and port. Create it with `start_new`.

    On a host of its own the port is always the same, for a standby that takes its address.
    """

    def __init__(self, data: Path, settings: dict[str, str], host: Host = HERE) -> None:
        self.data = data
        self.host = host
        self.port = free_port() if host is HERE else _PORT
        self.settings = {**_SETTINGS, **settings, **host_settings(data, "trust", host)}
        self.made: dict[str, dict[str, list[tuple[Any, ...]]]] = {}
        """The databases with our tables that were made on it: the first rows of each table."""
        self._process: subprocess.Popen[bytes] | None = None

    @classmethod
    def start_new(cls, template: Path, host: Host = HERE, **settings: str) -> Self:
        """Start a server on a copy of a data folder."""
        data = Path(tempfile.mkdtemp(prefix="data-", dir=template.parent))
        _run("cp", "-r", f"{template}/.", str(give(data)))
        while True:
            server = cls(data, settings, host)
            try:
                server.start()
            except AssertionError:
                # Another program may have taken the port just now.
                if "Address already in use" not in server.log():
                    raise
                (data / "server.log").unlink()
                continue
            return server

    @property
    def pid(self) -> int:
        """The first process of the server, which starts the others."""
        assert self._process is not None
        return self._process.pid

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        """Return the address of a database, at another port if there is something between."""
        return f"postgresql+asyncpg://{USER}@{self.host.address}:{port or self.port}/{database}"

    async def connect(self, database: str = "postgres") -> Any:
        """Return a connection of the test's own."""
        return await asyncpg.connect(
            host=self.host.address,
            port=self.port,
            user=USER,
            database=database,
            timeout=_PATIENCE_S,
        )

    async def create_database(self, name: str, template: str = "template1") -> str:
        """Make a database, in place of an older one, and return its address."""
        self.made.pop(name, None)
        connection = await self.connect()
        await connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        await connection.close()
        return self.url(name)

    # -- faults --------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the server, and wait until it accepts connections.

        The server ends when the thread ends that calls this, so call it from the main thread.
        """
        assert self._process is None
        words = server_words(self.data, self.port, self.settings)
        with (self.data / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                (*self.host.words, *command(*words, signal="QUIT")),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
            )
        began = time.monotonic()
        while not is_ready(self.data):
            assert self._process.poll() is None, self.log()
            assert time.monotonic() - began < _PATIENCE_S, self.log()
            time.sleep(0.01)

    def log(self) -> str:
        """Return what the server has said."""
        return (self.data / "server.log").read_text(errors="replace")[-4000:]

    def stop(self) -> None:
        """Stop in order: roll back what runs, write everything, end all connections."""
        self._end(signal.SIGINT)

    def crash(self) -> None:
        """End at once, as if the machine had lost its power."""
        self._do(psutil.Process.kill)
        self._ended()

    def restart(self) -> None:
        """Stop in order, and start again."""
        self.stop()
        self.start()

    def freeze(self) -> None:
        """Stop all its processes where they are. Connections stay open, and nothing answers."""
        self._do(psutil.Process.suspend)

    def thaw(self) -> None:
        """Let all its processes run again."""
        self._do(psutil.Process.resume)

    def recover(self) -> None:
        """Run again after whatever a test did."""
        if self._process is not None and self._process.poll() is not None:
            self._ended()
        if self._process is None:
            self.start()
        else:
            self.thaw()

    def promote(self) -> None:
        """Make a standby the server."""
        _run("pg_ctl", "promote", "-D", str(self.data), "-w")

    def start_standby(self, folder: Path, host: Host = HERE) -> Postgres:
        """Start a server that stores every commit before this one answers it."""
        data = give(Path(tempfile.mkdtemp(prefix="standby-", dir=folder)))
        address = f"host={self.host.address} port={self.port} user={USER} application_name=standby"
        _run(
            *("pg_basebackup", "-D", str(data), "-d", address, "-R", "-X", "stream"),
            *("-c", "fast", "--no-sync"),
        )
        standby = Postgres(data, {}, host)
        standby.start()
        return standby

    async def wait_for_standby(self) -> None:
        """Let commits wait for the standby from now on, until this server ends."""
        connection = await self.connect()
        await connection.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        await connection.execute("SELECT pg_reload_conf()")
        state = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
        async with asyncio.timeout(_PATIENCE_S):
            while not await connection.fetchval(state):  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await connection.close()

    def close(self) -> None:
        """End it, whatever state it is in, and delete its data."""
        if self._process is not None:
            self.thaw()
            self._end(signal.SIGQUIT)
        shutil.rmtree(self.data, ignore_errors=True)

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        self._ended()

    def _ended(self) -> None:
        assert self._process is not None
        self._process.wait(_PATIENCE_S)
        self._process = None
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def _do(self, deed: Callable[[psutil.Process], None]) -> None:
        """Do something to all its processes; the first one starts the others."""
        first = psutil.Process(self.pid)
        for process in (first, *first.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess):
                deed(process)
