"""What nodes keep of the leader."""

from __future__ import annotations

import msgpack

from doublecross.server.cluster.leader.state import KeptState, LeaderState


def test_the_newest_state_of_the_newest_leader_is_kept() -> None:
    kept = KeptState()
    assert not kept.newest.epoch
    told = {"type": "announcement", "text": "Lunch", "until_ms": 5}
    first = LeaderState(3, 1, "epoch", draining=True, announcement=told)
    assert kept.take(msgpack.unpackb(msgpack.packb(first)))
    assert kept.newest == first
    assert not kept.take((3, 1, "epoch"))
    assert not kept.take((2, 9, "old"))
    # A newer version may add fields.
    assert kept.take((3, 2, "epoch", False, None, "more"))
    assert kept.newest == LeaderState(3, 2, "epoch")
    assert kept.take((4, 1, "epoch", True, None))
