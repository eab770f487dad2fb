"""Logs and nodes that nobody needs any more are deleted, so that restarts leave nothing behind."""

from __future__ import annotations

import pytest

from doublecross.server.cluster import server, spare_logs
from doublecross.server.cluster.gateway import gateway
from doublecross.server.core.cluster_storage import LEADER
from tests.cluster.servers.conftest import SMALL, Start, is_leader, player, two, until
from tests.server.store.cluster.helpers import execute
from tests.services.postgresql import Postgres


async def test_restarts_leave_no_logs_and_no_nodes(
    start: Start, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SPARE_S", 0.05)
    monkeypatch.setattr(spare_logs, "EMPTY_S", 0.2)
    monkeypatch.setattr(gateway, "UNKNOWN_S", 0.2)
    first, second = await two(start)
    ann = await player(second, "Ann")
    rooms = []
    for letter in "abcd":  # one in each log
        asked = {"type": "create_room", "key": letter * 16, "settings": SMALL}
        rooms.append((await ann.ask(asked))["room"])
    kept = {room[:4] for room in rooms}
    await first.stop()
    await until(lambda: is_leader(second) and len(second.current.node.running) >= len(kept))
    # Two logs get new rooms. The others stay for as long as they have rooms.
    assert kept <= second.current.node.running.keys()
    for room in rooms:
        assert (await ann.ask({"type": "leave", "room": room}))["type"] == "done"
    await until(lambda: len(second.current.node.running) == 2)
    stored = await execute(postgres, "SELECT array_agg(log) FROM logs")
    assert set(stored) == {LEADER, *second.current.node.running}
    gone = next(room for room in rooms if room[:4] not in stored)
    refused = await ann.ask({"type": "join_room", "room": gone})
    assert (refused["type"], refused["code"]) == ("error", "unknown_room")
    opened = await ann.ask({"type": "create_room", "key": "e" * 16, "settings": SMALL})
    assert opened["room"][:4] in second.current.node.running
    await ann.close()
