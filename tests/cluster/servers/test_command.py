"""`serve --cluster` as hosts use it: real processes on a real PostgreSQL and a real NATS."""

from __future__ import annotations

import json
import signal
from typing import Any

from tests.cli.commands import Command
from tests.cluster.servers.conftest import Serve


def ready(command: Command) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(command.line())
    assert line["what"] == "ready"
    return line


def refusal(command: Command) -> str:
    """Return the one line with which a command has ended that could not start."""
    assert command.wait() == 2, command.errors
    assert command.seen == []
    (line,) = command.errors.splitlines()
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


async def test_two_nodes_start_and_end(serve: Serve) -> None:
    nodes = [serve("--node", "first"), serve()]
    first, second = [ready(node) for node in nodes]
    assert first["node"] == "first"
    port = second["ws"].rpartition(":")[2]
    assert second["node"].endswith(f"-{port}")
    for node in nodes:
        node.send(signal.SIGTERM)
        assert node.wait() == 0, node.errors
        assert "Error" not in node.errors
