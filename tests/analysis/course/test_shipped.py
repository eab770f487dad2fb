"""The lessons that come with the package: all true, and fit to be read."""

from __future__ import annotations

import pytest

from doublecross.analysis.course.checks import alike, faults
from doublecross.analysis.course.lesson import Lesson
from doublecross.analysis.course.terms import parts
from doublecross.analysis.shipped.course import lesson_name, lessons, terms
from doublecross.bots.teaching.lesson_values import exact_values

pytestmark = pytest.mark.search


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_the_solver_finds_nothing_false(lesson: Lesson) -> None:
    assert faults(lesson, exact_values) == []
    assert 2 <= len(lesson.exercises) <= 5


def test_the_course_is_whole() -> None:
    names = [lesson.name for lesson in lessons()]
    assert names[0] == "turns"
    assert len(names) == len(set(names)) == 12
    assert alike(lessons()) == []
    assert lesson_name("03-chains.json") == "chains"
    assert lesson_name("mine.json") == "mine"


def test_every_term_is_explained_where_it_appears_first() -> None:
    texts = [text for lesson in lessons() for text in lesson.text]
    marked = {part.term for text in texts for part in parts(text) if part.term}
    unused = set(terms()) - marked - {"opening", "double-cross"}
    assert unused == set()
    assert all(about.endswith(".") for about in terms().values())
