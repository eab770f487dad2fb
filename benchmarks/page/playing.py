"""Run a server through which pairs play, for what is measured beside them."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.chaos.floods import Pairs
from tests.chaos.servers import ServerProcess


@asynccontextmanager
async def beside(playing: Pairs, **settings: object) -> AsyncIterator[ServerProcess]:
    """Run a server with these settings until the end of the block, and let the pairs play."""
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder), **settings) as server,  # type: ignore[arg-type]
    ):
        await playing.start(server.url)
        try:
            yield server
        finally:
            await playing.stop()
