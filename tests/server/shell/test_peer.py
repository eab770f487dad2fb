"""Check that long answers cost the peer that asked for them, and that notices cost nothing."""

from __future__ import annotations

import pytest

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.shell.peer import FREE_BYTES, MAX_BUFFERED
from tests.fakes.peers import FakePeer

BURST = 20


@pytest.fixture
def peer() -> FakePeer:
    return FakePeer(limits=ServerLimits(messages_per_s=1.0, burst=BURST))


def record(size: int) -> dict[str, object]:
    return {"type": "record", "id": 1, "game_id": "room-1", "text": "x" * size}


def left(peer: FakePeer) -> float:
    """Return how many KiB the peer may still ask for."""
    return peer.allowance.answers.tokens(0.0)


def test_short_answers_are_free(peer: FakePeer) -> None:
    for _ in range(3 * BURST):
        peer.pay(FREE_BYTES)
        peer.send(record(FREE_BYTES // 2))
    assert left(peer) == BURST


def test_a_long_answer_costs_a_unit_for_each_kib(peer: FakePeer) -> None:
    peer.send(record(10 * FREE_BYTES))
    assert BURST - 10.2 < left(peer) < BURST - 10


def test_what_was_paid_at_the_request_is_not_charged_again(peer: FakePeer) -> None:
    peer.pay(10 * FREE_BYTES)
    assert left(peer) == BURST - 10
    peer.answer(record(9 * FREE_BYTES), 10 * FREE_BYTES)
    assert left(peer) == BURST - 10
    peer.answer(record(12 * FREE_BYTES), 10 * FREE_BYTES)
    assert BURST - 12.2 < left(peer) < BURST - 12


def test_long_answers_leave_the_rate_of_messages_alone(peer: FakePeer) -> None:
    peer.send(record(100 * FREE_BYTES))
    assert [peer.allowance.messages.take(0.0) for _ in range(BURST + 1)] == [True] * BURST + [False]


def test_a_debt_must_be_refilled_before_the_next_long_answer(peer: FakePeer) -> None:
    peer.pay((BURST + 9) * FREE_BYTES)
    peer.pay(FREE_BYTES)  # a short one
    for now, admitted in [(0.0, False), (9.5, False), (10.0, True), (10.0, False)]:
        peer.last_message_s = now
        if admitted:
            peer.pay(2 * FREE_BYTES)
        else:
            with pytest.raises(Refused) as refused:
                peer.pay(2 * FREE_BYTES)
            assert refused.value.code is ErrorCode.RATE_LIMITED


def test_notices_cost_their_recipient_nothing(peer: FakePeer) -> None:
    notice = {key: value for key, value in record(50 * FREE_BYTES).items() if key != "id"}
    peer.send({"type": "offer_ended", "offer": "o", "outcome": "declined"})
    peer.socket.write = lambda data: None  # type: ignore[method-assign]
    peer.send(notice)
    assert left(peer) == BURST


@pytest.mark.parametrize(("waiting", "dropped"), [(MAX_BUFFERED, False), (MAX_BUFFERED + 1, True)])
def test_a_peer_that_does_not_read_is_dropped_at_a_long_answer(
    peer: FakePeer, monkeypatch: pytest.MonkeyPatch, waiting: int, dropped: bool
) -> None:
    aborted: list[bool] = []
    monkeypatch.setattr(peer.socket, "buffered", lambda: waiting)
    monkeypatch.setattr(peer.socket, "abort", lambda: aborted.append(True), raising=False)
    peer.send(record(10))
    assert len(peer.take()) == 1
    peer.send(record(2 * FREE_BYTES))
    assert (peer.take() == [], aborted == [True]) == (dropped, dropped)
