"""Runs a server with residents as a process, and lets a person play on it."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from random import Random
from typing import Any

from doublecross.client.options import Login, Memory
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings
from tests.bots.running import until
from tests.cli.commands import Command, running


@contextlib.contextmanager
def hosting(folder: Path, bots: str, *more: str, forks: bool = False) -> Iterator[Command]:
    """Run a server whose children are fresh interpreters, as for its hosts, or `forks`."""
    options = "serve --json --port 0 --http-port 0 --database games.db --bot-pause 0.03"
    with running(*options.split(), "--bots", bots, *more, cwd=folder, forks=forks) as command:
        yield command


def ready(command: Command, bots: int) -> tuple[str, dict[str, int]]:
    """Wait for the bots of a server; return its address, and process ids by name."""
    first = json.loads(command.line())
    assert first["what"] == "ready"
    found: dict[str, int] = {}
    while len(found) < bots:
        line: dict[str, Any] = json.loads(command.line())
        assert line["what"] == "bot_ready"
        found[line["name"]] = line["pid"]
    return first["ws"], found


@contextlib.asynccontextmanager
async def visitor(url: str, token: str | None = None) -> AsyncIterator[Client]:
    tokens: list[str] = []
    name = None if token else "Ann"
    async with Client(
        url,
        Login("human", name=name, token=token),
        rng=Random(1),
        memory=Memory(on_token=tokens.append),
    ) as client:
        client.token = (tokens or [token])[0]  # type: ignore[attr-defined]
        yield client


async def bots_here(client: Client) -> set[str]:
    await client.follow_lobby()
    lobby = client.session.lobby
    assert lobby is not None
    return {player.name for player in lobby.players.values() if player.kind == "bot"}


async def begin(client: Client, opponent: str, settings: MatchSettings) -> str:
    """Start a match in which the client moves first; return its room."""
    rooms = client.session.rooms
    before = set(rooms)
    await client.offers.challenge(opponent, settings, seat=0)
    await until(lambda: any(r.status == "playing" for r in rooms.values() if r.room not in before))
    return next(room for room in rooms if room not in before)


async def one_turn(client: Client, room: str) -> None:
    """Move, and wait until the bot has answered."""
    mirror = client.session.rooms[room]
    await until(lambda: mirror.my_turn or mirror.status != "playing")
    if mirror.status == "playing":
        await client.move(room, mirror.state.legal_actions()[0])
        await until(lambda: mirror.my_turn or mirror.status != "playing")
