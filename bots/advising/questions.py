"""Read the questions for the advice process, and hold them until their turn.

`doublecross.bots.advising.adviser` describes the lines.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, get_args

from doublecross.analysis.advice import Advice, Policy
from doublecross.analysis.as_json import phrase_fields, values_to_json
from doublecross.analysis.values import PositionValues
from doublecross.games.api import GameError, State
from doublecross.games.registry import make_game
from doublecross.processes.parent import Message

Kind: TypeAlias = Literal["advice", "policy", "values"]
Answer: TypeAlias = Advice | Policy | PositionValues | str
"""The result, or a sentence that says why there is none."""

LEAST_S: Final = 0.01
MOST_S: Final = 3600.0
"""The least and the most seconds that a question may ask for."""
_FIELDS: Final = {
    "game": (str, "a text"),
    "params": (dict, "an object"),
    "opening": (list, "a list"),
    "moves": (list, "a list"),
}
_KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

NOT_JSON: Final = "A question is a line with one JSON object."
NO_ID: Final = "A question has an id, which is a whole number."
NEWER: Final = "A newer question came."
BAD_SECONDS: Final = f"The seconds of a question are a number from {LEAST_S:g} to {MOST_S:g}."
GAME_OVER: Final = "The game is over: there is nothing to advise."
BAD_KIND: Final = f"A question asks for {', '.join(_KINDS[:-1])} or {_KINDS[-1]}."


@dataclass(eq=False, slots=True)
class AdviceQuestion:
    """A position to think about; `stop` is set when a newer question of its kind arrives."""

    number: int
    state: State
    seconds: float
    kind: Kind = "advice"
    stop: threading.Event = field(default_factory=threading.Event)


class InvalidQuestion(Exception):  # noqa: N818 - its text is an answer for people
    """A line is not a valid question; its text is one sentence. `number` is its id, if any."""

    def __init__(self, number: int | None, sentence: str) -> None:
        super().__init__(sentence)
        self.number = number


def read_question(line: bytes) -> AdviceQuestion:
    """Return the question in a line.

    Raises:
        InvalidQuestion: the line is not a valid question.
    """
    try:
        fields: Any = json.loads(line)
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        raise InvalidQuestion(None, NOT_JSON)
    number = fields.get("id")
    if type(number) is not int:
        raise InvalidQuestion(None, NO_ID)
    for name, (kind, called) in _FIELDS.items():
        if not isinstance(fields.get(name), kind):
            raise InvalidQuestion(number, f"The {name} of a question must be {called}.")
    kind = fields.get("ask", "advice")
    if kind not in _KINDS:
        raise InvalidQuestion(number, BAD_KIND)
    seconds: Any = fields.get("seconds")
    if type(seconds) not in (int, float) or not LEAST_S <= seconds <= MOST_S:
        raise InvalidQuestion(number, BAD_SECONDS)
    try:
        game = make_game(fields["game"], fields["params"])
        state = game.replay(fields["opening"], fields["moves"])
    except GameError as error:
        raise InvalidQuestion(number, str(error)) from None
    if state.is_terminal():
        raise InvalidQuestion(number, GAME_OVER)
    return AdviceQuestion(number, state, float(seconds), kind)


class QuestionQueue:
    """Holds the newest question of each kind until it is taken, and writes the answers.

    One thread puts lines in; another one takes questions. `say` sends an answer.
    """

    def __init__(self, say: Callable[[Message], None]) -> None:
        self._say = say
        self._changed = threading.Condition()
        self._waiting: dict[Kind, AdviceQuestion] = {}
        self._current: AdviceQuestion | None = None
        self._ended = False

    def put(self, line: bytes) -> None:
        """Take in a line. A new question replaces all questions of its kind before it."""
        try:
            question = read_question(line)
        except InvalidQuestion as problem:
            with self._changed:
                self._problem(problem.number, str(problem))
            return
        with self._changed:
            kind, current = question.kind, self._current
            older = self._waiting.pop(kind, None)
            if older is not None:
                self._problem(older.number, NEWER)
            self._waiting[kind] = question
            # The policy takes milliseconds, so it is not worth stopping.
            if current is not None and current.kind == kind != "policy":
                current.stop.set()
            self._changed.notify()

    def end(self) -> None:
        """Stop: no more questions will arrive."""
        with self._changed:
            self._ended = True
            if self._current is not None:
                self._current.stop.set()
            self._changed.notify()

    def take(self) -> AdviceQuestion | None:
        """Wait for the next question and return it; None at the end.

        Those about the policy come first, because they take no time, then the oldest.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._waiting)
            if self._ended:
                return None
            kind = "policy" if "policy" in self._waiting else next(iter(self._waiting))
            self._current = self._waiting.pop(kind)
            return self._current

    def answer(self, found: Answer) -> None:
        """Answer the question that was taken, or give the reason why there is no answer."""
        with self._changed:
            question, self._current = self._current, None
            assert question is not None
            if question.stop.is_set():
                self._problem(question.number, NEWER)
            elif isinstance(found, str):
                self._problem(question.number, found)
            else:
                self._say({"what": question.kind, "id": question.number, **_fields(found)})

    def _problem(self, number: int | None, sentence: str) -> None:
        self._say({"what": "problem", "id": number, "sentence": sentence})


def _fields(found: Advice | Policy | PositionValues) -> Message:
    match found:
        case Advice(best, net, exact, phrase):
            fields = None if phrase is None else phrase_fields(phrase)
            return {"best": list(best), "net": net, "exact": exact, "phrase": fields}
        case Policy(shares):
            return {"shares": [list(share) for share in shares]}
        case PositionValues():
            return {"values": values_to_json(found)}
