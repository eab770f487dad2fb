"""The texts of lessons: all of them are found, in their order."""

from __future__ import annotations

from doublecross.analysis.course.texts import texts_of
from doublecross.analysis.shipped.course import lessons


def test_all_texts_of_a_lesson_are_found() -> None:
    for lesson in lessons():
        texts = [*texts_of(lesson)]
        assert texts[:2] == [lesson.title, lesson.goal]
        assert "" not in texts
        for exercise in lesson.exercises:
            said = (*exercise.wrong, *exercise.steps)
            wanted = {exercise.task, exercise.solved, *exercise.hints, *(each.say for each in said)}
            assert wanted - {""} <= set(texts)
