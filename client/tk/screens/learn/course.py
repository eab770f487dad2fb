"""The screen *Learn*: the lessons of the course, with what is solved of each."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from tkinter import ttk
from typing import Final

from doublecross.analysis.course.lesson import Lesson
from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.progress_files import CourseFile
from doublecross.client.tk.screens.learn.rules import show_rules
from doublecross.client.tk.theme import BODY
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel, measured
from doublecross.client.tk.widgets.text import auto_hide
from doublecross.client.tk.widgets.visible import set_visible

_PAD: Final = 16
_CELL_PX: Final = 24
"""The width that a cell of the list needs beside its text, in pixels."""


class CourseScreen(Screen):
    """Lists `lessons`. `on_open` is called with the lesson that is chosen, `back` to leave."""

    name = "course"

    def __init__(
        self,
        context: Context,
        lessons: Sequence[Lesson],
        *,
        on_open: Callable[[Lesson], None],
        back: Callable[[], None],
    ) -> None:
        super().__init__(context)
        self._lessons = {lesson.name: lesson for lesson in lessons}
        self._progress = CourseFile(context.home.folder).read()
        self._on_open = on_open
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
        self._build_head(back)
        self._build_list()
        self._build_foot()
        self.bind("<Escape>", lambda _: back())
        for widget in (self.list, self._go):
            widget.bindtags((str(self), *widget.bindtags()))

    def focus_first(self) -> None:
        """Focus the button that goes on with the course."""
        self._go.focus_set()

    # -- layout ------------------------------------------------------------------------------

    def _build_head(self, back: Callable[[], None]) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, sticky="ew", padx=_PAD, pady=(4, 10))
        head.columnconfigure(1, weight=1)
        enter_button(head, "leave", tr("‹ Back"), back).grid(
            row=0, column=0, rowspan=2, padx=(0, 16)
        )
        ttk.Label(head, text=tr("Learn"), style="Title.TLabel").grid(row=0, column=1, sticky="w")
        whole = sum(len(lesson.exercises) for lesson in self._lessons.values())
        solved = sum(self._progress.count(lesson) for lesson in self._lessons.values())
        line = tr(
            "{lessons} lessons · {solved} of {count} exercises solved",
            lessons=len(self._lessons),
            solved=solved,
            count=whole,
        )
        about = FittedLabel(head, line, name="about", style="Dim.TLabel")
        about.grid(row=1, column=1, sticky="ew")

    def _build_list(self) -> None:
        frame = ttk.Frame(self)
        frame.grid(row=1, column=0, sticky="nsew", padx=_PAD)
        frame.columnconfigure(0, weight=1)
        frame.rowconfigure(0, weight=1)
        rows = self.list = ttk.Treeview(
            frame,
            name="lessons",
            columns=("title", "goal", "solved"),
            show="headings",
            selectmode="browse",
        )
        for column, text in (
            ("title", tr("Lesson")),
            ("goal", tr("What you learn")),
            ("solved", tr("Solved")),
        ):
            rows.heading(column, text=text, anchor="w")
        for number, lesson in enumerate(self._lessons.values(), 1):
            done, whole = self._progress.count(lesson), len(lesson.exercises)
            mark = tr("✓ all") if done == whole else tr("{done} of {count}", done=done, count=whole)
            rows.insert(
                "", "end", lesson.name, values=(f"{number}. {lesson.title}", lesson.goal, mark)
            )
        self._widths = {column: self._widest(column) for column in ("title", "goal", "solved")}
        for column, width in self._widths.items():
            rows.column(column, width=width, minwidth=width, stretch=column == "goal")
        bar = ttk.Scrollbar(frame, command=rows.yview, takefocus=False)
        rows.configure(yscrollcommand=auto_hide(bar))
        rows.grid(row=0, column=0, sticky="nsew")
        following = self._progress.next_lesson(tuple(self._lessons.values()))
        chosen = following.name if following is not None else next(iter(self._lessons))
        rows.selection_set(chosen)
        rows.focus(chosen)
        self._goal = WrappedLabel(self, "", name="goal", style="Dim.TLabel")
        self._goal.grid(row=2, column=0, sticky="ew", padx=_PAD, pady=(8, 0))
        rows.bind("<<TreeviewSelect>>", lambda _: self._show_goal())
        rows.bind("<Configure>", lambda event: self._fit(event.width))
        rows.bind("<Double-Button-1>", self._clicked)
        for key in ("<Return>", "<KP_Enter>"):
            rows.bind(key, lambda _: self._open())

    def _widest(self, column: str) -> int:
        """Return the width that a column needs, in pixels."""
        texts = [str(self.list.heading(column, "text"))]
        texts += [str(self.list.set(row, column)) for row in self.list.get_children()]
        return max(measured(self, BODY, text) for text in texts) + _CELL_PX

    def _fit(self, width: int) -> None:
        """Show the goals in a column, or that of the chosen lesson below a narrow list."""
        wide = width >= sum(self._widths.values())
        columns = ("title", "goal", "solved") if wide else ("title", "solved")
        self.list.configure(displaycolumns=columns)
        # Tk keeps widths, so a column that was stretched would push the others out.
        rest = width - sum(self._widths[column] for column in columns)
        wider = "goal" if wide else "title"
        for column in columns:
            more = max(0, rest) if column == wider else 0
            self.list.column(column, width=self._widths[column] + more, stretch=column == wider)
        set_visible(self._goal, not wide)

    def _show_goal(self) -> None:
        chosen = self.list.selection()
        self._goal.configure(text=self._lessons[chosen[0]].goal if chosen else "")

    def _build_foot(self) -> None:
        foot = self.foot = ttk.Frame(self)
        foot.grid(row=3, column=0, sticky="ew", padx=_PAD, pady=12)
        foot.columnconfigure(5, weight=1)
        self._go = enter_button(foot, "open", tr("Open the lesson"), self._open)
        self._go.configure(style="Accent.TButton")
        self._go.grid(row=0, column=0)
        self._links = 0
        self.add_link("rules", tr("Rules and words (F1)"), lambda: show_rules(self.context))

    def add_link(self, name: str, text: str, command: Callable[[], None]) -> None:
        """Add a button below the list, for another place to learn."""
        self._links += 1
        enter_button(self.foot, name, text, command).grid(row=0, column=self._links, padx=(8, 0))

    # -- opening -----------------------------------------------------------------------------

    def _open(self) -> None:
        chosen = self.list.selection()
        if chosen:
            self._on_open(self._lessons[chosen[0]])

    def _clicked(self, event: tk.Event[tk.Misc]) -> None:
        if self.list.identify_row(event.y):
            self._open()
