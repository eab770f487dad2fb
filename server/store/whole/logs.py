"""Read the logs of a cluster in a whole database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from doublecross.server.core.cluster_ids import log_of_room
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.storage import JournalEntry
from doublecross.server.store.schema import log_entries, logs
from doublecross.server.store.whole.reading import PAGE


async def stored_logs(connection: AsyncConnection) -> dict[str, int | None]:
    """Return the ids of all logs in order, and how many entries each should have.

    The number is None for a log that has entries, but no row in the table of logs.
    """
    rows = (await connection.execute(sa.select(logs.c.log, logs.c.entries))).all()
    known: dict[str, int] = {row.log: row.entries for row in rows}
    used = set(await connection.scalars(sa.select(log_entries.c.log).distinct()))
    return {log: known.get(log) for log in sorted(known.keys() | used)}


def has_offers(log: str) -> bool:
    """Return whether a log has offers instead of rooms."""
    return log == LEADER


def belongs(room: str, log: str) -> bool:
    """Return whether this is the log of a room, so that its owner is found."""
    return log_of_room(room) == log


async def entries_of_log(
    connection: AsyncConnection, log: str, on_entries: Callable[[int], None]
) -> AsyncIterator[JournalEntry]:
    """Yield the entries of a log; `on_entries` is called with the number of entries of a page."""
    of_log = sa.select(log_entries).where(log_entries.c.log == log).order_by(log_entries.c.entry_id)
    rows = (await connection.execute(of_log.limit(PAGE))).all()
    while rows:
        for row in rows:
            yield JournalEntry(row.entry_id, row.at_ms, row.frames)
        on_entries(len(rows))
        later = of_log.where(log_entries.c.entry_id > rows[-1].entry_id)
        rows = (await connection.execute(later.limit(PAGE))).all()
