"""Check a runner with several bots, challenges of its own, and games from before a restart."""

from __future__ import annotations

import asyncio
from pathlib import Path

from doublecross.bots.runner import Policy, Runner
from doublecross.protocol.client_messages import DeclineChallenge, Request, Resume
from doublecross.protocol.common import PlayerInfo
from doublecross.protocol.server_messages import Challenged
from tests.bots.running import configured
from tests.fakes.rooms import SMALL
from tests.fakes.server import FakeServer


async def test_games_from_before_a_restart_take_their_places_before_a_challenge(
    tmp_path: Path,
) -> None:
    rooms = tuple(f"r{number}" for number in range(12))
    async with FakeServer() as server:
        policy = Policy(at_once=12)
        runner = Runner(configured(server.url, tmp_path, "rules", name="Ann", policy=policy))
        task = asyncio.create_task(runner.run())
        peer = await server.accept()
        await peer.welcome(*rooms)
        zoe = PlayerInfo(name="Zoe", kind="human")
        await peer.send(Challenged(challenge="c", player=zoe, settings=SMALL, seat=None))
        asked = [await peer.next(Request) for _ in range(13)]
        assert {each.room for each in asked if isinstance(each, Resume)} == set(rooms)
        (answer,) = (each for each in asked if isinstance(each, DeclineChallenge))
        assert answer.reason == "I play 12 at once and no more."
        runner.stop()
        runner.stop()
        await task
