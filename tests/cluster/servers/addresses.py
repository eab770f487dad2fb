"""Start nodes that name each other's addresses, as real processes."""

from __future__ import annotations

import json
from pathlib import Path

from doublecross.processes.ports import free_port
from tests.cli.commands import Command
from tests.cluster.servers.conftest import Serve, ready


def named_nodes(serve: Serve, folder: Path) -> tuple[list[Command], list[str]]:
    """Start two nodes that know both addresses; return them and their URLs, without a path."""
    ports = [free_port() for _ in range(2)]
    urls = [f"ws://127.0.0.1:{port}" for port in ports]
    settings = folder / "nodes.toml"
    settings.write_text(f"cluster_addresses = {json.dumps(urls)}\n")
    nodes = [serve("--settings", str(settings), "--port", str(port)) for port in ports]
    for node, port in zip(nodes, ports, strict=True):
        assert ready(node)["node"].endswith(f"-{port}")
    return nodes, urls
