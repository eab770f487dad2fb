"""The review process: makes the reports of games for whoever started it.

Theory of operation
-------------------
It reads orders as lines of JSON, carries them out in turn, and writes lines of JSON::

    in   {"game": "dots-and-boxes", "params": {"rows": 3, "cols": 3},
          "opening": [], "moves": [0, 9]}
    out  {"what": "progress", "done": 1, "all": 2}
    out  {"what": "report", "report": {"version": 1, ...}}
    out  {"what": "problem", "sentence": "This game has no moves, so there is nothing to review."}

Each order ends with a report or a problem. The process runs at low priority, so that games and
hints go on smoothly. To cancel an order, end the process: it ends at once when its input closes.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
from typing import Any, Final

from analysis.as_json import report_to_json
from cli.review.making import make_review
from cli.shared.console import Problem
from games.api import GameError
from games.registry import make_game
from processes.parent import Message, Parent

_NICENESS: Final = 10
NOT_AN_ORDER: Final = "An order is a line with one JSON object: game, params, opening and moves."


def carry_out(line: bytes, parent: Parent) -> Message:
    """Make the report that a line orders; return the last message about it."""
    try:
        order: Any = json.loads(line)
        key, params = order["game"], order["params"]
        opening, moves = order["opening"], order["moves"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return _problem(NOT_AN_ORDER)

    def progress(done: int, total: int) -> None:
        parent.send({"what": "progress", "done": done, "all": total})

    try:
        report = make_review(make_game(key, params), opening, moves, progress)
    except GameError as error:
        return _problem(str(error))
    except Problem as problem:
        return _problem(problem.sentence)
    return {"what": "report", "report": report_to_json(report)}


def _problem(sentence: str) -> Message:
    return {"what": "problem", "sentence": sentence}


def main() -> int:
    """Carry out orders until the input closes, which ends this process."""
    with contextlib.suppress(AttributeError, OSError):  # Windows has no niceness
        os.nice(_NICENESS)
    orders: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    parent = Parent()
    parent.listen(orders.put)
    while True:
        parent.send(carry_out(orders.get(), parent))


if __name__ == "__main__":
    sys.exit(main())
