"""The lobby: seeks, quick matches, challenges, idempotency keys, limits, offers that expire."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits, TokenBucket
from doublecross.server.core.lobby.lobby import Lobby, OpenedRoom
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.rooms.room import Room
from tests.server.playing import ANN, BOB, CAT, T0, TIMES, dots, play_out


def make_lobby(*players: PlayerInfo, **limits: int) -> Lobby:
    lobby = Lobby(Random(1), TIMES, ServerLimits(**limits))  # type: ignore[arg-type]
    for player in players or (ANN, BOB, CAT):
        lobby.arrive(player)
    return lobby


def code_of(act: Callable[[], Any]) -> ErrorCode:
    with pytest.raises(Refused) as error:
        act()
    return error.value.code


def everything(lobby: Lobby) -> tuple[object, ...]:
    """Return everything that the lobby stores, to check that it forgets closed things."""
    rooms, offers = lobby.rooms, lobby.offers
    return (
        dict(rooms),
        dict(rooms._of_player),
        dict(rooms._keys),
        dict(rooms._public),
        dict(offers._offers),
        dict(offers._keys),
        dict(offers._away),
        dict(offers._seeks),
        {key: dict(group) for key, group in offers._by_terms._groups.items()},
        {key: dict(group) for key, group in offers._by_owner._groups.items()},
        {key: dict(group) for key, group in offers._by_target._groups.items()},
    )


EMPTY: tuple[object, ...] = ({},) * 11


# -- rooms -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_the_creator_of_a_room_gets_the_requested_seat(seat: int) -> None:
    lobby = make_lobby()
    room = lobby.create_room(ANN, "k", dots(), seat, False, T0).room
    assert room.seat_of("Ann") == seat
    assert room.terms.keys[seat] == "k"
    assert list(lobby.rooms.of_player("Ann")) == [room]
    assert lobby.created_by("Ann", "k") is room
    assert lobby.created_by("Bob", "k") is None
    assert room.terms.code is None


def test_a_random_seat_can_be_either_seat() -> None:
    lobby = make_lobby()
    seats = {
        lobby.create_room(ANN, f"k{i}", dots(), None, False, T0).room.seat_of("Ann")
        for i in range(20)
    }
    assert seats == {0, 1}


def test_each_private_room_has_a_different_code() -> None:
    lobby = make_lobby()
    codes = {lobby.create_room(ANN, f"k{i}", dots(), 0, True, T0).room.terms.code for i in range(5)}
    assert len(codes) == 5
    assert all(code and len(code) == 6 for code in codes)


def test_keys_lead_to_a_restored_room_whatever_its_seats_are_now() -> None:
    lobby = make_lobby()
    room = open_by_seek(lobby, "k-bob")
    play_out(room)
    commands.offer_rematch(room, "Ann", T0)
    commands.offer_rematch(room, "Bob", T0)
    assert room.seat_of("Ann") == 1
    for _ in range(2):
        again = make_lobby()
        again.rooms.add(room)
        assert again.created_by("Ann", "k-ann") is room
        assert again.created_by("Bob", "k-bob") is room
        assert again.created_by("Bob", "k-ann") is None
        again.rooms.drop(room)
        assert everything(again) == EMPTY
        play_out(room)
        commands.offer_rematch(room, "Ann", T0)
        commands.offer_rematch(room, "Bob", T0)


def test_limits_of_rooms() -> None:
    lobby = make_lobby(rooms_per_player=2)
    rooms = [lobby.create_room(ANN, f"k{i}", dots(), 0, False, T0).room for i in range(2)]
    before = everything(lobby)
    assert code_of(lambda: lobby.create_room(ANN, "k9", dots(), 0, False, T0)) is ErrorCode.TOO_MANY
    other = lobby.create_room(BOB, "k", dots(), 0, False, T0).room
    assert code_of(lambda: lobby.rooms.sit(other, ANN, T0)) is ErrorCode.TOO_MANY
    lobby.rooms.drop(other)
    assert everything(lobby) == before
    lobby.rooms.drop(rooms[0])
    lobby.create_room(ANN, "k9", dots(), 0, False, T0)


def test_a_full_server_takes_no_new_rooms_but_fills_those_that_it_has() -> None:
    lobby = make_lobby(rooms=1)
    room = lobby.create_room(ANN, "k", dots(), 0, False, T0).room
    assert code_of(lambda: lobby.create_room(BOB, "k", dots(), 0, False, T0)) is ErrorCode.TOO_MANY
    assert lobby.rooms.sit(room, BOB, T0)[-1]["type"] == "match_started"


@pytest.mark.parametrize("settings", [MatchSettings(game="go"), dots(0, 0)])
def test_invalid_settings_are_refused_by_every_command(settings: MatchSettings) -> None:
    lobby = make_lobby()
    acts: list[Callable[[], Any]] = [
        lambda: lobby.create_room(ANN, "k", settings, 0, False, T0),
        lambda: lobby.seek(ANN, "k", settings, None, T0),
        lambda: lobby.quick_match(ANN, "k", settings, T0),
        lambda: lobby.challenge(ANN, "k", "Bob", settings, None),
    ]
    for act in acts:
        assert code_of(act) in (ErrorCode.UNKNOWN_GAME, ErrorCode.BAD_PARAMETER)
    assert everything(lobby) == EMPTY


# -- seeks -------------------------------------------------------------------------------------


def open_by_seek(lobby: Lobby, key: str = "k2") -> Room:
    """Open a room by Ann's seek for seat 0, which Bob accepts."""
    offer = lobby.seek(ANN, "k-ann", dots(), 0, T0)
    return lobby.accept(BOB, key, offer.offer_id, False, T0).room


