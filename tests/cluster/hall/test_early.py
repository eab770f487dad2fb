"""What clients say before the hall can answer."""

from __future__ import annotations

from doublecross.server.cluster.far_clients.items import GONE, OPENED, ROOMS, SAID
from doublecross.server.cluster.hall.early import EarlyItems


def test_items_keep_their_order_and_the_end_of_a_connection_replaces_them() -> None:
    early = EarlyItems()
    for run, fields in (
        ("one", [OPENED, 7]),
        ("two", [OPENED, 7]),
        ("one", [SAID, 7, b"a"]),
        ("one", [ROOMS, [7, 8]]),
        ("one", [OPENED, 8]),
        ("one", [GONE, 7]),
        ("one", [SAID, 8, b"b"]),
        ("gone", [OPENED, 8]),
        ("gone", [ROOMS, [8]]),
        ("one", [GONE, 7]),
    ):
        early.keep(run, fields)
    early.link_broke("gone")
    early.keep("gone", [GONE, 8])
    assert early.empty() == [
        ("two", [OPENED, 7]),
        ("one", [ROOMS, [7, 8]]),
        ("one", [OPENED, 8]),
        ("one", [SAID, 8, b"b"]),
        ("one", [GONE, 7]),
        ("gone", [GONE, 8]),
    ]
    early.keep("two", [GONE, 7])
    assert early.empty() == [("two", [GONE, 7])]
    assert early.empty() == []
