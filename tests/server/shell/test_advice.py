"""Advice for people who play bots: who may ask, one question at a time, and what goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from doublecross.protocol.client_messages import AllowAdvice, GetAdvice, Rematch, Resign
from doublecross.protocol.common import EngineInfo, MatchSettings, PairTag, PlayerInfo
from doublecross.server.core.errors import Refused
from doublecross.server.core.terms import RoomTerms
from doublecross.server.shell.analysis.advice import IDLE_MS, MOST_WAITING, AdviceService
from doublecross.server.shell.analysis.agreements import MOST_KEPT, Agreements
from doublecross.server.shell.handlers.advice import get_advice
from tests.fakes.advisers import FakeAdviser
from tests.fakes.peers import FakePeer
from tests.server.playing import dots, room_in_play
from tests.server.world import World

ROBOT = EngineInfo(name="rules", version="1")


class Table:
    """A world with an adviser; people ask, and answers arrive as in a connection."""

    def __init__(self, adviser: FakeAdviser | None) -> None:
        self.world = World(adviser=adviser)
        self.tasks: list[asyncio.Task[None]] = []

    def bot(self, name: str = "Bot") -> FakePeer:
        peer = FakePeer()
        self.world.authority.arrive(peer, PlayerInfo(name=name, kind="bot", engine=ROBOT))
        return peer

    async def play(self, settings: MatchSettings | None = None, name: str = "Ann") -> Any:
        """Return a person, a bot, and their room, in which the person moves first."""
        ann, bot = self.world.arrive(name), self.bot(f"Bot{name}")
        room = await self.world.play_room(ann, bot, settings)
        ann.take()
        return ann, bot, room

    def ask(self, peer: FakePeer, room: str) -> int:
        """Ask for advice; the answer comes later."""
        request_id = next(self.world.ids)

        async def carry_out() -> None:
            message = GetAdvice(id=request_id, room=room)
            try:
                await get_advice(self.world.authority.rooms, peer, message)
            except Refused as refused:
                peer.refuse(request_id, refused.code, refused.sentence)

        self.tasks.append(asyncio.get_running_loop().create_task(carry_out()))
        return request_id

    async def answer(self, peer: FakePeer, room: str) -> dict[str, Any]:
        request_id = self.ask(peer, room)
        await self.world.settle()
        (answer,) = [m for m in peer.take() if m.get("id") == request_id]
        return answer


@pytest.fixture
def adviser() -> FakeAdviser:
    return FakeAdviser()


@pytest.fixture
async def table(adviser: FakeAdviser) -> AsyncIterator[Table]:
    table = Table(adviser)
    await table.world.start()
    yield table
    adviser.release()
    await asyncio.gather(*table.tasks)
    await table.world.stop()


async def test_a_person_gets_advice_about_the_present_position(
    table: Table, adviser: FakeAdviser
) -> None:
    settings = MatchSettings(
        game="dots-and-boxes", params={"rows": 1, "cols": 2}, opening=(6,), rated=False
    )
    ann, bot, room = await table.play(settings)
    table.world.move(ann, room, 0)
    await table.world.settle()
    table.world.move(bot, room, 1)
    await table.world.settle()
    answer = await table.answer(ann, room.id)
    assert adviser.asked == [(room.game, (6,), (0, 1))]
    assert answer == {
        "type": "advice",
        "id": answer["id"],
        "room": room.id,
        "match": 1,
        "ply": 2,
        "takebacks": 0,
        "best": (2, 3, 4, 5),
        "net": 0.5,
        "exact": False,
        "reason": "It is legal.",
        "phrase": {
            "rule": "legal",
            "one": "It is {what}.",
            "many": None,
            "values": {"what": {"one": "legal", "many": None, "values": {}}},
            "text": "It is legal.",
        },
    }


async def test_only_a_person_at_turn_against_a_bot_may_ask(
    table: Table, adviser: FakeAdviser
) -> None:
    ann, bot, room = await table.play()
    watcher = table.world.arrive("Cat")
    assert (await table.answer(watcher, room.id))["code"] == "not_seated"
    assert (await table.answer(bot, room.id))["message"].startswith("Bots get no advice")
    assert (await table.answer(ann, "r0"))["code"] == "unknown_room"
    table.world.move(ann, room, 0)
    await table.world.settle()
    assert (await table.answer(ann, room.id))["code"] == "not_your_turn"
    await table.world.answer(ann, Resign, room=room.id)
    assert (await table.answer(ann, room.id))["code"] == "wrong_state"
    bob = table.world.arrive("Bob")
    people = await table.world.play_room(ann, bob)
    answer = await table.answer(ann, people.id)
    assert answer["code"] == "wrong_state"
    assert answer["message"].startswith("There is advice only against bots")
    assert adviser.asked == []


async def test_people_get_advice_once_both_allow_it(table: Table, adviser: FakeAdviser) -> None:
    world, ann, bob = table.world, table.world.arrive("Ann"), table.world.arrive("Bob")
    room = await world.play_room(ann, bob)

    async def allow(peer: FakePeer, room: str) -> dict[str, Any]:
        return await world.answer(peer, AllowAdvice, room=room)

    assert (await allow(world.arrive("Cat"), room.id))["code"] == "not_seated"
    for _ in range(2):  # one player counts once
        assert (await allow(ann, room.id))["type"] == "done"
        assert (await table.answer(ann, room.id))["code"] == "wrong_state"
    assert (await allow(bob, room.id))["type"] == "done"
    assert (await table.answer(ann, room.id))["type"] == "advice"
    assert (await table.answer(bob, room.id))["code"] == "not_your_turn"
    world.move(ann, room, 0)
    await world.settle()
    assert (await table.answer(bob, room.id))["type"] == "advice"
    assert len(adviser.asked) == 2
    # The next match needs another agreement.
    await world.answer(ann, Resign, room=room.id)
    assert (await allow(ann, room.id))["code"] == "wrong_state"
    for peer in (ann, bob):
        await world.answer(peer, Rematch, room=room.id)
    assert (await table.answer(bob, room.id))["message"].endswith("both players allow it.")


async def test_nobody_allows_advice_in_rated_matches(table: Table) -> None:
    ann, bob = table.world.arrive("Ann"), table.world.arrive("Bob")
    room = await table.world.play_room(ann, bob, dots(rated=True))
    answer = await table.world.answer(ann, AllowAdvice, room=room.id)
    assert (answer["code"], "rated" in answer["message"]) == ("wrong_state", True)


def test_only_so_many_agreements_are_kept() -> None:
    agreements = Agreements()
    for match in range(MOST_KEPT + 1):
        agreements.allow("r1", match, "Ann")
    assert not agreements.all_allow("r1", 0, "Ann")
    assert agreements.all_allow("r1", 1, "Ann")
    assert not agreements.all_allow("r1", 1, "Ann", "Bob")


async def test_rated_matches_and_tournaments_have_no_advice(
    table: Table, adviser: FakeAdviser
) -> None:
    ann, bot, room = await table.play(dots(rated=True))
    assert "rated" in (await table.answer(ann, room.id))["message"]
    tag = PairTag(tournament="t1", pairing=0, game=0, attempt=1)
    terms = RoomTerms("t1-0", dots(), False, None, "t1", (None, None), tag)
    assert ann.player is not None
    assert bot.player is not None
    table.world.authority.rooms.opener.open_with(terms, (ann.player, bot.player))
    await table.world.settle()
    ann.take()
    assert "tournaments" in (await table.answer(ann, "t1-0"))["message"]
    assert adviser.asked == []


async def test_one_question_at_a_time_and_one_for_each_player(
    table: Table, adviser: FakeAdviser
) -> None:
    adviser.hold()
    players = [await table.play(name=f"P{n}") for n in range(MOST_WAITING + 1)]
    asked = [(peer, table.ask(peer, room.id)) for peer, _, room in players[:MOST_WAITING]]
    await table.world.settle()
    first, _, room = players[0]
    again = await table.answer(first, room.id)
    assert (again["code"], "not answered yet" in again["message"]) == ("rate_limited", True)
    late, _, other = players[-1]
    assert (await table.answer(late, other.id))["code"] == "no_advice"
    adviser.release()
    await asyncio.gather(*table.tasks)
    for peer, request_id in asked:
        assert [m["type"] for m in peer.take() if m.get("id") == request_id] == ["advice"]
    assert (adviser.most_thinking, len(adviser.asked)) == (1, MOST_WAITING)
    assert (await table.answer(late, other.id))["type"] == "advice"


async def test_nobody_thinks_about_a_position_that_is_over(
    table: Table, adviser: FakeAdviser
) -> None:
    adviser.hold()
    ann, _, room = await table.play()
    bea, _, second = await table.play(name="Bea")
    table.ask(ann, room.id)
    await table.world.settle()
    request_id = table.ask(bea, second.id)
    await table.world.settle()
    table.world.move(bea, second, 0)
    await table.world.settle()
    adviser.release()
    await asyncio.gather(*table.tasks)
    (answer,) = [m for m in bea.take() if m.get("id") == request_id]
    assert (answer["code"], len(adviser.asked)) == ("wrong_state", 1)


async def test_advice_waits_until_the_position_is_stored(
    table: Table, adviser: FakeAdviser
) -> None:
    ann, bot, room = await table.play()
    table.world.move(ann, room, 0)
    await table.world.settle()
    table.world.store.hold()
    table.world.move(bot, room, 1)
    table.ask(ann, room.id)
    await table.world.settle()
    assert adviser.asked == []
    table.world.store.release()
    await asyncio.gather(*table.tasks)
    assert len(adviser.asked) == 1


async def test_the_position_may_be_lost_while_it_is_stored(
    table: Table, adviser: FakeAdviser
) -> None:
    ann, bot, room = await table.play()
    table.world.move(ann, room, 0)
    await table.world.settle()
    ann.take()
    table.world.store.hold()
    table.world.store.fail_next()
    table.world.move(bot, room, 1)
    table.ask(ann, room.id)
    await table.world.settle()
    table.world.store.release()
    await asyncio.gather(*table.tasks)
    (answer,) = [m for m in ann.take() if m["type"] == "error"]
    assert answer["code"] == "storage_failed"
    assert adviser.asked == []


async def test_a_failure_is_told_and_the_next_question_is_answered(
    table: Table, adviser: FakeAdviser
) -> None:
    ann, _, room = await table.play()
    adviser.trouble = "The process was killed."
    answer = await table.answer(ann, room.id)
    assert (answer["code"], answer["message"]) == ("no_advice", "The process was killed.")
    assert (await table.answer(ann, room.id))["type"] == "advice"


async def test_a_question_has_a_deadline() -> None:
    adviser = FakeAdviser()
    adviser.hold()
    advice = AdviceService(adviser, deadline_s=0.0)
    room, _ = room_in_play()
    assert room.match is not None
    for _ in range(2):  # the first does not block the second
        with pytest.raises(Refused, match="took too long"):
            await advice.ask("Ann", room.game, room.match, 0, 0)


async def test_an_adviser_rests_while_nobody_asks(table: Table, adviser: FakeAdviser) -> None:
    advice = table.world.authority.advice

    async def sweep(now: int) -> int:
        advice.sweep(now)
        await table.world.settle()
        return adviser.rests

    ann, _, room = await table.play()
    assert [await sweep(now) for now in (0, IDLE_MS, 2 * IDLE_MS)] == [0, 0, 0]  # it never woke
    adviser.hold()
    table.ask(ann, room.id)
    await table.world.settle()
    assert [await sweep(now) for now in (0, IDLE_MS)] == [0, 0]  # it thinks
    adviser.release()
    await asyncio.gather(*table.tasks)
    assert [await sweep(IDLE_MS + now) for now in (0, IDLE_MS - 1)] == [0, 0]
    assert (await table.answer(ann, room.id))["type"] == "advice"
    assert [await sweep(2 * IDLE_MS + now) for now in (0, IDLE_MS - 1)] == [0, 0]
    assert [await sweep(3 * IDLE_MS + now) for now in (0, 1)] == [1, 1]
    assert (await table.answer(ann, room.id))["type"] == "advice"
    assert [await sweep(5 * IDLE_MS + now) for now in (0, IDLE_MS)] == [1, 2]


async def test_a_question_keeps_an_adviser_from_its_rest() -> None:
    adviser = FakeAdviser()
    advice = AdviceService(adviser)
    room, _ = room_in_play()
    assert room.match is not None
    await advice.ask("Ann", room.game, room.match, 0, 0)
    advice.sweep(0)
    asking = asyncio.create_task(advice.ask("Ann", room.game, room.match, 0, 0))
    advice.sweep(IDLE_MS)  # the question comes before the rest begins
    await asking
    await advice.close()
    assert adviser.rests == 0


async def test_a_server_without_an_adviser_says_so() -> None:
    table = Table(None)
    await table.world.start()
    ann, _, room = await table.play()
    answer = await table.answer(ann, room.id)
    assert (answer["code"], answer["message"]) == ("no_advice", "This server gives no advice.")
    peer = FakePeer()
    await table.world.hello(peer, "Cat")
    assert [m["advice"] for m in peer.take() if m["type"] == "welcome"] == [False]
    await table.world.stop()


async def test_the_welcome_says_that_there_is_advice(table: Table) -> None:
    peer = FakePeer()
    await table.world.hello(peer, "Cat")
    assert [m["advice"] for m in peer.take() if m["type"] == "welcome"] == [True]


async def test_advice_has_its_price(table: Table) -> None:
    ann, _, room = await table.play()
    for _ in range(100):
        answer = await table.answer(ann, room.id)
        if answer["type"] == "error":
            break
    assert answer["code"] == "rate_limited"
