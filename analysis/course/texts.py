"""The texts of lessons, for those who translate them."""

from __future__ import annotations

from collections.abc import Iterator

from doublecross.analysis.course.lesson import Exercise, Lesson


def texts_of(lesson: Lesson) -> Iterator[str]:
    """Yield all texts of a lesson that are not empty, in their order."""
    texts = [lesson.title, lesson.goal, *lesson.text]
    for exercise in lesson.exercises:
        texts += _texts_in(exercise)
    yield from filter(None, texts)


def _texts_in(exercise: Exercise) -> list[str]:
    return [
        *(exercise.task, *exercise.hints, exercise.solved),
        *(each.say for each in exercise.wrong),
        *(each.say for each in exercise.steps),
    ]
