"""The authority and the lobby: what its followers receive, and how offers end."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    AcceptChallenge,
    AcceptSeek,
    ArrangeMatch,
    CancelChallenge,
    Challenge,
    CreateRoom,
    DeclineChallenge,
    DeclineRematch,
    FollowLobby,
    JoinRoom,
    Leave,
    QuickMatch,
    Rematch,
    Request,
    Resign,
    Seek,
)
from doublecross.server.shell.addresses.sources import EXEMPT
from doublecross.server.shell.identity.rights import Rights
from tests.fakes.peers import FakePeer
from tests.server.playing import TIMES, dots
from tests.server.world import World

Messages = list[dict[str, Any]]


def kinds(messages: Messages) -> list[str]:
    return [message["type"] for message in messages]


# -- the lobby's followers ---------------------------------------------------------------------


async def changes(world: World, peer: FakePeer) -> dict[str, Any]:
    """Return what one flush sends to `peer`, without empty fields."""
    world.authority.lobby_feed.flush()
    await world.settle()
    (message,) = [m for m in peer.take() if m["type"] == "lobby_changed"]
    return {name: value for name, value in message.items() if value and name != "type"}


async def test_followers_receive_every_change(world: World) -> None:
    cat = world.arrive("Cat")
    state = await world.answer(cat, FollowLobby)
    assert [p["name"] for p in state["players"]] == ["Cat"]
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    assert [p["name"] for p in (await changes(world, cat))["players"]] == ["Ann", "Bob"]
    posted = await world.answer(ann, Seek, key="k", settings=dots(), seat=0)
    assert (await changes(world, cat))["seeks"][0]["seek"] == posted["seek"]
    taken = await world.answer(bob, AcceptSeek, key="k", seek=posted["seek"])
    changed = await changes(world, cat)
    assert changed["seeks_gone"] == (posted["seek"],)
    assert changed["rooms"][0]["status"] == "playing"
    await world.answer(ann, Resign, room=taken["room"])
    assert (await changes(world, cat))["rooms"][0]["status"] == "finished"
    await world.answer(ann, Rematch, room=taken["room"])
    await changes(world, cat)
    await world.answer(bob, Rematch, room=taken["room"])
    assert (await changes(world, cat))["rooms"][0]["status"] == "playing"
    await world.answer(bob, Resign, room=taken["room"])
    await world.answer(ann, Leave, room=taken["room"])
    await world.answer(bob, Leave, room=taken["room"])
    assert (await changes(world, cat))["rooms_gone"] == (taken["room"],)
    world.authority.depart(bob)
    assert await changes(world, cat) == {
        "players_gone": ("Bob",),
        "players_total": 2,
    }


async def test_private_rooms_are_never_sent_even_when_they_close(world: World) -> None:
    ann, cat = world.arrive("Ann"), world.arrive("Cat")
    await world.answer(cat, FollowLobby)
    made = await world.answer(ann, CreateRoom, key="k", settings=dots(), seat=0, private=True)
    assert made["code"]
    assert world.authority.lobby_feed.state()["rooms"] == ()
    await world.answer(ann, Leave, room=made["room"])
    world.authority.lobby_feed.flush()
    await world.settle()
    assert cat.take() == []


async def test_a_change_while_the_first_follower_waits_for_the_state_is_not_lost(
    world: World,
) -> None:
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    room = await world.play_room(ann, bob)
    world.authority.lobby_feed.flush()
    world.store.hold()
    world.move(ann, room, 0)
    world.ask(cat, FollowLobby)
    world.arrive("Dan")
    world.authority.lobby_feed.flush()
    world.store.release()
    await world.settle()
    state, changed = cat.take()
    assert "Dan" not in [p["name"] for p in state["players"]]
    assert [p["name"] for p in changed["players"]] == ["Dan"]


async def test_a_failed_commit_loses_no_change_of_the_lobby(world: World) -> None:
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    room = await world.play_room(ann, bob)
    await world.answer(cat, FollowLobby)
    world.store.hold()
    world.store.fail_next()
    world.move(ann, room, 0)
    world.arrive("Dan")
    posted = world.ask(bob, Seek, key="k", settings=dots())
    world.authority.lobby_feed.flush()
    world.arrive("Eve")
    world.store.release()
    await world.settle()
    changed = await changes(world, cat)
    assert {p["name"] for p in changed["players"]} == {"Dan", "Eve"}
    (seek,) = [m["seek"] for m in bob.take() if m.get("id") == posted]
    assert [s["seek"] for s in changed["seeks"]] == [seek]


async def test_no_changes_are_sent_after_following_ends(world: World) -> None:
    cat = world.arrive("Cat")
    await world.answer(cat, FollowLobby)
    await world.answer(cat, FollowLobby, on=False)
    world.arrive("Ann")
    world.authority.lobby_feed.flush()
    assert cat.take() == []


# -- offers ------------------------------------------------------------------------------------


async def test_both_players_of_a_challenge_are_notified_of_its_end(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    sent = await world.answer(ann, Challenge, key="k1", player="Bob", settings=dots(), seat=1)
    (asked,) = bob.take()
    assert (asked["challenge"], asked["seat"]) == (sent["challenge"], 1)
    own: dict[str, Any] = {"challenge": sent["challenge"], "reason": "no, you fool"}
    assert (await world.answer(bob, DeclineChallenge, **own))["code"] == "bad_parameter"
    assert ann.take() == []
    await world.answer(bob, DeclineChallenge, challenge=sent["challenge"], word="too_fast")
    (ended,) = ann.take()
    assert (ended["outcome"], ended["reason"]) == ("declined", "The clock is too fast for me.")
    sent = await world.answer(ann, Challenge, key="k2", player="Bob", settings=dots())
    bob.take()
    await world.answer(ann, CancelChallenge, challenge=sent["challenge"])
    assert [m["outcome"] for m in bob.take()] == ["cancelled"]
    await world.answer(ann, Challenge, key="k3", player="Bob", settings=dots())
    bob.take()
    world.authority.depart(ann)
    world.time += TIMES.grace_ms
    world.authority.offers.expire()
    assert [m["outcome"] for m in bob.take()] == ["expired"]


async def test_one_address_cannot_fill_a_bot_with_new_names(world: World) -> None:
    bot = world.arrive("Bob", bot=True)

    async def challenge(name: str, source: str) -> dict[str, Any]:
        eve = world.arrive(name)
        eve.source = source
        asked: Any = {"key": world.key(), "player": "bob", "settings": dots()}
        return await world.answer(eve, Challenge, **asked)

    sent = [await challenge(f"E{number}", "192.0.2.1") for number in range(4)]
    for each in sent[:2]:
        await world.answer(bot, AcceptChallenge, key=world.key(), challenge=each["challenge"])
    world.authority.depart(world.authority.peers.of("E0")[-1])
    assert (await challenge("E4", "192.0.2.1"))["code"] == "rate_limited"
    assert (await challenge("Cat", "192.0.2.2"))["type"] == "challenge_sent"
    assert (await challenge("Dan", EXEMPT))["type"] == "challenge_sent"
    await world.answer(bot, DeclineChallenge, challenge=sent[2]["challenge"], reason="")
    assert (await challenge("E5", "192.0.2.1"))["type"] == "challenge_sent"
    # A bot that takes seeks would fill itself, too.
    eve = world.authority.peers.of("E5")[-1]
    seek = await world.answer(eve, Seek, key=world.key(), settings=dots())
    taken = await world.answer(bot, AcceptSeek, key=world.key(), seek=seek["seek"])
    assert taken["code"] == "rate_limited"
    # What bots elsewhere play is the affair of their owners.
    bot.source = "192.0.2.3"
    assert (await challenge("E6", "192.0.2.1"))["type"] == "challenge_sent"


@pytest.mark.parametrize("home", [EXEMPT, "127.0.0.1", "::1"])
async def test_rematches_and_arranged_matches_fill_no_bot_either(world: World, home: str) -> None:
    bots = [world.arrive(name, bot=True) for name in ("Bob", "Rob")]
    guests = [world.arrive(f"E{number}") for number in range(5)]
    for bot in bots:
        bot.source = home
    rooms = []
    for guest in guests:
        guest.source = "192.0.2.1"
        rooms.append((await world.play_room(guest, bots[0])).id)
        await world.answer(guest, Resign, room=rooms[-1])
    offers = [
        await world.answer(guest, Rematch, room=room)
        for guest, room in zip(guests, rooms, strict=True)
    ]
    assert [offer.get("code") for offer in offers] == [None] * 4 + ["rate_limited"]
    assert (await world.answer(bots[0], Rematch, room=rooms[0]))["type"] == "match_started"
    arranged: dict[str, Any] = {"players": ("Bob", "Rob"), "settings": dots()}
    refused = await world.answer(guests[4], ArrangeMatch, key="a", **arranged)
    assert refused["code"] == "rate_limited"
    await world.answer(guests[1], DeclineRematch, room=rooms[1])
    world.ask(guests[4], ArrangeMatch, key="a", **arranged)
    assert (await world.answer(guests[1], Rematch, room=rooms[1]))["code"] == "rate_limited"


async def test_a_match_withdraws_the_other_offers_of_its_people(world: World) -> None:
    ann, bob, cat = world.arrive("Ann"), world.arrive("Bob"), world.arrive("Cat")
    world.store.hold()
    seeks = [world.ask(ann, Seek, key=f"s{n}", settings=dots(1, n)) for n in (2, 3)]
    world.ask(ann, Challenge, key="c", player="Cat", settings=dots())
    await world.settle()
    first, second = (m["seek"] for m in ann.take() if m.get("id") in seeks)
    # Both are accepted before anything is stored.
    world.ask(bob, AcceptSeek, key="b", seek=first)
    late = world.ask(cat, AcceptSeek, key="c", seek=second)
    world.store.release()
    await world.settle()
    got = cat.take()
    assert [m["code"] for m in got if m.get("id") == late] == ["unknown_seek"]
    (ended,) = [m for m in got if m["type"] == "offer_ended"]
    assert (ended["outcome"], ended["reason"]) == ("cancelled", "Ann plays somebody else now.")
    assert len([m for m in ann.take() if m["type"] == "offer_ended"]) == 2
    assert not world.authority.lobby.offers
    # The offer of a rematch ends too.
    played = await world.play_room(ann, cat)
    await world.answer(ann, Resign, room=played.id)
    await world.answer(ann, Rematch, room=played.id)
    cat.take()
    await world.play_room(ann, bob)
    await world.settle()
    (ended,) = [m for m in cat.take() if m["type"] == "rematch_ended"]
    assert (ended["outcome"], played.rematch) == ("elsewhere", [False, False])
    # A room that somebody joins counts too, and bots may play several matches.
    robot = world.arrive("robot", bot=True)
    made = await world.answer(cat, CreateRoom, key="r", settings=dots())
    for peer in (cat, robot):
        await world.answer(peer, Seek, key="s", settings=dots())
    await world.answer(robot, JoinRoom, room=made["room"])
    assert [o.owner.name for o in world.authority.lobby.offers.values()] == ["robot"]


@pytest.mark.parametrize("held", [False, True])
async def test_the_same_key_gives_the_same_answer(world: World, held: bool) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    if held:
        world.store.hold()
    first = world.ask(ann, CreateRoom, key="k", settings=dots(), seat=0)
    second = world.ask(ann, CreateRoom, key="k", settings=dots(), seat=0)
    third = world.ask(ann, CreateRoom, key="k", settings=dots())
    world.store.release()
    await world.settle()
    answers = {m["id"]: m for m in ann.take() if "id" in m}
    assert [answers[i]["type"] for i in (first, second, third)] == ["room_state"] * 3
    assert len({answers[i]["room"] for i in (first, second, third)}) == 1
    assert len(world.authority.rooms.registry.channels) == 1
    post = await world.answer(bob, Seek, key="k", settings=dots())
    again = await world.answer(bob, Seek, key="k", settings=dots())
    assert post["seek"] == again["seek"]
    taken = await world.answer(ann, AcceptSeek, key="k2", seek=post["seek"])
    assert (await world.answer(ann, AcceptSeek, key="k2", seek=post["seek"]))["room"] == taken[
        "room"
    ]
    assert (await world.answer(bob, Seek, key="k", settings=dots()))["room"] == taken["room"]


async def test_a_used_key_with_other_content_is_refused(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    await world.answer(ann, CreateRoom, key="room", settings=dots(), seat=0)
    seek = await world.answer(bob, Seek, key="seek", settings=dots(), seat=0)
    dan = world.arrive("Dan")
    await world.answer(dan, Challenge, key="challenge", player="Bob", settings=dots())
    others: list[tuple[FakePeer, type[Request], dict[str, Any]]] = [
        (ann, CreateRoom, {"key": "room", "settings": dots(2, 2), "seat": 0}),
        (ann, CreateRoom, {"key": "room", "settings": dots(), "seat": 1}),
        (ann, CreateRoom, {"key": "room", "settings": dots(), "seat": 0, "private": True}),
        (ann, Seek, {"key": "room", "settings": dots()}),
        (ann, AcceptSeek, {"key": "room", "seek": seek["seek"]}),
        (dan, Challenge, {"key": "challenge", "player": "Cat", "settings": dots()}),
        (bob, Seek, {"key": "seek", "settings": dots(), "seat": 1}),
        (bob, QuickMatch, {"key": "seek", "settings": dots(2, 2)}),
        (bob, ArrangeMatch, {"key": "seek", "settings": dots(), "players": ("a", "b")}),
    ]
    taken = await world.answer(ann, AcceptSeek, key="accept", seek=seek["seek"])
    assert taken["type"] == "room_state"
    others.append((ann, AcceptSeek, {"key": "accept", "seek": "another"}))
    for peer, kind, fields in others:
        answer = await world.answer(peer, kind, **fields)
        assert (answer["type"], answer.get("code")) == ("error", "bad_parameter"), (kind, fields)


async def test_only_accounts_play_rated_matches_where_the_host_wants_that() -> None:
    world = await World(rated_accounts_only=True).start()
    guest, member, robot = (world.arrive(name) for name in ("Guest", "Ann", "robot"))
    guest.source, member.source, robot.source = "192.0.2.1", "192.0.2.1", EXEMPT
    member.rights = Rights("account of Ann", token_id="token")
    settings = dots(rated=True)
    made = await world.answer(member, CreateRoom, key="r", settings=settings)
    posted = await world.answer(robot, Seek, key="s", settings=settings)
    for kind, fields in (
        (CreateRoom, {"key": "1", "settings": settings}),
        (QuickMatch, {"key": "2", "settings": settings}),
        (Seek, {"key": "3", "settings": settings}),
        (Challenge, {"key": "4", "settings": settings, "player": "Ann"}),
        (AcceptSeek, {"key": "5", "seek": posted["seek"]}),
        (JoinRoom, {"room": made["room"]}),
    ):
        assert (await world.answer(guest, kind, **fields))["code"] == "missing_scope"  # type: ignore[arg-type]
    casual = await world.answer(guest, Seek, key="6", settings=dots())
    assert casual["type"] == "seek_posted"
    assert (await world.answer(robot, JoinRoom, room=made["room"]))["type"] == "room_state"
    await world.stop()
