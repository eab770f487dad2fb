"""What keeps a node from starting is one sentence, and the exit code is 2."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import Command, running
from tests.cluster.harness.postgresql import Postgres
from tests.cluster.harness.shared import PREPARED
from tests.cluster.servers.conftest import Serve

CLOSED = "postgresql://ann:secret@127.0.0.1:9/games"
BEHIND = """
CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql
AS $$ SELECT pg_catalog.clock_timestamp() - interval '1 minute' $$;
ALTER DATABASE {name} SET search_path = public, pg_catalog
"""
"""Let everything in a database see a clock that is slow."""


@pytest.fixture
def silent() -> Iterator[int]:
    """Return a port at which connections are accepted, and nothing is said."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def refusal(command: Command) -> str:
    """Return the last line of a command that could not start."""
    assert command.wait() == 2, command.errors
    assert command.seen == []
    *before, line = command.errors.splitlines()
    assert all("start_waits" in each for each in before), before
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")


@pytest.mark.slow
def test_a_silent_postgresql(serve: Serve, silent: int) -> None:
    mute = f"postgresql://ann:secret@127.0.0.1:{silent}/games"
    start = serve(database=mute)
    check = serve("--check", database=mute, at=f"nats://127.0.0.1:{silent}")
    name = f"The database postgresql://ann:***@127.0.0.1:{silent}/games"
    assert refusal(start).startswith(f"{name} has not answered within 5 s; is its address right?")
    # Whoever waits reads what the node waits for.
    assert "PostgreSQL has not answered yet." in start.errors
    assert check.wait() == 2
    database, nats = check.errors.splitlines()
    assert database.startswith(f"Error: --database: {name} has not answered within")
    assert nats.startswith(f"Error: --nats: The NATS server at 127.0.0.1:{silent} does not answer")


def test_what_a_node_needs_is_not_there(serve: Serve, silent: int, tmp_path: Path) -> None:
    commands = {
        "file": serve(database=str(tmp_path / "games.db")),
        "closed": serve(database=CLOSED),
        "no nats": serve(at="nats://127.0.0.1:9"),
        "mute nats": serve(at=f"nats://me:secret@127.0.0.1:{silent}"),
    }
    said = {name: refusal(each) for name, each in commands.items()}
    assert said["file"].startswith("A cluster needs PostgreSQL. Give the address of its database")
    name = "The database postgresql://ann:***@127.0.0.1:9/games"
    assert said["closed"].startswith(f"{name} cannot be opened: ")
    assert said["no nats"].startswith("No NATS server listens at 127.0.0.1:9. Start it,")
    assert said["mute nats"].startswith(
        f"The NATS server at 127.0.0.1:{silent} does not answer within 2 s. Check its URL,"
    )
    assert "secret" not in str(said)
    assert "NATS has not answered yet." in commands["mute nats"].errors


async def test_a_database_that_a_node_cannot_use(
    serve: Serve, url: str, postgres: Postgres, tmp_path: Path
) -> None:
    found = {}
    for name in ("too_old", "newer", "slow", "alone"):
        found[name] = await postgres.create_database(name, PREPARED)
        connection = await postgres.connect(name)
        if name == "slow":
            await connection.execute(BEHIND.format(name=name))
        elif name != "alone":
            revision = {"too_old": "0001", "newer": "9999"}[name]
            await connection.execute("UPDATE alembic_version SET version_num = $1", revision)
        await connection.close()
    with running(
        *("serve", "--json", "--port", "0", "--database", found["alone"]), cwd=tmp_path
    ) as single:
        json.loads(single.line())
        first = serve("--node", "first")
        json.loads(first.line())
        commands = {
            "too_old": serve(database=found["too_old"]),
            "newer": serve(database=found["newer"]),
            "slow": serve(database=found["slow"]),
            "alone": serve(database=found["alone"]),
            "twin": serve("--node", "first"),
            "stranger": serve("--node", "second", "--cluster-name", "other"),
        }
        checks = {name: serve("--check", database=at) for name, at in found.items()}
        said = {name: refusal(each) for name, each in commands.items()}
        checked = {name: refusal(each) for name, each in checks.items()}
    assert said["too_old"].startswith("The database is too old for this version of Doublecross")
    assert "(its revision is 0001, " in said["too_old"]
    assert said["newer"].startswith("The database ")
    assert "belongs to a newer version of Doublecross (its revision is 9999)" in said["newer"]
    assert said["slow"].startswith("The clock of this machine is 60 s ahead of that of PostgreSQL")
    assert said["alone"].startswith("A server that is no part of the cluster is using the database")
    assert said["twin"] == (
        "Another process of the cluster has the name first; give each process its own name."
    )
    assert said["stranger"] == (
        "The node first of this database belongs to the cluster 'main', and this one would belong"
        " to 'other'; give all nodes of a database the same cluster_name."
    )
    for name, sentence in checked.items():
        assert sentence == f"--database: {said[name]}"
