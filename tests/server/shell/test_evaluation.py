"""Evaluations of matches in play: who sees them, what they are about, and what they cost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from doublecross.protocol.client_messages import GetEvaluation, Resign, Watch
from doublecross.protocol.common import MatchSettings
from doublecross.server.core.errors import Refused
from doublecross.server.shell.analysis.evaluating import MOST_AT_ONCE
from doublecross.server.shell.handlers.evaluation import get_evaluation
from tests.fakes.advisers import FakeAdviser
from tests.fakes.peers import FakePeer
from tests.server.playing import dots
from tests.server.world import World

OPEN = dots().model_copy(update={"evaluation": True})


class Watched:
    """Matches of Ann and Bob, and people who watch them."""

    def __init__(self) -> None:
        self.adviser = FakeAdviser()
        self.world = World(adviser=self.adviser)

    async def begin(self, settings: MatchSettings = OPEN, *actions: int) -> str:
        """Return the room of a match in which these actions are played in turn."""
        number = next(self.world.keys)
        seats = [self.world.arrive(f"{name}{number}") for name in ("Ann", "Bob")]
        room = await self.world.play_room(seats[0], seats[1], settings)
        for ply, action in enumerate(actions):
            self.world.move(seats[ply % 2], room, action)
            await self.world.settle()
        self.ann, self.bob = seats
        return room.id

    async def watcher(self, room: str, name: str = "Cleo", *, bot: bool = False) -> FakePeer:
        peer = self.world.arrive(name, bot=bot)
        await self.world.answer(peer, Watch, room=room)
        return peer

    async def ask(self, peer: FakePeer, room: str) -> dict[str, Any]:
        request = GetEvaluation(id=next(self.world.ids), room=room)
        try:
            await get_evaluation(self.world.authority.rooms, peer, request)
        except Refused as refused:
            return {"refused": str(refused.sentence)}
        (answer,) = [each for each in peer.take() if each.get("id") == request.id]
        return answer


@pytest.fixture
async def watched() -> AsyncIterator[Watched]:
    watched = Watched()
    await watched.world.start()
    yield watched
    watched.adviser.release()
    await watched.world.stop()


async def test_spectators_learn_what_the_move_before_the_last_one_was_worth(
    watched: Watched,
) -> None:
    room = await watched.begin(OPEN, 0, 2, 4)
    answer = await watched.ask(await watched.watcher(room), room)
    move = answer["move"]
    assert (answer["type"], answer["room"], answer["match"]) == ("evaluation", room, 1)
    assert (move["ply"], move["seat"], move["action"]) == (1, 1, 2)
    assert move["after"] == {"net": 0.5, "spread": 1.25}
    ((_, opening, moves),) = watched.adviser.asked
    assert (opening, moves) == ((), (0,))


async def test_the_players_never_see_it(watched: Watched) -> None:
    room = await watched.begin(OPEN, 0, 2, 4)
    for player in (watched.ann, watched.bob):
        assert "not the players" in (await watched.ask(player, room))["refused"]
        # Another tab of the same person is the same player.
        again = watched.world.arrive(player.name)
        await watched.world.answer(again, Watch, room=room)
        assert "not the players" in (await watched.ask(again, room))["refused"]
    assert watched.adviser.asked == []


async def test_there_is_none_unless_the_players_allow_it(watched: Watched) -> None:
    room = await watched.begin(dots(), 0, 2, 4)
    answer = await watched.ask(await watched.watcher(room), room)
    assert "have not allowed" in answer["refused"]
    assert watched.adviser.asked == []


async def test_only_people_who_watch_get_one_and_not_before_the_second_move(
    watched: Watched,
) -> None:
    room = await watched.begin(OPEN, 0)
    cleo = await watched.watcher(room)
    assert "second move" in (await watched.ask(cleo, room))["refused"]
    watched.world.move(watched.bob, room, 2)
    await watched.world.settle()
    assert "Watch the match" in (await watched.ask(watched.world.arrive("Dan"), room))["refused"]
    robot = await watched.watcher(room, "Robot", bot=True)
    assert "Bots" in (await watched.ask(robot, room))["refused"]
    assert (await watched.ask(cleo, room))["move"]["ply"] == 0
    await watched.world.answer(watched.ann, Resign, room=room)
    assert "No match is in play" in (await watched.ask(cleo, room))["refused"]


async def test_all_spectators_share_one_question(watched: Watched) -> None:
    room = await watched.begin(OPEN, 0, 2)
    crowd = [await watched.watcher(room, f"Eve{number}") for number in range(20)]
    watched.adviser.hold()
    asking = [asyncio.create_task(watched.ask(peer, room)) for peer in crowd]
    await watched.world.settle()
    asking.pop().cancel()  # one who goes away takes nothing from the others
    watched.adviser.release()
    answers = await asyncio.gather(*asking)
    assert {answer["move"]["action"] for answer in answers} == {0}
    assert len(watched.adviser.asked) == 1
    await watched.ask(crowd[0], room)
    assert len(watched.adviser.asked) == 1


async def test_few_matches_are_evaluated_at_once(watched: Watched) -> None:
    watched.adviser.hold()
    asking = []
    for number in range(MOST_AT_ONCE + 1):
        room = await watched.begin(OPEN, 0, 2)
        peer = await watched.watcher(room, f"Finn{number}")
        asking.append(asyncio.create_task(watched.ask(peer, room)))
        await watched.world.settle()
    assert "Many matches" in (await asking.pop())["refused"]
    watched.adviser.release()
    assert all("move" in answer for answer in await asyncio.gather(*asking))
