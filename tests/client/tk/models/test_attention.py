"""Check what the title says to a person who looks at another program."""

from __future__ import annotations

from doublecross.client.tk.models.attention import Attention
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.snapshots import (
    LinkSnapshot,
    OffersSnapshot,
    OpenOffer,
    RoomGone,
    WindowUpdate,
)
from doublecross.client.tk.network.thread import GUEST, ME
from tests.client.tk.models.rooms import SeenRoom, settings

PLAIN = "Doublecross"
TURN = "(your turn) Doublecross"
BEGUN = "(a match begins) Doublecross"
CHALLENGE = "(a challenge) Doublecross"


class Away:
    """A window without the focus; `take` returns its title after a snapshot."""

    def __init__(self) -> None:
        self.attention = Attention()
        self.latest = LatestSnapshots()

    def take(self, update: WindowUpdate) -> str:
        self.attention.take(update, self.latest)
        self.latest.take(update)
        return self.attention.title

    def clear(self) -> str:
        self.attention.clear()
        return self.attention.title


def offers(*ids: str, mine: bool = False) -> OffersSnapshot:
    made = (OpenOffer(each, mine, "Bob", settings()) for each in ids)
    return OffersSnapshot(ME, tuple(made))


def test_the_opponents_move_is_news_until_it_is_answered_or_seen() -> None:
    away, room = Away(), SeenRoom(me="Bob")
    assert away.take(room.seen()) == BEGUN
    room.moves("b1")
    assert away.take(room.seen()) == TURN
    assert away.take(room.seen()) == TURN
    assert away.clear() == PLAIN
    assert away.take(room.seen()) == PLAIN
    room.moves("b3")
    assert away.take(room.seen()) == PLAIN
    room.moves("b5")
    assert away.take(room.seen()) == TURN
    # The move was made in another window, or was chosen early.
    room.moves("a2")
    assert away.take(room.seen()) == PLAIN


def test_a_match_that_ends_or_is_gone_needs_nobody_any_more() -> None:
    away, room = Away(), SeenRoom()
    assert away.take(room.seen()) == TURN
    room.end()
    assert away.take(room.seen()) == PLAIN
    room.start()
    assert away.take(room.seen(me="Bob")) == TURN
    assert away.take(RoomGone(ME, room.room)) == PLAIN


def test_matches_of_others_are_no_news() -> None:
    away, room = Away(), SeenRoom()
    assert away.take(room.seen(me="Zoe")) == PLAIN
    assert away.take(room.seen(GUEST)) == PLAIN


def test_a_challenge_is_news_once_while_it_is_open() -> None:
    away = Away()
    assert away.take(offers("o1", mine=True)) == PLAIN
    assert away.take(offers("c1")) == CHALLENGE
    assert away.take(offers()) == PLAIN
    assert away.take(offers("c2")) == CHALLENGE
    assert away.clear() == PLAIN
    assert away.take(offers("c2")) == PLAIN
    assert away.take(offers("c2", "c3")) == CHALLENGE
    assert away.take(SeenRoom().seen()) == TURN
    assert away.take(LinkSnapshot(ME, "lost")) == TURN
    assert away.take(LinkSnapshot(ME, "closed")) == PLAIN
