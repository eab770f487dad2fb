"""A person lets two bots play: acceptances, refusals, lost connections, crashes, random runs."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    AcceptChallenge,
    ArrangeMatch,
    Challenge,
    DeclineChallenge,
    Move,
)
from doublecross.protocol.common import EngineInfo
from doublecross.server.core.lobby.arrangements import ANSWER_MS
from tests.fakes.peers import FakePeer
from tests.fakes.store import FakeStore
from tests.server.playing import dots
from tests.server.world import World

Message = dict[str, Any]


class Table:
    """A person and two bots; `asked` is the id of the person's request, `offer` the challenge."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.ann = world.arrive("Ann")
        self.easy = world.arrive("easy", bot=True)
        self.hard = world.arrive("hard", bot=True, text=True)
        self.asked = 0
        self.offer = ""

    async def ask(self, key: str = "k") -> list[Message]:
        """Ask for a match; return what the two bots receive."""
        self.asked = self.world.ask(
            self.ann, ArrangeMatch, key=key, players=("easy", "hard"), settings=dots()
        )
        await self.world.settle()
        got = [m for peer in (self.easy, self.hard) for m in peer.take()]
        self.offer = got[0]["challenge"] if got else self.offer
        return got

    async def accept(self, peer: FakePeer, key: str) -> int:
        """Let a bot accept; return the id of its request."""
        request_id = self.world.ask(peer, AcceptChallenge, key=key, challenge=self.offer)
        await self.world.settle()
        return request_id


@pytest.fixture
def table(world: World) -> Table:
    return Table(world)


async def test_both_bots_are_challenged_in_the_name_of_the_other(table: Table) -> None:
    first, second = await table.ask()
    assert first["type"] == second["type"] == "challenged"
    assert first["challenge"] == second["challenge"]
    assert (first["player"]["name"], first["seat"]) == ("hard", 1)
    assert (second["player"]["name"], second["seat"]) == ("easy", 0)
    assert first["asked_by"] == second["asked_by"] == "Ann"
    assert table.ann.take() == []


async def test_the_match_begins_when_the_second_bot_accepts(table: Table, world: World) -> None:
    await table.ask()
    first = await table.accept(table.hard, "h")
    assert [peer.take() for peer in (table.ann, table.easy, table.hard)] == [[], [], []]
    assert not world.authority.lobby.rooms
    second = await table.accept(table.easy, "e")
    states = [peer.take()[0] for peer in (table.ann, table.easy, table.hard)]
    assert [state["id"] for state in states] == [table.asked, second, first]
    assert [state["seat"] for state in states] == [None, 0, 1]
    for state in states:
        assert state["type"] == "room_state"
        assert state["origin"] == table.offer
        assert state["snapshot"]["asked_by"] == "Ann"
        assert state["snapshot"]["status"] == "playing"
    assert states[0]["presence"]["spectators"] == 1
    assert [p.waiting for p in (table.ann, table.easy, table.hard)] == [0, 0, 0]
    room = world.room(states[0]["room"])
    table.ann.take()
    world.move(table.easy, room, 0)
    await world.settle()
    assert [m["type"] for m in table.ann.take()] == ["move"]


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("I play 4 at once.", "hard declined the match: I play 4 at once."),
        ("", "hard declined the match."),
    ],
)
async def test_a_refusal_ends_it_for_all(table: Table, reason: str, sentence: str) -> None:
    await table.ask()
    waiting = await table.accept(table.easy, "e")
    table.world.ask(table.hard, DeclineChallenge, challenge=table.offer, reason=reason)
    await table.world.settle()
    assert table.hard.take_types() == ["done"]
    (told,) = table.ann.take()
    assert (told["id"], told["code"], told["message"]) == (table.asked, "declined", sentence)
    (gone,) = table.easy.take()
    assert (gone["id"], gone["code"]) == (waiting, "unknown_challenge")
    late = await table.world.answer(table.hard, AcceptChallenge, key="h", challenge=table.offer)
    assert late["code"] == "unknown_challenge"
    assert await table.ask("k2")


