"""Lessons for tests, as JSON values and as objects."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from doublecross.analysis.course.lesson import Exercise, Lesson
from doublecross.analysis.course.reader import read_lesson
from doublecross.analysis.values import PositionValues
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from tests.analysis.judges import NetJudge, position_values

TERMS = {"chain": "A path of boxes."}
TWO_CHAINS = "b7 d7 f7 b5 d5 f5 g4 g2 b3 d3 b1 d1 f1"
OPENED = f"{TWO_CHAINS} a6"


def exercise(kind: str, size: str, drawn: str, **more: Any) -> dict[str, Any]:
    position = {"game": "dots-and-boxes", "size": size, "moves": drawn}
    common = {"id": "one", "kind": kind, "task": "Do it.", "position": position}
    if kind != "watch":
        common |= {"hints": ["Look.", "Look again."], "solved": "Well done."}
    return common | more


def lesson(*exercises: dict[str, Any], **more: Any) -> dict[str, Any]:
    found = {"title": "A lesson", "goal": "A goal.", "text": ["A [chain]."]}
    return {**found, "exercises": list(exercises), **more}


def read(*exercises: dict[str, Any]) -> Lesson:
    return read_lesson("test", json.dumps(lesson(*exercises)), TERMS)


def read_one(kind: str, size: str, drawn: str, **more: Any) -> Exercise:
    return read(exercise(kind, size, drawn, **more)).exercises[0]


@cache
def _judge(rows: int, cols: int) -> NetJudge:
    return NetJudge()


def judge(state: DotsAndBoxesState) -> PositionValues:
    """Value each edge by trying every game; for a few free edges only."""
    return position_values(_judge(state.board.rows, state.board.cols), state)
