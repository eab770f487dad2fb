"""Move the open rooms of a single server into logs, when its database becomes that of a cluster.

Each node does this when it starts, before it joins. It shares a lock with all other nodes that a
single server would have alone. A second lock, which ends with the transaction, lets two nodes that
start at once do it one after another: the second one finds an empty journal. A crash in the middle
leaves everything in the journal.

Each log that gets rooms loses its owner, and its token grows. Its owner should have ended already,
but this makes sure that no node has such a log in memory without these rooms. The epoch grows too.
So the single server can store nothing any more, even if it still runs somewhere without its lock.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.storage import Gather, JournalEntry
from doublecross.server.store import statements
from doublecross.server.store.cluster.database import ClusterDatabase
from doublecross.server.store.cluster.statements import NEXT_LOG
from doublecross.server.store.row_counts import counted_off
from doublecross.server.store.schema import (
    CLUSTER,
    counters,
    journal,
    log_entries,
    logs,
    sleeping_rooms,
)
from doublecross.server.store.sleeping import LOG
from doublecross.server.store.to_journal import entries_of

_LOGS_OF_SLEEPING: Final[sa.CompoundSelect[str]] = (
    sa.select(sa.literal_column(LOG)).select_from(sleeping_rooms).except_(sa.select(logs.c.log))
)
_ANY_ENTRY: Final = sa.select(sa.exists().where(journal.c.entry_id.is_not(None)))
# Reading the rooms may take longer than a transaction of a node may stand still.
_MAY_THINK: Final = sa.text("SET LOCAL idle_in_transaction_session_timeout = 0")
_COUNT_CHANGE: Final = (
    sa.update(counters).where(counters.c.name == CLUSTER).values(value=counters.c.value + 1)
)
_PAGE: Final = 500
"""How many entries one statement inserts."""


async def move_journal(database: ClusterDatabase, gather: Gather) -> int:
    """Move the open rooms of the journal into logs; return how many there were.

    Raises:
        StoreError: the database fails. Nothing has changed then.
    """
    async with database.one_at_a_time() as connection:
        # Rows of rooms that sleep stay as they are, but each needs a log.
        lacking = (await connection.execute(_LOGS_OF_SLEEPING)).all()
        if not lacking and not await connection.scalar(_ANY_ENTRY):
            return 0
        await connection.execute(_MAY_THINK)
        rooms = {**await gather(_entries(connection))}
        by_log: dict[str, dict[str, bytes]] = {log: {} for (log,) in lacking}
        for room, frames in rooms.items():
            by_log.setdefault(log_of_room(room), {})[room] = frames
        for log, moved in sorted(by_log.items()):
            await _add(connection, log, moved)
        await connection.execute(statements.RAISE_LAST_ENTRY)
        await connection.execute(counted_off(journal))
        await connection.execute(sa.delete(journal))
        await connection.execute(statements.FENCE.raise_epoch)
        await connection.execute(_COUNT_CHANGE)
    return len(rooms)


async def _entries(connection: AsyncConnection) -> AsyncIterator[JournalEntry]:
    rows = (await connection.execute(statements.journal_page(None))).all()
    while rows:
        for row in rows:
            yield JournalEntry(row.entry_id, row.at_ms, row.frames)
        rows = (await connection.execute(statements.journal_page(rows[-1].entry_id))).all()


async def _add(connection: AsyncConnection, log: str, rooms: Mapping[str, bytes]) -> None:
    """Add rooms to a log; make the log if it does not exist."""
    of_log = logs.c.log == log
    token, owner = logs.c.token + 1, sa.null()
    free = sa.update(logs).where(of_log).values(token=token, owner=owner)
    if (await connection.execute(free)).rowcount == 0:
        number = await connection.scalar(sa.text(NEXT_LOG))
        made = {"log": log, "token": number, "owner": None, "last_entry": 0}
        await connection.execute(sa.insert(logs), [made])
    highest = sa.select(sa.func.max(log_entries.c.entry_id)).where(log_entries.c.log == log)
    kept = await connection.scalar(sa.select(logs.c.last_entry).where(of_log))
    last = max(await connection.scalar(highest) or 0, kept or 0)
    rows = [{"log": log, **values} for values in entries_of(rooms, last + 1)]
    counted = sa.update(logs).where(of_log).values(entries=logs.c.entries + len(rows))
    await connection.execute(counted)
    for start in range(0, len(rows), _PAGE):
        await connection.execute(sa.insert(log_entries), rows[start : start + _PAGE])
