"""Check what a node of a cluster needs before it starts: PostgreSQL, NATS, and a right clock."""

from __future__ import annotations

from typing import Final

from doublecross.server.cluster.links.access import ConnectError, connect
from doublecross.server.cluster.process import nats_access
from doublecross.server.shell.listening import StartError
from doublecross.server.shell.settings import ServerSettings
from doublecross.server.shell.upkeep.service_time import Dates
from doublecross.server.store.cluster.opening import check_cluster_database

MOST_AHEAD_MS: Final = 10_000
"""How far the clock of the machine may be from PostgreSQL's when a process starts, in ms."""


def check_clock(date_ms: int, now_ms: int) -> None:
    """Check that the date of this machine is about that of PostgreSQL.

    Raises:
        StartError: it is not.
    """
    ahead_ms = date_ms - now_ms
    if abs(ahead_ms) > MOST_AHEAD_MS:
        way = "ahead of" if ahead_ms > 0 else "behind"
        raise StartError(
            f"The clock of this machine is {abs(ahead_ms) // 1000} s {way} that of PostgreSQL;"
            " set it right first."
        )


async def check_postgresql(url: str) -> None:
    """Check that a node could use this database, and that the clocks agree; change nothing.

    Raises:
        StoreError: see `check_cluster_database`.
        StartError: the clock of this machine is wrong.
    """
    now_ms = await check_cluster_database(url)
    check_clock(Dates()(), now_ms)


async def check_nats(settings: ServerSettings) -> None:
    """Check that a node could use NATS; send nothing.

    Raises:
        StartError: it cannot.
    """
    try:
        client = await connect(nats_access(settings))
    except ConnectError as error:
        raise StartError(str(error)) from None
    await client.stop()