def test_an_accepted_seek_becomes_a_room_with_both_keys() -> None:
    lobby = make_lobby()
    offer = lobby.seek(ANN, "k-ann", dots(), 1, T0)
    assert lobby.created_by("Ann", "k-ann") is offer
    opened = lobby.accept(BOB, "k-bob", offer.offer_id, False, T0)
    room = opened.room
    assert opened.offer is offer
    assert [e["type"] for e in opened.events] == [
        "room_created",
        "seated",
        "seated",
        "match_started",
    ]
    assert opened.events[0]["origin"] == offer.offer_id
    assert opened.events[0]["keys"] == ("k-bob", "k-ann")
    assert (room.seat_of("Ann"), room.seat_of("Bob")) == (1, 0)
    assert lobby.offers == {}
    assert lobby.created_by("Ann", "k-ann") is room
    assert lobby.created_by("Bob", "k-bob") is room


def test_a_seek_is_withdrawn_once() -> None:
    lobby = make_lobby()
    offer = lobby.seek(ANN, "k", dots(), None, T0)
    assert lobby.cancel(ANN, offer.offer_id, False) is offer
    assert everything(lobby) == EMPTY
    assert code_of(lambda: lobby.cancel(ANN, offer.offer_id, False)) is ErrorCode.UNKNOWN_SEEK


def test_an_offer_whose_room_was_not_stored_is_open_again() -> None:
    lobby = make_lobby()
    offer = lobby.seek(ANN, "k-ann", dots(), None, T0)
    before = everything(lobby)
    room = lobby.accept(BOB, "k", offer.offer_id, False, T0).room
    lobby.reopen(offer, T0)
    lobby.rooms.drop(room)
    assert everything(lobby) == before
    lobby.accept(CAT, "k", offer.offer_id, False, T0)


# -- quick matches -----------------------------------------------------------------------------


def test_a_quick_match_takes_the_oldest_seek_with_these_settings() -> None:
    lobby = make_lobby()
    lobby.seek(CAT, "k", dots(2, 2), None, T0)
    first = lobby.seek(ANN, "k", dots(), None, T0)
    lobby.seek(CAT, "k2", dots(), None, T0)
    found = lobby.quick_match(BOB, "q", dots(), T0)
    assert isinstance(found, OpenedRoom)
    assert found.offer is first


def test_a_quick_match_that_finds_nothing_waits_and_is_found() -> None:
    lobby = make_lobby()
    mine = lobby.quick_match(ANN, "q1", dots(), T0)
    assert isinstance(mine, Offer)
    assert isinstance(lobby.quick_match(ANN, "q2", dots(), T0), Offer)  # not against oneself
    found = lobby.quick_match(BOB, "q", dots(), T0)
    assert isinstance(found, OpenedRoom)
    assert found.offer is mine


def test_a_quick_match_skips_owners_who_cannot_play() -> None:
    lobby = make_lobby(rooms_per_player=1)
    lobby.seek(ANN, "k", dots(), None, T0)
    lobby.create_room(ANN, "k2", dots(2, 2), 0, False, T0)  # Ann has all her rooms now
    lobby.challenge(CAT, "k", "Bob", dots(), None)  # no seek
    away = lobby.seek(CAT, "k2", dots(), None, T0)
    lobby.depart("Cat", T0)
    found = lobby.quick_match(BOB, "q", dots(), T0)
    assert isinstance(found, Offer)
    lobby.cancel(BOB, found.offer_id, False)
    lobby.arrive(CAT)
    opened = lobby.quick_match(BOB, "q", dots(), T0)
    assert isinstance(opened, OpenedRoom)
    assert opened.offer is away


