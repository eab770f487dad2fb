from __future__ import annotations

from collections import defaultdict
from itertools import count, product
from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from doublecross.server.cluster.core.link import TIMING, TRANSITIONS, Cause, Link, State

BEAT_S: Final = TIMING.beat_s
SILENCE_S: Final = TIMING.silence_s
Header = tuple[int, int, int]


def link(first: int = 1, now: float = 0.0) -> Link:
    return Link(count(first).__next__, now)


def beat(to: Link, of: Link, now: float = 0.0) -> None:
    assert not to.receive(*of.stamp(items=False), now, items=False)


def shake_hands(a: Link, b: Link, now: float = 0.0) -> None:
    beat(b, a, now)
    beat(a, b, now)
    beat(b, a, now)
    assert a.up
    assert b.up


def test_a_link_is_up_after_three_beats_and_owes_answers_only_until_then() -> None:
    a, b = link(), link(7)
    assert a.owes
    beat(b, a)
    assert not b.up
    assert b.owes
    beat(a, b)
    assert a.up
    assert not b.up
    assert a.owes
    beat(b, a)
    assert b.up
    assert b.owes
    beat(a, b)
    assert not a.owes
    assert not b.owes


def test_items_wait_for_the_handshake() -> None:
    with pytest.raises(ValueError, match="only while the link is up"):
        link().stamp(items=True)


def test_items_count_once_and_in_order() -> None:
    a, b = link(), link()
    shake_hands(a, b)
    stamps = [a.stamp(items=True) for _ in range(3)]
    assert [stamp[2] for stamp in stamps] == [0, 1, 2]
    for stamp in (*stamps, a.stamp(items=True)):
        assert b.receive(*stamp, 1.0, items=True)
    for stamp in stamps:
        assert not b.receive(*stamp, 1.0, items=True)
    assert b.up


def test_the_first_items_may_arrive_with_the_end_of_the_handshake() -> None:
    a, b = link(), link()
    beat(b, a)
    beat(a, b)
    assert not b.up
    assert b.receive(*a.stamp(items=True), 0.0, items=True)
    assert b.up
    assert b.receive(*a.stamp(items=True), 0.0, items=True)


@pytest.mark.parametrize("kind", ["items", "beat"])
def test_what_follows_a_lost_batch_breaks_the_link_on_both_sides(kind: str) -> None:
    a, b = link(), link()
    shake_hands(a, b)
    a.stamp(items=True)  # lost
    late = a.stamp(items=kind == "items")
    assert not b.receive(*late, 1.0, items=kind == "items")
    assert not b.up
    assert b.changed == 1.0
    assert b.owes
    beat(a, b, 1.0)
    assert not a.up
    assert not b.receive(*late, 1.0, items=True)
    beat(b, a, 1.0)
    assert b.up
    beat(a, b, 1.0)
    assert a.up
    assert a.stamp(items=True)[2] == 0
    assert not b.receive(*late, 1.0, items=True)
    assert b.up


def test_a_lost_first_batch_begins_a_new_session_before_the_link_is_up() -> None:
    a, b = link(), link()
    beat(b, a)
    beat(a, b)
    a.stamp(items=True)  # lost
    first = b.mine
    assert not b.receive(*a.stamp(items=True), 0.0, items=True)
    assert not b.up
    assert b.mine > first
    beat(a, b)
    assert not a.up
    beat(b, a)
    beat(a, b)
    assert a.up
    assert b.up


def test_a_silent_peer_breaks_the_link_once() -> None:
    a, b = link(), link()
    shake_hands(a, b)
    a.tick(SILENCE_S - 0.01)
    assert a.up
    a.tick(SILENCE_S)
    assert not a.up
    session = a.mine
    a.tick(2 * SILENCE_S)
    assert a.mine == session
    assert a.owes, "a link that is down goes on beating"
    # The peer was frozen, and learns of the break from the first beat that it hears.
    beat(b, a, 9.0)
    assert not b.up
    beat(a, b, 9.0)
    beat(b, a, 9.0)
    assert a.up
    assert b.up


def test_a_link_beats_only_when_it_sends_nothing_else() -> None:
    a, b = link(), link()
    shake_hands(a, b)
    beat(a, b)
    a.tick(BEAT_S)
    assert not a.owes
    a.stamp(items=True)
    a.tick(2 * BEAT_S)
    assert not a.owes
    a.tick(3 * BEAT_S)
    assert a.owes


def test_cutting_breaks_a_link_that_is_up_and_no_other() -> None:
    a, b = link(), link()
    session = a.mine
    a.cut(0.0)
    assert a.mine == session
    shake_hands(a, b)
    a.cut(1.0)
    assert not a.up
    assert a.mine > session


def test_a_link_that_was_dropped_and_made_again_breaks_the_old_one() -> None:
    sessions = count(1).__next__
    a, b = Link(sessions, 0.0), link()
    shake_hands(a, b)
    again = Link(sessions, 5.0)
    beat(b, again, 5.0)
    assert not b.up
    beat(again, b, 5.0)
    beat(b, again, 5.0)
    assert again.up
    assert b.up


def test_the_table_goes_down_for_every_cause_but_one() -> None:
    for (state, cause), after in TRANSITIONS.items():
        assert (after is State.UP) == (cause is Cause.OPENED), (state, cause)
    assert {(State.UP, cause) for cause in Cause} - set(TRANSITIONS) == {(State.UP, Cause.OPENED)}


