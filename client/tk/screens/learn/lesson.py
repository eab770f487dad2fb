"""The screen of a lesson: its text, an exercise, and a board on which it is solved."""

from __future__ import annotations

import functools
import tkinter as tk
from collections.abc import Callable, Iterator, Mapping
from tkinter import ttk
from typing import Final

from analysis.course.lesson import Lesson
from analysis.values import PositionValues
from client.tk.context import Context, Screen
from client.tk.course_file import CourseFile
from client.tk.models.board.model import BoardChanges
from client.tk.models.learn.lesson import LessonModel, ValuesRequest
from client.tk.network.thread import Refusal
from client.tk.screens.learn.side import LessonCommands, LessonSide
from client.tk.theme import scaled
from client.tk.widgets.board.below import Legend
from client.tk.widgets.board.view import BoardView
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.labels import FittedLabel, WrappedLabel

_PAD: Final = 16
_LEAST_SIDE_PX, _MOST_SIDE_PX = 280, 460


class LessonScreen(Screen):
    """Shows `lesson`, which has this `number` in the course, and lets the person solve it.

    `terms` explains the words that texts mark. `on_next` opens the lesson after it, if there is
    one; `back` leads to the course.
    """

    name = "lesson"

    def __init__(
        self,
        context: Context,
        lesson: Lesson,
        number: int,
        terms: Mapping[str, str],
        *,
        on_next: Callable[[], None] | None,
        back: Callable[[], None],
    ) -> None:
        super().__init__(context)
        file = CourseFile(context.home.folder)
        self.model = LessonModel(lesson, file.read(), file.add)
        self._on_next = on_next
        self._back = back
        self._side_px = 0
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
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
            overlay=self._overlay_switched,
        )
        self.side = LessonSide(self, context, self.model, terms, commands)
        self.side.configure(width=scaled(self, _LEAST_SIDE_PX))
        self.side.grid(row=1, column=1, sticky="nsew", padx=_PAD, pady=(0, 12))
        self._bind_keys()
        self.bind("<Configure>", self._resized)
        self._show(BoardChanges(rebuilt=True))
        self._ask()

    # -- called by the window ----------------------------------------------------------------

    def tick(self, now: float) -> None:
        """Advance the animations to `now`, in seconds."""
        self.board.tick(now)

    def restyle(self) -> None:
        """Apply the current theme."""
        look = self.context.look
        self.board.restyle(look)
        self.legend.restyle(look)
        self.side.restyle(look)

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
        head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=_PAD, pady=(4, 6))
        head.columnconfigure(1, weight=1)
        leave = enter_button(head, "leave", "‹ Lessons", self._back)
        leave.grid(row=0, column=0, rowspan=2, padx=(0, 16))
        title = f"{number}. {lesson.title}"
        line = FittedLabel(head, title, style="Heading.TLabel", name="title")
        line.grid(row=0, column=1, sticky="ew")
        goal = WrappedLabel(head, lesson.goal, style="Dim.TLabel", name="goal")
        goal.grid(row=1, column=1, sticky="ew")

    def _build_board(self) -> None:
        main = ttk.Frame(self)
        main.grid(row=1, column=0, sticky="nsew", padx=(_PAD, 0), pady=(0, 8))
        main.columnconfigure(0, weight=1)
        main.rowconfigure(0, weight=1)
        context = self.context
        self.board = BoardView(
            main, self.model.board, context.look, on_action=self._play, clock=context.clock
        )
        # Not 1 pixel: Tk does not lay out a frame again if it requests a width of one pixel.
        self.board.configure(width=2, height=2)
        self.board.grid(row=0, column=0, sticky="nsew")
        self.legend = Legend(main, context.look)
        self.legend.grid(row=1, column=0, pady=(4, 0))
        main.rowconfigure(1, minsize=self.legend.height + 4)

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        if event.widget is not self:
            return
        least, most = scaled(self, _LEAST_SIDE_PX), scaled(self, _MOST_SIDE_PX)
        side = min(max(least, round(event.width * 0.4)), most)
        if side != self._side_px:
            self._side_px = side
            self.side.configure(width=side)

    def _bind_keys(self) -> None:
        """Bind keys that work wherever the focus is, except in the field for a number."""
        self.bind("<Escape>", lambda _: self._key(self._back))
        self.bind("<Left>", lambda event: self._arrow(event, -1))
        self.bind("<Right>", lambda event: self._arrow(event, 1))
        for widget in _descendants(self):
            widget.bindtags((str(self), *widget.bindtags()))

    def _key(self, act: Callable[[], object]) -> str:
        act()
        return "break"

    def _arrow(self, event: tk.Event[tk.Misc], by: int) -> str | None:
        if self.model.exercise.kind != "watch" or isinstance(event.widget, ttk.Entry):
            return None
        return self._key(lambda: self._step(by))

    # -- the exercise ------------------------------------------------------------------------

    def _play(self, action: int) -> None:
        if self.model.play(action):
            self._changed()
            self.context.sound.play("draw")

    def _step(self, by: int) -> None:
        if self.model.step(by):
            self._changed()

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
        self.board.set_board(self.model.board)
        self.side.begin()
        self._show(BoardChanges(rebuilt=True))
        self._ask()
        self.focus_first()

    def _enter(self, text: str) -> None:
        self.model.enter(text)
        self._changed()

    def _retry(self) -> None:
        if self.model.retry():
            self._changed()
            self.board.focus_set()

    def _hint(self) -> None:
        self.model.hint()
        self._changed()

    def _changed(self) -> None:
        """Show what happened, and ask for values if the session needs them."""
        self._show(self.model.changes())
        self._ask()

    def _ask(self) -> None:
        request = self.model.request()
        if request is not None:
            helpers = self.context.helpers
            self.context.network.run(
                lambda: helpers.values(request.game, (), request.moves),
                functools.partial(self._take, request),
                functools.partial(self._fail, request),
            )

    def _take(self, request: ValuesRequest, values: PositionValues) -> None:
        if self.winfo_exists() and self.model.take(request, values):
            self._changed()

    def _fail(self, request: ValuesRequest, refusal: Refusal) -> None:
        if self.winfo_exists() and self.model.fail(request, refusal.sentence):
            self._changed()

    # -- what is shown -----------------------------------------------------------------------

    def _show(self, changes: BoardChanges) -> None:
        model, session = self.model, self.model.session
        self.board.refresh(changes, initials=model.board.game.seat_names)
        self.board.playable = model.can_play
        self.board.mover = session.seat if model.exercise.kind != "find" else None
        marks = session.marked or tuple(sorted(session.found))
        self.board.show_hint(marks)
        self._show_overlay()
        self.side.show()

    def _show_overlay(self) -> None:
        features = self.model.board.state.features() if self.side.overlay else ()
        self.board.show_features(features)
        if self.side.overlay:
            self.legend.show(features)
            self.legend.grid()
        else:
            self.legend.grid_remove()

    def _overlay_switched(self, on: bool) -> None:
        self.context.home.settings.overlay = on
        self.context.home.save()
        self._show_overlay()


def _descendants(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        yield child
        yield from _descendants(child)
