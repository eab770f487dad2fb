"""A match of two bots over real websockets, with both codecs, and a restart in between."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doublecross.protocol.codec import Codec, JsonCodec, MsgpackCodec
from doublecross.server.shell.app import DoublecrossServer
from tests.protocol.wire import Message, WireClient, serving

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 1}}
ENGINE = {"name": "mine", "version": "1"}
ASKED: Message = {
    "type": "arrange_match",
    "key": "k",
    "players": ("easy", "hard"),
    "settings": SMALL,
}


async def come(server: DoublecrossServer, codec: Codec, **other: Any) -> list[WireClient]:
    """Return Ann and the bots `easy` and `hard`, connected with `codec`."""
    return [
        await WireClient.player(
            server,
            name,
            codec,
            key=f"a-long-secret-of-{name}",
            **({} if name == "Ann" else {"kind": "bot", "engine": ENGINE}),
            **other,
        )
        for name in ("Ann", "easy", "hard")
    ]


async def ask_later(client: WireClient, message: Message) -> int:
    """Send a request whose answer comes later; return its id."""
    request_id = next(client.ids)
    await client.send({**message, "id": request_id})
    return request_id


@pytest.mark.parametrize("codec", [MsgpackCodec(), JsonCodec()])
async def test_two_bots_play_for_a_person_who_watches(tmp_path: Path, codec: Codec) -> None:
    async with serving(tmp_path) as server:
        ann, easy, hard = await come(server, codec)
        asked = await ask_later(ann, ASKED)
        offer = (await easy.wait("challenged"))["challenge"]
        await hard.wait("challenged", challenge=offer, asked_by="Ann")
        waiting = await ask_later(
            easy, {"type": "accept_challenge", "key": "e", "challenge": offer}
        )
        # The other requests of a bot whose acceptance waits are answered as usual.
        assert (await easy.ask({"type": "ping"}))["type"] == "pong"
        begun = await hard.ask({"type": "accept_challenge", "key": "h", "challenge": offer})
        shown = await ann.wait("room_state", id=asked)
        own = await easy.wait("room_state", id=waiting)
        assert shown["room"] == own["room"] == begun["room"]
        assert (shown["seat"], own["seat"], begun["seat"]) == (None, 0, 1)
        for ply in range(4):
            mover = easy if ply % 2 == 0 else hard
            played = {"room": own["room"], "match": 1, "ply": ply, "action": ply}
            assert (await mover.ask({"type": "move", **played}))["type"] == "move"
        over = await ann.wait("match_finished")
        assert over["scores"] == (0, 1)
        record = await ann.ask({"type": "get_record", "game_id": over["game_id"]})
        assert '[Termination "completed"]' in record["text"]
