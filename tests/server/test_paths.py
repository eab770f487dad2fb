"""How many files a hello, a reconnect and a move pass in the server, and how often they come back.

A path that enters a file which it has left before is hard to follow. So the number of files on each
path has a limit, and so has the number of returns. Everything counts that the event loop's thread
calls, and each coroutine that goes on after a wait: for a hello and a reconnect from the accepted
connection on, for a move from its first byte, until the answer arrives. It is sent in the same turn
in which everything else happens. What the server does beside that is stopped. See
docs/architecture.md for the paths.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from doublecross.protocol.codec import MsgpackCodec
from doublecross.server.shell.app import DoublecrossServer
from tests.protocol.wire import Message, WireClient, serving

ROOT: Final = Path(__file__).parent.parent.parent
PRODUCT: Final = ("games", "stats", "protocol", "processes", "analysis", "server")
BESIDE: Final = ("heartbeat", "clocks", "sweep", "journal", "storage", "tokens", "certificate")
HELLO: Final[Message] = {"type": "hello", "protocol": 2, "kind": "human"}
BOARD: Final[Message] = {"game": "dots-and-boxes", "params": {"rows": 3, "cols": 3}}


@dataclass
class Route:
    """The files that were entered, in order."""

    entered: list[str] = field(default_factory=list)

    @property
    def files(self) -> set[str]:
        return set(self.entered)

    @property
    def returns(self) -> int:
        stays = [b for a, b in zip(["", *self.entered], self.entered, strict=False) if a != b]
        return len(stays) - len(set(stays))


@contextmanager
def following() -> Iterator[Route]:
    """Note the files of the product that this thread enters."""
    route = Route()
    names: dict[str, str] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        # A coroutine that goes on is a call too.
        if event != "call":
            return
        file = frame.f_code.co_filename
        if file not in names:
            path = Path(file).resolve()
            inside = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in PRODUCT
            names[file] = path.relative_to(ROOT).as_posix() if inside else ""
        if names[file]:
            route.entered.append(names[file])

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield route
    finally:
        sys.setprofile(before)


async def passed(
    server: DoublecrossServer, *messages: Message, client: WireClient | None = None
) -> tuple[Route, WireClient]:
    """Send messages one after another, each after the answer to the one before.

    Without a client, connect first.
    """
    encoded = [MsgpackCodec().encode(message) for message in messages]
    with following() as route:
        client = client or await WireClient.open(server, MsgpackCodec())
        for data in encoded:
            await client.ws.send(data)
            await client.ws.recv()
    return route, client


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[DoublecrossServer]:
    async with serving(tmp_path) as server:
        server.supervisor.cancel(*BESIDE)
        yield server


async def test_a_hello_passes_few_files(server: DoublecrossServer) -> None:
    # The first hello of a process also fills what is cached from then on.
    await (await WireClient.player(server, "Ann")).close()
    route, client = await passed(server, {**HELLO, "id": 1, "name": "Bob"})
    await client.close()
    assert len(route.files) <= 46, sorted(route.files)
    assert route.returns <= 64, route.entered


async def test_a_move_and_a_reconnect_pass_few_files(server: DoublecrossServer) -> None:
    ann = await WireClient.open(server, MsgpackCodec())
    token = (await ann.ask({**HELLO, "name": "Ann"}))["token"]
    bob = await WireClient.player(server, "Bob")
    opened = await ann.ask({"type": "create_room", "key": "k" * 16, "settings": BOARD, "seat": 0})
    room = opened["room"]
    await bob.ask({"type": "join_room", "room": room})
    move = {"type": "move", "room": room, "match": 1}
    await ann.ask({**move, "ply": 0, "action": 0})
    await bob.wait("move")
    moving, _ = await passed(server, {**move, "id": 9, "ply": 1, "action": 1}, client=bob)
    # While the disk is quick, the event loop commits itself and so passes one file more.
    assert len(moving.files) <= 26, sorted(moving.files)
    # On a busy machine the committer may begin to wait again before the measurement ends.
    assert moving.returns <= 31, moving.entered
    await ann.close()
    returning, ann = await passed(
        server,
        {**HELLO, "id": 1, "token": token},
        {"type": "resume", "id": 2, "room": room, "seq": opened["snapshot"]["seq"]},
    )
    assert len(returning.files) <= 47, sorted(returning.files)
    assert returning.returns <= 64, returning.entered
    await ann.close()
    await bob.close()
