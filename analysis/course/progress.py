"""Keep the exercises that a learner has solved, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from doublecross.analysis.course.lesson import Exercise, Lesson

VERSION: Final = 1
"""Goes up when the form of the JSON values changes."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The keys of the solved exercises (see `Lesson.key`)."""

    solved: frozenset[str] = frozenset()

    def has(self, lesson: Lesson, exercise: Exercise) -> bool:
        """Return whether an exercise is solved."""
        return lesson.key(exercise) in self.solved

    def count(self, lesson: Lesson) -> int:
        """Return how many exercises of a lesson are solved."""
        return sum(self.has(lesson, exercise) for exercise in lesson.exercises)

    def finished(self, lesson: Lesson) -> bool:
        """Return whether all exercises of a lesson are solved."""
        return self.count(lesson) == len(lesson.exercises)

    def first_open(self, lesson: Lesson) -> int:
        """Return the index of the first exercise that is not solved; 0 if all are."""
        open_ones = (i for i, e in enumerate(lesson.exercises) if not self.has(lesson, e))
        return next(open_ones, 0)

    def next_lesson(self, lessons: Sequence[Lesson]) -> Lesson | None:
        """Return the first lesson that is not finished."""
        return next((lesson for lesson in lessons if not self.finished(lesson)), None)

    def with_solved(self, key: str) -> Progress:
        """Return the progress with one exercise more."""
        return Progress(self.solved | {key})

    def joined(self, other: Progress) -> Progress:
        """Return what is solved here or there."""
        return Progress(self.solved | other.solved)

    def to_json(self) -> dict[str, Any]:
        """Return the progress as JSON values."""
        return {"version": VERSION, "solved": sorted(self.solved)}

    @classmethod
    def from_json(cls, found: object) -> Progress:
        """Return the progress in JSON values.

        Raises:
            ValueError: they have another form.
        """
        if not isinstance(found, dict) or found.get("version") != VERSION:
            raise ValueError("This is not the progress of a course in a form that is known here.")
        solved = found.get("solved")
        if not isinstance(solved, list):
            raise ValueError("The progress of a course must list what is solved.")
        return cls(frozenset(key for key in solved if isinstance(key, str)))
