"""One player with several connections: tabs of a browser, a phone, programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from doublecross.protocol.codec import JsonCodec, MsgpackCodec
from doublecross.protocol.version import CloseCode
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.sessions import MOST_SESSIONS
from tests.protocol.wire import WireClient, serving
from tests.server.shell.test_hello import ENGINE, HELLO, SMALL
from tests.server.world import World


async def again(
    server: DoublecrossServer, client: WireClient, *, text: bool = True, **fields: Any
) -> WireClient:
    """Return one more connection of the player of a client."""
    other = await WireClient.open(server, JsonCodec() if text else MsgpackCodec())
    welcome = await other.ask({**HELLO, "token": client.received[0]["token"], **fields})
    assert welcome["type"] == "welcome", welcome
    return other


async def test_two_tabs_and_a_phone_play_one_game(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        tab, ben = await WireClient.player(server, "Ann"), await WireClient.player(server, "Ben")
        phone = await again(server, tab, text=False)
        made = await tab.ask({"type": "create_room", "key": "k", "settings": SMALL, "seat": 0})
        room = made["room"]
        assert (await phone.wait("room_state"))["seat"] == 0  # without asking for it
        await ben.ask({"type": "join_room", "room": room})
        move = {"type": "move", "room": room, "match": 1, "ply": 0, "action": 0}
        answer = await phone.ask(move)
        assert (answer["type"], answer["seat"]) == ("move", 0)
        for other in (tab, ben):
            seen = await other.wait("move")
            assert (seen["seq"], "id" in seen) == (answer["seq"], False)
        assert (await tab.ask(move))["seq"] == answer["seq"]  # played once
        late = await again(server, tab)
        shown = await late.ask({"type": "resume", "room": room, "seq": 0})
        assert (shown["seat"], shown["presence"]["spectators"]) == (0, 0)


async def test_a_player_is_away_when_the_last_connection_is_gone() -> None:
    world = World()
    await world.start()
    ann, ben = world.arrive("Ann"), world.arrive("Ben")
    phone = world.arrive("Ann")
    room = await world.play_room(ann, ben)

    def here() -> list[int]:
        return list(room.attendance.connections)

    world.authority.depart(ann)
    assert here() == [1, 1]
    assert "Ann" in world.authority.lobby.online
    world.authority.depart(phone)
    assert here() == [0, 1]
    assert "Ann" not in world.authority.lobby.online
    await world.stop()


async def test_leaving_in_one_tab_gives_up_no_seat(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        tab, ben = await WireClient.player(server, "Ann"), await WireClient.player(server, "Ben")
        other = await again(server, tab)
        made = await tab.ask({"type": "create_room", "key": "k", "settings": SMALL})
        room = made["room"]
        await ben.ask({"type": "join_room", "room": room})
        await other.ask({"type": "resign", "room": room})
        for client, left in ((tab, False), (other, True)):
            assert (await client.ask({"type": "leave", "room": room}))["type"] == "done"
            assert any(server.authority.lobby.rooms[room].attendance.left) == left
        made = await tab.ask({"type": "create_room", "key": "k2", "settings": SMALL})
        await tab.ask({"type": "leave", "room": made["room"]})
        assert made["room"] not in server.authority.lobby.rooms  # nobody waits any more


async def test_what_one_connection_ends_the_others_hear_of(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        tab, ben = await WireClient.player(server, "Ann"), await WireClient.player(server, "Ben")
        other = await again(server, tab)
        made = await ben.ask(
            {"type": "challenge", "key": "k", "player": "Ann", "settings": SMALL, "seat": None}
        )
        declined = {"type": "decline_challenge", "challenge": made["challenge"]}
        seek = await tab.ask({"type": "seek", "key": "k", "settings": SMALL})
        for ending, offer, outcome in (
            (declined, made["challenge"], "declined"),
            ({"type": "cancel_seek", "seek": seek["seek"]}, seek["seek"], "cancelled"),
        ):
            assert (await tab.ask(ending))["type"] == "done"
            assert (await other.wait("offer_ended", offer=offer))["outcome"] == outcome


async def test_more_connections_give_no_larger_allowance(tmp_path: Path) -> None:
    async with serving(tmp_path, messages_per_s=0.01, burst=20) as server:
        tab = await WireClient.player(server, "Ann")
        for _ in range(19):
            assert (await tab.ask({"type": "ping"}))["type"] == "pong"
        server.authority.used_rates.wait_s = lambda *_: 0.0  # type: ignore[method-assign]
        other = await again(server, tab)
        assert (await other.ask({"type": "ping"}))["type"] == "pong"
        for client in (tab, other):
            assert await client.refused({"type": "ping"}) == "rate_limited"


async def test_one_connection_too_many_ends_the_one_that_was_silent_for_longest() -> None:
    world = World()
    await world.start()
    peers = [world.arrive("Ann") for _ in range(MOST_SESSIONS)]
    for at, peer in enumerate(peers):
        peer.last_message_s = float(at != 3)
    world.arrive("Ann")
    assert [peer for peer in peers if peer.replaced] == [peers[3]]
    assert len(world.authority.peers.of("Ann")) == MOST_SESSIONS
    await world.stop()


async def test_a_bot_is_alone_unless_it_asks_to_share(tmp_path: Path) -> None:
    bot: dict[str, Any] = {"kind": "bot", "engine": ENGINE}
    async with serving(tmp_path) as server:
        first = await WireClient.player(server, "Rex", **bot)
        second = await again(server, first, **bot)
        assert await first.closed_with() == CloseCode.REPLACED
        third = await again(server, second, exclusive=False, **bot)
        assert await second.closed_with() == CloseCode.REPLACED
        fourth = await again(server, third, exclusive=False, **bot)
        for client in (third, fourth):
            assert (await client.ask({"type": "ping"}))["type"] == "pong"
