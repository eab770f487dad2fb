"""Check that long answers count against a peer's rate."""

from __future__ import annotations

import pytest

from server.core.limits import ServerLimits
from server.shell.peer import FREE_BYTES, MAX_BUFFERED
from tests.fakes.peers import FakePeer

BURST = 20


@pytest.fixture
def peer() -> FakePeer:
    return FakePeer(limits=ServerLimits(messages_per_s=1.0, burst=BURST))


def record(size: int) -> dict[str, object]:
    return {"type": "record", "id": 1, "game_id": "room-1", "text": "x" * size}


def left(peer: FakePeer) -> int:
    """Return how many messages are within the rate now."""
    count = 0
    while peer.bucket.take(0.0):
        count += 1
    return count


def test_short_answers_are_free(peer: FakePeer) -> None:
    for _ in range(3 * BURST):
        peer.send(record(FREE_BYTES // 2))
    assert left(peer) == BURST


def test_a_long_answer_costs_a_message_for_each_kib(peer: FakePeer) -> None:
    peer.send(record(10 * FREE_BYTES))
    assert left(peer) == BURST - 11  # ten of text, and the rest of the message


def test_after_long_answers_the_rate_must_recover(peer: FakePeer) -> None:
    peer.send(record((BURST + 9) * FREE_BYTES))
    assert not peer.bucket.take(9.0)
    assert peer.bucket.take(12.0)


@pytest.mark.parametrize(("waiting", "dropped"), [(MAX_BUFFERED, False), (MAX_BUFFERED + 1, True)])
def test_a_peer_that_does_not_read_is_dropped_at_a_long_answer(
    peer: FakePeer, monkeypatch: pytest.MonkeyPatch, waiting: int, dropped: bool
) -> None:
    aborted: list[bool] = []
    monkeypatch.setattr(peer.socket, "get_write_buffer_size", lambda: waiting)
    monkeypatch.setattr(peer.socket, "abort", lambda: aborted.append(True), raising=False)
    peer.send(record(10))
    assert len(peer.take()) == 1
    peer.send(record(2 * FREE_BYTES))
    assert (peer.take() == [], aborted == [True]) == (dropped, dropped)
