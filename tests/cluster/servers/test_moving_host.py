"""A host goes from a file to a cluster and back with games in play, by the commands of the docs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.cli.commands import Command, running
from tests.cluster.harness.postgresql import Postgres
from tests.cluster.servers.conftest import Serve
from tests.cluster.servers.test_command import ready
from tests.server.store.saved.players import PATIENCE_S, SETTINGS, JsonPlayer, play


async def arrive(address: str, name: str) -> JsonPlayer:
    """Log in, and try again as clients do: a node that has just started knows no leader yet."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with contextlib.suppress(ConnectionClosed):
                return await JsonPlayer.arrive(address, name)
            await asyncio.sleep(0.1)


@contextlib.asynccontextmanager
async def people(server: Command) -> AsyncIterator[dict[str, JsonPlayer]]:
    """Let Ann and Ben arrive at a server that starts, and end it when they have gone."""
    address = ready(server)["ws"]
    arrived = {name: await arrive(address, name) for name in ("Ann", "Ben")}
    yield arrived
    for player in arrived.values():
        await player.close()
    server.send(signal.SIGTERM)
    assert server.wait() == 0, server.errors


async def begin(arrived: dict[str, JsonPlayer], key: str) -> str:
    """Begin a game and return its room."""
    room = await arrived["Ann"].create(key * 16, settings=SETTINGS)
    joined = await arrived["Ben"].ask({"type": "join_room", "room": room})
    assert joined["type"] == "room_state", joined
    assert len((await play(arrived, room, 3))["moves"]) == 3
    return room


async def finish(arrived: dict[str, JsonPlayer], room: str) -> None:
    """Play a game to its end, from where it stood when its server ended."""
    before = await play(arrived, room, 0)
    assert len(before["moves"]) == 3
    assert [player["name"] for player in before["players"]] == ["Ann", "Ben"]
    after = await play(arrived, room)
    assert after["result"]["termination"] == "completed", after
    assert after["moves"][:3] == before["moves"]


async def test_from_a_file_to_a_cluster_and_back(
    serve: Serve, postgres: Postgres, tmp_path: Path
) -> None:
    database = await postgres.create_database("moved", "template0")

    def command(*words: str) -> Command:
        return stack.enter_context(running(*words, cwd=tmp_path))

    def single(where: str) -> Command:
        return command("serve", "--database", where, "--port", "0", "--json")

    with contextlib.ExitStack() as stack:
        async with people(single("games.db")) as arrived:
            first = await begin(arrived, "a")
            assert len(first) == 10
        copied = command("database", "copy", "games.db", database)
        assert copied.wait() == 0, copied.errors
        assert "add --cluster to start a node" in copied.seen[-1]
        async with people(serve(database=database)) as arrived:
            # Their session says where they play, as a client shows it that comes back.
            assert first in arrived["Ann"].welcome["rooms"]
            await finish(arrived, first)
            second = await begin(arrived, "b")
            assert len(second) == 12
            for words in (("serve", "--port", "0", "--database"), ("database", "upgrade")):
                refused = command(*words, database)
                assert refused.wait() == 2
                assert "A cluster is using the database" in refused.errors
        async with people(single(database)) as arrived:
            assert second in arrived["Ben"].welcome["rooms"]
            await finish(arrived, second)
            third = await begin(arrived, "c")
        async with people(serve(database=database)) as arrived:
            await finish(arrived, third)
            verified = command("database", "verify", database)
            assert verified.wait() == 0, verified.seen
            assert verified.seen[-1] == "No problems."
