"""The storage of a node on PostgreSQL, and that of one log as the rest of the server uses it.

Most commits have one entry of one log and nothing else. Such a commit is a single statement, which
is prepared once.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Final, Self

import sqlalchemy as sa

from doublecross.server.core.cluster_storage import (
    LEADER,
    Claim,
    ClusterBatch,
    LogLostError,
    LogWrite,
)
from doublecross.server.core.storage import Batch, Gather, JournalEntry
from doublecross.server.store.cluster import statements
from doublecross.server.store.cluster.database import ClusterDatabase, share_lock
from doublecross.server.store.cluster.from_journal import move_journal
from doublecross.server.store.cluster.leases import SqlLeases
from doublecross.server.store.cluster.session import Compiled, Session
from doublecross.server.store.database import ReadQueue
from doublecross.server.store.engines import parsed_url
from doublecross.server.store.people.hosting import SqlHostedAccounts
from doublecross.server.store.plans import store_plans
from doublecross.server.store.schema import log_entries, logs, nodes
from doublecross.server.store.sleeping import SqlSleeping, store_sleeping
from doublecross.server.store.sql import SqlStore
from doublecross.server.store.statements import add_games, replace_tournament, store_players
from doublecross.server.store.writer import Steps, Values

_LEASE_ANSWER_S: Final = 1.5
"""How long a renewal may take, in seconds: there must be time to try it again."""
_PAGE: Final = 250
"""How many entries are in memory at the same time."""
_DELETE_CHUNK: Final = 500
"""How many entries one transaction deletes; commits can run between transactions."""


class ClusterStore(SqlLeases):
    """Store and read the logs of a cluster, beside their owners.

    Create it with `open`, then `join`, and end it with `close`. `commits` and `leases` are the
    connections for commits and for leases.
    """

    def __init__(
        self,
        database: ClusterDatabase,
        commits: Session,
        leases: Session,
        lease_answer_s: float = _LEASE_ANSWER_S,
    ) -> None:
        super().__init__(leases)
        self.database = database
        self._lease_answer_s = lease_answer_s
        self.accounts = SqlHostedAccounts(database)
        """Accounts, tokens and bans, which belong to no log."""
        self._commits = commits
        self._compiled = Compiled()

    @classmethod
    async def open(
        cls, url: str, *, read_connections: int = 2, lease_answer_s: float = _LEASE_ANSWER_S
    ) -> Self:
        """Open the database of a cluster, and make its tables if it is empty.

        `lease_answer_s` is how long a renewal of a lease may take.

        Raises:
            StoreError: see `ClusterDatabase.open_shared`.
        """
        database = await ClusterDatabase.open_shared(url, read_connections)
        parsed = parsed_url(url)
        return cls(
            database,
            Session(parsed, share_lock, what="The database could not be written"),
            Session(parsed, share_lock, what="The lease could not be taken or renewed"),
            lease_answer_s,
        )

    async def close(self) -> None:
        """Close all connections after the calls that run. Further calls do nothing."""
        await self._commits.close()
        await self._session.close()
        await self.database.close()

    async def move_journal(self, gather: Gather) -> int:
        """Move the open rooms that a single server has left into logs; return how many there were.

        Call this before `join`; see `server/store/cluster/from_journal.py`. `gather` reads the
        journal.
        """
        return await move_journal(self.database, gather)

    def store_of(self, claim: Claim) -> LogStore:
        """Return the storage of a log that this node owns."""
        return LogStore(self, claim)

    async def join(self, name: str, run: str, *, version: str = "", address: str = "") -> int:
        """Begin a run under this name, which may write from now on; see `SqlLeases.join`."""
        now_ms = await super().join(name, run, version=version, address=address)
        self.database.run = run
        # A node without a lease may wait longer, such as when many nodes start at once.
        self._session.answer_s = self._lease_answer_s
        return now_ms

    # -- writing -----------------------------------------------------------------------------

    async def commit(self, batch: ClusterBatch) -> None:
        """Store the whole batch in one transaction; it is durable when this returns.

        When the caller is cancelled or the connection is lost, the outcome is unknown; see
        `settle`.

        Raises:
            LogLostError: a claim does not hold any more. Nothing was stored.
        """
        writes, steps = batch.writes, _steps(batch)
        if len(writes) == 1 and not steps:
            claim, entry = writes[0].claim, writes[0].entry
            if entry is not None:
                values = (claim.log, entry.entry_id, entry.at_ms, entry.frames, claim.token)
                if await self._commits.value(statements.ADD_ENTRY, *values) is None:
                    raise LogLostError([claim.log])
                return
        held = {write.claim for write in writes}
        if not held:
            raise ValueError("a commit of a cluster names at least one log")
        added = [
            (write.claim.log, write.entry.entry_id, write.entry.at_ms, write.entry.frames)
            for write in writes
            if write.entry is not None
        ]
        async with self._commits.use() as connection, connection.transaction():
            found = await connection.fetch(
                statements.LOCK_LOGS,
                [claim.log for claim in held],
                [claim.token for claim in held],
            )
            if lost := held - {Claim(*row) for row in found}:
                raise LogLostError([claim.log for claim in lost])
            if added:
                await connection.executemany(statements.ADD_ENTRY_LOCKED, added)
            for statement, rows in steps:
                await self._compiled.execute(connection, statement, rows)

    async def settle(self, claim: Claim, entry_id: int) -> tuple[Claim, bool]:
        """Find out whether an entry is stored after a commit with an unknown outcome.

        Return a new claim, and whether the entry is stored. The old claim ends, so that a commit
        which is still on its way can store nothing after this.

        Raises:
            LogLostError: the claim does not hold any more; the log's next owner decides.
        """
        run = self.database.run
        async with self._commits.use() as connection:
            token = await connection.fetchval(statements.RAISE, claim.log, run)
            if token is None:
                raise LogLostError([claim.log])
            # Before the next query, which may fail: the old claim does not hold any more.
            raised = Claim(claim.log, token)
            self.on_settled(raised)
            found = await connection.fetchrow(statements.HAS_ENTRY, claim.log, entry_id)
        return raised, found is not None

    async def delete_entries(self, claim: Claim, entry_ids: Collection[int]) -> None:
        """Delete these entries of a log, in transactions of 500 entries.

        When a transaction fails, the earlier ones remain done.
        """
        ids = sorted(entry_ids)
        for start in range(0, len(ids), _DELETE_CHUNK):
            chunk = ids[start : start + _DELETE_CHUNK]
            async with self._commits.use() as connection, connection.transaction():
                locked = await connection.fetchval(statements.LOCK_LOG, claim.log, claim.token)
                if locked is None:
                    raise LogLostError([claim.log])
                await connection.execute(statements.KEEP_LAST_ENTRY, claim.log)
                await connection.execute(statements.DELETE_ENTRIES, claim.log, chunk)

    async def ping(self) -> None:
        """Read something small.

        Raises:
            StoreError: the database does not answer.
        """
        await self.database.read(sa.select(sa.literal(1)), ReadQueue.CHECK)

    # -- reading -----------------------------------------------------------------------------

    async def last_entry_id(self, log: str) -> int:
        """Return the highest entry id ever used in a log, deleted ones included; 0 at first."""
        highest = sa.select(sa.func.max(log_entries.c.entry_id)).where(log_entries.c.log == log)
        kept = sa.select(logs.c.last_entry).where(logs.c.log == log)
        query = sa.select(highest.scalar_subquery(), kept.scalar_subquery())
        (row,) = await self.database.read(query)
        return max(row[0] or 0, row[1] or 0)

    async def entries(self, log: str) -> AsyncIterator[JournalEntry]:
        """Yield the entries of a log by id; they are read in pages, with no open query between."""
        of_log = sa.select(log_entries).where(log_entries.c.log == log)
        page = of_log.order_by(log_entries.c.entry_id).limit(_PAGE)
        rows = await self.database.read(page)
        while rows:
            for row in rows:
                yield JournalEntry(row.entry_id, row.at_ms, row.frames)
            rows = await self.database.read(page.where(log_entries.c.entry_id > rows[-1].entry_id))

    async def check_claim(self, claim: Claim) -> None:
        """Check that a claim holds and the run has not ended, without writing.

        Raises:
            LogLostError: the claim does not hold any more.
            RunEndedError: the run has ended.
        """
        await self.database.check_owner()
        query = sa.select(logs.c.token).join(nodes, nodes.c.run == logs.c.owner)
        rows = await self.database.read(query.where(logs.c.log == claim.log))
        if not rows or rows[0].token != claim.token:
            raise LogLostError([claim.log])


def _steps(batch: ClusterBatch) -> Steps:
    steps: list[tuple[sa.Executable, Sequence[Values]]] = []
    if batch.players:
        # In one order for all nodes. Otherwise two commits could wait for each other.
        steps += store_players(sorted(batch.players, key=lambda player: player.name.casefold()))
    for change in batch.tournaments:
        steps += replace_tournament(change)
    if batch.games:
        steps += add_games(batch.games)
    if batch.asleep or batch.woken:
        steps += store_sleeping(batch.asleep, batch.woken)
    if batch.plans:
        steps += store_plans(batch.plans)
    return steps


class LogStore(SqlStore):
    """Implement `doublecross.server.core.storage.Store` with one log as the journal.

    Everything else is that of the whole cluster. `claim` is the current claim; `has_entry` replaces
    it. `close` leaves the cluster's storage open.
    """

    def __init__(self, cluster: ClusterStore, claim: Claim) -> None:
        super().__init__(cluster.database)
        self._cluster = cluster
        self.claim = claim
        if claim.log != LEADER:
            self.sleeping = SqlSleeping(self._database, claim.log)

    async def commit(self, batch: Batch) -> None:
        """Store the whole batch in one transaction, with the entry in this node's log.

        Raises:
            LogLostError: another node has the log. Nothing was stored.
        """
        write = LogWrite(self.claim, batch.entry)
        await self._cluster.commit(
            ClusterBatch(
                *([write], batch.games, batch.players, batch.tournaments),
                *(batch.asleep, batch.woken, batch.plans),
            )
        )

    async def has_entry(self, entry_id: int) -> bool:
        """Return whether this entry is stored, and replace the claim.

        See `ClusterStore.settle`.
        """
        self.claim, stored = await self._cluster.settle(self.claim, entry_id)
        return stored

    async def last_entry_id(self) -> int:
        """Return the highest entry id ever used in the log, deleted ones included; 0 at first."""
        return await self._cluster.last_entry_id(self.claim.log)

    def journal(self) -> AsyncIterator[JournalEntry]:
        """Yield the entries of the log in the order of their ids."""
        return self._cluster.entries(self.claim.log)

    async def delete_entries(self, entry_ids: Collection[int]) -> None:
        """Delete these entries of the log."""
        await self._cluster.delete_entries(self.claim, entry_ids)

    async def check_owner(self) -> None:
        """Check that the node still owns the log; see `ClusterStore.check_claim`."""
        await self._cluster.check_claim(self.claim)

    async def close(self) -> None:
        """Do nothing: the connections belong to the cluster's storage."""
