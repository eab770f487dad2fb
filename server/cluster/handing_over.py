"""Give up the logs of a node that leaves, so that their games hardly pause."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import structlog

from doublecross.server.cluster.items import Leaving, OwnersChanged
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.cluster.node import Node
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.storage import StoreError

LONGEST_S: Final = 1.0
"""Seconds to wait until the rooms of a log run elsewhere, before the next log is given up."""

_log = structlog.get_logger("cluster")


class HandingOver:
    """Give up all logs, one after another, so that other nodes take them at once.

    Everything in a log is stored first. The next log follows when the rooms of this one run
    elsewhere, so that each room waits only while the rooms of its own log are read. The leader
    begins nothing new from the start on, and is given up last: its next node asks for the rooms of
    all logs. If a log cannot be given up, `LeaseHolder.leave` gives it up with the lease.
    """

    def __init__(self, node: Node, lease_holder: LeaseHolder) -> None:
        self._node = node
        self._lease_holder = lease_holder
        self._log = ""
        self._runs = asyncio.Event()
        node.on_runs = self._note

    def _note(self, log: str) -> None:
        if log == self._log:
            self._runs.set()

    async def run(self) -> None:
        """Give up everything."""
        node, lease_holder = self._node, self._lease_holder
        lease_holder.leaving.add(lease_holder.id)
        node.tell_all(Leaving())
        leader = asyncio.ensure_future(node.settle_leader())
        logs = sorted(lease_holder.claims.keys() - {LEADER})
        for log in logs:
            self._log = log
            self._runs.clear()
            await node.settle_log(log)
            if await self._give_up(log) and node.reachable() and log != logs[-1]:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LONGEST_S):
                        await self._runs.wait()
        await leader
        await self._give_up(LEADER)

    async def _give_up(self, log: str) -> bool:
        if log not in self._lease_holder.claims:
            return False
        try:
            await self._lease_holder.hand_over(log)
        except StoreError as error:
            _log.warning("log_not_handed_over", log=log, reason=str(error))
            return False
        self._node.tell_all(OwnersChanged())
        return True
