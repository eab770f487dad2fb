"""Provide NATS, nodes in this process with players, and the command that starts a node."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from doublecross.server.cluster.server import ClusterServer
from doublecross.server.shell.settings import ServerSettings
from tests.cli.commands import Command, environment, running
from tests.protocol.wire import Message, WireClient
from tests.services.nats import Nats

Serve = Callable[..., Command]
Start = Callable[..., Awaitable[ClusterServer]]


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[Nats]:
    server = Nats(tmp_path)
    server.start()
    yield server
    server.close()


@pytest.fixture
async def start(url: str, nats: Nats) -> AsyncIterator[Start]:
    """Return a function that starts one more node, with other settings and parts if they matter."""
    started: list[ClusterServer] = []

    async def more(
        name: str, settings: dict[str, Any] | None = None, **parts: Any
    ) -> ClusterServer:
        usual = {"host": "127.0.0.1", "port": 0, "stop_s": 0.2, "database": url, "talk": True}
        own = {"cluster": True, "node": name, "nats": nats.url}
        server = ClusterServer(ServerSettings(**{**usual, **own, **(settings or {})}), **parts)
        await server.start()
        started.append(server)
        return server

    yield more
    for server in started:
        await server.stop()


@pytest.fixture
def serve(url: str, nats: Nats, tmp_path: Path) -> Iterator[Serve]:
    """Return a function that starts `serve --cluster` with more options."""
    with contextlib.ExitStack() as stack:

        def start(*more: str, database: str = url) -> Command:
            options = ("--database", database, "--nats", nats.url, "--port", "0", "--json", *more)
            env = environment(XDG_STATE_HOME=str(tmp_path))
            command = running("serve", "--cluster", *options, cwd=tmp_path, env=env, forks=True)
            return stack.enter_context(command)

        yield start


def ready(command: Command) -> dict[str, Any]:
    """Wait until a server is ready, and return what it says."""
    line: dict[str, Any] = json.loads(command.line())
    assert line["what"] == "ready", command.errors
    return line


# -- two nodes ---------------------------------------------------------------------------------

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(15):
        while not condition():  # noqa: ASYNC110 - several servers have no common event
            await asyncio.sleep(0.01)


def is_leader(server: ClusterServer) -> bool:
    return server.current.node.leader is not None and server.current.node.leader.is_open


class Pair(NamedTuple):
    """Two nodes; the first one is the leader."""

    first: ClusterServer
    second: ClusterServer


async def two(start: Start, *, host_token: str | None = None, **options: Any) -> Pair:
    """Start two nodes; clients with the token may manage the cluster at the second one."""
    first = await start("first", **options)
    await until(lambda: is_leader(first))
    second = await start("second", host_token=host_token, **options)
    await until(lambda: first.current.id in second.current.hub.reachable())
    leader = first.current.node.leader
    assert leader is not None
    await until(lambda: len(leader.logs.owners) == 2 and not leader.logs.missing)
    # A node that does not know the leader yet tells clients to come again.
    await until(lambda: not second.current.web.figures.not_ready())
    return Pair(first, second)


async def player(server: ClusterServer, name: str, **fields: Any) -> WireClient:
    return await WireClient.player(server, name, **fields)  # type: ignore[arg-type]


def welcome(client: WireClient) -> Message:
    return next(each for each in client.received if each["type"] == "welcome")


async def begin(ann: WireClient, ben: WireClient, **more: Any) -> str:
    """Let two players enter a room, Ann in seat 0, and return its id."""
    create = {"type": "create_room", "key": "a" * 16, "seat": 0, "settings": SMALL, **more}
    opened = await ann.ask(create)
    assert opened["type"] == "room_state", opened
    joining = {"type": "join_room", "room": opened["room"]}
    if "private" in more:
        shown = next(each for each in ann.received if each.get("room") == opened["room"])
        joining["code"] = shown["code"]
    assert (await ben.ask(joining))["type"] == "room_state"
    room: str = opened["room"]
    return room


async def play(room: str, *seats: WireClient, plies: int = 7) -> None:
    """Play a match on 1x2 boxes, or its first moves; `seats` are the clients by seat."""
    mover = 0
    for ply in range(plies):
        move = {"type": "move", "room": room, "match": 1, "ply": ply, "action": ply}
        made = await seats[mover].ask(move)
        assert made["type"] == "move", made
        mover = mover if made["to_move"] is None else made["to_move"]