async def test_a_bot_that_has_not_answered_hears_of_the_refusal(table: Table) -> None:
    await table.ask()
    await table.world.answer(table.hard, DeclineChallenge, challenge=table.offer)
    (ended,) = table.easy.take()
    assert (ended["type"], ended["offer"]) == ("offer_ended", table.offer)
    assert ended["outcome"] == "cancelled"


async def test_a_bot_that_does_not_answer_is_named(table: Table, world: World) -> None:
    await table.ask()
    await table.accept(table.easy, "e")
    world.time += ANSWER_MS
    world.authority.sweep()
    await world.settle()
    (told,) = table.ann.take()
    assert (told["code"], told["message"].split(";")[0]) == ("declined", "hard did not answer")
    assert [m["type"] for m in table.easy.take()] == ["error"]
    assert [(m["type"], m["outcome"]) for m in table.hard.take()] == [("offer_ended", "expired")]


async def test_only_the_two_bots_can_answer(table: Table, world: World) -> None:
    await table.ask()
    stranger = world.arrive("slow", bot=True)
    for kind, fields in ((AcceptChallenge, {"key": "s"}), (DeclineChallenge, {})):
        answer = await world.answer(stranger, kind, challenge=table.offer, **fields)
        assert answer["code"] == "not_yours"
    assert list(world.authority.lobby.arrangements) == [table.offer]


async def test_a_repeated_request_makes_no_second_match(table: Table, world: World) -> None:
    await table.ask()
    again = world.ask(table.ann, ArrangeMatch, key="k", players=("easy", "hard"), settings=dots())
    await world.settle()
    assert table.easy.take() == []
    await table.accept(table.easy, "e")
    await table.accept(table.easy, "e")
    await table.accept(table.hard, "h")
    answers = [m for m in table.ann.take() if m["type"] == "room_state"]
    assert [m["id"] for m in answers] == [table.asked, again]
    assert len([m for m in table.easy.take() if m["type"] == "room_state"]) == 2
    later = await world.answer(
        table.ann, ArrangeMatch, key="k", players=("easy", "hard"), settings=dots()
    )
    assert (later["type"], later["room"]) == ("room_state", answers[0]["room"])
    assert len(world.authority.lobby.rooms) == 1


async def test_an_asker_who_returns_gets_the_answer(table: Table, world: World) -> None:
    await table.ask()
    gone = table.ann
    world.authority.depart(gone)
    await table.accept(table.easy, "e")
    table.ann = world.arrive("Ann")
    assert await table.ask() == []
    await table.accept(table.hard, "h")
    assert table.ann.take()[0]["id"] == table.asked
    assert gone.take() == []


async def test_a_connection_that_is_gone_gets_no_answer(table: Table, world: World) -> None:
    await table.ask()
    world.authority.depart(table.ann)
    await world.answer(table.hard, DeclineChallenge, challenge=table.offer)
    assert table.ann.take() == []


async def test_the_match_begins_without_an_asker_who_is_away(table: Table, world: World) -> None:
    await table.ask()
    world.authority.depart(table.ann)
    await table.accept(table.easy, "e")
    await table.accept(table.hard, "h")
    (room,) = world.authority.lobby.rooms.values()
    table.ann = world.arrive("Ann")
    answer = await world.answer(
        table.ann, ArrangeMatch, key="k", players=("easy", "hard"), settings=dots()
    )
    assert (answer["room"], answer["seat"]) == (room.id, None)


async def test_a_bot_that_returns_is_challenged_and_must_accept_again(
    table: Table, world: World
) -> None:
    await table.ask()
    await table.accept(table.easy, "e")
    world.authority.depart(table.easy)
    await table.accept(table.hard, "h")
    assert not world.authority.lobby.rooms
    table.easy = FakePeer()
    engine = EngineInfo(name="rules", version="2")
    await world.hello(table.easy, "easy", key="secret-of-easy-123", kind="bot", engine=engine)
    shown = [m for m in table.easy.take() if m["type"] == "challenged"]
    assert [m["challenge"] for m in shown] == [table.offer]
    await table.accept(table.easy, "e")
    assert "room_state" in table.easy.take_types()
    (state,) = [m for m in table.hard.take() if m["type"] == "room_state"]
    assert state["snapshot"]["players"][0]["engine"]["version"] == "2"


