"""Check followed rooms: gaps, invalid messages, private rooms, and slow readers of updates."""

from __future__ import annotations

import pytest

from doublecross.client.core.errors import RequestRefused
from doublecross.client.core.updates import Missed, RoomChanged, RoomLost, SessionEnded
from doublecross.protocol.client_messages import Request, Resume
from doublecross.protocol.server_messages import Pong
from tests.client.talking import Connect, follow, seen, soon, until
from tests.fakes.rooms import room_in_play


async def test_unknown_types_do_no_harm(connect: Connect) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    later = {**room.play(0).model_dump(), "seq": 6, "mood": "bright"}
    new = {"type": "applause", "room": "r1", "seq": 5, "volume": 11}
    await peer.send({"type": "weather", "rain": True}, new, later)
    resume = await peer.next(Resume)
    assert resume.seq == 4
    answer = room.room_state_after(5, resume.id).model_dump()
    await peer.send({**answer, "events": (new, later)})
    await until(lambda: client.session.rooms["r1"].seq == 6)
    assert client.session.rooms["r1"].state.history() == (0,)


async def test_what_contradicts_itself_is_asked_for_as_a_whole_and_then_lost(
    connect: Connect,
) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    updates = client.updates()
    nonsense = room.play(0).model_copy(update={"action": 77})
    await peer.send(nonsense)
    resume = await peer.next(Resume)
    assert resume.seq == 0
    await peer.send(room.room_state(resume.id))
    await seen(updates, RoomChanged)
    assert client.session.rooms["r1"].state.history() == (0,)
    await peer.send(room.play(1).model_copy(update={"scores": (9, 9)}))
    resume = await peer.next(Resume)
    whole = room.room_state(resume.id)
    assert whole.snapshot is not None
    bad = whole.snapshot.model_copy(update={"scores": (9, 9)})
    await peer.send(whole.model_copy(update={"snapshot": bad}))
    assert "scores" in (await seen(updates, RoomLost)).sentence


async def test_unreadable_messages(connect: Connect) -> None:
    client, peer = await connect()
    asking = soon(client.get_record("g"))
    request = await peer.next(Request)
    await peer.send_bytes(b"\xc1")
    await peer.send({"type": "pong"})
    await peer.send({"type": "record", "id": request.id, "game_id": 5, "text": "x"})
    with pytest.raises(RequestRefused, match="game_id") as caught:
        await asking
    assert caught.value.code == "unreadable_answer"
    assert client.connected
    asking = soon(client.get_record("g"))
    request = await peer.next(Request)
    await peer.send(Pong(id=request.id))
    with pytest.raises(RequestRefused, match="does not fit"):
        await asking


async def test_a_slow_consumer_gets_missed_instead_of_updates(connect: Connect) -> None:
    client, peer = await connect()
    room = room_in_play()
    await follow(client, peer, room)
    slow, quick = client.updates(bound=3), client.updates()
    for action in range(5):
        await peer.send(room.play(action))
    for _ in range(5):
        await seen(quick, RoomChanged)
    assert isinstance(await anext(aiter(slow)), Missed)
    await client.close()
    assert all(isinstance(update, RoomChanged | SessionEnded) for update in [u async for u in slow])
