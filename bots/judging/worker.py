"""Run the review process: judge finished games for the parent process, one at a time.

Theory of operation
-------------------
It reads orders as lines of JSON and writes lines of JSON::

    in   {"number": 7, "record": "[Game ...", "most_bytes": 1000000}
    out  {"what": "judged", "number": 7, "moves": 12}
    out  {"what": "report", "number": 7, "text": "eJy...", "packed": "eJy..."}
    in   {"stop": 8}
    out  {"what": "stopped", "number": 8}
    out  {"what": "problem", "number": 9, "sentence": "..."}

``text`` is the report as JSON and ``packed`` as msgpack, both compressed with zlib and in base64.
So a server passes reports on without reading them. ``most_bytes`` is the greatest length of the
JSON, or null. Each order ends with a report, a problem or ``stopped``.

A separate thread reads the input. The process stops between two moves. It runs at low priority,
because games and hints on the same machine come first, and ends when its input closes.
"""

from __future__ import annotations

import base64
import contextlib
import json
import math
import os
import queue
import time
import zlib
from collections.abc import Callable
from typing import Any, Final, NoReturn

import msgpack

from doublecross.analysis.as_json import report_to_json
from doublecross.bots.judging.limits import JudgeError
from doublecross.bots.judging.making import make_review
from doublecross.games.api import BadRecord
from doublecross.games.record import parse_record
from doublecross.processes.parent import Message, Parent
from doublecross.processes.system import set_name
from doublecross.protocol.review_messages import ReviewReport

TELL_S: Final = 0.25
"""The shortest time between two messages about the number of judged moves, in seconds."""
_NICENESS: Final = 10


class Stopped(Exception):  # noqa: N818 - named for what happened
    """Nobody waits for the report any more."""


class ReviewOrders:
    """The orders that wait, and those that were withdrawn. One thread puts, another one takes."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._stopped: set[int] = set()

    def put(self, line: bytes) -> None:
        """Take in a line."""
        message = json.loads(line)
        if "stop" in message:
            self._stopped.add(message["stop"])
        else:
            self._waiting.put(message)

    def take(self) -> dict[str, Any]:
        """Wait for the next order and return it."""
        return self._waiting.get()

    def is_stopped(self, number: int) -> bool:
        """Return whether the order was withdrawn."""
        return number in self._stopped

    def forget(self, number: int) -> None:
        """Forget an order that is answered."""
        self._stopped.discard(number)


def main() -> NoReturn:
    """Judge games until the input closes, which ends the process."""
    set_name("reviews")
    orders = ReviewOrders()
    parent = Parent()
    parent.listen(orders.put)
    with contextlib.suppress(AttributeError, OSError):  # Windows has no niceness
        os.nice(_NICENESS)
    while True:
        order = orders.take()
        number = order["number"]
        progress = progress_teller(parent.send, orders, number)
        found = answer(order["record"], order["most_bytes"], progress)
        parent.send({"number": number, **found})
        orders.forget(number)


def answer(
    record: str, most_bytes: int | None, progress: Callable[[int, int], None]
) -> dict[str, str]:
    """Return the report of a game as a message, or a sentence that says why there is none.

    The report may have `most_bytes` bytes as JSON; None stands for no limit. `progress` receives
    how many moves are judged and how many there are; it may raise `Stopped`.
    """
    try:
        game = parse_record(record)
    except BadRecord as bad:
        return {"what": "problem", "sentence": f"The record of this game cannot be read: {bad}"}
    actions = [move.action for move in game.moves]
    try:
        report = make_review(game.game, game.opening, actions, progress)
    except Stopped:
        return {"what": "stopped"}
    except JudgeError as error:
        return {"what": "problem", "sentence": str(error)}
    value = report_to_json(report, game.termination, game.winner)
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    if most_bytes is not None and len(text) > most_bytes:
        return {"what": "problem", "sentence": "The report of this game is too long to be sent."}
    # Clients check the form of what they receive; a mistake must show here.
    ReviewReport.model_validate_json(text)
    return {"what": "report", "text": _packed(text), "packed": _packed(msgpack.packb(value))}


def _packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data)).decode()


def progress_teller(
    send: Callable[[Message], None], orders: ReviewOrders, number: int
) -> Callable[[int, int], None]:
    """Return what to call after each move of the order `number`.

    It raises `Stopped` if the order was withdrawn, and otherwise sends how far the work is, unless
    it has done so just now.
    """
    told_s = -math.inf

    def judged(done: int, _all: int) -> None:
        nonlocal told_s
        if orders.is_stopped(number):
            raise Stopped
        now_s = time.monotonic()
        if now_s - told_s >= TELL_S:
            told_s = now_s
            send({"what": "judged", "number": number, "moves": done})

    return judged


if __name__ == "__main__":
    main()
