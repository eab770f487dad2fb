"""Floods of one client: what it may ask for is bounded, and everybody else is answered."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from doublecross.protocol.codec import JsonCodec, MsgpackCodec
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.version import CloseCode
from doublecross.server.core.limits import Patience
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.connection import Connections
from doublecross.server.shell.peer import MAX_WAITING
from doublecross.server.shell.rooms import channel as channels
from doublecross.server.shell.rooms.channel import Channel, read_frame
from doublecross.server.shell.rooms.following import MAX_MISSED_BYTES
from doublecross.server.shell.wire import wire
from tests.chaos.floods import LARGE, SIZE, masked, packed
from tests.fakes.store import FakeStore
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_wire_abuse import known_player, start_with, until
from tests.server.world import World

LONG = MatchSettings(game="dots-and-boxes", params={"rows": 10, "cols": 10})


async def long_room(server: DoublecrossServer, events: int) -> Room:
    """Return a room with so many stored events; both its players are disconnected."""
    ann = await WireClient.player(server, "Ann")
    ben = await WireClient.player(server, "Ben")
    create = {"type": "create_room", "key": "k", "settings": LONG.model_dump(), "seat": 0}
    room = server.authority.lobby.rooms[(await ann.ask(create))["room"]]
    await ben.ask({"type": "join_room", "room": room.id})
    await ann.close()
    await ben.close()
    publish, now = server.authority.rooms.publisher.publish, server.authority.now
    while room.seq < events:
        match = room.match
        assert match is not None
        if room.status == "playing":
            mover = room.players[match.state.current_player()]
            assert mover is not None
            action = match.state.legal_actions()[0]
            number = room.match_number
            publish(room, room.move(mover.name, number, match.ply, action, None, False, now()))
        else:
            publish(room, room.start_match(now()))
    await server.authority.committer.settled()
    return room


async def answers(client: WireClient, ids: range) -> dict[int, Message]:
    """Return the answers to these requests."""
    found: dict[int, Message] = {}
    while len(found) < len(ids):
        message = await client.receive()
        if message.get("id") in ids:
            found[message["id"]] = message
    return found


def codes(found: dict[int, Message]) -> list[str]:
    return [message.get("code", message["type"]) for message in found.values()]


# -- answers -----------------------------------------------------------------------------------


async def test_a_flood_of_resumes_gets_what_it_has_paid_for(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_s=500, burst=500) as server:
        room = await long_room(server, 2400)
        size = server.authority.rooms.registry.channels[room.id].size_since(3)
        eve = await WireClient.player(server, "Eve")
        bob = await WireClient.player(server, "Bob")
        await eve.ask({"type": "watch", "room": room.id})
        create = {"type": "create_room", "id": 1, "key": "k", "settings": SIZE}
        asking = [{"type": "resume", "id": n, "room": room.id, "seq": 3} for n in range(2, 482)]
        eve.ws.transport.write(packed(create, *asking))
        found = await answers(eve, range(1, 482))
        shown = [m for m in found.values() if "events" in m]
        # The rate refills while the flood is handled, on a slow machine for longer.
        assert 1 <= len(shown) < 20
        assert codes(found).count("rate_limited") == 480 - len(shown)
        assert size > 200 * 1024
        for message in shown:
            assert [event["seq"] for event in message["events"]] == list(range(4, room.seq + 1))
        assert (await bob.ask({"type": "ping"}))["type"] == "pong"
        # What Eve owes for long answers does not keep her from playing.
        own = found[1]["room"]
        await bob.ask({"type": "join_room", "room": own})
        seat = found[1]["seat"]
        mover = (eve, bob)[seat]
        move = {"type": "move", "room": own, "match": 1, "ply": 0, "action": 0}
        assert (await mover.ask(move))["type"] == "move"
        assert (await eve.ask({"type": "resume", "room": own, "seq": 1}))["type"] == "room_state"


async def test_a_flood_of_lobby_requests_shares_few_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        made = 0
        listing = server.authority.lobby_feed.listing
        joined = listing._joined

        def counted(text: bool) -> bytes:
            nonlocal made
            made += 1
            return joined(text)

        monkeypatch.setattr(listing, "_joined", counted)
        ann = await WireClient.player(server, "Ann")
        for number in range(40):
            create = {"type": "create_room", "key": f"k{number}", "settings": SIZE}
            await ann.ask(create)
        eve = await WireClient.player(server, "Eve")
        eve.ws.transport.write(packed(*({"type": "follow_lobby", "id": n} for n in range(2, 491))))
        found = await answers(eve, range(2, 491))
        states = [m for m in found.values() if m["type"] == "lobby_state"]
        assert 1 < len(states) < 489
        assert codes(found).count("rate_limited") == 489 - len(states)
        assert made == 1


async def test_the_answers_that_wait_for_a_commit_are_bounded(tmp_path: Path) -> None:
    store = FakeStore()
    server = await start_with(store, tmp_path)
    eve = await WireClient.player(server, "Eve")
    eve_peer = server.authority.peers.of("Eve")[-1]
    eve_peer.allowance.messages.charge(-1e6)
    eve_peer.allowance.messages._burst = 1e6
    store.hold()
    asking: list[Message] = [{"type": "create_room", "id": 1, "key": "k", "settings": SIZE}]
    count = MAX_WAITING + 100
    asking += [{"type": "leave", "id": n, "room": "none"} for n in range(2, 2 + count)]
    eve.ws.transport.write(packed(*asking))
    await until(lambda: store.waiting and eve_peer.waiting == MAX_WAITING)
    # The room itself waits too, so one less of the others.
    refused = await answers(eve, range(MAX_WAITING + 1, count + 2))
    assert set(codes(refused)) == {"rate_limited"}
    assert server.authority.committer.backlog < 2 * MAX_WAITING
    store.release()
    found = await answers(eve, range(1, MAX_WAITING + 1))
    assert codes(found).count("done") == MAX_WAITING - 1
    assert eve_peer.waiting == 0
    assert (await eve.ask({"type": "leave", "room": "none"}))["type"] == "done"
    await server.stop()


# -- missed events -----------------------------------------------------------------------------


async def test_missed_events_are_the_same_in_both_codecs(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        room = await long_room(server, 3 * channels.JSON_STEP)
        channel = server.authority.rooms.registry.channels[room.id]
        wanted = tuple(channels.read_frame(frame) for frame in channel.frames[5:])
        for name, codec in (("Eve", JsonCodec()), ("Eva", MsgpackCodec())):
            eve = await WireClient.player(server, name, codec)
            for _ in range(2):
                shown = await eve.ask({"type": "resume", "room": room.id, "seq": 5})
                assert shown["events"] == wanted
            assert eve.ws.state.name == "OPEN"
            await eve.close()


async def test_json_is_made_in_steps_and_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []

    def counted(frame: bytes) -> Any:
        decoded.append(frame)
        return read_frame(frame)

    async with serving(tmp_path) as server:
        room = await long_room(server, 2 * channels.JSON_STEP + 40)
        channel: Channel = server.authority.rooms.registry.channels[room.id]
        monkeypatch.setattr(channels, "read_frame", counted)
        counts = []
        while (texts := channel.encoded_since(2, True)) is None:
            counts.append(len(decoded))
        assert counts == [channels.JSON_STEP, 2 * channels.JSON_STEP]
        assert len(decoded) == len(texts) == room.seq - 2
        assert channel.encoded_since(100, True) == texts[98:]
        assert len(decoded) == room.seq - 2


async def test_who_missed_too_much_for_one_frame_gets_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        room = await long_room(server, 300)
        channel = server.authority.rooms.registry.channels[room.id]
        most = channel.size_since(5)
        assert most < MAX_MISSED_BYTES
        monkeypatch.setattr("doublecross.server.shell.rooms.following.MAX_MISSED_BYTES", most)
        for name, codec in (("Eve", JsonCodec()), ("Eva", MsgpackCodec())):
            eve = await WireClient.player(server, name, codec)
            for seq, whole in ((4, True), (5, codec.text), (299, False)):
                shown = await eve.ask({"type": "resume", "room": room.id, "seq": seq})
                assert ("snapshot" in shown, "events" in shown) == (whole, not whole)
            await eve.close()


# -- control frames and fragments --------------------------------------------------------------


@pytest.mark.parametrize("welcomed", [True, False])
@pytest.mark.parametrize("opcode", [9, 10])
async def test_pings_and_pongs_beyond_the_rate_are_ignored_then_end_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, welcomed: bool, opcode: int
) -> None:
    async with serving(tmp_path, messages_per_s=1, burst=20) as server:
        bob = await WireClient.player(server, "Bob")
        eve = await (WireClient.player(server, "Eve") if welcomed else open_silent(server))
        answered: list[Opcode] = []
        receive = eve.ws.protocol.recv_frame

        def recorded(frame: Frame) -> None:
            answered.append(frame.opcode)
            receive(frame)

        monkeypatch.setattr(eve.ws.protocol, "recv_frame", recorded)
        eve.ws.transport.write(masked(b"are you there", opcode) * 5000)
        assert await eve.closed_with() == CloseCode.ABUSE
        pongs = answered.count(Opcode.PONG)
        assert pongs <= (21 if opcode == 9 else 0)
        assert (pongs >= 19) == (opcode == 9)
        assert (await bob.ask({"type": "ping"}))["type"] == "pong"


async def open_silent(server: DoublecrossServer) -> WireClient:
    """Return a connection that has sent no hello yet."""
    return await WireClient.open(server, MsgpackCodec())


@pytest.mark.parametrize("welcomed", [True, False])
async def test_fragments_beyond_the_rate_end_the_connection(tmp_path: Path, welcomed: bool) -> None:
    async with serving(tmp_path, messages_per_s=1, burst=100) as server:
        eve = await (WireClient.player(server, "Eve") if welcomed else open_silent(server))
        ping = MsgpackCodec().encode({"type": "ping", "id": 1})
        one = masked(ping, fin=False) + masked(b"", 0, fin=False) * 10 + masked(b"", 0)
        eve.ws.transport.write(one * 5)
        await asyncio.wait_for(eve.receive(), 5)
        eve.ws.transport.write(one * 5)
        assert await eve.closed_with() == CloseCode.ABUSE


async def test_messages_before_the_welcome_are_bounded(tmp_path: Path) -> None:
    store = FakeStore()
    server = await start_with(store, tmp_path)
    token = await known_player(server, "Eve")
    ann = await WireClient.player(server, "Ann")
    store.hold()
    await ann.send({"type": "create_room", "id": 1, "key": "k", "settings": SIZE})
    await until(lambda: store.waiting)
    eve = await WireClient.open(server, MsgpackCodec())
    hello = {"type": "hello", "id": 1, "protocol": 2, "kind": "human", "token": token}
    eve.ws.transport.write(packed(hello, *({"type": "ping", "id": n} for n in range(2, 1000))))
    assert await eve.closed_with() == CloseCode.ABUSE
    store.release()
    await server.stop()


@pytest.mark.parametrize("fragments", [True, False])
async def test_an_abusive_connection_ends_although_its_client_does_not_close_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fragments: bool
) -> None:
    monkeypatch.setattr(wire, "CLOSE_S", 0.02)
    async with serving(tmp_path, messages_per_s=1, burst=5) as server:
        eve = await WireClient.player(server, "Eve")
        eve.ws.transport.pause_reading()
        part = masked(b"", 0, fin=False)
        eve.ws.transport.write(
            masked(b"a", fin=False) + part * 30 if fragments else masked(b"", 9) * 1000
        )
        await until(lambda: "Eve" not in server.authority.peers.sessions)
        eve.ws.transport.abort()


# -- turns -------------------------------------------------------------------------------------


async def test_others_get_a_turn_while_a_long_write_is_handled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    async with serving(tmp_path, messages_per_s=1e6, burst=10_000, turn_ms=1e-9) as server:
        receive = server.connections._receive

        def logged(peer: Any, data: bytes | str) -> None:
            order.append(peer.name)
            receive(peer, data)

        monkeypatch.setattr(server.connections, "_receive", logged)
        eve = await WireClient.player(server, "Eve")
        bob = await WireClient.player(server, "Bob")
        eve.ws.transport.write(packed(*({"type": "ping", "id": n} for n in range(2, 2002))))
        bob.ws.transport.write(packed({"type": "ping", "id": 5000}))
        await bob.wait("pong", id=5000)
        found = await answers(eve, range(2, 2002))
        assert list(found) == list(range(2, 2002))  # in order
        assert order.count("Eve") == 2000
        assert order.index("Bob") < 1000


# -- notices -----------------------------------------------------------------------------------


async def test_strangers_cannot_use_up_a_players_rate(tmp_path: Path) -> None:
    """Two bots send and cancel large challenges; the victim pays nothing, they do."""
    async with serving(tmp_path, messages_per_s=100, burst=100) as server:
        victim = await WireClient.player(server, "Victim", JsonCodec())
        bots = [await WireClient.player(server, f"Bot{n}") for n in range(2)]
        peer = server.authority.peers.of("Victim")[-1]
        refused = 0
        for number, bot in itertools.product(range(40), bots):
            challenge = {"type": "challenge", "key": f"c{number}", "player": "Victim"}
            sent = await bot.ask({**challenge, "settings": LARGE})
            if sent["type"] == "error":
                assert sent["code"] == "rate_limited"
                refused += 1
            else:
                await bot.ask({"type": "cancel_challenge", "challenge": sent["challenge"]})
        assert 0 < refused < 80
        now = peer.last_message_s
        assert peer.allowance.answers.tokens(now) == peer.allowance.messages.tokens(now) == 100
        assert (await victim.ask({"type": "ping"}))["type"] == "pong"
        assert not [m for m in victim.received if m["type"] == "error"]


async def test_long_answers_take_turns_over_all_connections(world: World) -> None:
    room = await world.play_room(world.arrive("Ann"), world.arrive("Bob"))
    # One request in each turn.
    connections = Connections(world.authority, Patience(1.0, 1.0, 1, turn_s=0.0))
    peers = [world.arrive(name) for name in ("Cat", "Dan", "Eve")]
    for peer in peers[:2]:
        for message in ({"type": "watch", "room": room.id}, {"type": "ping"}):
            connections._receive(peer, peer.codec.encode({**message, "id": 1}))
    connections._receive(peers[2], peers[2].codec.encode({"type": "ping", "id": 1}))
    seen = list[Any]()
    while len(seen) < 5:
        # In some turns of the loop, as many as its clock likes, nobody gets anything.
        if any(taken := [peer.take_types() for peer in peers]):
            seen.append(taken)
        await asyncio.sleep(0)
    assert seen == [
        [[], [], ["pong"]],
        [["room_state"], [], []],
        [["pong"], [], []],
        [[], ["room_state"], []],
        [[], ["pong"], []],
    ]
