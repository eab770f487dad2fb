"""Record sessions of learners, so that node can compare the page's sessions with those of Python.

Each session has what a server would answer to its
questions, and its steps with what the session shows after each of them. The ladder of the levels is
recorded as results, and what is said about each level.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final

from doublecross.analysis.as_json import phrase_fields, values_to_json
from doublecross.analysis.course.judging import phrases_about
from doublecross.analysis.course.lesson import Exercise
from doublecross.analysis.course.session import ExerciseSession
from doublecross.analysis.course.session import settle as settle_exercise
from doublecross.analysis.ladder import LevelResults, advice, results_from_text
from doublecross.analysis.puzzles.puzzle import Puzzle
from doublecross.analysis.shipped.course import lessons
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.analysis.values import PositionValues
from doublecross.bots.registry import level_names
from doublecross.bots.teaching.exact_judge import ExactJudge
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.server.shell.web.boards.positions import position_of
from doublecross.server.shell.web.learning.lessons import as_answer as lesson_answer
from doublecross.server.shell.web.learning.moves import kinds_of
from doublecross.server.shell.web.learning.puzzles import as_answer as puzzle_answer

MOST_FREE: Final = 12
"""The most free edges of the positions that are recorded, so that the judge is fast."""
MOST_MOVES: Final = 12
_PUZZLES: Final = (("decline", 1), ("which-chain", 2), ("take", 1), ("control", 2), ("loop", 1))

Step = tuple[str, int | None]


def judge(state: DotsAndBoxesState) -> PositionValues:
    """Return the exact values of a position."""
    found = _judge(state.game.size).values(state)
    pv = _judge(state.game.size).pv(state, found.pv[0])
    return PositionValues(found.value, found.actions, pv)


@cache
def _judge(size: str) -> ExactJudge:
    return ExactJudge(DotsAndBoxes(DotsAndBoxes.parse_size(size)).board)


@cache
def _board(size: str) -> Any:

    return DotsAndBoxes(DotsAndBoxes.parse_size(size)).board


class Facts:
    """What a server answers about the positions after `first`."""

    def __init__(
        self, start: Callable[[tuple[int, ...]], DotsAndBoxesState], *, kinds: bool, values: bool
    ) -> None:
        self._start = start
        self._kinds = kinds
        self._values = values
        self.known: dict[str, Any] = {}

    def position(self, moves: tuple[int, ...]) -> None:
        """Note the position after these moves, and its values."""
        state, key = self._start(moves), ",".join(map(str, moves))
        self.known[f"positions {key}"] = {"positions": [position_of(state)]}
        if self._kinds:
            self.known[f"kinds {key}"] = kinds_of(state)
        if self._values and not state.is_terminal():
            self.known[f"values {key}"] = values_to_json(judge(state))

    def move(self, before: tuple[int, ...], action: int, first: PositionValues | None) -> None:
        """Note all that may be said about a move, and the position after it."""
        state = self._start(before)
        self.position((*before, action))
        after = self._start((*before, action))
        lines = {(), () if after.is_terminal() else judge(after).pv}
        for values in (judge(state), *([first] if first is not None else [])):
            for line in lines:
                said = phrases_about(state, values, action, line)
                texts = (before, action, values.pv, line)
                key = " ".join(
                    str(each) if isinstance(each, int) else ",".join(map(str, each))
                    for each in texts
                )
                self.known[f"sentences {key}"] = {
                    "sentences": [phrase_fields(each) for each in said]
                }


# -- exercises -------------------------------------------------------------------------------


def exercise(found: Exercise) -> dict[str, Any]:
    """Return the recorded session of an exercise."""
    session, plays = ExerciseSession(found), found.kind in ("best", "play")
    facts = Facts(lambda moves: found.position.state(moves), kinds=plays, values=plays)
    recorded = []
    settle_exercise(session, judge)
    for at in range(len(found.steps) + 1):
        facts.position(tuple(step.action for step in found.steps[:at]))
    for name, value in _steps(session):
        before = session.moves
        done = getattr(session, name)(*(() if value is None else (value,)))
        settle_exercise(session, judge)
        if done and plays and value is not None:
            facts.move(before, value, None)
            for at in range(len(before), len(session.moves)):
                facts.position(session.moves[: at + 1])
        recorded.append({"step": [name, value], "done": done, "shows": _shown(session)})
    return {
        "exercise": json.loads(json.dumps(lesson_answer(found))),
        "names": _names(found.position.state()),
        "facts": facts.known,
        "steps": recorded,
    }


def _steps(session: ExerciseSession) -> Iterator[Step]:
    exercise, state = session.exercise, session.state()
    for _ in range(len(exercise.hints) + (exercise.kind != "count")):
        yield "hint", None
    if exercise.kind == "count":
        own = [each.number for each in exercise.wrong if each.number is not None]
        for number in (*own, exercise.answer + 30, max(0, exercise.answer - 1), exercise.answer):
            yield "enter", number
        return
    if exercise.kind == "watch":
        for by in (-1, 1, -1, *([1] * (len(exercise.steps) + 1)), -1):
            yield "step", by
        return
    if exercise.kind == "find":
        for edge in state.legal_actions():
            yield "play", edge
        return
    values = judge(state)
    wrong = [edge for edge in state.legal_actions() if edge not in values.best]
    for edge in wrong[:2]:
        yield "play", edge
        yield "retry", None
        yield "restart", None
    for turn in range(MOST_MOVES):
        if session.status != "yours":
            return
        values = judge(session.state())
        other = [each.action for each in values.actions if each.value != values.value]
        if turn == 1 and other:
            yield "play", other[0]
            yield "play", other[-1]
            yield "retry", None
        if session.status == "yours":
            yield "play", judge(session.state()).best[-1]


def _shown(session: ExerciseSession) -> dict[str, Any]:
    return {
        "moves": list(session.moves),
        "status": session.status.value,
        "feedback": [str(each) for each in session.feedback],
        "found": sorted(session.found),
        "mistakes": session.mistakes,
        "progress": list(session.progress),
        "marked": sorted(session.marked),
    }


# -- puzzles ---------------------------------------------------------------------------------


def puzzle(found: Puzzle) -> dict[str, Any]:
    """Return a puzzle, with the facts for its best line and the wrong moves beside that."""

    def start(moves: tuple[int, ...]) -> DotsAndBoxesState:
        state = found.state()
        for action in moves:
            state.apply(action)
        return state

    moves: tuple[int, ...] = ()
    facts = Facts(start, kinds=False, values=True)
    facts.position(moves)
    while not start(moves).is_terminal():
        values = judge(start(moves))
        wrong = [each.action for each in values.actions if each.value != values.value]
        for action in (values.actions[0].action, *wrong[-1:]):
            facts.move(moves, action, None if moves else found.first_values())
        moves += (values.actions[0].action,)
    answer = json.loads(json.dumps(puzzle_answer(found)))
    return {"puzzle": answer, "names": _names(found.state()), "facts": facts.known, "line": moves}


def _names(state: DotsAndBoxesState) -> list[str]:
    return [state.game.action_name(edge) for edge in range(state.board.num_edges)]


# -- the ladder of levels --------------------------------------------------------------------


def ladder() -> dict[str, Any]:
    """Return results as text after games, and what is said about the levels with some results."""
    texts = []
    for games in (each for count in range(6) for each in product((1, 0, -1), repeat=count)):
        results = LevelResults()
        for game in games:
            results = results.after(game)
        texts.append([list(games), results.to_text()])
    rng, levels, said = Random(1), level_names(), []
    for _ in range(60):
        kept = {level: rng.choice(texts)[1] for level in levels if rng.random() < 0.6}
        results_of = {level: results_from_text(text) for level, text in kept.items()}
        said.append(
            [
                kept,
                {level: " ".join(map(str, advice(level, levels, results_of))) for level in levels},
            ]
        )
    return {"texts": texts, "advice": said}


def recorded() -> str:
    """Return all that is recorded, as JSON."""
    exercises = [
        exercise(each)
        for lesson in lessons()
        for each in lesson.exercises
        if len(each.position.state().legal_actions()) <= MOST_FREE
    ]
    chosen = [
        next(each for each in puzzles().puzzles if each.kind == kind and each.turns == turns)
        for kind, turns in _PUZZLES
    ]
    puzzle_sessions = [puzzle(each) for each in chosen]
    found = {"exercises": exercises, "puzzles": puzzle_sessions, "ladder": ladder()}
    return json.dumps(found)
