"""The model of the lesson screen: one lesson, its exercises, and the learner's session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublecross.analysis.course.lesson import Exercise, Lesson
from doublecross.analysis.course.progress import Progress
from doublecross.analysis.course.session import ExerciseSession, Status
from doublecross.client.language import tr
from doublecross.client.tk.models.learn.solving import SolvingModel, Tone
from doublecross.client.tk.models.words import said

_NUMBER: Final = tr("Enter a whole number, such as 3.")


class LessonModel(SolvingModel):
    """The exercises of `lesson`, from the first that is not solved in `progress`.

    `on_solved` is called with the progress after an exercise was solved. `board` shows the
    position of the current exercise.
    """

    session: ExerciseSession

    def __init__(
        self, lesson: Lesson, progress: Progress, on_solved: Callable[[Progress], None]
    ) -> None:
        self.lesson = lesson
        self.progress = progress
        self._on_solved = on_solved
        self.index = 0
        self._hint = ""
        self.open(progress.first_open(lesson))

    # -- exercises ---------------------------------------------------------------------------

    @property
    def exercise(self) -> Exercise:
        """The current exercise."""
        return self.lesson.exercises[self.index]

    def open(self, index: int) -> None:
        """Begin the exercise with this index."""
        self.index, self._hint = index, ""
        position = self.exercise.position
        self._set(ExerciseSession(self.exercise), position.game, position.moves)

    @property
    def is_last(self) -> bool:
        """Return whether this is the last exercise of the lesson."""
        return self.index == len(self.lesson.exercises) - 1

    # -- the learner -------------------------------------------------------------------------

    def play(self, action: int) -> bool:
        """Play or click an edge; return whether anything happened."""
        return self._done(self.session.play(action))

    def enter(self, text: str) -> bool:
        """Enter a number; return whether it was right or wrong, and not a text without meaning."""
        word = text.strip()
        if not (word.isascii() and word.isdigit() and len(word) < 4):
            self._problem = _NUMBER
            return False
        self._problem = ""
        return self._done(self.session.enter(int(word)))

    def step(self, by: int) -> bool:
        """Watch the next step, or go back by one; return whether there is one."""
        return self._done(self.session.step(by))

    def hint(self) -> None:
        """Show the next hint."""
        self._hint = self.session.hint()
        if self.session.marked:
            self._hint = (
                tr("The marked edge is right.")
                if len(self.session.marked) == 1
                else tr("Each of the marked edges is right.")
            )

    # -- what is shown -----------------------------------------------------------------------

    @property
    def heading(self) -> str:
        """The number of the exercise: ``Exercise 2 of 4``."""
        text = (
            tr("Exercise {number} of {count} · solved")
            if self.progress.has(self.lesson, self.exercise)
            else tr("Exercise {number} of {count}")
        )
        return text.format(number=self.index + 1, count=len(self.lesson.exercises))

    @property
    def you(self) -> str:
        """Return who the learner is, such as ``You are A``; empty where nobody plays."""
        if self.exercise.kind not in ("best", "play"):
            return ""
        return self._you_are(self.session.state())

    @property
    def message(self) -> tuple[str, Tone]:
        """The sentence below the task, and its tone."""
        session = self.session
        if self._problem:
            return self._problem, "wrong"
        if session.status is Status.SOLVED:
            return " ".join(map(said, session.feedback)) or tr("Solved."), "good"
        if self._hint:
            return self._hint, "hint"
        if session.status is Status.WRONG:
            return " ".join(map(said, session.feedback)), "wrong"
        if session.status is Status.WAITING and not session.feedback:
            return self.waiting_line, "plain"
        right = self.exercise.kind in ("watch", "find") and not session.mistakes
        return " ".join(map(said, session.feedback)), "plain" if right else "wrong"

    @property
    def done_line(self) -> str:
        """The progress of the exercise: ``1 of 3 moves``; empty where it has one step."""
        done, whole = self.session.progress
        if whole <= 1:
            return ""
        if self.exercise.kind == "find":
            return tr("{done} of {count} edges", done=done, count=whole)
        if self.exercise.kind in ("best", "watch"):
            return tr("{done} of {count} moves", done=done, count=whole)
        return ""

    @property
    def marked(self) -> tuple[int, ...]:
        """The edges of the last hint, or those that were found."""
        return self.session.marked or tuple(sorted(self.session.found))

    @property
    def mover(self) -> int | None:
        """The learner's seat; nobody's where edges are only looked for."""
        return None if self.exercise.kind == "find" else self.session.seat

    @property
    def can_play(self) -> bool:
        """Return whether a click on the board means something now."""
        playing = self.exercise.kind in ("best", "play", "find")
        return playing and self.session.status is Status.YOURS

    @property
    def can_retry(self) -> bool:
        """Return whether there is a wrong move to take back, or a request to repeat."""
        return self.session.status is Status.WRONG or (
            bool(self._problem) and self.exercise.kind != "count"
        )

    @property
    def can_hint(self) -> bool:
        """Return whether there is a hint to ask for."""
        return bool(self.exercise.hints) and self.session.status is Status.YOURS

    @property
    def may_outline(self) -> bool:
        """Return whether outlines of chains and loops do not give the answer away."""
        return self.solved or self.exercise.kind not in ("count", "find")

    @property
    def solved(self) -> bool:
        """Return whether the exercise has been solved now."""
        return self.session.status is Status.SOLVED

    def _done(self, happened: bool) -> bool:
        if happened:
            self._hint = ""
        return super()._done(happened)

    def _note(self) -> None:
        if self.solved and not self.progress.has(self.lesson, self.exercise):
            self.progress = self.progress.with_solved(self.lesson.key(self.exercise))
            self._on_solved(self.progress)
