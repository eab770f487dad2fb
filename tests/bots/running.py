"""Run a real server in this process, and runners that play on it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any

from doublecross.bots.registry import parse_spec
from doublecross.bots.runner import Runner, RunnerConfig, RunnerReport
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.settings import ServerSettings

PATIENCE_S = 20.0
TINY = MatchSettings(
    game="dots-and-boxes", params={"rows": 2, "cols": 2}, time=TimeControl(base_ms=60_000)
)
RATED = TINY.model_copy(update={"rated": True})


@contextlib.asynccontextmanager
async def serving(folder: Path, **settings: Any) -> AsyncIterator[DoublecrossServer]:
    given: dict[str, Any] = {
        "port": 0,
        "http_port": 0,
        "database": str(folder / "games.db"),
        "stop_s": 0.5,
    }
    server = DoublecrossServer(ServerSettings(**(given | settings)))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


def configured(url: str, folder: Path, spec: str, **settings: Any) -> RunnerConfig:
    """Return the settings of a runner that keeps its tokens in `folder`."""
    given: dict[str, Any] = {"state_dir": folder / "state", "signals": False, "seed": 1}
    return RunnerConfig(server=url, spec=parse_spec(spec), **(given | settings))


@contextlib.asynccontextmanager
async def running(
    url: str, folder: Path, spec: str, **settings: Any
) -> AsyncIterator[tuple[Runner, asyncio.Task[RunnerReport]]]:
    """Run a runner while the context is open, then stop it at once."""
    runner = Runner(configured(url, folder, spec, **settings))
    task = asyncio.create_task(runner.run())
    try:
        # The runner is online once it has a name, unless it ended before.
        await until(lambda: bool(runner.report.name) or task.done())
        yield runner, task
    finally:
        runner.stop()
        runner.stop()
        await asyncio.gather(task, return_exceptions=True)


@contextlib.asynccontextmanager
async def human(url: str, name: str = "Ann") -> AsyncIterator[Client]:
    client = Client(url, Login("human", name=name), rng=Random(1))
    async with client:
        yield client


async def until(fulfilled: Callable[[], bool]) -> None:
    """Run the event loop until the condition holds."""
    pause_s = 0.001
    async with asyncio.timeout(PATIENCE_S):
        # There is no event for what another side knows. A long wait must not take the processor
        # from it.
        while not fulfilled():
            await asyncio.sleep(pause_s)
            pause_s = min(1.2 * pause_s, 0.01)


async def play_out(client: Client, room: str) -> None:
    """Play the first legal action whenever it is this client's turn, until the end."""
    mirror = client.session.rooms[room]
    while mirror.status == "playing":
        if mirror.my_turn:
            await client.move(room, mirror.state.legal_actions()[0])
        else:
            await asyncio.sleep(0.001)
