"""Offers outlive the leader's node."""

from __future__ import annotations

import pytest

from doublecross.protocol.client_messages import (
    CancelSeek,
    Challenge,
    DeclineChallenge,
    QuickMatch,
    Seek,
)
from doublecross.server.cluster.leader.offers import StoredOffers
from doublecross.server.core.cluster_storage import LEADER
from doublecross.server.core.lobby.offer_log import OpenOffers, offer_ended, offer_posted
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.storage import StoreError
from tests.cluster.hosts import Client
from tests.cluster.world import World
from tests.server.playing import ANN, BOB, TIMES, dots


async def seek(world: World, client: Client, key: str, cols: int = 2) -> str:
    """Post a seek and return its id."""
    answer = await world.answer(client, Seek, key=key, settings=dots(1, cols))
    assert answer["type"] == "seek_posted", answer
    found: str = answer["seek"]
    return found


def stored(world: World) -> StoredOffers:
    return world.leader.offers


async def test_offers_outlive_the_leader(world: World) -> None:
    ann, bob, cat = world.connect("Ann", "b"), world.connect("Bob", "c"), world.connect("Cat", "a")
    seeks = [await seek(world, ann, f"k{cols}", cols) for cols in (2, 3)]
    lost = await seek(world, cat, "kc")
    sent = await world.answer(ann, Challenge, key="kb", player="Bob", settings=dots())
    withdrawn = await seek(world, ann, "k4", 4)
    await world.answer(ann, CancelSeek, seek=withdrawn)
    before = dict(world.authority.lobby.offers)
    world.kill("a")
    await world.take_over("a", "c")
    await world.until()
    offers = world.authority.lobby.offers
    assert dict(offers) == before
    assert [o.offer_id for o in offers.seeks()] == [lost, *reversed(seeks)]
    assert [o.offer_id for o in offers.challenges_to("Bob")] == [sent["challenge"]]
    assert await seek(world, ann, "k2") == seeks[0]  # the same key
    shown = world.authority.lobby_feed.state()["seeks"]
    assert {each["seek"] for each in shown} == {lost, *seeks}

    world.tick(TIMES.grace_ms + 1)  # Cat, whose node has died, does not come back
    assert lost not in offers
    assert set(seeks) < set(offers)
    done = await world.answer(bob, DeclineChallenge, challenge=sent["challenge"])
    assert done["type"] == "done"
    world.kill("c")
    for log in ("aaaa", "cccc"):
        await world.give(log, "b")
    await world.move_leader("b")
    assert set(world.authority.lobby.offers) == set(seeks)


@pytest.mark.parametrize("noted", [False, True])
async def test_an_accepted_offer_does_not_come_back(world: World, noted: bool) -> None:
    """The leader may die before it has stored that the offer has led to a room."""
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    await world.answer(ann, QuickMatch, key="k1", settings=dots())
    if not noted:
        world.network.hold("b", "a")
    asked = world.ask(bob, QuickMatch, key="k2", settings=dots())
    await world.until()
    assert [m["type"] for m in bob.answers(asked)] == ["room_state"] * noted
    assert bool(len(stored(world)._entries)) is not noted
    world.kill("a")
    await world.take_over("a", "c")
    await world.until()
    assert not len(world.authority.lobby.offers)
    await world.settle()
    assert not stored(world)._entries
    world.check_agreement()


async def test_an_offer_is_acknowledged_when_it_is_stored(world: World) -> None:
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    store = world.stores[LEADER]
    store.hold()
    posted = world.ask(ann, QuickMatch, key="k1", settings=dots())
    again = world.ask(ann, QuickMatch, key="k1", settings=dots())
    accepted = world.ask(bob, QuickMatch, key="k2", settings=dots())
    await world.settle()
    assert ann.messages == bob.messages == []
    store.release()
    await world.settle()
    types = [m["type"] for m in ann.take()]
    assert types[:3] == ["seek_posted", "seek_posted", "room_state"]
    assert [m["type"] for m in bob.answers(accepted)] == ["room_state"]
    assert again != posted
    assert world.leader.connections.peer_of(ann.run, ann.number).waiting == 0
    world.check_agreement()


async def test_a_quick_match_is_neither_stored_nor_shown_if_another_comes_at_once(
    world: World,
) -> None:
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    asked = world.ask(ann, QuickMatch, key="k1", settings=dots())
    await world.settle()
    offers, feed = world.authority.lobby.offers, world.authority.lobby_feed
    assert (ann.messages, len(offers), list(offers.seeks())) == ([], 1, [])
    assert (feed.state()["seeks"], feed.state()["seeks_total"]) == ((), 0)
    accepted = world.ask(bob, QuickMatch, key="k2", settings=dots())
    await world.settle()
    for client, request_id in ((ann, asked), (bob, accepted)):
        (answer,) = client.answers(request_id)
        assert answer["type"] == "room_state"
        assert world.leader.connections.peer_of(client.run, client.number).waiting == 0
    assert world.stores[LEADER].entries == {}
    world.check_agreement()
    world.tick()  # nothing is left to be posted
    assert not len(offers)


