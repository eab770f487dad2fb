from __future__ import annotations

from collections import defaultdict
from itertools import count, product
from typing import Any, Final

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from doublecross.server.cluster.core.link import (
    BEAT_S,
    ITEM_OVERHEAD,
    OVERHEAD,
    RUN_BYTES,
    SILENCE_S,
    Link,
    decode,
    encode,
)

Sent = tuple[int, int, int, bool]  # the header, and whether there are items


def link() -> Link:
    return Link(count(1).__next__, 0.0)


def send(of: Link, *items: bytes) -> Sent:
    """Return what a link sends: items, or a beat."""
    of.items.extend(items)
    session, known, number, taken = of.take()
    assert taken == [*items]
    assert not of.items
    return session, known, number, bool(items)


def turns(a: Link, b: Link, times: int) -> None:
    """Let beats travel, first from a to b."""
    for _ in range(times):
        assert not b.receive(*send(a), 0.0)
        a, b = b, a


def shaken_hands() -> tuple[Link, Link]:
    a, b = link(), link()
    turns(a, b, 3)
    assert a.up
    assert b.up
    return a, b


@pytest.mark.parametrize("beats", [2, 3])
@pytest.mark.parametrize("items", [[b"x"], []])
def test_what_follows_a_lost_batch_breaks_the_link_on_both_sides(
    beats: int, items: list[bytes]
) -> None:
    a, b = link(), link()
    turns(a, b, beats)
    send(a, b"lost")
    late = send(a, *items)
    session = b.mine
    assert not b.receive(*late, 1.0)
    assert not b.up
    assert b.mine > session
    a.items.append(b"is dropped")
    turns(b, a, 1)
    assert not a.up
    assert not b.receive(*late, 1.0)
    turns(a, b, 2)
    assert a.up
    assert b.up
    sent = send(a, b"x")
    assert sent[2] == 0
    assert b.receive(*sent, 1.0)
    for copy in (sent, late):
        assert not b.receive(*copy, 1.0)
    assert b.up


def test_a_link_beats_only_when_it_sends_nothing_else() -> None:
    a, _ = shaken_hands()
    a.tick(BEAT_S)
    assert not a.owes
    send(a, b"x")
    a.tick(2 * BEAT_S)
    assert not a.owes
    a.tick(3 * BEAT_S)
    assert a.owes


class Side:
    """One node with links to all runs that it has heard; it notes what its user sees."""

    def __init__(self, run: int) -> None:
        self.run = run
        self.links: dict[int, Link] = {}
        self.sessions = count(1)
        # By the peer's run, and the two sessions (of the smaller run first).
        self.got: dict[tuple[int, int, int], list[bytes]] = defaultdict(list)
        self.sent: dict[tuple[int, int, int], list[bytes]] = defaultdict(list)
        self.was_up: dict[int, set[tuple[int, int]]] = defaultdict(set)

    def to(self, run: int, now: float) -> Link:
        if run not in self.links:
            self.links[run] = Link(self.sessions.__next__, now)
        return self.links[run]


Message = tuple[int, int, Sent, bytes]  # from, to, header, item
RESTARTS: Final = 3


class Network(RuleBasedStateMachine):
    """Two nodes, restarts of both, and a network that loses, doubles and reorders."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.runs = count(1)
        self.texts = count(1)
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
                self.flying.append((side.run, peer, send(link), b""))

    @rule(who=st.integers(0, 1))
    def meet(self, who: int) -> None:
        self.sides[who].to(self.sides[1 - who].run, self.now)
        self.beat_if_owed(self.sides[who])

    @rule(who=st.integers(0, 1))
    def send(self, who: int) -> None:
        side, peer = self.sides[who], self.sides[1 - who].run
        link = side.to(peer, self.now)
        if link.up:
            item = b"%d" % next(self.texts)
            side.sent[peer, link.mine, link.theirs].append(item)
            self.flying.append((side.run, peer, send(link, item), item))

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
            if link.receive(*header, self.now):
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
            link.cut()
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


@given(st.lists(st.binary(max_size=200), max_size=30))
def test_batches_survive_the_way_and_are_not_longer_than_expected(items: list[bytes]) -> None:
    largest = 2**64 - 1
    batch = ("r" * RUN_BYTES, largest, largest, largest, items)
    message = encode(batch)
    assert decode(message) == batch
    assert len(message) <= OVERHEAD + sum(len(item) + ITEM_OVERHEAD for item in items)


def test_readers_ignore_fields_of_a_later_version() -> None:
    later = msgpack.packb(("A", 1, 2, 3, [b"x"], {"more": 1}))
    assert decode(later) == ("A", 1, 2, 3, [b"x"])


@pytest.mark.parametrize(
    "fields",
    [
        *(7, [], ["A"], [1, 1], ["A", 1, 2], "abcde", {}, ["A", 0, 0, 0, []], ["A", 1, -1, 0, []]),
        *(["A", 1, 0, -1, []], [b"A", 1, 0, 0, []], ["A", True, 0, 0, []], ["A", 1, 0, 0.0, []]),
        *(["A", 1, 0, 0, ["x"]], ["A", 1, 0, 0, [None]], ["A", 1, 0, 0, b""]),
    ],
)
def test_what_is_no_batch_is_refused(fields: Any) -> None:
    with pytest.raises(ValueError, match="this is no batch"):
        decode(msgpack.packb(fields))


@given(st.binary(max_size=60))
def test_any_bytes_are_decoded_or_refused(payload: bytes) -> None:
    try:
        decode(payload)
    except ValueError:
        return
