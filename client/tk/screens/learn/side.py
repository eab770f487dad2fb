"""The panel beside the board of a lesson: its text, the task, what happened, and the buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from tkinter import ttk

from doublecross.analysis.course.terms import parts, plain
from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.learn.lesson import LessonModel
from doublecross.client.tk.screens.learn.solving import MESSAGE_PX, TONES, SolvingSide
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel
from doublecross.client.tk.widgets.text import read_only_text, restyle_text
from doublecross.client.tk.widgets.visible import set_visible


@dataclass(frozen=True, slots=True)
class LessonCommands:
    """The commands of the panel."""

    hint: Callable[[], None]
    retry: Callable[[], None]
    forward: Callable[[], None]
    """Go on to the next step, exercise or lesson."""
    back: Callable[[], None]
    """Watch the step before again."""
    again: Callable[[], None]
    """Begin the exercise again."""
    earlier: Callable[[], None]
    """Go back to the exercise before."""
    enter: Callable[[str], None]
    overlay: Callable[[], None]
    """Show or hide chains and loops."""


class LessonSide(SolvingSide):
    """The panel for the lesson of `model`. `terms` explains the words that texts mark."""

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        model: LessonModel,
        terms: Mapping[str, tuple[str, str]],
        do: LessonCommands,
    ) -> None:
        super().__init__(parent, context, model)
        self._model = model
        self._terms = terms
        self._do = do
        self.rowconfigure(0, weight=1)
        self._build_text(context.colours)
        self._build_task()
        self._build_entry()
        self._build_buttons()
        self._build_overlay(8, do.overlay)

    def begin(self) -> None:
        """Clear the field for a number, for another exercise."""
        self.number.delete(0, "end")

    def show(self) -> None:
        """Show the current exercise and what happened in it."""
        super().show()
        model = self._model
        kind = model.exercise.kind
        self._heading.set_text(model.heading)
        you = " · ".join(part for part in (model.you, model.done_line) if part)
        seat = model.session.seat
        self._you.configure(style=f"Seat{seat}.TLabel" if model.you else "Dim.TLabel")
        self._you.set_text(you)
        self._task.configure(text=plain(model.exercise.task))
        sentence, tone = model.message
        self._message.configure(text=plain(sentence), style=TONES[tone])
        set_visible(self._entry, kind == "count" and not model.solved)
        self._hint.state(["!disabled" if model.can_hint else "disabled"])
        self._again.configure(text=tr("Take it back") if model.can_retry else tr("Begin again"))
        begun = bool(model.session.moves or model.session.found)
        self._again.state(["!disabled" if begun or model.can_retry else "disabled"])
        watching = kind == "watch"
        set_visible(self._step_back, watching)
        set_visible(self._hint, not watching)
        set_visible(self._again, kind != "count" and not watching)
        self._earlier.state(["disabled" if model.index == 0 else "!disabled"])
        self._step_back.state(["!disabled" if model.session.moves else "disabled"])
        steps_left = watching and len(model.session.moves) < len(model.exercise.steps)
        self.forward.configure(
            text=tr("Next move")
            if steps_left
            else tr("Next exercise")
            if not model.is_last
            else tr("Next lesson"),
            style="Accent.TButton" if model.solved or steps_left else "TButton",
        )

    def restyle(self, colours: Colours) -> None:
        """Apply the current theme."""
        restyle_text(self.text, colours)
        self.text.tag_configure("term", underline=True, foreground=colours.chain)

    # -- layout ------------------------------------------------------------------------------

    def _build_text(self, colours: Colours) -> None:
        frame = ttk.Frame(self)
        frame.grid(row=0, column=0, sticky="nsew")
        self.text = read_only_text(frame, "text", takefocus=True)
        self.text.configure(spacing3=6)
        for number, paragraph in enumerate(self._model.lesson.text):
            if number:
                self.text.insert("end", "\n")
            for part in parts(paragraph):
                if not part.term:
                    self.text.insert("end", part.text)
                    continue
                tag = f"term {part.term}"
                self.text.insert("end", part.text, ("term", tag))
                word, about = self._terms[part.term]
                explain = f"{word[:1].upper()}{word[1:]}: {about}"
                for event in ("<Enter>", "<Button-1>"):
                    self.text.tag_bind(tag, event, lambda _, e=explain: self._explain(e))
        self.text.configure(state="disabled")
        self._explained = WrappedLabel(self, "", name="term", style="Caption.TLabel")
        self._explained.grid(row=1, column=0, sticky="ew", pady=(4, 0))
        first = tr("Point at an underlined word to see what it means. F1 explains them all.")
        self._explain(first)
        self.rowconfigure(1, minsize=2 * self._explained.winfo_reqheight() + 6)
        self.restyle(colours)

    def _explain(self, sentence: str) -> None:
        self._explained.configure(text=sentence)

    def _build_task(self) -> None:
        ttk.Separator(self).grid(row=2, column=0, sticky="ew", pady=(6, 8))
        head = ttk.Frame(self)
        head.grid(row=3, column=0, sticky="ew")
        head.columnconfigure(0, weight=1)
        self._heading = FittedLabel(head, "", name="exercise", style="Strong.TLabel")
        self._heading.grid(row=0, column=0, sticky="ew")
        self._you = FittedLabel(head, "", name="you", style="Dim.TLabel")
        self._you.grid(row=1, column=0, sticky="ew")
        self._task = WrappedLabel(self, "", name="task")
        self._task.grid(row=4, column=0, sticky="new", pady=(4, 6))
        self._message = WrappedLabel(self, "", name="message")
        self._message.grid(row=6, column=0, sticky="new")
        self.rowconfigure(6, minsize=MESSAGE_PX)

    def _build_entry(self) -> None:
        row = self._entry = ttk.Frame(self)
        row.grid(row=5, column=0, sticky="w", pady=(0, 6))
        self.number = ttk.Entry(row, name="number", width=6)
        self.number.grid(row=0, column=0)
        check = enter_button(row, "check", tr("Check"), self._enter)
        check.grid(row=0, column=1, padx=(8, 0))
        for key in ("<Return>", "<KP_Enter>"):
            self.number.bind(key, lambda _: self._enter())

    def _enter(self) -> None:
        self._do.enter(self.number.get())

    def _build_buttons(self) -> None:
        row = ttk.Frame(self)
        row.grid(row=7, column=0, sticky="ew", pady=(4, 0))
        row.columnconfigure((0, 1), weight=1, uniform="half")
        do = self._do
        self._hint = enter_button(row, "hint", tr("Hint"), do.hint)
        self._hint.grid(row=0, column=0, sticky="ew", padx=(0, 4))
        self._step_back = enter_button(row, "step_back", tr("‹ Move"), do.back)
        self._step_back.grid(row=0, column=0, sticky="ew", padx=(0, 4))
        self._again = enter_button(row, "again", tr("Begin again"), self._retry)
        self._again.grid(row=0, column=1, sticky="ew", padx=(4, 0))
        self._earlier = enter_button(row, "earlier", tr("‹ Exercise"), do.earlier)
        self._earlier.grid(row=1, column=0, sticky="ew", padx=(0, 4), pady=(8, 0))
        self.forward = enter_button(row, "forward", tr("Next exercise"), do.forward)
        self.forward.grid(row=1, column=1, sticky="ew", padx=(4, 0), pady=(8, 0))

    def _retry(self) -> None:
        if self._model.can_retry:
            self._do.retry()
        else:
            self._do.again()
