"""Read a lesson from JSON text, and refuse one with a fault in one clear sentence.

docs/lessons.md describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

from doublecross.analysis.course.lesson import Exercise, Kind, Lesson, Position, Step, Wrong
from doublecross.analysis.course.moves import BOXES, KINDS, NUMBERS
from doublecross.analysis.course.terms import parts
from doublecross.games.api import GameError
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

LONGEST: Final = 600
"""The most characters of one text."""
MOST: Final = 20
"""The most exercises of a lesson, texts of one kind, and edges of one list."""

_COMMON: Final = ("id", "kind", "task", "position", "hints", "solved")
_OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "best": ("best", "value", "moves", "wrong"),
    "play": ("value", "least", "wrong"),
    "find": ("what", "wrong"),
    "count": ("what", "answer", "wrong"),
    "watch": ("steps",),
}
_HINTED: Final = ("best", "play", "find", "count")


class BadLesson(ValueError):  # noqa: N818 - an author reads it
    """A lesson has a fault. The text is one sentence that says where and what."""


def read_lesson(name: str, text: str, terms: Mapping[str, str] | None = None) -> Lesson:
    """Return the lesson `name` that `text` describes.

    With `terms` (explanations by term), each marked term must be one of them.

    Raises:
        BadLesson: the text has a fault.
    """
    try:
        found = json.loads(text)
    except ValueError as error:
        raise BadLesson(f"The file is not JSON: {error}.") from None
    lesson = _Fields(found, "the lesson", ("title", "goal", "text", "exercises"), terms)
    exercises = tuple(
        _exercise(each, number, terms) for number, each in enumerate(lesson.items("exercises"), 1)
    )
    ids = [exercise.id for exercise in exercises]
    for twice in (each for at, each in enumerate(ids) if each in ids[:at]):
        raise BadLesson(f"Two exercises have the id {twice!r}; give each its own.")
    return Lesson(name, lesson.text("title"), lesson.text("goal"), lesson.texts("text"), exercises)


def _exercise(found: object, number: int, terms: Mapping[str, str] | None) -> Exercise:
    where = f"exercise {number}"
    if isinstance(found, dict) and isinstance(found.get("id"), str):
        where = f"exercise {number} ({found['id'][:40]})"
    kind = found.get("kind") if isinstance(found, dict) else None
    if isinstance(found, dict) and kind not in get_args(Kind):
        raise BadLesson(
            f"In {where}, kind must be one of {', '.join(get_args(Kind))}, not {kind!r}."
        )
    own = _OWN.get(str(kind), ())
    fields = _Fields(found, where, (*_COMMON, *own), terms)
    position = _position(fields)
    game = position.game
    least_value = kind == "play" and "least" in fields.found
    value = fields.number("value", -100, 100) if "value" in own else 0
    what = ""
    if "what" in own:
        what = fields.choice("what", KINDS if kind == "find" else (*NUMBERS, BOXES))
    return Exercise(
        id=fields.text("id"),
        kind=kind,  # type: ignore[arg-type]  # one of them, see above
        task=fields.text("task"),
        position=position,
        hints=fields.texts("hints", least=1) if kind in _HINTED else (),
        solved=fields.text("solved") if kind != "watch" else fields.optional("solved"),
        wrong=_wrongs(fields, game) if "wrong" in own else (),
        best=fields.edges("best", game) if kind == "best" else (),
        length=fields.number("moves", 1, 30) if "moves" in own and "moves" in fields.found else 1,
        value=value,
        least=fields.number("least", -100, 100) if least_value else value,
        what=what,
        answer=fields.number("answer", 0, 200) if "answer" in own else 0,
        steps=_steps(fields, position) if kind == "watch" else (),
    )


def _position(fields: _Fields) -> Position:
    where = f"the position of {fields.where}"
    found = _Fields(fields.get("position"), where, ("game", "size", "moves"), None)
    if (key := found.text("game")) != DotsAndBoxes.key:
        raise BadLesson(f"In {where}, game must be {DotsAndBoxes.key!r}, not {key!r}.")
    try:
        game = DotsAndBoxes(DotsAndBoxes.parse_size(found.text("size")))
        moves = tuple(map(game.parse_action, found.words("moves")))
        over = game.replay((), moves).is_terminal()
    except GameError as error:
        raise BadLesson(f"In {where}: {error}") from None
    if over:
        raise BadLesson(f"In {where}, the game is over; leave at least one edge free.")
    return Position(game, moves)


def _wrongs(fields: _Fields, game: DotsAndBoxes) -> tuple[Wrong, ...]:
    found = []
    for number, item in enumerate(fields.items("wrong") if "wrong" in fields.found else (), 1):
        where = f"wrong answer {number} of {fields.where}"
        each = _Fields(item, where, ("edges", "move", "number", "say"), fields.terms)
        given = [name for name in ("edges", "move", "number") if name in each.found]
        if len(given) != 1:
            raise BadLesson(f"In {where}, write exactly one of edges, move and number.")
        say = each.text("say")
        if given == ["edges"]:
            found.append(Wrong(say, edges=each.edges("edges", game)))
        elif given == ["move"]:
            found.append(Wrong(say, move=each.choice("move", KINDS)))
        else:
            found.append(Wrong(say, number=each.number("number", 0, 200)))
    return tuple(found)


def _steps(fields: _Fields, position: Position) -> tuple[Step, ...]:
    state, steps = position.state(), []
    for number, item in enumerate(fields.items("steps", 60), 1):
        where = f"step {number} of {fields.where}"
        each = _Fields(item, where, ("edge", "say", "cost"), fields.terms)
        try:
            action = position.game.parse_action(each.text("edge"))
            state.apply(action)
        except GameError as error:
            raise BadLesson(f"In {where}: {error}") from None
        cost = each.number("cost", 0, 100) if "cost" in each.found else 0
        steps.append(Step(action, each.optional("say"), cost))
    return tuple(steps)


class _Fields:
    """Reads the fields of the JSON object `found`, which stands at the place `where`."""

    def __init__(
        self, found: object, where: str, names: Sequence[str], terms: Mapping[str, str] | None
    ) -> None:
        if not isinstance(found, dict):
            raise BadLesson(f"{_capital(where)} must be an object in braces.")
        for name in found:
            if name not in names:
                raise BadLesson(
                    f"{_capital(where)} has an unknown field {name!r}; it may have"
                    f" {', '.join(names)}."
                )
        self.found: dict[str, Any] = found
        self.where = where
        self.terms = terms

    def get(self, name: str) -> Any:
        if name not in self.found:
            raise BadLesson(f"{_capital(self.where)} has no {name}; add it.")
        return self.found[name]

    def text(self, name: str) -> str:
        return self._checked(name, self.get(name))

    def optional(self, name: str) -> str:
        """Return a text, or "" if it is missing."""
        return self.text(name) if name in self.found else ""

    def texts(self, name: str, least: int = 0) -> tuple[str, ...]:
        found = self.items(name)
        if len(found) < least:
            raise BadLesson(f"In {self.where}, {name} is empty; write at least one.")
        return tuple(self._checked(name, each) for each in found)

    def words(self, name: str) -> list[str]:
        found = self.get(name)
        if not isinstance(found, str):
            raise BadLesson(f"In {self.where}, {name} must be names of edges in quotes.")
        return found.split()

    def items(self, name: str, most: int = MOST) -> list[Any]:
        found = self.get(name)
        if not isinstance(found, list) or len(found) > most:
            raise BadLesson(f"In {self.where}, {name} must be a list of at most {most}.")
        return found

    def number(self, name: str, low: int, high: int) -> int:
        found = self.get(name)
        if type(found) is not int or not low <= found <= high:
            raise BadLesson(
                f"In {self.where}, {name} must be a whole number from {low} to {high},"
                f" not {found!r}."
            )
        return found

    def choice(self, name: str, choices: Sequence[str]) -> str:
        found = self.get(name)
        if found not in choices:
            raise BadLesson(
                f"In {self.where}, {name} must be one of {', '.join(choices)}, not {found!r}."
            )
        return str(found)

    def edges(self, name: str, game: DotsAndBoxes) -> tuple[int, ...]:
        words = self.words(name)
        try:
            found = tuple(map(game.parse_action, words))
        except GameError as error:
            raise BadLesson(f"In {self.where}: {error}") from None
        if not found or len(set(found)) != len(found):
            raise BadLesson(f"In {self.where}, {name} must name at least one edge, each once.")
        return found

    def _checked(self, name: str, found: object) -> str:
        if not isinstance(found, str) or not found.strip() or len(found) > LONGEST:
            raise BadLesson(
                f"In {self.where}, {name} must be text of 1 to {LONGEST} characters in quotes."
            )
        for part in parts(found) if self.terms is not None else ():
            if part.term and part.term not in (self.terms or ()):
                raise BadLesson(
                    f"In {self.where}, {name} marks [{part.term}], which the glossary does not"
                    " explain."
                )
        return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
