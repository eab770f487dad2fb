"""Give up the logs of a node that leaves, so that their games hardly pause."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import structlog

from doublecross.server.cluster.items import Leaving, OwnersChanged, pack
from doublecross.server.cluster.lease_holder import LeaseHolder
from doublecross.server.cluster.node import Node
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.storage import StoreError

LONGEST_S: Final = 1.0
"""Seconds to wait until the rooms of a log run elsewhere, before the next log is given up."""

_log = structlog.get_logger("cluster")


async def hand_over(node: Node, lease_holder: LeaseHolder) -> None:
    """Give up all logs, one after another, so that other nodes take them at once.

    Everything in a log is stored first. The next log follows when the rooms of this one run
    elsewhere, so that each room waits only while the rooms of its own log are read. The leader
    begins nothing new from the start on, and is given up last: its next node asks for the rooms of
    all logs. If a log cannot be given up, `LeaseHolder.leave` gives it up with the lease.
    """
    run = asyncio.Queue[str]()
    node.on_runs = run.put_nowait
    lease_holder.leaving.add(lease_holder.id)
    node.network.send_all(pack(Leaving()))
    leader = asyncio.ensure_future(node.settle_leader())
    logs = sorted(lease_holder.claims.keys() - {LEADER})
    for log in logs:
        await node.settle_log(log)
        if await _give_up(node, lease_holder, log) and node.network.reachable() and log != logs[-1]:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_S):
                    while await run.get() != log:
                        pass
    await leader
    await _give_up(node, lease_holder, LEADER)


async def _give_up(node: Node, lease_holder: LeaseHolder, log: str) -> bool:
    if log not in lease_holder.claims:
        return False
    try:
        await lease_holder.hand_over(log)
    except StoreError as error:
        _log.warning("log_not_handed_over", log=log, reason=str(error))
        return False
    node.network.send_all(pack(OwnersChanged()))
    return True