# -- challenges --------------------------------------------------------------------------------


def test_a_challenge_finds_its_player_whatever_the_case() -> None:
    lobby = make_lobby()
    offer = lobby.challenge(ANN, "k", "bOB", dots(), 0)
    assert offer.target == "Bob"
    assert lobby.offers.challenges_to("Bob") == [offer]
    assert lobby.offers.challenges_to("Ann") == []
    room = lobby.accept(BOB, "k", offer.offer_id, True, T0).room
    assert room.seat_of("Ann") == 0


def test_a_challenge_is_declined_once() -> None:
    lobby = make_lobby()
    challenge = lobby.challenge(ANN, "k", "Bob", dots(), None).offer_id
    lobby.decline(BOB, challenge)
    assert everything(lobby) == EMPTY
    assert code_of(lambda: lobby.decline(BOB, challenge)) is ErrorCode.UNKNOWN_CHALLENGE


def test_a_quick_match_is_found_by_its_key_again() -> None:
    lobby = make_lobby()
    posted = lobby.quick_match(ANN, "q1", dots(), T0)
    assert lobby.created_by("Ann", "q1") is posted
    opened = lobby.quick_match(BOB, "q2", dots(), T0 + 8)
    assert isinstance(opened, OpenedRoom)
    assert lobby.created_by("Bob", "q2") is opened.room
    assert opened.events[-1]["at"] == T0 + 8
    challenge = lobby.challenge(ANN, "k3", "Bob", dots(), None)
    assert lobby.created_by("Ann", "k3") is challenge


def test_ids_differ_from_those_of_rooms_and_of_offers() -> None:
    drawn: list[list[str]] = []

    class Repeating(Random):
        """Return each id twice."""

        def choices(self, *args: Any, **kw: Any) -> list[str]:
            repeated = len(drawn) % 2
            drawn.append(drawn[-1] if repeated else super().choices(*args, **kw))
            return drawn[-1]

    lobby = Lobby(Repeating(1), TIMES, ServerLimits())
    lobby.arrive(ANN)
    ids = [lobby.seek(ANN, "k1", dots(), 0, T0).offer_id]
    ids.append(lobby.create_room(ANN, "k2", dots(), 0, False, T0).room.id)
    ids.append(lobby.seek(ANN, "k3", dots(), 0, T0).offer_id)
    assert len(set(ids)) == 3


# -- coming and going --------------------------------------------------------------------------


def test_offers_expire_when_their_owner_is_away_for_the_grace_period() -> None:
    lobby = make_lobby()
    seek = lobby.seek(ANN, "k1", dots(), None, T0)
    challenge = lobby.challenge(ANN, "k2", "Bob", dots(), None)
    other = lobby.seek(BOB, "k", dots(), None, T0)
    lobby.depart("Ann", T0)
    lobby.depart("Cat", T0)  # has no offers
    assert lobby.offers.expire(T0 + TIMES.grace_ms - 1) == []
    assert lobby.offers.expire(T0 + TIMES.grace_ms) == [seek, challenge]
    assert list(lobby.offers) == [other.offer_id]
    lobby.cancel(BOB, other.offer_id, False)
    assert everything(lobby) == EMPTY


def test_an_offer_that_is_open_again_expires_when_its_owner_is_gone() -> None:
    lobby = make_lobby()
    offer = lobby.seek(ANN, "k", dots(), None, T0)
    lobby.accept(BOB, "k", offer.offer_id, False, T0)
    lobby.depart("Ann", T0)
    lobby.reopen(offer, T0 + 50)
    assert lobby.offers.expire(T0 + 49 + TIMES.grace_ms) == []
    assert lobby.offers.expire(T0 + 50 + TIMES.grace_ms) == [offer]


# -- how many messages -------------------------------------------------------------------------


