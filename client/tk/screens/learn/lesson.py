"""The screen of a lesson: its text, an exercise, and a board on which it is solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from tkinter import ttk

from doublecross.analysis.course.lesson import Lesson
from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.learn.lesson import LessonModel
from doublecross.client.tk.progress_files import CourseFile
from doublecross.client.tk.screens.learn.side import LessonCommands, LessonSide
from doublecross.client.tk.screens.learn.solving import PAD, SolvingScreen
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel


class LessonScreen(SolvingScreen):
    """Shows `lesson`, which has this `number` in the course, and lets the person solve it.

    `terms` explains the words that texts mark. `on_next` opens the lesson after it, if there is
    one; `back` leads to the course.
    """

    name = "lesson"
    model: LessonModel
    side: LessonSide

    def __init__(
        self,
        context: Context,
        lesson: Lesson,
        number: int,
        terms: Mapping[str, tuple[str, str]],
        *,
        on_next: Callable[[], None] | None,
        back: Callable[[], None],
    ) -> None:
        super().__init__(context)
        file = CourseFile(context.home.folder)
        self.model = LessonModel(lesson, file.read(), file.add)
        self._on_next = on_next
        self._back = back
        self._build_head(lesson, number)
        self._build_board()
        commands = LessonCommands(
            hint=self._hint,
            retry=self._retry,
            forward=self._forward,
            back=lambda: self._step(-1),
            again=lambda: self._open(self.model.index),
            earlier=lambda: self._open(self.model.index - 1),
            enter=self._enter,
            overlay=self._show_overlay,
        )
        self._begin(LessonSide(self, context, self.model, terms, commands), back)

    # -- called by the window ----------------------------------------------------------------

    def focus_first(self) -> None:
        """Focus what the exercise needs: the field for a number, the board, or the next step."""
        kind = self.model.exercise.kind
        if kind == "count":
            self.side.number.focus_set()
        elif kind == "watch":
            self.side.forward.focus_set()
        else:
            self.board.focus_set()

    # -- layout ------------------------------------------------------------------------------

    def _build_head(self, lesson: Lesson, number: int) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=PAD, pady=(4, 6))
        head.columnconfigure(1, weight=1)
        leave = enter_button(head, "leave", tr("‹ Lessons"), self._back)
        leave.grid(row=0, column=0, rowspan=2, padx=(0, 16))
        title = f"{number}. {lesson.title}"
        line = FittedLabel(head, title, style="Heading.TLabel", name="title")
        line.grid(row=0, column=1, sticky="ew")
        goal = WrappedLabel(head, lesson.goal, style="Dim.TLabel", name="goal")
        goal.grid(row=1, column=1, sticky="ew")

    def _steps(self) -> bool:
        return self.model.exercise.kind == "watch"

    # -- the exercise ------------------------------------------------------------------------

    def _forward(self) -> None:
        """Go on: the next step, the next exercise, or the next lesson."""
        model = self.model
        if model.exercise.kind == "watch" and model.step(1):
            self._changed()
        elif not model.is_last:
            self._open(model.index + 1)
        elif self._on_next is not None:
            self._on_next()
        else:
            self._back()

    def _open(self, index: int) -> None:
        self.model.open(max(0, index))
        self.side.begin()
        self._reopened()

    def _enter(self, text: str) -> None:
        self.model.enter(text)
        self._changed()

    def _hint(self) -> None:
        self.model.hint()
        self._changed()
