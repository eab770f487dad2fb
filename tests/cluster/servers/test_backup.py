"""A host saves a cluster that runs, and starts a cluster and a single server with the backup."""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path

import pytest

from tests.cli.commands import Command, running
from tests.cluster.harness.postgresql import Postgres
from tests.cluster.servers.conftest import Serve
from tests.cluster.servers.test_command import ready
from tests.cluster.servers.test_moving_host import arrive, begin, finish, people
from tests.server.store.saved.players import play


@pytest.mark.slow
async def test_a_backup_of_a_running_cluster_starts_a_cluster_or_a_single_server(
    serve: Serve, url: str, postgres: Postgres, tmp_path: Path
) -> None:
    def command(*words: str) -> Command:
        return stack.enter_context(running(*words, cwd=tmp_path))

    with contextlib.ExitStack() as stack:
        nodes = [serve("--node", name) for name in ("first", "second")]
        arrived = {
            name: await arrive(ready(node)["ws"], name)
            for name, node in zip(("Ann", "Ben"), nodes, strict=True)
        }
        ended, room, later = [await begin(arrived, key) for key in "abc"]
        await finish(arrived, ended)
        saved = command("backup", "games.tar", "--database", url)
        assert saved.wait() == 0, saved.errors
        # What is played after the backup is not in it.
        assert len((await play(arrived, room, 1))["moves"]) == 4
        for player in arrived.values():
            await player.close()
        for node in nodes:
            node.send(signal.SIGTERM)
            assert node.wait() == 0, node.errors

        # Elsewhere, where no key and no tokens are.
        database = await postgres.create_database("restored", "template0")
        restoring = command("restore", "games.tar", "--database", database)
        assert restoring.wait() == 0, restoring.errors
        assert "add --cluster to start a node" in restoring.seen[-1]
        async with people(serve("--node", "first", database=database)) as arrived:
            assert room in arrived["Ann"].welcome["rooms"]
            await finish(arrived, room)
            verified = command("database", "verify", database)
            assert verified.wait() == 0, verified.seen
            assert verified.seen[-1] == "No problems."
        single = command("serve", "--database", database, "--port", "0", "--json")
        async with people(single) as arrived:
            assert later in arrived["Ben"].welcome["rooms"]
            await finish(arrived, later)
