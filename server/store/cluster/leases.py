"""Nodes, leases and owners of logs on PostgreSQL; `server/core/cluster_storage.py` explains them.

They have a connection of their own, so that a renewal never waits for a large commit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from doublecross.server.core.cluster_ids import log_id
from doublecross.server.core.cluster_storage import (
    Claim,
    ClusterSnapshot,
    Log,
    LogLostError,
    NameTakenError,
    Node,
    Renewal,
    RunEndedError,
)
from doublecross.server.store.cluster import statements
from doublecross.server.store.cluster.session import Session

_NODE_COLUMNS: Final = len(dataclasses.fields(Node))
_TRIES: Final = 3
"""How many ids a new log tries. An id is in use only after a million logs."""


class SqlLeases:
    """Keep the leases of nodes and the owners of logs, by one connection.

    All methods raise `StoreError` when PostgreSQL fails. A call whose outcome is unknown may be
    repeated. `on_settled` is called with each new claim of a log whose commit was in doubt.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.on_settled: Callable[[Claim], None] = lambda _: None

    async def join(self, name: str, run: str, *, version: str = "", address: str = "") -> int:
        """Begin a run, and return PostgreSQL's time in milliseconds since 1970, UTC.

        `run` is a new one for each start. A former run of this name, whose lease has lapsed, ends.

        Raises:
            NameTakenError: another run of this name has a lease.
        """
        async with self._session.use() as connection:
            while True:
                joined, now_ms = await connection.fetchrow(
                    statements.JOIN, name, run, version, address
                )
                if joined is not None:
                    await connection.execute(statements.FORGET_DEAD)
                    return int(now_ms)
                # Without a row the other process has just left.
                if (holder := await connection.fetchrow(statements.HOLDER, name)) is not None:
                    raise NameTakenError(name, *holder)

    async def renew(self, run: str) -> Renewal:
        """Renew the lease of a run, and return which other leases have lapsed."""
        async with self._session.use() as connection:
            renewed, now_ms, version, lapsed = await connection.fetchrow(statements.RENEW, run)
        return Renewal(renewed is not None, now_ms, version, frozenset(lapsed))

    async def leave(self, run: str) -> None:
        """End a run, and give up all its logs."""
        async with self._session.use() as connection:
            await connection.fetch(statements.LEAVE, run)

    async def snapshot(self) -> ClusterSnapshot:
        """Return all nodes and logs as they are at one moment."""
        async with self._session.use() as connection:
            now_ms, version, *columns = await connection.fetchrow(statements.SNAPSHOT)
        of_nodes, of_logs = columns[:_NODE_COLUMNS], columns[_NODE_COLUMNS:]
        nodes = [Node(*row) for row in _rows(of_nodes)]
        logs = [Log(*row) for row in _rows(of_logs)]
        return ClusterSnapshot(
            version,
            now_ms,
            {node.run: node for node in nodes},
            {log.log: log for log in logs},
        )

    async def create_log(self, run: str) -> Claim:
        """Make a new log that this run owns.

        Raises:
            RunEndedError: the run has ended, or its lease has lapsed.
        """
        async with self._session.use() as connection:
            for _ in range(_TRIES):
                number = await connection.fetchval(statements.NEXT_LOG)
                log = log_id(number)
                # The number is the first token. Numbers only grow, so the tokens of a deleted log
                # are lower than those of a new log with its id.
                token = await connection.fetchval(statements.CREATE_LOG, log, number, run)
                if token is not None:
                    return Claim(log, token)
        raise RunEndedError

    async def claim_log(self, log: Log, run: str) -> Claim | None:
        """Take a log of a snapshot, or return None when that is not allowed.

        That is allowed only while the log is as in the snapshot, and only if its owner has ended.
        An owner whose lease has lapsed counts too, once the lease of `run` has held for the length
        of a lease; the owner's run ends then. This waits for the commits to the log that have begun
        already.
        """
        async with self._session.use() as connection:
            claim = (statements.CLAIM, log.log, log.token, run)
            token = await connection.fetchval(*claim)
            if token is None:
                await connection.execute(statements.END_OWNER, log.log, run)
                token = await connection.fetchval(*claim)
        return None if token is None else Claim(log.log, token)

    async def hand_over(self, claim: Claim) -> None:
        """Give up a log, so that another node can take it at once.

        Raises:
            LogLostError: the claim does not hold any more.
        """
        async with self._session.use() as connection:
            if await connection.fetchval(statements.HAND_OVER, claim.log, claim.token) is None:
                raise LogLostError([claim.log])

    async def delete_log(self, claim: Claim) -> bool:
        """Delete a log without entries; return whether it had none.

        Raises:
            LogLostError: the claim does not hold any more.
        """
        async with self._session.use() as connection, connection.transaction():
            if await connection.fetchval(statements.LOCK_LOG, claim.log, claim.token) is None:
                raise LogLostError([claim.log])
            return await connection.fetchval(statements.DELETE_LOG, claim.log) is not None


def _rows(columns: Sequence[Sequence[Any] | None]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows from columns that come as arrays; a column without rows is null."""
    return zip(*(column or () for column in columns), strict=True)
