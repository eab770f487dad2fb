"""Lessons for tests, as JSON values and as objects."""

from __future__ import annotations

import json
from typing import Any

from doublecross.analysis.course.lesson import Exercise, Lesson
from doublecross.analysis.course.reader import read_lesson
from doublecross.analysis.judgement import Estimate
from doublecross.analysis.values import ActionValue, PositionValues
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

TERMS = {"chain": "A path of boxes."}


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


def judge(state: DotsAndBoxesState) -> PositionValues:
    """Value each edge by trying every game; for a few free edges only."""
    sign = 1 if state.current_player() == 0 else -1
    found = sorted((-sign * _value(_after(state, edge)), edge) for edge in state.legal_actions())
    actions = tuple(ActionValue(edge, Estimate(-sign * value)) for value, edge in found)
    line, at = [actions[0].action], _after(state, actions[0].action)
    while not at.is_terminal():
        now = _value(at)
        line.append(next(e for e in at.legal_actions() if _value(_after(at, e)) == now))
        at = _after(at, line[-1])
    return PositionValues(actions[0].value, actions, tuple(line))


def _after(state: DotsAndBoxesState, edge: int) -> DotsAndBoxesState:
    after = state.clone()
    after.apply(edge)
    return after


_known: dict[tuple[int, ...], int] = {}


def _value(state: DotsAndBoxesState) -> int:
    """Return the final net score of seat 0."""
    first, second = state.scores()
    if state.is_terminal():
        return first - second
    key = (state.board.rows, state.board.cols, *state.key())
    if key not in _known:
        best = max if state.current_player() == 0 else min
        _known[key] = best(_value(_after(state, edge)) for edge in state.legal_actions())
    return _known[key]
