"""Check the latest snapshots: kept for each connection, removed when the connection ends."""

from __future__ import annotations

import pytest

from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.snapshots import (
    LinkSnapshot,
    LinkState,
    LobbySnapshot,
    OffersSnapshot,
    RoomGone,
    TournamentNews,
)
from tests.client.tk.models.contests import line, tournament_state
from tests.client.tk.models.rooms import SeenRoom


def test_only_the_own_connection_has_a_link_offers_and_tournaments() -> None:
    latest = LatestSnapshots()
    latest.take(LinkSnapshot("guest", "connected"))
    latest.take(OffersSnapshot("guest", ()))
    latest.take(TournamentNews("guest", tournament_state()))
    assert (latest.link, latest.offers, latest.tournaments) == (None, None, {})
    latest.take(own := LinkSnapshot("me", "connected"))
    latest.take(offers := OffersSnapshot("me", ()))
    latest.take(TournamentNews("me", state := tournament_state()))
    assert (latest.link, latest.offers, latest.tournaments) == (own, offers, {"t1": state})


@pytest.mark.parametrize("state", ["closed", "connecting"])
def test_rooms_are_removed_with_their_connection(state: LinkState) -> None:
    latest, room = LatestSnapshots(), SeenRoom()
    latest.take(room.seen())
    latest.take(room.seen("guest", me="Bob"))
    assert set(latest.rooms) == {("me", "r1"), ("guest", "r1")}
    latest.take(LinkSnapshot("guest", "lost"))
    assert len(latest.rooms) == 2
    latest.take(LinkSnapshot("guest", state))
    assert set(latest.rooms) == {("me", "r1")}
    latest.take(RoomGone("me", "r1"))
    assert not latest.rooms


def test_a_lost_connection_keeps_its_link() -> None:
    latest = LatestSnapshots()
    assert not latest.connected
    for state, connected in (("connected", True), ("lost", True), ("ended", False)):
        latest.take(LinkSnapshot("me", state))  # type: ignore[arg-type]
        assert latest.connected is connected


def test_the_name_of_a_tournament_is_that_of_its_terms_or_of_the_lobby() -> None:
    latest = LatestSnapshots()
    assert latest.tournament_name("t1") == ""
    latest.take(LobbySnapshot("me", (), (), (), False, (line(name="Summer"),)))
    assert latest.tournament_name("t1") == "Summer"
    latest.take(TournamentNews("me", tournament_state()))
    assert latest.tournament_name("t1") == "Spring"


def test_an_ended_connection_leaves_nothing() -> None:
    latest = LatestSnapshots(server="ws://play.example")
    latest.take(LinkSnapshot("me", "connected"))
    latest.take(SeenRoom().seen())
    latest.take(TournamentNews("me", tournament_state()))
    latest.clear()
    assert latest == LatestSnapshots(server="ws://play.example")


def test_the_address_in_use_is_shown_where_it_is_another_than_at_first() -> None:
    latest = LatestSnapshots(server="ws://a:8765,ws://b:9")
    assert latest.address == "a, b:9"
    latest.take(LinkSnapshot("me", "connected"))
    assert latest.address == "a, b:9"
    latest.take(LinkSnapshot("me", "connected", server="ws://b:9"))
    assert latest.address == "b:9"
