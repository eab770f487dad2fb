"""Start nodes that name each other's addresses, as real processes."""

from __future__ import annotations

import json
from pathlib import Path

from doublecross.processes.ports import free_port
from tests.cli.commands import Command
from tests.cluster.servers.conftest import Serve


def named_nodes(serve: Serve, folder: Path, count: int = 2) -> tuple[list[Command], list[str]]:
    """Start nodes that know all addresses; return them and their websocket URLs, without a path."""
    ports = [free_port() for _ in range(count)]
    urls = [f"ws://127.0.0.1:{port}" for port in ports]
    settings = folder / "nodes.toml"
    settings.write_text(f"cluster_addresses = {json.dumps(urls)}\n")
    nodes = []
    for port in ports:
        node = serve("--settings", str(settings), "--port", str(port))
        assert json.loads(node.line())["what"] == "ready", node.errors
        nodes.append(node)
    return nodes, urls
