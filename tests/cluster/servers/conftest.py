"""Provide NATS, nodes in this process, and the command that starts a node of a cluster."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from doublecross.server.cluster.server import ClusterServer
from doublecross.server.shell.settings import ServerSettings
from tests.cli.commands import Command, environment, running
from tests.cluster.harness.nats import Nats

Serve = Callable[..., Command]
Start = Callable[..., Awaitable[ClusterServer]]


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    server = Nats(tmp_path)
    server.start()
    yield server
    server.close()


@pytest.fixture
async def start(url: str, nats: Nats) -> AsyncIterator[Start]:
    """Return a function that starts one more node."""
    started: list[ClusterServer] = []

    async def more(name: str, **changed: Any) -> ClusterServer:
        settings = ServerSettings(
            host="127.0.0.1",
            port=0,
            stop_s=0.2,
            database=url,
            talk=True,
            cluster=True,
            nats=nats.url,
            node=name,
        )
        server = ClusterServer(settings, **changed)
        await server.start()
        started.append(server)
        return server

    yield more
    for server in started:
        await server.stop()


def kept_in(folder: Path) -> dict[str, str]:
    """Return the environment of commands that keep what they store in this folder."""
    return environment(XDG_STATE_HOME=str(folder))


@pytest.fixture
def serve(url: str, nats: Nats, tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts `serve --cluster` with more options."""
    with contextlib.ExitStack() as stack:

        def start(*more: str, database: str = url, at: str = nats.url) -> Command:
            options = ["--database", database, "--nats", at, "--port", "0"]
            if "--check" not in more:
                options.append("--json")
            words = ("serve", "--cluster", *options, *more)
            command = running(*words, cwd=tmp_path, env=kept_in(tmp_path), forks=True)
            return stack.enter_context(command)

        yield start