async def test_all_are_told_if_a_bot_has_too_many_rooms_by_then() -> None:
    world = await World(rooms_per_player=1).start()
    table = Table(world)
    await table.ask()
    await world.play_room(table.easy, world.arrive("Cat"))
    await table.accept(table.easy, "e")
    await table.accept(table.hard, "h")
    (told,) = [m for m in table.ann.take() if m.get("id") == table.asked]
    assert (told["code"], "easy has 1 open rooms" in told["message"]) == ("declined", True)
    for peer in (table.easy, table.hard):
        assert [m["code"] for m in peer.take() if m["type"] == "error"] == ["unknown_challenge"]
    assert not world.authority.lobby.arrangements
    await world.stop()


async def test_if_the_room_cannot_be_stored_all_are_told_and_may_try_again(
    table: Table, world: World
) -> None:
    await table.ask()
    await table.accept(table.easy, "e")
    world.store.fail_next()
    await table.accept(table.hard, "h")
    for peer in (table.ann, table.easy, table.hard):
        assert [m.get("code") for m in peer.take()] == ["storage_failed"]
        assert peer.waiting == 0
    assert not world.authority.lobby.rooms
    assert await table.ask()
    await table.accept(table.easy, "e")
    await table.accept(table.hard, "h")
    assert table.ann.take()[0]["type"] == "room_state"


async def test_nothing_is_acknowledged_before_a_crash_and_nothing_lost_after_it() -> None:
    world = await World().start()
    table = Table(world)
    await table.ask()
    await table.accept(table.easy, "e")
    world.crash()
    again = await World(world.store).start()
    table = Table(again)
    assert len(await table.ask()) == 2
    await table.accept(table.easy, "e")
    await table.accept(table.hard, "h")
    room = table.ann.take()[0]["room"]
    offer = table.offer
    again.crash()
    third = await World(world.store).start()
    table = Table(third)
    asked = {"key": "k", "players": ("easy", "hard"), "settings": dots()}
    answers = [
        await third.answer(table.ann, ArrangeMatch, **asked),
        await third.answer(table.easy, AcceptChallenge, key="e", challenge=offer),
        await third.answer(table.hard, AcceptChallenge, key="h", challenge=offer),
    ]
    assert [answer["room"] for answer in answers] == [room] * 3
    assert [answer["seat"] for answer in answers] == [None, 0, 1]
    await third.stop()


async def test_a_bot_cannot_ask_and_people_are_challenged_themselves(
    table: Table, world: World
) -> None:
    cat = world.arrive("Cat")
    for peer, players, code in (
        (table.easy, ("hard", "easy"), "not_yours"),
        (table.ann, ("easy", "Cat"), "unknown_player"),
    ):
        answer = await world.answer(peer, ArrangeMatch, key="k", players=players, settings=dots())
        assert answer["code"] == code
    assert cat.take() == []
    sent = await world.answer(table.ann, Challenge, key="k", player="Cat", settings=dots())
    assert sent["type"] == "challenge_sent"


# -- random runs -------------------------------------------------------------------------------


