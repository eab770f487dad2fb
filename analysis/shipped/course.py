"""Read the lessons and the glossary that come with the package."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from doublecross.analysis.course.lesson import Lesson
from doublecross.analysis.course.reader import read_lesson
from doublecross.analysis.course.terms import read_terms


@cache
def terms() -> Mapping[str, str]:
    """Return the explanation of each term."""
    return read_terms((files("doublecross.analysis.course") / "terms.json").read_text("utf-8"))


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return all lessons in the order of the course."""
    folder = files("doublecross.analysis.course") / "lessons"
    found = sorted(each.name for each in folder.iterdir() if each.name.endswith(".json"))
    return tuple(
        read_lesson(lesson_name(name), (folder / name).read_text("utf-8"), terms())
        for name in found
    )


def lesson_name(file_name: str) -> str:
    """Return the name of the lesson in a file: ``chains`` for ``03-chains.json``."""
    stem = file_name.removesuffix(".json")
    number, _, rest = stem.partition("-")
    return rest if rest and number.isdigit() else stem
