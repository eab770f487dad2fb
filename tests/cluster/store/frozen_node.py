"""A node that begins a commit of several rows and says so; the test stops the process there."""

from __future__ import annotations

import asyncio
import sys

from doublecross.server.core.cluster_storage import Claim
from doublecross.server.store.cluster import statements
from doublecross.server.store.cluster.opening import open_cluster


async def main(url: str, log: str, token: str) -> None:
    store = await open_cluster(url)
    async with store._commits.use() as connection:
        await connection.execute("BEGIN")
        claim = Claim(log, int(token))
        found = await connection.fetch(statements.LOCK_LOGS, [claim.log], [claim.token])
        print(len(found), flush=True)  # noqa: T201
        await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
