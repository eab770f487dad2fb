"""A real server with a host who manages it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from doublecross.server.shell.app import DoublecrossServer
from tests.server.shell.accounts.people import Visitor, open_server

TOKEN = "the-token-of-the-host"


@asynccontextmanager
async def hosted(folder: Path, **settings: Any) -> AsyncIterator[tuple[DoublecrossServer, Visitor]]:
    """Run a server; yield it and its host."""
    async with open_server(folder, host_token=TOKEN, **settings) as server:
        yield server, Visitor(server, TOKEN)


async def audit(host: Visitor) -> list[tuple[str, str, str]]:
    """Return who did what to whom, newest first."""
    found = await host.ask("admin/audit")
    return [(each["actor"], each["action"], each["target"]) for each in found["entries"]]
