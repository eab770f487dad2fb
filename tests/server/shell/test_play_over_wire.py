"""Playing over a real websocket: spectators, presence, private rooms, the lobby, limits."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from doublecross.protocol.codec import JsonCodec, MsgpackCodec
from doublecross.protocol.version import CloseCode
from doublecross.server.shell import traffic
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.peer import Peer
from tests.fakes.clock import StoppedClock
from tests.protocol.wire import Message, WireClient, serving

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}
TIMED: Message = {**SMALL, "time": {"base_ms": 60_000}}


async def table(
    server: DoublecrossServer, settings: Message = SMALL
) -> tuple[WireClient, WireClient, str]:
    """Return Ann (msgpack, seat 0) and Bob (JSON) in a match that has begun, and its room."""
    ann = await WireClient.player(server, "Ann", MsgpackCodec())
    bob = await WireClient.player(server, "Bob", JsonCodec())
    create = {"type": "create_room", "key": "k", "settings": settings, "seat": 0}
    room = (await ann.ask(create))["room"]
    await bob.ask({"type": "join_room", "room": room})
    await ann.wait("match_started")
    return ann, bob, room


def move(room: str, ply: int, action: int, match: int = 1) -> Message:
    return {"type": "move", "room": room, "match": match, "ply": ply, "action": action}


async def play_out(ann: WireClient, bob: WireClient, room: str, match: int = 1) -> Message:
    """Play the 1x2 match to its end; return the last event."""
    seats = (ann, bob) if match % 2 else (bob, ann)
    mover = 0
    for ply in range(7):
        answer = await seats[mover].ask(move(room, ply, ply, match))
        mover = answer["to_move"]
    over = await ann.wait("match_finished", match=match)
    assert {**await bob.wait("match_finished", match=match), "id": None} == {**over, "id": None}
    return over


async def test_a_match_from_a_position_and_its_rematch(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob, room = await table(server, {**SMALL, "start": (0, 2, 4, 5)})
        page = await WireClient.player(server, "Cat", boards=True)
        shown = await page.ask({"type": "watch", "room": room})
        assert (shown["snapshot"]["moves"], shown["snapshot"]["scores"]) == ((0, 2, 4, 5), (0, 1))
        assert shown["board"]["legal"] == "0101001"
        assert await ann.refused(move(room, 4, 1)) == "not_your_turn"
        assert (await bob.ask(move(room, 4, 1)))["to_move"] == 0
        await ann.ask({"type": "resign", "room": room})
        await ann.ask({"type": "rematch", "room": room})
        await bob.ask({"type": "rematch", "room": room})
        last = await page.wait("move", match=2, ply=3)
        assert (last["board"]["legal"], last["to_move"]) == ("0101001", 1)
        assert (await ann.ask(move(room, 4, 6, match=2)))["seat"] == 1
        wrong = {"type": "create_room", "key": "k2", "settings": {**SMALL, "start": (0, 0)}}
        assert await ann.refused(wrong) == "bad_parameter"


async def test_an_absent_player_is_shown_and_may_be_claimed_against_after_the_grace(
    tmp_path: Path,
) -> None:
    clock = StoppedClock()
    async with serving(tmp_path, now=clock, grace_s=30) as server:
        ann, bob, room = await table(server)
        assert await ann.refused({"type": "claim", "room": room}) == "wrong_state"
        ann.received.clear()
        ann._taken = 0
        bob.ws.transport.abort()
        shown = await ann.wait("presence")
        away = {"connected": False, "claim_in_ms": 30_000, "left": False, "takebacks": False}
        assert shown["seats"][1] == away
        clock.later(29_999)
        assert await ann.refused({"type": "claim", "room": room}) == "too_early"
        clock.later(1)
        over = await ann.ask({"type": "claim", "room": room})
        assert (over["termination"], over["winner"]) == ("disconnect", 0)


async def test_a_spectator_who_takes_the_free_seat_is_shown_as_a_player(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        create = {"type": "create_room", "key": "k", "settings": SMALL, "seat": 0}
        room = (await ann.ask(create))["room"]
        await bob.ask({"type": "watch", "room": room})
        await ann.wait("presence", spectators=1)
        await bob.ask({"type": "join_room", "room": room})
        shown = await ann.wait("presence", spectators=0)
        assert [seat["connected"] for seat in shown["seats"]] == [True, True]


async def test_excess_messages_are_refused_and_then_end_the_connection(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_s=1, burst=3) as server:
        client = await WireClient.player(server, "Ann")
        answers = [await client.ask({"type": "ping"}) for _ in range(5)]
        kinds = [answer.get("code", "pong") for answer in answers]
        assert kinds == ["pong"] * 3 + ["rate_limited"] * 2
        (peer,) = server.connections.peers
        peer.allowance.offences.charge(1e9)
        await client.send({"type": "ping", "id": 99})
        assert await client.closed_with() == CloseCode.ABUSE
        assert client.received[-1]["id"] == 99


async def test_a_peer_that_does_not_read_is_dropped_and_the_others_go_on(tmp_path: Path) -> None:
    async with serving(tmp_path, write_buffer_kib=64) as server:
        ann, bob, room = await table(server)
        slow = await WireClient.player(server, "Slow")
        await slow.ask({"type": "watch", "room": room})
        (peer,) = [p for p in server.connections.peers if p.name == "Slow"]
        slow.ws.transport.pause_reading()
        filler = b"x" * 60_000
        for _ in range(400):  # This is more than the kernel's buffers take.
            if peer.buffered() > 64 * 1024:
                break
            peer.send_frame(filler)
            await asyncio.sleep(0)
        assert peer.buffered() > 64 * 1024
        server.connections.sweep()
        await ann.ask(move(room, 0, 0))
        await bob.wait("move")
        await ann.wait("presence", spectators=0)
        assert set(server.authority.peers.sessions) == {"Ann", "Bob"}
        slow.ws.transport.abort()


async def test_the_slowest_clients_of_an_address_are_dropped_when_too_much_is_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path, unread_kib_per_address=1, exempt_addresses="") as server:
        unread = {"Ann": 600, "Bob": 500, "Cat": 400}
        for name in unread:
            await WireClient.player(server, name)
        monkeypatch.setattr(Peer, "buffered", lambda peer: unread[peer.name])
        monkeypatch.setattr(traffic, "STEP", 1)
        server.connections.sweep()
        for _ in range(10):
            await asyncio.sleep(0)
        assert list(server.authority.peers.sessions) == ["Bob", "Cat"]
        assert server.figures.limit_hits()["unread_per_address"] == 1


async def test_the_system_keeps_little_of_what_a_client_does_not_read(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        await WireClient.player(server, "Ann")
        (peer,) = server.connections.peers
        sock = peer.websocket._transport.get_extra_info("socket")  # type: ignore[attr-defined]
        # Linux doubles the first of these.
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 2 * 128 * 1024
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT) == 16 * 1024


async def test_a_bug_in_a_handler_is_answered_and_the_connection_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(tmp_path) as server:
        ann, _bob, room = await table(server)

        def broken(*_: object) -> None:
            raise RuntimeError("a bug")

        monkeypatch.setattr("doublecross.server.core.commands.resign", broken)
        assert await ann.refused({"type": "resign", "room": room}) == "internal"
        assert (await ann.ask(move(room, 0, 0)))["type"] == "move"
