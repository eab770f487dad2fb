"""Record what a server answers about exercises and puzzles, so that node can test their sessions.

The ladder of the levels is recorded as results, and what is said about each level.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, Final

from doublecross.analysis.as_json import phrase_fields, values_to_json
from doublecross.analysis.course.judging import phrases_about, reply
from doublecross.analysis.course.lesson import Exercise
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
from tests.analysis.course.lessons import OPENED, read_one

MOST_FREE: Final = 12
"""The most free edges of the positions that are recorded, so that the judge is fast."""
_PUZZLES: Final = (("decline", 1), ("which-chain", 2), ("take", 1), ("control", 2), ("loop", 1))


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


def exercise(found: Exercise, *paths: str) -> dict[str, Any]:
    """Return an exercise, a best line, and the facts for it and for these moves of a learner.

    Without paths, there are two wrong first moves.
    """
    plays = found.kind in ("best", "play")
    facts = Facts(found.position.state, kinds=plays, values=plays)
    for at in range(len(found.steps) + 1):
        facts.position(tuple(step.action for step in found.steps[:at]))
    line, wrong = (), []
    if plays:
        values = judge(found.position.state())
        wrong = [each.action for each in values.actions if each.value != values.value][:2]
        parse = found.position.game.parse_action
        for path in [[*map(parse, path.split())] for path in paths] or [[each] for each in wrong]:
            _walk(found, facts, iter(path))
        line = _walk(found, facts, None)
    return {
        "exercise": json.loads(json.dumps(lesson_answer(found))),
        "names": _names(found.position.state()),
        "facts": facts.known,
        "line": line,
        "wrong": wrong,
    }


def _walk(found: Exercise, facts: Facts, path: Iterator[int] | None) -> tuple[int, ...]:
    """Note the facts for a game with the learner's moves `path`, by default best ones."""
    moves: tuple[int, ...] = ()
    own = 0
    while not (state := found.position.state(moves)).is_terminal():
        if state.current_player() != found.seat:
            action = reply(state, judge(state))
        elif found.kind == "best" and own == found.length:
            break
        elif path is None:
            action, own = judge(state).best[-1], own + 1
        elif (action := next(path, -1)) < 0:
            break
        facts.move(moves, action, None)
        moves += (action,)
    return moves


def made() -> dict[str, Any]:
    """Return exercises for the tests alone, by name."""
    takes = [{"move": "takes", "say": "Leave two."}]
    deal = {"best": "c6", "value": 5, "moves": 2}
    third = [{"edges": "a2", "say": "Third."}]
    seven = [{"number": 7, "say": "Two are not safe."}]
    steps = [{"edge": "a2", "say": "Opens."}, {"edge": "c2"}]
    return {
        "deal": exercise(read_one("best", "3x3", OPENED, **deal, wrong=takes), "c6 e6", "c6 g6"),
        "bare": exercise(read_one("best", "3x3", OPENED, **deal), "c6 e6", "a4"),
        "play": exercise(read_one("play", "3x3", OPENED, value=5), "e6", "c6 g6"),
        "lenient": exercise(read_one("play", "3x3", OPENED, value=5, least=1), "e6"),
        "find": exercise(read_one("find", "1x3", "b3 b1 d1", what="safe", wrong=third)),
        "count": exercise(
            read_one("count", "1x3", "b3 b1 d1", what="safe edges", answer=5, wrong=seven)
        ),
        "watch": exercise(read_one("watch", "1x3", "b3 d3 f3 b1 d1 f1", steps=steps)),
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
    found = {"made": made(), "exercises": exercises, "puzzles": puzzle_sessions, "ladder": ladder()}
    return json.dumps(found)
