"""Check that the clients of docs/examples play, and come back after a restart of the server."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from doublecross.client.transport import Client
from tests.bots.running import TINY, human, serving, until
from tests.client.web.harness.node import NEED, give_up

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


@contextlib.asynccontextmanager
async def program(*words: str | Path, folder: Path) -> AsyncIterator[None]:
    process = await asyncio.create_subprocess_exec(*words, cwd=folder)
    try:
        yield
        assert process.returncode is None
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def online(ann: Client, *names: str) -> None:
    """Wait until these players are in the lobby."""
    await ann.follow_lobby()
    lobby = ann.session.lobby
    assert lobby is not None
    await until(lambda: set(names) <= lobby.players.keys())


async def test_the_clients_play_each_other_and_come_back(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        give_up("There is no Node.js: apt-get install nodejs", NEED)
    script = (node, "--no-warnings", "--experimental-websocket", EXAMPLES / "client.mjs")
    async with contextlib.AsyncExitStack() as programs:
        async with serving(tmp_path) as server:
            url, port = server.addresses.ws, int(server.addresses.ws.rpartition(":")[2])
            for words, name in (((sys.executable, EXAMPLES / "client.py"), "Eva"), (script, "Ben")):
                await programs.enter_async_context(program(*words, url, name, folder=tmp_path))
            async with human(url) as ann:
                await online(ann, "Eva", "Ben")
        async with serving(tmp_path, port=port), human(url, "Cat") as cat:
            await online(cat, "Eva", "Ben")
            state = await cat.offers.arrange_match("Eva", "Ben", TINY)
            room = cat.session.rooms[state.room]
            await until(lambda: room.status == "finished")
            assert room.result is not None
            assert room.result.termination == "completed"