class Bustle:
    """People and bots do everything at random; each request has one answer, and nothing is left."""

    PEOPLE = ("Ann", "Cat")
    BOTS = ("easy", "hard", "slow")

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.world = World(FakeStore(), seed)
        self.peers: dict[str, FakePeer] = {}
        self.open: dict[int, FakePeer] = {}
        """The requests whose connection is there, and which have no answer."""
        self.offers: list[str] = ["none"]
        self.counts: Counter[str] = Counter()

    def receive(self) -> None:
        for name, peer in self.peers.items():
            for message in peer.take():
                self.counts[message.get("code") or message["type"]] += 1
                assert message.get("code") != "internal"
                if message.get("id") is not None:
                    assert self.open.pop(message["id"]) is peer
                if message["type"] == "challenged":
                    assert name in self.BOTS
                    self.offers.append(message["challenge"])

    def come(self) -> None:
        name = self.rng.choice(self.PEOPLE + self.BOTS)
        self.go(name)
        self.peers[name] = self.world.arrive(name, bot=name in self.BOTS)

    def go(self, name: str) -> None:
        """Let a connection end, or be replaced by the one that comes next."""
        peer = self.peers.pop(name, None)
        if peer is not None:
            self.open = {i: p for i, p in self.open.items() if p is not peer}
            if self.rng.random() < 0.5:
                self.world.authority.depart(peer)

    def ask(self, name: str, kind: Any, **fields: Any) -> None:
        peer = self.peers.get(name)
        if peer is not None:
            self.open[self.world.ask(peer, kind, **fields)] = peer

    def answer(self) -> None:
        offer = self.rng.choice(self.offers[-3:])
        names = self.BOTS + self.PEOPLE if self.rng.random() < 0.1 else self.BOTS
        if self.rng.random() < 0.95:
            key = f"a{self.rng.randrange(500)}"
            self.ask(self.rng.choice(names), AcceptChallenge, key=key, challenge=offer)
        else:
            self.ask(self.rng.choice(names), DeclineChallenge, challenge=offer, reason="no")

    def arrange(self) -> None:
        odd = self.rng.random() < 0.2
        players = tuple(self.rng.sample(self.BOTS + (self.PEOPLE if odd else ()), 2))
        name = self.rng.choice(self.BOTS if self.rng.random() < 0.1 else self.PEOPLE)
        key = f"k{self.rng.randrange(500)}"
        self.ask(name, ArrangeMatch, key=key, players=players, settings=dots(1, 1))

    def play(self) -> None:
        rooms = [r for r in self.world.authority.lobby.rooms.values() if r.status == "playing"]
        for room in rooms[:2]:
            assert room.match is not None
            mover = room.players[room.match.state.current_player()]
            assert mover is not None
            self.ask(
                mover.name,
                Move,
                room=room.id,
                match=room.match_number,
                ply=room.match.ply,
                action=room.match.state.legal_actions()[0],
            )

    def fail(self) -> None:
        self.world.store.fail_next(stored=self.rng.random() < 0.3)

    def wait(self) -> None:
        self.world.time += self.rng.choice((10, 1000, ANSWER_MS))
        self.world.authority.tick()
        self.world.authority.sweep()

    async def run(self, steps: int) -> None:
        await self.world.start()
        acts = (
            [self.come] * 3
            + [self.arrange] * 6
            + [self.answer] * 10
            + [self.play] * 4
            + [self.wait, self.fail]
        )
        for _ in range(steps):
            self.rng.choice(acts)()
            if self.rng.random() < 0.6:
                await self.world.settle()
                self.receive()
            self.check()
        self.world.time += ANSWER_MS
        self.world.authority.sweep()
        await self.world.settle()
        self.receive()
        assert self.open == {}
        assert all(peer.waiting == 0 for peer in self.peers.values())
        lobby = self.world.authority.lobby
        assert not lobby.arrangements
        assert lobby.arrangements._by_asker == lobby.arrangements._by_bot == {}
        assert not self.world.authority.arranging._waiting
        await self.world.stop()

    def check(self) -> None:
        lobby = self.world.authority.lobby
        for name in self.PEOPLE:
            open_now = len(lobby.arrangements.asked_by(name)) + lobby.rooms.arranged_by(name)
            assert open_now <= self.world.authority.config.limits.arranged_per_player
        for room in lobby.rooms.values():
            assert room.terms.asked_by in self.PEOPLE
            assert room.match_number > 0
            assert {p.kind for p in room.players if p is not None} == {"bot"}


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_happens_each_request_has_one_answer(seed: int) -> None:
    bustle = Bustle(seed)
    await bustle.run(400)
    for what in ("room_state", "declined", "unknown_challenge", "offer_ended", "match_finished"):
        assert bustle.counts[what], what
