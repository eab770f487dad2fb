"""What the review process answers, when it tells its progress, and orders that are withdrawn."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest

from doublecross.bots.judging import worker
from doublecross.bots.judging.worker import ReviewOrders, Stopped, progress_teller
from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import make_game

GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 2})
MOVES = (0, 11, 1, 10, 2, 9, 3, 4, 5, 6, 7, 8)


def answer(
    moves: tuple[int, ...] = MOVES,
    key: str = "",
    most_bytes: int | None = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> dict[str, str]:
    """Return the worker's answer to a game, on 2x2 boxes unless it is the game `key`."""
    game = make_game(key) if key else GAME
    record = Record(game, ("Ann", "Ben"), tuple(map(RecordedMove, moves)))
    return worker.answer(format_record(record), most_bytes, progress)


def test_a_worker_stops_between_two_moves() -> None:
    judged = []

    def progress(done: int, moves: int) -> None:
        judged.append((done, moves))
        if done == 2:
            raise Stopped

    assert answer(progress=progress) == {"what": "stopped"}
    assert judged == [(1, 12), (2, 12)]


def test_a_report_may_not_be_longer_than_the_order_says() -> None:
    text = zlib.decompress(b64decode(answer()["text"]))
    assert [move["action"] for move in json.loads(text)["moves"]] == list(MOVES)
    assert answer(most_bytes=len(text))["what"] == "report"
    assert "too long" in answer(most_bytes=len(text) - 1)["sentence"]


def test_orders_can_be_withdrawn() -> None:
    orders = ReviewOrders()
    orders.put(b'{"number": 1, "record": "x"}')
    orders.put(b'{"stop": 1}')
    assert orders.take() == {"number": 1, "record": "x"}
    assert orders.is_stopped(1)
    orders.forget(1)
    assert not orders.is_stopped(1)


def test_progress_is_told_now_and_then_and_ends_when_the_order_is_withdrawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[dict[str, Any]] = []
    orders = ReviewOrders()
    hurried = progress_teller(sent.append, orders, 7)
    hurried(1, 12)
    hurried(2, 12)
    assert sent == [{"what": "judged", "number": 7, "moves": 1}]
    monkeypatch.setattr(worker, "TELL_S", 0.0)
    hurried(3, 12)
    assert [message["moves"] for message in sent] == [1, 3]
    orders.put(b'{"stop": 7}')
    with pytest.raises(Stopped):
        hurried(4, 12)


def test_what_cannot_be_reviewed_says_why() -> None:
    assert answer((4, 1, 0, 8), "tic-tac-toe")["what"] == "report"
    assert "too large to be solved" in answer((0, 1), "connect-four")["sentence"]
    assert "has no moves" in answer(())["sentence"]
    unreadable = worker.answer("no record", None, lambda _done, _all: None)
    assert "cannot be read" in unreadable["sentence"]
