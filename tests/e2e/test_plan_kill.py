"""Kill the server while it stores a move and the answer that was planned for it."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from doublecross.protocol.codec import JsonCodec
from doublecross.protocol.common import DAY_MS
from tests.chaos.servers import ForkedServer
from tests.protocol.wire import Message, WireClient

LINES = ((1, 2, 3, 4, 5, 6),)


async def connected(server: ForkedServer, **hello: Any) -> WireClient:
    at: Any = SimpleNamespace(addresses=SimpleNamespace(ws=server.url))
    client = await WireClient.open(at, JsonCodec())
    await client.ask({"type": "hello", "protocol": 2, "kind": "human", **hello})
    return client


async def test_no_planned_answer_is_lost_or_played_twice(tmp_path: Path) -> None:
    settings: Message = {
        "game": "dots-and-boxes",
        "params": {"rows": 3, "cols": 3},
        "time": {"move_ms": DAY_MS},
    }
    with ForkedServer(tmp_path) as server:
        ann, bob = await connected(server, name="Ann"), await connected(server, name="Bob")
        asked: Message = {"type": "create_room", "key": "k", "settings": settings, "seat": 0}
        room = (await ann.ask(asked))["room"]
        await bob.ask({"type": "join_room", "room": room})
        place = {"room": room, "match": 1}
        await ann.ask({"type": "move", **place, "ply": 0, "action": 0})
        plan = {"type": "set_plan", **place, "ply": 1, "takebacks": 0, "lines": LINES}
        assert (await ann.ask(plan))["type"] == "plan"
        token = bob.received[0]["token"]
        for ply, pause_s in ((1, None), (3, 0.0), (5, 0.002)):
            move = {"type": "move", **place, "ply": ply, "action": ply}
            if pause_s is None:
                assert (await bob.ask(move))["type"] == "move"
            else:
                await bob.send({**move, "id": 99})
                await asyncio.sleep(pause_s)  # the kill hits another moment
            server.end(signal.SIGKILL)
            server.start()
            bob = await connected(server, token=token)
            # Whoever got no answer sends the move again, as every client does.
            assert (await bob.ask(move))["action"] == ply
            state = await bob.ask({"type": "watch", "room": room})
            assert list(state["snapshot"]["moves"]) == list(range(ply + 2))
