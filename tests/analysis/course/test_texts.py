"""The texts of lessons: each is translated, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace

from doublecross.analysis.course.texts import texts_of, translated
from doublecross.analysis.shipped.course import lessons


def test_all_texts_of_a_lesson_are_translated_and_nothing_else() -> None:
    for lesson in lessons():
        texts = [*texts_of(lesson)]
        assert texts[:2] == [lesson.title, lesson.goal]
        assert "" not in texts
        shouted = translated(lesson, str.upper)
        assert [*texts_of(shouted)] == [text.upper() for text in texts]
        assert shouted.exercises != lesson.exercises
        assert translated(lesson, lambda text: text) == lesson
        assert replace(shouted, title="", goal="", text=(), exercises=()) == replace(
            lesson, title="", goal="", text=(), exercises=()
        )