def test_a_bucket_gives_its_burst_and_then_the_rate() -> None:
    bucket = TokenBucket(10.0, 3, 100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(100.05)
    assert bucket.take(100.15)  # 0.05 + 0.10 s are worth one and a half
    assert not bucket.take(100.19)
    assert bucket.take(100.2)


def test_settings_with_and_without_defaults_are_equal() -> None:
    lobby = make_lobby()
    short = MatchSettings(game="dots-and-boxes")
    whole = MatchSettings(game="dots-and-boxes", params={"rows": 5, "cols": 5})
    assert isinstance(lobby.quick_match(ANN, "k1", short, 0), Offer)
    opened = lobby.quick_match(BOB, "k2", whole, 0)
    assert isinstance(opened, OpenedRoom)
    assert opened.room.settings == whole


# -- many offers -------------------------------------------------------------------------------


def test_the_number_of_offers_of_the_server_is_limited() -> None:
    lobby = make_lobby(offers=2)
    lobby.seek(ANN, "k", dots(), None, T0)
    lobby.challenge(BOB, "k", "Ann", dots(), None)
    with pytest.raises(Refused, match="The server has 2 open offers"):
        lobby.seek(CAT, "k", dots(), None, T0)
    assert isinstance(lobby.quick_match(CAT, "k", dots(), T0), OpenedRoom)  # needs no space
    lobby.seek(CAT, "k2", dots(), None, T0)


def test_the_number_of_challenges_to_one_player_is_limited() -> None:
    lobby = make_lobby(challenges_per_pair=1, challenges_per_target=2)
    first = lobby.challenge(ANN, "k1", "Bob", dots(), None)
    with pytest.raises(Refused, match="You have 1 open challenges to Bob"):
        lobby.challenge(ANN, "k2", "Bob", dots(), None)
    lobby.challenge(ANN, "k3", "Cat", dots(), None)
    lobby.challenge(CAT, "k1", "Bob", dots(), None)
    dan = PlayerInfo(name="Dan", kind="human")
    with pytest.raises(Refused, match="Bob has 2 open challenges"):
        lobby.challenge(dan, "k1", "Bob", dots(), None)
    lobby.decline(BOB, first.offer_id)
    lobby.challenge(dan, "k1", "Bob", dots(), None)


class CountedName(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        CountedName.compared += 1
        return str.__eq__(self, other)  # type: ignore[arg-type]

    __hash__ = str.__hash__


def test_no_search_looks_at_unrelated_offers() -> None:
    """Offers of thousands of others, with other settings, are in no way of one player's."""
    lobby = make_lobby()
    for number in range(2000):
        name = CountedName(f"player {number}")
        owner = PlayerInfo.model_construct(name=name, kind="human", engine=None)
        lobby.arrive(owner)
        lobby.seek(owner, "k1", dots(1 + number % 9, 3), None, T0)
        if number:
            lobby.challenge(owner, "k2", f"player {number - 1}", dots(), None)
    CountedName.compared = 0
    mine = lobby.seek(ANN, "k", dots(1, 1), None, T0)
    assert lobby.offers.challenges_to("Ann") == []
    found = lobby.quick_match(BOB, "q", dots(1, 1), T0)
    assert isinstance(found, OpenedRoom)
    assert found.offer is mine
    lobby.challenge(ANN, "k2", "bob", dots(), None)
    lobby.depart("Ann", T0)
    assert len(lobby.offers.expire(T0 + TIMES.grace_ms)) == 1
    assert CountedName.compared < 20


def test_offers_expire_in_the_order_in_which_their_owners_left() -> None:
    lobby = make_lobby()
    offers = {p.name: lobby.seek(p, "k", dots(), None, T0) for p in (ANN, BOB, CAT)}
    lobby.depart("Bob", T0)
    lobby.depart("Ann", T0 + 5)
    lobby.depart("Cat", T0 + 5)
    lobby.arrive(BOB)
    lobby.depart("Bob", T0 + 9)  # later than the others now
    late = T0 + TIMES.grace_ms
    assert lobby.offers.expire(late + 4) == []
    assert lobby.offers.expire(late + 5) == [offers["Ann"], offers["Cat"]]
    assert lobby.offers.expire(late + 9) == [offers["Bob"]]
    assert everything(lobby) == EMPTY


def test_only_public_rooms_are_listed_as_newest() -> None:
    lobby = make_lobby()
    public = [lobby.create_room(ANN, f"k{i}", dots(), 0, False, T0).room for i in range(2)]
    lobby.create_room(ANN, "k9", dots(), 0, True, T0)
    assert list(lobby.rooms.newest_public()) == public[::-1]
    lobby.rooms.drop(public[1])
    assert list(lobby.rooms.newest_public()) == public[:1]
