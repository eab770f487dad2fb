"""Provide NATS, and the command that starts a node of a cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.commands import Command, running
from tests.cluster.harness.nats import Nats

Serve = Callable[..., Command]


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    server = Nats(tmp_path)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def serve(url: str, nats: Nats, tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts `serve --cluster` with more options."""
    with contextlib.ExitStack() as stack:

        def start(*more: str, database: str = url, at: str = nats.url) -> Command:
            options = ("--database", database, "--nats", at, "--port", "0", "--json")
            command = running("serve", "--cluster", *options, *more, cwd=tmp_path)
            return stack.enter_context(command)

        yield start
