"""A bot and a window's network part go on at another node when theirs is killed."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from random import Random

import pytest

from doublecross.client.options import Login
from doublecross.client.tk.models.snapshots import LinkSnapshot
from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings, TimeControl
from tests.bots.running import running, until
from tests.client.tk.network.networking import Window
from tests.cluster.servers.addresses import named_nodes
from tests.cluster.servers.conftest import Serve

TERMS = MatchSettings(
    game="dots-and-boxes", params={"rows": 3, "cols": 3}, time=TimeControl(base_ms=60_000)
)
BEFORE = 3
"""The person's moves before the node is killed."""


@pytest.mark.slow
async def test_both_finish_their_game_at_the_other_node(serve: Serve, tmp_path: Path) -> None:
    nodes, (first, second) = await asyncio.to_thread(named_nodes, serve, tmp_path)

    async def make() -> Client:
        client = Client(first, Login("human", name="Ann"), rng=Random(1))
        await client.start(patience_s=20)
        return client

    async def play(client: Client) -> tuple[str, int]:
        """Play against the bot, and kill the node on the way; return the end and the moves."""
        await client.offers.challenge("rules", TERMS, seat=0)
        rooms = client.session.rooms
        await until(lambda: any(room.status == "playing" for room in rooms.values()))
        mirror = next(iter(rooms.values()))
        moves, killed = 0, False
        while mirror.status == "playing":
            if mirror.my_turn:
                await client.move(mirror.room, mirror.state.legal_actions()[0])
                moves += 1
            else:
                await asyncio.sleep(0.01)
            if moves == BEFORE and not killed:
                nodes[0].send(signal.SIGKILL)
                killed = True
        assert mirror.result is not None
        return mirror.result.termination, len(mirror.state.history())

    window = Window()
    try:
        async with running(first, tmp_path, "rules", games=1, patience_s=20) as (runner, playing):
            link = await asyncio.to_thread(window.connected, make)
            assert link.server == ""
            end, plies = await asyncio.to_thread(window.asked, play)
            assert (end, plies) == ("completed", 24)
            report = await playing
            assert (report.games, report.void, report.problem) == (1, 0, None)
            assert runner.client is not None
            assert runner.client.url == second
        newest = window.last(LinkSnapshot)
        assert newest is not None
        assert (newest.state, newest.server) == ("connected", second)
        states = window.links()
        assert states.count("lost") >= 1
        assert "ended" not in states
    finally:
        await asyncio.to_thread(window.network.stop)
