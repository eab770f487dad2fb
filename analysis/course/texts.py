"""The texts of lessons, for those who translate them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from doublecross.analysis.course.lesson import Exercise, Lesson


def translated(lesson: Lesson, tr: Callable[[str], str]) -> Lesson:
    """Return a lesson in which `tr` has translated each text. Empty texts stay empty."""

    def say(text: str) -> str:
        return tr(text) if text else text

    return replace(
        lesson,
        title=say(lesson.title),
        goal=say(lesson.goal),
        text=tuple(map(say, lesson.text)),
        exercises=tuple(_exercise(each, say) for each in lesson.exercises),
    )


def _exercise(exercise: Exercise, say: Callable[[str], str]) -> Exercise:
    return replace(
        exercise,
        task=say(exercise.task),
        hints=tuple(map(say, exercise.hints)),
        solved=say(exercise.solved),
        wrong=tuple(replace(each, say=say(each.say)) for each in exercise.wrong),
        steps=tuple(replace(each, say=say(each.say)) for each in exercise.steps),
    )


def texts_of(lesson: Lesson) -> Iterator[str]:
    """Yield all texts of a lesson that are not empty, in their order."""
    found: list[str] = []

    def note(text: str) -> str:
        found.append(text)
        return text

    translated(lesson, note)
    yield from found
