"""Two nodes in one process on a real PostgreSQL and a real NATS: players meet across them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from doublecross.protocol.common import DAY_MS
from doublecross.server.cluster.server import ClusterServer
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.tournament_rows import Tag
from doublecross.server.shell.listening import StartError
from doublecross.server.shell.rooms import sleeping
from doublecross.server.store.people import social
from tests.cluster.servers.conftest import Start
from tests.protocol.wire import Message, WireClient

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(15):
        while not condition():  # noqa: ASYNC110 - several servers have no common event
            await asyncio.sleep(0.01)


async def player(server: ClusterServer, name: str, **fields: Any) -> WireClient:
    return await WireClient.player(server, name, **fields)  # type: ignore[arg-type]


def is_leader(server: ClusterServer) -> bool:
    return server.node.leader is not None and server.node.leader.is_open


async def two(start: Start) -> tuple[ClusterServer, ClusterServer]:
    first = await start("first")
    await until(lambda: is_leader(first))
    second = await start("second")
    await until(lambda: first.run in second.hub.reachable())
    leader = first.node.leader
    assert leader is not None
    await until(lambda: len(leader.leader.logs.owners) == 2 and not leader.leader.logs.missing)
    # A node that does not know the leader yet tells clients to come again.
    await until(lambda: second.node.owner(LEADER) == first.run)
    return first, second


async def play(room: str, *seats: WireClient) -> None:
    """Play a whole match on 1x2 boxes; `seats` are the clients by seat."""
    mover = 0
    for ply in range(7):
        move = {"type": "move", "room": room, "match": 1, "ply": ply, "action": ply}
        made = await seats[mover].ask(move)
        assert made["type"] == "move", made
        mover = mover if made["to_move"] is None else made["to_move"]


async def test_players_of_two_nodes_play(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(social, "KEPT_S", 0)
    first, second = await two(start)
    ann, ben = await player(first, "Ann"), await player(second, "Ben")
    posted = await ann.ask({"type": "quick_match", "key": "a" * 16, "settings": SMALL})
    assert posted["type"] == "seek_posted", posted
    entered = await ben.ask({"type": "quick_match", "key": "b" * 16, "settings": SMALL})
    assert entered["type"] == "room_state", entered
    room = entered["room"]
    state = await ann.wait("room_state", room=room)
    await play(room, *((ann, ben) if state["seat"] == 0 else (ben, ann)))
    end = await ann.wait("match_finished")
    assert end["termination"] == "completed"
    assert await ben.wait("match_finished") == end
    record = await ann.ask({"type": "get_record", "game_id": end["game_id"]})
    assert record["type"] == "record", record
    # They talk across the nodes, and a block holds wherever the room is run.
    await ann.ask({"type": "say", "room": room, "words": "Thanks"})
    said = await ben.wait("said")
    assert (await ben.ask({"type": "get_talk", "room": room}))["said"] == (said,)
    blocks = await ben.ask({"type": "set_tie", "player": "Ann", "tie": "block"})
    assert blocks["blocks"] == ("Ann",)
    for kind in ({"type": "say", "words": "Ben?"}, {"type": "rematch"}):
        assert await ann.refused({**kind, "room": room}) == "not_yours"
    for client in (ann, ben):
        await client.close()


async def test_a_node_that_leaves_hands_its_rooms_over(start: Start) -> None:
    first, second = await two(start)
    ann = await player(first, "Ann")
    opened = await ann.ask({"type": "create_room", "key": "a" * 16, "seat": 0, "settings": SMALL})
    room = opened["room"]
    ben = await player(second, "Ben")
    await ben.ask({"type": "join_room", "room": room})
    # Ann's connection goes to the other node, whose players then play on while the room moves.
    token = ann.received[0]["token"]
    await ann.close()
    ann = await player(second, "Ann", token=token)
    await ann.ask({"type": "watch", "room": room})
    assert room[:4] in first.node.running
    seats, movers, ply = (ann, ben), [0], 0
    leaving = asyncio.create_task(first.stop())
    while not leaving.done() or room[:4] not in second.node.running:
        if ply < 6:
            move = {"type": "move", "room": room, "match": 1, "ply": ply, "action": ply}
            made = await seats[movers[-1]].ask(move)
            assert made["type"] == "move", made
            movers.append(made["to_move"])
            ply += 1
        await asyncio.sleep(0.01)
    await leaving
    shown = await ann.ask({"type": "watch", "room": room})
    assert list(shown["snapshot"]["moves"]) == list(range(ply))
    await until(lambda: is_leader(second))
    assert (await ann.ask({"type": "get_games"}))["type"] == "games"
    for client in (ann, ben):
        assert "closing" not in client.seen
        await client.close()


async def test_a_correspondence_game_sleeps_in_a_cluster(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sleeping, "REST_MS", 0)
    first, second = await two(start)
    ann, ben = await player(first, "Ann"), await player(second, "Ben")
    days = {**SMALL, "time": {"move_ms": DAY_MS}}
    asked = {"player": "Ben", "key": "a" * 16, "seat": 0, "settings": days}
    offer = await ann.ask({"type": "challenge", **asked})
    accepts = {"type": "accept_challenge", "key": "b" * 16, "challenge": offer["challenge"]}
    room = (await ben.ask(accepts))["room"]
    await ann.wait("room_state", room=room)
    owner, other = (first, second) if room[:4] in first.node.running else (second, first)
    leader = first.node.leader
    assert leader is not None
    rooms = leader.authority.lobby.rooms

    async def rest() -> None:
        for client in (ann, ben):
            assert (await client.ask({"type": "leave", "room": room}))["type"] == "done"
        await until(lambda: room not in rooms)
        assert room not in owner.node.running[room[:4]].side.rooms.index

    await rest()
    (game,) = (await ann.ask({"type": "get_open_games"}))["games"]
    assert (game["to_move"], game["plies"]) == (0, 0)
    move = {"type": "move", "room": room, "match": 1}
    assert (await ann.ask({**move, "ply": 0, "action": 0}))["type"] == "move"
    turn = await ben.wait("your_turn")
    assert (turn["room"], turn["ply"]) == (room, 1)
    plan = {"room": room, "match": 1, "ply": 1, "takebacks": 0, "lines": ((1, 2),)}
    assert (await ann.ask({"type": "set_plan", **plan}))["lines"] == plan["lines"]
    await rest()
    # Its owner goes, and another node takes what sleeps.
    await owner.stop()
    await until(lambda: is_leader(other) and room[:4] in other.node.running)
    left = ben if owner is first else ann
    played = await left.ask({"type": "resume", "room": room, "seq": 0})
    assert "snapshot" in played, played
    assert list(played["snapshot"]["moves"]) == [0]
    if left is ben:
        await ben.ask({**move, "ply": 1, "action": 1})
        assert (await ben.wait("move", ply=2))["action"] == 2
    else:
        assert (await ann.ask({"type": "get_plan", "room": room}))["lines"] == plan["lines"]
    for client in (ann, ben):
        await client.close()


async def test_a_tournament_by_days_is_played_in_a_cluster(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sleeping, "REST_MS", 0)
    first, second = await two(start)
    ann, ben = await player(first, "Ann"), await player(second, "Ben")
    terms = {
        "name": "Slow",
        "format": "round-robin",
        "settings": {**SMALL, "time": {"move_ms": DAY_MS}},
        "people": True,
        "pairs": 2,
        "seed": 1,
    }
    made = await ann.ask({"type": "create_tournament", "key": "a" * 16, "terms": terms})
    tournament = made["tournament"]
    for client in (ann, ben):
        await client.ask({"type": "join_tournament", "tournament": tournament})
    await ann.ask({"type": "start_tournament", "tournament": tournament})

    def live(server: ClusterServer) -> set[Tag]:
        assert server.node.leader is not None
        running = server.node.leader.authority.director.registry.running.get(tournament)
        return set() if running is None or running.stale else set(running.core.live)

    def slept() -> int:
        assert first.node.leader is not None
        return first.node.leader.authority.lobby.rooms.sleeping["Ben"]

    await until(lambda: slept() == 4)
    assert len(live(first)) == 4
    games = (await ben.ask({"type": "get_open_games"}))["games"]
    assert len(games) == 4
    resigned = await ben.ask({"type": "resign", "room": games[0]["room"]})
    assert resigned["type"] == "match_finished", resigned
    await until(lambda: len(live(first)) == 3)
    # The leader goes; the other one takes the leader, and all that sleeps.
    await first.stop()
    await until(lambda: is_leader(second) and len(live(second)) == 3)
    for game in games[1:]:
        assert (await ben.ask({"type": "resign", "room": game["room"]}))["type"] == "match_finished"
    await until(lambda: not live(second))
    state = await ben.ask({"type": "get_tournament", "tournament": tournament})
    assert (state["status"], state["games_played"]) == ("finished", 4)
    for client in (ann, ben):
        await client.close()


async def test_a_wrong_clock_is_one_sentence(start: Start) -> None:
    with pytest.raises(StartError, match=r"^The clock of this machine is \d+ s ahead of that of"):
        await start("first", date=lambda: 4_000_000_000_000)
