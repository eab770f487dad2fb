"""Check the latest pictures: kept for each connection, removed when the connection ends."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.latest import LatestPictures
from doublecross.client.tk.models.pictures import (
    LinkPicture,
    LinkState,
    LobbyPicture,
    OffersPicture,
    RoomGone,
    TournamentNews,
)
from tests.client.tk.models.contests import line, tournament_state
from tests.client.tk.models.rooms import PicturedRoom


def test_only_the_own_connection_has_a_link_offers_and_tournaments() -> None:
    latest = LatestPictures()
    latest.take(LinkPicture("guest", "connected"))
    latest.take(OffersPicture("guest", ()))
    latest.take(TournamentNews("guest", tournament_state()))
    assert (latest.link, latest.offers, latest.tournaments) == (None, None, {})
    latest.take(own := LinkPicture("me", "connected"))
    latest.take(offers := OffersPicture("me", ()))
    latest.take(TournamentNews("me", state := tournament_state()))
    assert (latest.link, latest.offers, latest.tournaments) == (own, offers, {"t1": state})


@pytest.mark.parametrize("state", ["closed", "connecting"])
def test_rooms_are_removed_with_their_connection(state: LinkState) -> None:
    latest, room = LatestPictures(), PicturedRoom()
    latest.take(room.picture())
    latest.take(room.picture("guest", me="Bob"))
    assert set(latest.rooms) == {("me", "r1"), ("guest", "r1")}
    latest.take(LinkPicture("guest", "lost"))
    assert len(latest.rooms) == 2
    latest.take(LinkPicture("guest", state))
    assert set(latest.rooms) == {("me", "r1")}
    latest.take(RoomGone("me", "r1"))
    assert not latest.rooms


def test_a_lost_connection_keeps_its_link() -> None:
    latest = LatestPictures()
    assert not latest.connected
    for state, connected in (("connected", True), ("lost", True), ("ended", False)):
        latest.take(LinkPicture("me", state))  # type: ignore[arg-type]
        assert latest.connected is connected


def test_the_name_of_a_tournament_is_that_of_its_terms_or_of_the_lobby() -> None:
    latest = LatestPictures()
    assert latest.tournament_name("t1") == ""
    latest.take(LobbyPicture("me", (), (), (), False, (line(name="Summer"),)))
    assert latest.tournament_name("t1") == "Summer"
    latest.take(TournamentNews("me", tournament_state()))
    assert latest.tournament_name("t1") == "Spring"


def test_an_ended_connection_leaves_nothing() -> None:
    latest = LatestPictures(server="ws://play.example")
    latest.take(LinkPicture("me", "connected"))
    latest.take(PicturedRoom().picture())
    latest.take(TournamentNews("me", tournament_state()))
    latest.clear()
    assert latest == LatestPictures(server="ws://play.example")


def test_the_address_in_use_is_shown_where_it_is_another_than_at_first() -> None:
    latest = LatestPictures(server="ws://a:8765,ws://b:9")
    assert latest.address == "a, b:9"
    latest.take(LinkPicture("me", "connected"))
    assert latest.address == "a, b:9"
    latest.take(LinkPicture("me", "connected", server="ws://b:9"))
    assert latest.address == "b:9"
