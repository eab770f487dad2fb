"""Tests of which logs of an owner get new rooms."""

from __future__ import annotations

from doublecross.server.cluster.core.sharing import in_use
from doublecross.server.core.cluster_ids import SINGLE


def test_new_rooms_are_opened_in_a_few_logs_of_each_owner() -> None:
    assert in_use(["zzzz", SINGLE, "aaac", "aaab"], 2) == {"aaab", "aaac"}
    # The rooms of a single server are the last choice, but better than none.
    assert in_use([SINGLE, "zzzz"], 2) == {SINGLE, "zzzz"}
    assert in_use([SINGLE, "zzzz"], 1) == {"zzzz"}
    assert in_use([], 2) == frozenset()
