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


def test_nodes_may_have_the_same_bots(serve: Serve) -> None:
    first, second = serve("--node", "first", "--bots", "random"), serve("--bots", "random")
    names = set()
    for node in (first, second):
        told = ready(node)
        own = "first" if node is first else f"-{told['ws'].rpartition(':')[2]}"
        assert told["node"].endswith(own)
        line = json.loads(node.line())
        assert line["what"] == "bot_ready"
        names.add(line["name"])
    assert names == {"random", "random-2"}
    for node in (second, first):
        node.send(signal.SIGTERM)
        assert node.wait() == 0
        # Neither bot has thrown the other one out.
        assert "bot_ended" not in node.errors
