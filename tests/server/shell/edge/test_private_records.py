"""The records of private rooms are for those who took part, over the wire and over HTTP."""

from __future__ import annotations

from pathlib import Path

from doublecross.protocol.codec import JsonCodec
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_http import Reader

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}


async def test_a_private_record_is_for_players_followers_and_holders_of_the_code(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob", JsonCodec())
        cat = await WireClient.player(server, "Cat")
        eve = await WireClient.player(server, "Eve")
        create = {"type": "create_room", "settings": SMALL, "key": "k", "private": True}
        made = await ann.ask(create)
        room, code = made["room"], made["code"]
        await bob.ask({"type": "join_room", "room": room, "code": code})
        await cat.ask({"type": "watch", "room": room, "code": code})
        over = await ann.ask({"type": "resign", "room": room})
        ask = {"type": "get_record", "game_id": over["game_id"]}
        for peer in (ann, bob, cat):
            assert (await peer.ask(ask))["type"] == "record"
        assert await eve.refused(ask) == "unknown_record"
        assert await eve.refused({**ask, "code": "wrong"}) == "unknown_record"
        assert (await eve.ask({**ask, "code": code}))["type"] == "record"
        await cat.ask({"type": "leave", "room": room})
        assert await cat.refused(ask) == "unknown_record"

        path = f"/api/games/{over['game_id']}"
        hidden = await http.get(path, 404)
        assert hidden == await http.get(path, 404, params={"code": "wrong"})
        assert (await http.get(path, params={"code": code}))["id"] == over["game_id"]
        for peer, status in ((ann, 200), (bob, 200), (eve, 404)):
            headers = {"Authorization": f"Bearer {peer.received[0]['token']}"}
            await http.get(path, status, headers=headers)
        # Its last board is for the same people; what one may not see is left out.
        asked = {"games": f"{over['game_id']},none"}
        assert await http.get("/api/boards", params=asked) == {"boards": [], "live": []}
        for peer, seen in ((ann, 1), (eve, 0)):
            headers = {"Authorization": f"Bearer {peer.received[0]['token']}"}
            told = await http.get("/api/boards", params=asked, headers=headers)
            assert [each["drawers"] for each in told["boards"]] == ["." * 7] * seen
        # Nothing between the server and these readers may keep it.
        told = {"headers": {"Authorization": f"Bearer {ann.received[0]['token']}"}}
        for more in (
            {"params": {"code": code}},
            told,
            {"params": {"code": code, "format": "text"}},
        ):
            answer = await http.client.get(path, **more)
            assert answer.headers["cache-control"] == "private, no-store"
            assert "etag" not in answer.headers
        assert (await http.get("/api/games"))["games"] == []


async def test_the_code_opens_the_record_after_a_restart(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        create = {"type": "create_room", "settings": SMALL, "key": "k", "private": True}
        made = await ann.ask(create)
        await bob.ask({"type": "join_room", "room": made["room"], "code": made["code"]})
        over = await ann.ask({"type": "resign", "room": made["room"]})
    async with serving(tmp_path) as server, Reader(server) as http:
        path = f"/api/games/{over['game_id']}"
        await http.get(path, 404)
        await http.get(path, params={"code": made["code"]})
