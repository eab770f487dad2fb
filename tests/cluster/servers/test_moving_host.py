"""A host goes from a file to a cluster and back with games in play, by the commands of the docs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

from websockets.exceptions import ConnectionClosed

from tests.cli.commands import Command, running
from tests.cluster.servers.conftest import Serve, ready
from tests.server.store.saved.players import PATIENCE_S, SETTINGS, JsonPlayer, play
from tests.services.postgresql import Postgres

Players = dict[str, JsonPlayer]


async def arrive(address: str, name: str) -> JsonPlayer:
    """Log in, and try again as clients do: a node that has just started knows no leader yet."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with contextlib.suppress(ConnectionClosed):
                return await JsonPlayer.arrive(address, name)
            await asyncio.sleep(0.1)


@contextlib.asynccontextmanager
async def people(*servers: Command) -> AsyncIterator[Players]:
    """Let Ann arrive at the first server and Ben at the last, and end all when they have gone."""
    addresses = [ready(server)["ws"] for server in servers]
    arrived = {
        name: await arrive(address, name)
        for name, address in (("Ann", addresses[0]), ("Ben", addresses[-1]))
    }
    yield arrived
    for player in arrived.values():
        await player.close()
    for server in servers:
        server.send(signal.SIGTERM)
        assert server.wait() == 0, server.errors


async def begin(arrived: Players, key: str) -> str:
    """Begin a game and return its room."""
    room = await arrived["Ann"].create(key * 16, settings=SETTINGS)
    joined = await arrived["Ben"].ask({"type": "join_room", "room": room})
    assert joined["type"] == "room_state", joined
    assert len((await play(arrived, room, 3))["moves"]) == 3
    return room


async def finish(arrived: Players, room: str) -> None:
    """Play a game to its end, from where it stood when its server ended."""
    # Their sessions say where they play, as a client shows it that comes back.
    assert all(room in player.welcome["rooms"] for player in arrived.values())
    before = await play(arrived, room, 0)
    assert len(before["moves"]) == 3
    assert [player["name"] for player in before["players"]] == ["Ann", "Ben"]
    after = await play(arrived, room)
    assert after["result"]["termination"] == "completed", after
    assert after["moves"][:3] == before["moves"]


async def test_from_a_file_to_a_cluster_and_back(
    serve: Serve, postgres: Postgres, tmp_path: Path
) -> None:
    where, restored = [
        await postgres.create_database(name, "template0") for name in ("moved", "restored")
    ]

    def single(database: str) -> Command:
        words = ("serve", "--database", database, "--port", "0", "--json")
        return stack.enter_context(running(*words, cwd=tmp_path))

    def command(*words: str, code: int = 0) -> str:
        """Run a command, and return its last line."""
        done = stack.enter_context(running(*words, cwd=tmp_path))
        assert done.wait() == code, (done.seen, done.errors)
        return done.seen[-1] if code == 0 else done.errors

    with contextlib.ExitStack() as stack:
        async with people(single("games.db")) as arrived:
            first = await begin(arrived, "a")
        said = command("database", "copy", "games.db", where)
        assert "add --cluster to start a node" in said
        nodes = [serve("--node", name, database=where) for name in ("first", "second")]
        async with people(*nodes) as arrived:
            await finish(arrived, first)
            second = await begin(arrived, "b")
            assert (len(first), len(second)) == (10, 12)
            refused = command("database", "upgrade", where, code=2)
            assert "A cluster is using the database" in refused
            command("backup", "games.tar", "--database", where)
            # What is played after the backup is not in it.
            later = await begin(arrived, "c")
            await play(arrived, second, 1)
        async with people(single(where)) as arrived:
            await finish(arrived, later)
        # Elsewhere, where no key and no tokens are.
        said = command("restore", "games.tar", "--database", restored)
        assert "add --cluster to start a node" in said
        async with people(serve(database=restored)) as arrived:
            await finish(arrived, second)
            assert command("database", "verify", restored) == "No problems."
