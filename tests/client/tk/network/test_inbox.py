"""Check the queue between the threads: order, bound, lasting answers, and ended visits."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.tk.models.snapshots import (
    Answer,
    LinkSnapshot,
    OfferOver,
    Overflow,
    RoomGone,
    SeatTaken,
    TournamentNews,
    WindowUpdate,
)
from doublecross.client.tk.network.inbox import BOUND, Inbox, Visit
from tests.client.tk.models.contests import tournament_state

_Once = SeatTaken | RoomGone | OfferOver | TournamentNews
PUTS: Final = ("snapshot", "answer", "seat", "gone", "offer", "news")


NEWS: Final = tournament_state(id=None)


def no_answer() -> None:
    raise AssertionError("Nobody has asked.")


def numbered(kind: str, number: int) -> WindowUpdate:
    """Return an update that a test can recognise by its number."""
    makers: dict[str, Callable[[str], WindowUpdate]] = {
        "snapshot": lambda n: LinkSnapshot("me", "connected", n),
        "answer": lambda n: Answer(lambda: None),
        "seat": lambda n: SeatTaken("me", n, n),
        "gone": lambda n: RoomGone("me", n),
        "offer": lambda n: OfferOver("me", n, "expired", ""),
        "news": lambda n: TournamentNews("me", NEWS),
    }
    return makers[kind](str(number))


def take_all(inbox: Inbox) -> list[WindowUpdate]:
    taken = []
    while (update := inbox.take()) is not None:
        taken.append(update)
    return taken


@given(
    steps=st.lists(st.sampled_from((*PUTS, "snapshot", "snapshot", "take")), max_size=120),
    bound=st.integers(1, 9),
)
def test_any_interleaving_of_puts_and_takes(steps: list[str], bound: int) -> None:
    inbox = Inbox(bound)
    put: list[WindowUpdate] = []
    taken: list[WindowUpdate] = []
    for step in steps:
        if step != "take":
            put.append(numbered(step, len(put)))
            inbox.put(put[-1])
        elif (update := inbox.take()) is not None:
            taken.append(update)
    answered = inbox.answered
    rest = take_all(inbox)
    assert sum(not isinstance(p, Answer) for p in rest) <= bound
    assert sum(isinstance(p, Overflow) for p in rest) <= 1
    assert answered == any(isinstance(p, Answer) for p in rest)
    taken += rest
    real = [p for p in taken if not isinstance(p, Overflow)]
    order = {id(p): n for n, p in enumerate(put)}
    places = [order[id(p)] for p in real]
    assert places == sorted(set(places)), "the order of the puts, and nothing twice"
    assert [p for p in real if isinstance(p, Answer)] == [p for p in put if isinstance(p, Answer)]
    if len(real) < len(put):
        # An Overflow follows everything that was put before the lost updates.
        last_lost = max(n for n, p in enumerate(put) if id(p) not in {id(q) for q in real})
        at = max(n for n, p in enumerate(taken) if isinstance(p, Overflow))
        later = [p for p in taken[at:] if not isinstance(p, Overflow)]
        before = [p for p in taken[:at] if not isinstance(p, Overflow | Answer | _Once)]
        assert all(order[id(p)] > last_lost for p in later if not isinstance(p, Answer | _Once))
        assert all(order[id(p)] < last_lost for p in before)
    else:
        assert not any(isinstance(p, Overflow) for p in taken)


def test_an_overflow_keeps_answers_and_one_time_notices() -> None:
    inbox = Inbox(bound=4)
    answers = [Answer(no_answer) for _ in range(20)]
    seat = SeatTaken("me", "r1", "o1")
    for answer in answers[:10]:
        inbox.put(answer)
    inbox.put(seat)
    for n in range(4):
        inbox.put(LinkSnapshot("me", "connected", str(n)))
    for answer in answers[10:]:
        inbox.put(answer)
    newest = LinkSnapshot("me", "lost")
    inbox.put(newest)
    assert take_all(inbox) == [*answers[:10], seat, Overflow(), *answers[10:], newest]


def test_a_flood_of_one_time_notices_is_bounded() -> None:
    inbox = Inbox(bound=10)
    for n in range(1000):
        inbox.put(RoomGone("me", str(n)))
    taken = take_all(inbox)
    assert 1 <= len(taken) <= 10
    assert taken[0] == Overflow()
    assert taken[-1] == RoomGone("me", "999")


def test_answers_alone_never_overflow() -> None:
    inbox = Inbox(bound=2)
    answers = [Answer(no_answer) for _ in range(BOUND)]
    for answer in answers:
        inbox.put(answer)
    assert take_all(inbox) == answers


def test_pictures_of_an_ended_visit_are_discarded() -> None:
    inbox, first, second = Inbox(bound=3), Visit(), Visit()
    inbox.put(LinkSnapshot("me", "connected", "first"), first)
    inbox.put(Answer(no_answer), first)
    inbox.put(LinkSnapshot("me", "connected", "second"), second)
    first.over = True
    inbox.put(LinkSnapshot("me", "lost", "first"), first)
    assert take_all(inbox) == [LinkSnapshot("me", "connected", "second")]
    # Discarded updates do not count towards the bound.
    for n in range(3):
        inbox.put(LinkSnapshot("me", "connected", str(n)), second)
    assert len(take_all(inbox)) == 3


def test_a_slice_stops_after_its_time_but_shows_at_least_one_update() -> None:
    inbox, shown, now = Inbox(), [], 0.0

    def show(update: WindowUpdate) -> None:
        nonlocal now
        shown.append(update)
        now += 0.003

    updates = [LinkSnapshot("me", "connected", str(n)) for n in range(5)]
    for update in updates:
        inbox.put(update)
    assert inbox.drain(show, lambda: now, budget_s=0.005)
    assert shown == updates[:2]
    assert inbox.drain(show, lambda: now, budget_s=0.0)
    assert shown == updates[:3]
    assert not inbox.drain(show, lambda: now, budget_s=1.0)
    assert shown == updates
    assert not inbox.drain(show, lambda: now)


def test_an_update_put_during_a_slice_is_shown_in_it() -> None:
    inbox, shown = Inbox(), []

    def show(update: WindowUpdate) -> None:
        shown.append(update)
        if len(shown) < 3:
            inbox.put(LinkSnapshot("me", "connected", str(len(shown))))

    inbox.put(LinkSnapshot("me", "connecting"))
    assert not inbox.drain(show, lambda: 0.0)
    assert len(shown) == 3


def test_an_error_while_showing_an_update_loses_no_other() -> None:
    inbox = Inbox()
    inbox.put(Answer(no_answer))
    inbox.put(LinkSnapshot("me", "connected"))
    with pytest.raises(AssertionError, match="Nobody"):
        inbox.drain(lambda update: update.deliver() if isinstance(update, Answer) else None, float)
    assert take_all(inbox) == [LinkSnapshot("me", "connected")]


def test_several_threads_put_while_one_takes() -> None:
    inbox, each, taken = Inbox(bound=50), 400, []

    def put(who: str) -> None:
        for n in range(each):
            inbox.put(LinkSnapshot(who, "connected", str(n)))
            inbox.put(Answer(lambda who=who, n=n: told.append((who, n))))  # type: ignore[misc]

    told: list[tuple[str, int]] = []
    threads = [threading.Thread(target=put, args=(who,)) for who in "abc"]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        taken += take_all(inbox)
    for thread in threads:
        thread.join()
    taken += take_all(inbox)
    for update in taken:
        if isinstance(update, Answer):
            update.deliver()
    for who in "abc":
        assert [n for w, n in told if w == who] == list(range(each))
        seen = [int(p.sentence) for p in taken if isinstance(p, LinkSnapshot) and p.who == who]
        assert seen == sorted(set(seen))
