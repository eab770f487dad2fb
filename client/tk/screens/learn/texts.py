"""The course and its glossary in the language of this process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from doublecross.analysis.course.lesson import Lesson
from doublecross.analysis.course.texts import translated
from doublecross.analysis.shipped import course
from doublecross.client.language import tr


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in the order of the course."""
    return tuple(translated(lesson, tr) for lesson in course.lessons())


def glossary() -> Mapping[str, tuple[str, str]]:
    """Return the word and the explanation of each term; the keys are the English terms."""
    return {term: (tr(term), tr(about)) for term, about in course.terms().items()}
