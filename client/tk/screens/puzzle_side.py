"""The panel beside the board of a puzzle: which puzzle, the question, what happened, buttons."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Collection
from dataclasses import dataclass
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.learn.puzzles import PuzzleModel
from doublecross.client.tk.screens.learn.solving import MESSAGE_PX, TONES, SolvingSide
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel, WrappedLabel
from doublecross.client.tk.widgets.visible import set_visible

_LEFT: Final = (0, 4)
_RIGHT: Final = (4, 0)


@dataclass(frozen=True, slots=True)
class PuzzleCommands:
    """The commands of the panel."""

    today: Callable[[], None]
    following: Callable[[], None]
    """Open the next puzzle."""
    retry: Callable[[], None]
    """Take a wrong move back, or ask again."""
    again: Callable[[], None]
    """Begin the puzzle again."""
    show: Callable[[], None]
    """Show the solution."""
    step: Callable[[int], None]
    overlay: Callable[[], None]
    """Show or hide chains and loops."""


class PuzzleSide(SolvingSide):
    """The panel for the puzzles of `model`."""

    def __init__(
        self, parent: tk.Misc, context: Context, model: PuzzleModel, do: PuzzleCommands
    ) -> None:
        super().__init__(parent, context, model)
        self._model = model
        self._do = do
        self._build_choice()
        self._build_task()
        self._build_buttons()
        self._build_overlay(9, do.overlay)
        self.rowconfigure(6, weight=1)

    def show(self) -> None:
        """Show the current puzzle and what happened in it."""
        super().show()
        model = self._model
        self._heading.set_text(model.heading)
        self._about.set_text(model.about)
        self._you.configure(style=f"Seat{model.session.seat}.TLabel")
        self._you.set_text(model.you)
        self._task.configure(text=model.task)
        sentence, tone = model.message
        self._message.configure(text=sentence, style=TONES[tone])
        self._kind.configure(values=list(model.kinds.values()))
        self._kind.set(model.kinds[model.kind])
        self._again.configure(text=model.retry_text)
        self._again.state(["!disabled" if model.can_retry or model.can_restart else "disabled"])
        over = model.session.over
        set_visible(self._solution, not over)
        set_visible(self._steps, over)
        self._solution.state(["!disabled" if model.can_show else "disabled"])
        for button, possible in zip((self._back, self._on), model.can_step, strict=True):
            button.state(["!disabled" if possible else "disabled"])
        self.following.configure(style="Accent.TButton" if over else "TButton")

    # -- layout ------------------------------------------------------------------------------

    def _build_choice(self) -> None:
        model = self._model
        self._kind = self._box(0, "kind", model.kinds.values(), self._kind_chosen)
        self._difficulty = self._box(
            1, "difficulty", model.difficulties.values(), self._difficulty_chosen
        )
        row = _halves(self, 2)
        row.grid(pady=(8, 0))
        today = enter_button(row, "today", tr("Today's puzzle"), self._do.today)
        today.grid(row=0, column=0, sticky="ew", padx=_LEFT)
        self.following = enter_button(row, "next", tr("Next puzzle"), self._do.following)
        self.following.grid(row=0, column=1, sticky="ew", padx=_RIGHT)

    def _box(
        self, row: int, name: str, titles: Collection[str], chosen: Callable[[int], None]
    ) -> ttk.Combobox:
        # A width of 1 requests no space: the panel decides how wide it is.
        box = ttk.Combobox(self, name=name, values=list(titles), state="readonly", width=1)
        box.grid(row=row, column=0, sticky="ew", pady=(0 if row == 0 else 6, 0))
        box.current(0)

        def selected(_: object) -> None:
            box.selection_clear()
            chosen(box.current())

        box.bind("<<ComboboxSelected>>", selected)
        return box

    def _kind_chosen(self, index: int) -> None:
        self._model.kind = list(self._model.kinds)[index]

    def _difficulty_chosen(self, index: int) -> None:
        self._model.difficulty = list(self._model.difficulties)[index]

    def _build_task(self) -> None:
        ttk.Separator(self).grid(row=3, column=0, sticky="ew", pady=(12, 8))
        head = ttk.Frame(self)
        head.grid(row=4, column=0, sticky="ew")
        head.columnconfigure(0, weight=1)
        self._heading = FittedLabel(head, "", name="puzzle", style="Strong.TLabel")
        self._about = FittedLabel(head, "", name="difficulty_line", style="Dim.TLabel")
        self._you = FittedLabel(head, "", name="you")
        for row, label in enumerate((self._heading, self._about, self._you)):
            label.grid(row=row, column=0, sticky="ew")
        self._task = WrappedLabel(self, "", name="task")
        self._task.grid(row=5, column=0, sticky="new", pady=(4, 6))
        self._message = WrappedLabel(self, "", name="message")
        self._message.grid(row=6, column=0, sticky="new")
        self.rowconfigure(6, minsize=MESSAGE_PX)

    def _build_buttons(self) -> None:
        row = _halves(self, 8)
        do = self._do
        self._again = enter_button(row, "again", tr("Begin again"), self._retry)
        self._again.grid(row=0, column=0, sticky="ew", padx=_LEFT)
        self._solution = enter_button(row, "solution", tr("Show solution"), do.show)
        self._solution.grid(row=0, column=1, sticky="ew", padx=_RIGHT)
        steps = self._steps = ttk.Frame(row)
        steps.columnconfigure((0, 1), weight=1, uniform="step")
        steps.grid(row=0, column=1, sticky="ew", padx=_RIGHT)
        # Without a width of their own, buttons are as wide as the longest text of the theme.
        self._back = enter_button(steps, "step_back", "‹", lambda: do.step(-1))
        self._on = enter_button(steps, "step_on", "›", lambda: do.step(1))
        for column, button in enumerate((self._back, self._on)):
            button.configure(width=2)
            button.grid(row=0, column=column, sticky="ew", padx=_LEFT if column == 0 else _RIGHT)

    def _retry(self) -> None:
        if self._model.can_retry:
            self._do.retry()
        else:
            self._do.again()


def _halves(parent: tk.Misc, row: int) -> ttk.Frame:
    """Return a row for two buttons of the same width."""
    frame = ttk.Frame(parent)
    frame.grid(row=row, column=0, sticky="ew", pady=(4, 0))
    frame.columnconfigure((0, 1), weight=1, uniform="half")
    return frame
