"""How long seeks wait: what counts, the median of the newest, the bounds."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.common import DAY_MS, MatchSettings, PlayerInfo, TimeControl
from doublecross.server.core.lobby.lobby import Lobby, OpenedRoom
from doublecross.server.core.lobby.offer_log import OpenOffers, offer_posted
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.lobby.waits import LEAST_WAITS, MOST_MATCHES, MOST_WAITS, Waits
from tests.server.core.test_lobby import make_lobby
from tests.server.playing import ANN, BOB, T0, dots

ROBOT = PlayerInfo(name="robot", kind="bot")


def wait(lobby: Lobby, waited: int, *, by: PlayerInfo = ANN, **settings: Any) -> None:
    """Let a seek wait until Bob accepts it."""
    seek = lobby.seek(by, "k", dots(**settings), None, T0)
    room = lobby.accept(BOB, "k", seek.offer_id, False, T0 + waited).room
    lobby.rooms.drop(room)


def usual(waits: Waits) -> dict[int, int]:
    """Return the medians by the rows of the board."""
    return {settings.params["rows"]: median for settings, median in waits.usual()}


def test_the_median_of_three_waits_is_known_for_each_match() -> None:
    lobby = make_lobby()
    for waited in (9000, 1000):
        wait(lobby, waited, rows=2)
        wait(lobby, 50, rows=3)
    assert usual(lobby.waits) == {}
    wait(lobby, 2000, rows=2)
    assert usual(lobby.waits) == {2: 2000}
    wait(lobby, -5, rows=3)  # the clock was set back
    assert usual(lobby.waits) == {2: 2000, 3: 50}


def test_an_offer_of_a_quick_match_counts_when_another_one_takes_it() -> None:
    lobby = make_lobby()
    for _ in range(LEAST_WAITS):
        lobby.quick_match(ANN, "k", dots(), T0)
        found = lobby.quick_match(BOB, "k", dots(), T0 + 700)
        assert isinstance(found, OpenedRoom)
        lobby.rooms.drop(found.room)
    assert [median for _, median in lobby.waits.usual()] == [700]


@pytest.mark.parametrize(
    ("by", "time"), [(ROBOT, TimeControl()), (ANN, TimeControl(move_ms=DAY_MS))]
)
def test_nobody_waits_for_seeks_of_bots_and_by_days(by: PlayerInfo, time: TimeControl) -> None:
    lobby = make_lobby(ANN, BOB, ROBOT)
    for _ in range(LEAST_WAITS):
        wait(lobby, 5, by=by, time=time)
    assert usual(lobby.waits) == {}


def test_an_offer_from_another_node_does_not_count() -> None:
    offers, waits = OpenOffers(), Waits()
    offers.apply(offer_posted(Offer("o", ANN, "k", dots(), None, None, T0)), 1)
    for _ in range(LEAST_WAITS):
        waits.accepted(offers.offers[0], T0 + 5)
    assert usual(waits) == {}


def test_only_the_newest_waits_and_matches_are_remembered() -> None:
    waits = Waits()

    def waited(settings: MatchSettings, ms: int) -> None:
        for _ in range(MOST_WAITS // 2 + 1):
            waits.accepted(Offer("o", ANN, "k", settings, None, None, T0), T0 + ms)

    for rows in range(MOST_MATCHES + 1):
        waited(dots(rows, 2), 10)
    assert usual(waits).keys() == set(range(1, MOST_MATCHES + 1))
    waited(dots(7, 2), 90)
    assert usual(waits)[7] == 90
