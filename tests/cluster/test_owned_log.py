"""The tasks of a log that a node owns."""

from __future__ import annotations

import asyncio

from doublecross.server.cluster.parts import OwnedLog
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.core.storage import Batch, DatabaseTakenError
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.journal.deliveries import CallbackDelivery
from doublecross.server.shell.upkeep.service_time import TimeSource
from tests.fakes.store import FakeStore


class TakenStore(FakeStore):
    """A storage that another node has taken."""

    async def commit(self, batch: Batch) -> None:
        raise DatabaseTakenError("Another node has the log.")


async def test_a_log_that_is_lost_while_it_is_given_up_lets_its_node_go() -> None:
    store, lost = TakenStore(), list[None]()
    own = OwnedLog(Claim("a", 1), store, lambda: lost.append(None))
    committer = Committer(store, 0, TimeSource.simple(lambda: 0))
    own.commit(committer)
    committer.queue_event("room", b"frame", CallbackDelivery(lambda: None, lambda: None))
    async with asyncio.timeout(5):
        await own.settle()
    own.stop()
    assert lost == [None]
