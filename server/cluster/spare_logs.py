"""Delete logs that a node has taken from others after their last room was closed.

Each start of a node makes logs of its own, and other nodes take the logs of nodes that have ended.
So there would be more logs after each start. The leader opens no rooms in a log that its owner does
not use (`server/cluster/core/sharing.py`). It may learn of a new owner a moment later than the
owner does, so a log must have been empty for a while before it is deleted. If the leader has opened
a room there nevertheless, it undoes the opening when the log is gone.
"""

from __future__ import annotations

import contextlib
import time
from typing import Final

import structlog

from doublecross.server.cluster.core.sharing import in_use
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.cluster.node import Node
from doublecross.server.core.storage import StoreError

EMPTY_S: Final = 10.0
"""How long a log must have been without rooms and unused before it is deleted, in seconds."""

_log = structlog.get_logger("cluster")


class SpareLogs:
    """Delete the spare logs of a node. `used` is the number of logs that it keeps.

    Call `sweep` from time to time.
    """

    def __init__(self, node: Node, lease_holder: LeaseHolder, used: int) -> None:
        self._node = node
        self._lease_holder = lease_holder
        self._used = used
        self._since_s: dict[str, float] = {}
        """The time since which each spare log is empty."""

    async def sweep(self) -> None:
        """Delete the logs that have been spare and empty for long enough."""
        running = self._node.running
        spare = running.keys() - in_use(running.keys(), self._used)
        empty = {log for log in spare if running[log].is_empty}
        now_s = time.monotonic()
        self._since_s = {log: self._since_s.get(log, now_s) for log in empty}
        for log, since_s in list(self._since_s.items()):
            if now_s - since_s >= EMPTY_S:
                await self._delete(log)

    async def _delete(self, log: str) -> None:
        lease_holder = self._lease_holder
        del self._since_s[log]
        running = self._node.running.get(log)
        if running is None:
            return  # it was lost while another log was deleted
        # Rows of finished games may wait. After this, nothing is written to the log any more.
        await running.settle()
        if log not in lease_holder.claims or self._node.running.get(log) is not running:
            return
        self._node.lost(log)
        deleted = False
        try:
            deleted = await lease_holder.delete_log(log)
        except StoreError as error:
            _log.warning("log_not_deleted", log=log, reason=str(error))
        if deleted:
            _log.info("log_deleted", log=log)
        elif log in lease_holder.claims:
            # Some node, perhaps this one, takes it again, and tells the leader its rooms.
            with contextlib.suppress(StoreError):
                await lease_holder.hand_over(log)
