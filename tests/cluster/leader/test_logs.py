"""Tests of the choice of a log for a new room."""

from __future__ import annotations

import pytest

from doublecross.server.cluster.leader.logs import LeaderLogs
from doublecross.server.core.errors import Refused


def test_new_rooms_are_opened_in_a_few_logs_of_each_owner() -> None:
    logs = LeaderLogs(1, lambda run, item: True)
    owners = dict.fromkeys(("aaab", "aaac", "aaad"), "one") | {"aaae": "two"}
    logs.owners_changed(owners)
    with pytest.raises(Refused):
        logs.choose(["one"])
    for log in ("aaad", "aaab"):
        view = logs.owned_by("one", log)
        assert view is not None
        assert logs.answered(view)
        logs.is_read(view)
        assert logs.choose(["one"]) == log
    # The rooms of aaac are not known, and aaad is deleted when it is empty.
    for number in range(3):
        assert logs.choose(["one"]) == "aaab"
        logs.add(f"aaab2345678{number}")
    assert logs.choose(["two"]) == "aaab"
    # aaad gets rooms when it is one of the first two.
    logs.owners_changed({"aaab": "one", "aaad": "one", "aaae": "two"})
    assert logs.choose(["one"]) == "aaad"
