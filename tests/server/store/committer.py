"""A server that only commits, which the tests start by `committing`.

It writes the id of each entry to its output once the entry is durable, until it is killed. Its
argument is the URL of the database.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from doublecross.server.store.sql import SqlStore, database_url
from tests.cli.commands import environment
from tests.cli.forking import ROOT, ForkedProcess
from tests.server.store.samples import batch, full_batch


def committing(database: Path, errors: Path) -> ForkedProcess:
    """Start it in a process of its own."""
    url = database_url(str(database))
    module = "tests.server.store.committer"
    return ForkedProcess(url, module=module, cwd=ROOT, env=environment(), stderr=errors)


async def commit(url: str) -> None:
    store = await SqlStore.open(url)
    entry_id = await store.last_entry_id()
    while True:
        entry_id += 1
        frames = bytes([entry_id % 256]) * 3000
        await store.commit((full_batch if entry_id % 3 == 0 else batch)(entry_id, frames))
        os.write(1, b"%d\n" % entry_id)
        if entry_id % 50 == 0:
            await store.delete_entries(range(entry_id - 90, entry_id - 40))


def main() -> None:
    asyncio.run(commit(sys.argv[1]))
