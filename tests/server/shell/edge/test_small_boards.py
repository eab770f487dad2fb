"""The boards of several games over HTTP (private ones: test_private_records)."""

from __future__ import annotations

from pathlib import Path

from tests.protocol.wire import WireClient, serving
from tests.server.shell.test_http import Reader


async def test_boards_show_who_drew_what_in_the_order_of_the_question(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        settings = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
        ids = []
        for plies in (1, 3):
            create = {"type": "create_room", "settings": settings, "key": f"k{plies}", "seat": 0}
            room = (await ann.ask(create))["room"]
            await bob.ask({"type": "join_room", "room": room})
            for ply in range(plies):
                move = {"type": "move", "room": room, "match": 1, "ply": ply, "action": ply}
                await (ann, bob)[ply % 2].ask(move)
            (live,) = (await http.get("/api/boards", params={"rooms": f"{room},none"}))["live"]
            assert live["moves"] == list(range(plies))
            ids.append((await ann.ask({"type": "resign", "room": room}))["game_id"])
        asked = [ids[1], "none", ids[0]]
        told = await http.get("/api/boards", params={"games": ",".join(asked)})
        found = [(each["id"], each["drawers"], each["board"]["legal"]) for each in told["boards"]]
        assert found == [(ids[1], "010....", "0001111"), (ids[0], "0......", "0111111")]
        assert told["boards"][0]["params"] == settings["params"]
        assert await http.get("/api/boards", params={"rooms": room}) == {"boards": [], "live": []}
        await http.get("/api/boards", 400, params={"games": ",".join(["x"] * 31)})