async def test_a_quick_match_waits_for_the_next_sweep_only(world: World) -> None:
    ann = world.connect("Ann", "b")
    asked = world.ask(ann, QuickMatch, key="k1", settings=dots())
    await world.settle()
    world.tick()
    await world.settle()
    (posted,) = ann.answers(asked)
    assert posted["type"] == "seek_posted"
    assert [seek.offer_id for seek in world.authority.lobby.offers.seeks()] == [posted["seek"]]
    assert posted["seek"] in stored(world)


async def test_a_quick_match_that_is_withdrawn_has_its_answer_first(world: World) -> None:
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    world.ask(ann, QuickMatch, key="k1", settings=dots())
    other = world.ask(ann, QuickMatch, key="k2", settings=dots(1, 3))
    world.ask(bob, QuickMatch, key="k3", settings=dots())
    await world.settle()
    told = [m["type"] for m in ann.messages if m.get("id") == other or m["type"] == "offer_ended"]
    assert told == ["seek_posted", "offer_ended"]
    assert not len(world.authority.lobby.offers)
    assert not stored(world)._entries


async def test_two_quick_matches_whose_room_cannot_be_stored_are_refused(world: World) -> None:
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    world.stores["bbbb"].fail_next()
    asked = world.ask(ann, QuickMatch, key="k1", settings=dots())
    accepted = world.ask(bob, QuickMatch, key="k2", settings=dots())
    await world.until()
    for client, request_id in ((ann, asked), (bob, accepted)):
        (answer,) = client.answers(request_id)
        assert answer["code"] == "storage_failed"
    assert not len(world.authority.lobby.offers)
    world.check_agreement()


async def test_an_offer_that_cannot_be_stored_is_refused(world: World) -> None:
    ann, bob = world.connect("Ann", "b"), world.connect("Bob", "c")
    store = world.stores[LEADER]
    store.hold()
    store.fail_next()
    posted = world.ask(ann, Seek, key="k1", settings=dots(1, 3))
    other = world.ask(ann, QuickMatch, key="k2", settings=dots())
    accepted = world.ask(bob, QuickMatch, key="k3", settings=dots())
    await world.settle()
    store.release()
    await world.until()
    for client, request_id in ((ann, posted), (ann, other), (bob, accepted)):
        (answer,) = client.answers(request_id)
        assert answer["code"] == "storage_failed"
    assert not len(world.authority.lobby.offers)
    assert world.rooms() == []
    world.check_agreement()
    # The end of an offer is stored again until it is.
    found = await seek(world, ann, "k4")
    store.fail_next()
    failed = await world.answer(ann, CancelSeek, seek=found)
    assert failed["code"] == "storage_failed"
    assert found in stored(world)
    world.tick()
    await world.settle()
    assert found not in stored(world)


async def test_entries_that_no_offer_needs_are_deleted(world: World) -> None:
    ann = world.connect("Ann", "b")
    kept = await seek(world, ann, "k0", 3)
    for number in range(1, 6):
        found = await seek(world, ann, f"k{number}")
        await world.answer(ann, CancelSeek, seek=found)
    offers = stored(world)
    for _ in range(3):
        await offers.clean()
        await world.settle()
        assert len(world.entries[LEADER]) <= 2  # the offer, and a list of what is open
    world.kill("a")
    await world.take_over("a", "c")
    await world.until()
    assert list(world.authority.lobby.offers) == [kept]
    await world.answer(ann, CancelSeek, seek=kept)
    for _ in range(2):
        await stored(world).clean()
        await world.settle()
    assert world.entries[LEADER] == {}


async def test_entries_are_deleted_although_the_storage_has_failed(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = world.connect("Ann", "b")
    offers = stored(world)
    found = await seek(world, ann, "k0")
    await world.answer(ann, CancelSeek, seek=found)

    async def fail(*_: object, **__: object) -> None:
        raise StoreError("no")

    with monkeypatch.context() as patch:
        patch.setattr(world.authority.committer, "settled", fail)
        with pytest.raises(StoreError):
            await offers.clean()
    for _ in range(2):
        await offers.clean()
        await world.settle()
    assert world.entries[LEADER] == {}


def test_offers_are_rebuilt_from_their_events() -> None:
    offers = [
        Offer("o1", ANN, "k1", dots(rated=True), None, None),
        Offer("o2", BOB, "k2", dots(), 1, "Ann"),
        Offer("o3", ANN, "k3", dots(2, 2), 0, None),
    ]
    found = OpenOffers()
    for number, offer in enumerate(offers):
        found.apply(offer_posted(offer), number)
    assert found.offers == offers
    found.apply(offer_ended("o1"), 7)
    found.apply(offer_ended("unknown"), 8)
    assert (found.offers, found.entries) == (offers[1:], {"o2": 1, "o3": 2})
    found.keep({"o3", "gone"})
    assert (found.offers, found.entries) == (offers[2:], {"o3": 2})
    for wrong in ({"type": "move"}, {"type": "offer_posted", "offer": "x"}, {}):
        with pytest.raises((KeyError, ValueError)):
            found.apply(wrong, 9)
    assert found.offers == offers[2:]
