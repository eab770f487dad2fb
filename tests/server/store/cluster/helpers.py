"""What the tests of the storage share."""

from __future__ import annotations

import asyncio
from typing import Any

from doublecross.server.core.cluster_storage import Claim, ClusterBatch, LogWrite
from doublecross.server.store.cluster.store import ClusterStore
from tests.server.store.samples import entry
from tests.services.postgresql import Postgres

PATIENCE_S = 20.0


def writes(claim: Claim, entry_id: int, **rows: Any) -> ClusterBatch:
    """Return a batch with one entry, and rows if there are any."""
    return ClusterBatch([LogWrite(claim, entry(entry_id))], **rows)


async def ids(store: ClusterStore, log: str) -> list[int]:
    return [found.entry_id async for found in store.entries(log)]


async def take(store: ClusterStore, log: str, run: str) -> Claim | None:
    """Take a log as it is in a new snapshot."""
    return await store.claim_log((await store.snapshot()).logs[log], run)


async def lapse(postgres: Postgres, run: str) -> None:
    """Let a lease have lapsed, as if its node had not renewed it for three seconds."""
    await execute(postgres, "UPDATE nodes SET until_ms = until_ms - 3000 WHERE run = $1", run)


async def settled_in(postgres: Postgres, run: str) -> None:
    """Let a node have its lease for ten seconds already."""
    await execute(postgres, "UPDATE nodes SET since_ms = since_ms - 10000 WHERE run = $1", run)


async def execute(postgres: Postgres, sql: str, *values: object) -> Any:
    connection = await postgres.connect("cluster")
    try:
        return await connection.fetchval(sql, *values)
    finally:
        await connection.close()


async def lacking(postgres: Postgres) -> int:
    """Return how many games, and entries of logs and of the journal, are missing."""
    counted = "SELECT sum(counted) FROM row_counts WHERE table_name IN ('games', 'journal')"
    return int(
        await execute(
            postgres,
            f"SELECT ({counted}) - (SELECT count(*) FROM games) - (SELECT count(*) FROM journal)"
            " + (SELECT sum(entries) FROM logs) - (SELECT count(*) FROM log_entries)",
        )
    )


async def wait_for_lock(postgres: Postgres, *, count: int = 1) -> None:
    """Wait until so many statements wait for a lock."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    async with asyncio.timeout(PATIENCE_S):
        while await execute(postgres, waiting) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
