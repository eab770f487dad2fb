"""A node that the cluster has left behind joins it again by itself."""

from __future__ import annotations

import asyncio
from typing import Any

from doublecross.protocol.version import CloseCode
from doublecross.server.cluster.server import ClusterServer
from tests.cluster.servers.conftest import Start, begin, player, two, until
from tests.fakes.http import plain_client
from tests.server.store.cluster.helpers import execute
from tests.services.nats import Nats
from tests.services.postgresql import Postgres

END_RUN = """
WITH gone AS (DELETE FROM nodes WHERE run = $1 RETURNING run),
counted AS (UPDATE counters SET value = value + 1 WHERE name = 'cluster')
UPDATE logs SET owner = NULL, token = token + 1 FROM gone WHERE owner = gone.run
"""
"""What PostgreSQL says after other nodes have taken the logs of a run."""


async def health(address: str) -> tuple[int, dict[str, Any]]:
    async with plain_client(address, timeout=20) as client:
        found = await client.get("/health")
        return found.status_code, found.json()


async def ended(server: ClusterServer, postgres: Postgres) -> str:
    """End the run of a node; return its id."""
    run = server.current.id
    await execute(postgres, END_RUN, run)
    await until(lambda: server.current.id != run)
    return run


async def test_a_node_whose_run_has_ended_joins_again(
    start: Start, postgres: Postgres, nats: Nats
) -> None:
    first, second = await two(start)
    ann, ben = await player(first, "Ann"), await player(second, "Ben")
    token = ann.received[0]["token"]
    room = await begin(ann, ben)
    assert room[:4] in first.current.node.running
    nats.freeze()
    run = await ended(first, postgres)
    assert await ann.closed_with() == CloseCode.RESTART
    status, body = await health(first.addresses.http)
    assert (status, body["status"]) == (503, "failing")
    assert "joins the cluster again" in body["problem"]
    nats.thaw()
    await until(lambda: first.current.lease_holder.holds() and first.current.node.owner("leader"))
    assert first.current.id != run
    await until(lambda: second.current.hub.reachable() == [first.current.id])
    await until(lambda: first.current.hub.reachable() == [second.current.id])
    # The same address leads to the same games.
    ann = await player(first, "Ann", token=token)
    shown = await ann.ask({"type": "watch", "room": room})
    assert shown["seat"] == 0
    move = {"type": "move", "room": room, "match": 1, "ply": 0, "action": 0}
    assert (await ann.ask(move))["type"] == "move"
    status, body = await health(first.addresses.http)
    assert (status, body["run"]) == (200, first.current.id)
    for client in (ann, ben):
        await client.close()


async def test_a_name_that_another_process_took_ends_the_node(
    start: Start, postgres: Postgres
) -> None:
    first = await start("first")
    run = first.current.id
    await execute(postgres, "UPDATE nodes SET run = 'another' WHERE run = $1", run)
    renewing = asyncio.create_task(keep(postgres, "another"))
    async with asyncio.timeout(15):
        assert await first.supervisor.failed == (
            "Another process of the cluster has the name first; give each process its own name."
        )
    renewing.cancel()


async def keep(postgres: Postgres, run: str) -> None:
    while True:
        await execute(postgres, "UPDATE nodes SET until_ms = until_ms + 100 WHERE run = $1", run)
        await asyncio.sleep(0.1)