class Side:
    """One node with links to all runs that it has heard; it notes what its user sees."""

    def __init__(self, run: int) -> None:
        self.run = run
        self.links: dict[int, Link] = {}
        self.sessions = count(1)
        # By the peer's run, and the two sessions (of the smaller run first).
        self.got: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        self.sent: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        self.was_up: dict[int, set[tuple[int, int]]] = defaultdict(set)

    def to(self, run: int, now: float) -> Link:
        if run not in self.links:
            self.links[run] = Link(self.sessions.__next__, now)
        return self.links[run]


Message = tuple[int, int, Header, int | None]  # from, to, header, item
RESTARTS: Final = 3


class Network(RuleBasedStateMachine):
    """Two nodes, restarts of both, and a network that loses, doubles and reorders."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.runs = count(1)
        self.items = count(1)
        self.sides = [Side(next(self.runs)), Side(next(self.runs))]
        self.everyone = {side.run: side for side in self.sides}
        self.flying: list[Message] = []

    def look(self, side: Side, peer: int) -> None:
        """Note the sessions of a link that is up."""
        link = side.links[peer]
        if link.up:
            side.was_up[peer].add((link.mine, link.theirs))

    def beat_if_owed(self, side: Side) -> None:
        for peer, link in side.links.items():
            if link.owes:
                self.flying.append((side.run, peer, link.stamp(items=False), None))

    @rule(who=st.integers(0, 1))
    def meet(self, who: int) -> None:
        self.sides[who].to(self.sides[1 - who].run, self.now)
        self.beat_if_owed(self.sides[who])

    @rule(who=st.integers(0, 1))
    def send(self, who: int) -> None:
        side, peer = self.sides[who], self.sides[1 - who].run
        link = side.to(peer, self.now)
        if link.up:
            item = next(self.items)
            side.sent[peer, link.mine, link.theirs].append(item)
            self.flying.append((side.run, peer, link.stamp(items=True), item))

    @rule(which=st.integers(0, 1000), copy=st.booleans())
    def deliver(self, which: int, copy: bool) -> None:
        if self.flying:
            which %= len(self.flying)
            message = self.flying[which] if copy else self.flying.pop(which)
            self.arrive(message)

    @rule(n=st.integers(1, 20))
    def deliver_in_order(self, n: int) -> None:
        for message in self.flying[:n]:
            self.flying.remove(message)
            self.arrive(message)

    @rule(which=st.integers(0, 1000))
    def lose(self, which: int) -> None:
        if self.flying:
            self.flying.pop(which % len(self.flying))

    def arrive(self, message: Message) -> None:
        sender, to, header, item = message
        for side in self.sides:
            if side.run != to:
                continue
            link = side.to(sender, self.now)
            was_up = link.up
            counts = link.receive(*header, self.now, items=item is not None)
            if counts:
                assert item is not None
                assert link.up
                side.got[sender, link.mine, link.theirs].append(item)
            if was_up and link.up:
                pair = (link.mine, link.theirs)
                assert pair in side.was_up[sender], "a change of sessions without a break"
            self.look(side, sender)
            self.beat_if_owed(side)

    @rule(s=st.sampled_from([0.1, BEAT_S, SILENCE_S]))
    def pass_time(self, s: float) -> None:
        self.now += s
        for side in self.sides:
            for link in side.links.values():
                link.tick(self.now)
            self.beat_if_owed(side)

    @rule(who=st.integers(0, 1))
    def cut(self, who: int) -> None:
        for link in self.sides[who].links.values():
            link.cut(self.now)
        self.beat_if_owed(self.sides[who])

    @rule(who=st.integers(0, 1))
    def forget(self, who: int) -> None:
        self.sides[who].links.clear()

    @rule(who=st.integers(0, 1))
    def restart(self, who: int) -> None:
        if len(self.everyone) < 2 + RESTARTS:
            self.sides[who] = Side(next(self.runs))
            self.everyone[self.sides[who].run] = self.sides[who]

    @invariant()
    def got_is_a_prefix_of_sent(self) -> None:
        for a, b in product(self.everyone.values(), repeat=2):
            for (peer, mine, theirs), got in b.got.items():
                if peer == a.run:
                    assert got == a.sent[b.run, theirs, mine][: len(got)]

    def teardown(self) -> None:
        """Let the network work from now on: both sides come up, and know all breaks."""
        for _ in range(2 * int(SILENCE_S / BEAT_S)):
            self.meet(0)
            self.meet(1)
            self.pass_time(BEAT_S)
            for _ in range(200):
                if not self.flying:
                    break
                self.arrive(self.flying.pop(0))
            assert not self.flying, "beats answer each other without end"
        a, b = self.sides
        one, other = a.links[b.run], b.links[a.run]
        assert one.up
        assert other.up
        # Both sides have left every session that the other has left, and share the current one.
        assert (one.mine, one.theirs) == (other.theirs, other.mine)
        self.send(0)
        self.send(1)
        self.deliver_in_order(2)
        self.got_is_a_prefix_of_sent()
        pair = (one.mine, one.theirs)
        assert b.got[a.run, *reversed(pair)] == a.sent[b.run, *pair]
        assert a.got[b.run, *pair] == b.sent[a.run, *reversed(pair)]


Network.TestCase.settings = settings(max_examples=60, stateful_step_count=60)
TestNetwork = Network.TestCase
