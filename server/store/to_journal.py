"""Move the open rooms of a cluster into the journal of a single server.

A single server that opens the database of a cluster takes its rooms. It has the lock that all nodes
share, and no lease holds. In one transaction all runs end, all tokens grow, and the rooms move. So
a node that wakes up later writes nothing. The logs stay, because the ids of their rooms begin with
the ids of the logs; when there is a cluster again, the rooms go back there.

Offers were entries of the leader's log. A single server has them only in memory, so they end.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.storage import Gather, JournalEntry
from doublecross.server.store import statements
from doublecross.server.store.database import Database
from doublecross.server.store.schema import CLUSTER, counters, journal, log_entries, logs, nodes
from doublecross.server.store.writer import Values

_OF_LOG: Final = log_entries.c.log == logs.c.log
_HIGHEST: Final = sa.select(sa.func.max(log_entries.c.entry_id)).where(_OF_LOG).scalar_subquery()
_NUMBER: Final = (
    sa.select(sa.func.count()).select_from(log_entries).where(_OF_LOG).scalar_subquery()
)
_COUNT_OFF: Final = sa.update(logs).values(entries=logs.c.entries - _NUMBER)
_KEEP_LAST_ENTRY: Final = (
    sa.update(logs).where(logs.c.last_entry < _HIGHEST).values(last_entry=_HIGHEST)
)
_END_OWNERS: Final = sa.update(logs).values(owner=None, token=logs.c.token + 1)
_COUNT_CHANGE: Final = (
    sa.update(counters).where(counters.c.name == CLUSTER).values(value=counters.c.value + 1)
)


async def take_logs(database: Database, gather: Gather) -> int:
    """Move all rooms of a cluster into the journal, and end its runs; return how many rooms moved.

    Do nothing if the database never belonged to a cluster.

    Raises:
        StoreError: the database fails, or another server has opened it. Nothing has changed then.
    """
    known = await database.read(sa.select(logs.c.log).order_by(logs.c.log))
    if not known:
        return 0
    rooms: dict[str, bytes] = {}
    for row in known:
        if row.log != LEADER:
            rooms |= await gather(_entries(database, row.log))
    steps: list[tuple[sa.Executable, Sequence[Values]]] = [
        (_KEEP_LAST_ENTRY, [{}]),
        (_COUNT_OFF, [{}]),
        (sa.delete(log_entries), [{}]),
        (sa.delete(nodes), [{}]),
        (_END_OWNERS, [{}]),
        (_COUNT_CHANGE, [{}]),
    ]
    if rooms:
        (row,) = await database.read(statements.LAST_ENTRY_ID)
        steps.append((sa.insert(journal), entries_of(rooms, max(row[0] or 0, int(row[1])) + 1)))
    await database.write(steps)
    return len(rooms)


def entries_of(rooms: Mapping[str, bytes], first: int) -> list[Values]:
    """Return a new entry for each room; the first one has the id `first`.

    With entries of their own, rooms that close soon leave nothing behind.
    """
    at_ms = time.time_ns() // 1_000_000
    return [
        {"entry_id": entry_id, "at_ms": at_ms, "frames": frames}
        for entry_id, frames in enumerate(rooms.values(), first)
    ]


async def _entries(database: Database, log: str) -> AsyncIterator[JournalEntry]:
    after = -1
    of_log = sa.select(log_entries).where(log_entries.c.log == log).order_by(log_entries.c.entry_id)
    while rows := await database.read(
        of_log.where(log_entries.c.entry_id > after).limit(statements.JOURNAL_PAGE)
    ):
        for row in rows:
            yield JournalEntry(row.entry_id, row.at_ms, row.frames)
        after = rows[-1].entry_id
