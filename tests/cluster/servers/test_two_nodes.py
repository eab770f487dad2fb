"""Two nodes in one process on a real PostgreSQL and a real NATS: players meet across them."""

from __future__ import annotations

import asyncio

import pytest

from doublecross.server.store.people import social
from tests.cluster.servers.conftest import Start, begin, is_leader, play, player, two, until


async def test_players_of_two_nodes_talk_and_a_block_holds_at_both(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(social, "KEPT_S", 0)
    first, second = await two(start)
    ann, ben = await player(first, "Ann"), await player(second, "Ben")
    room = await begin(ann, ben)
    await play(room, ann, ben)
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
    ben = await player(second, "Ben")
    room = await begin(ann, ben)
    # Ann's connection goes to the other node, whose players then play on while the room moves.
    token = ann.received[0]["token"]
    await ann.close()
    ann = await player(second, "Ann", token=token)
    await ann.ask({"type": "watch", "room": room})
    assert room[:4] in first.current.node.running
    seats, movers, ply = (ann, ben), [0], 0
    leaving = asyncio.create_task(first.stop())
    while not leaving.done() or room[:4] not in second.current.node.running:
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
