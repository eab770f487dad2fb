"""The screen *Puzzles*: the puzzle of the day, and others of a chosen kind and difficulty."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from tkinter import ttk

from doublecross.analysis.puzzles.book import PuzzleBook
from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.learn.puzzles import PuzzleModel
from doublecross.client.tk.progress_files import PuzzleFile
from doublecross.client.tk.screens.learn.solving import PAD, SolvingScreen
from doublecross.client.tk.screens.puzzle_side import PuzzleCommands, PuzzleSide
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import FittedLabel


def _day_in_utc() -> date:
    return datetime.now(UTC).date()


class PuzzleScreen(SolvingScreen):
    """Shows the puzzles of `book`. `today` returns the day in UTC; `back` leads to the course."""

    name = "puzzles"
    model: PuzzleModel
    side: PuzzleSide

    def __init__(
        self,
        context: Context,
        book: PuzzleBook,
        *,
        back: Callable[[], None],
        today: Callable[[], date] = _day_in_utc,
    ) -> None:
        super().__init__(context)
        file = PuzzleFile(context.home.folder)
        self.model = PuzzleModel(book, file.read(), file.add, today)
        self._build_head(back)
        self._build_board()
        commands = PuzzleCommands(
            today=self._today,
            following=self._following,
            retry=self._retry,
            again=self._again,
            show=self._solution,
            step=self._step,
            overlay=self._show_overlay,
        )
        self._begin(PuzzleSide(self, context, self.model, commands), back)

    def focus_first(self) -> None:
        """Focus the board."""
        self.board.focus_set()

    def _build_head(self, back: Callable[[], None]) -> None:
        head = ttk.Frame(self)
        head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=PAD, pady=(4, 6))
        head.columnconfigure(1, weight=1)
        leave = enter_button(head, "leave", tr("‹ Lessons"), back)
        leave.grid(row=0, column=0, rowspan=2, padx=(0, 16))
        ttk.Label(head, text=tr("Puzzles"), style="Heading.TLabel").grid(
            row=0, column=1, sticky="w"
        )
        self._counts = FittedLabel(head, "", name="counts", style="Dim.TLabel")
        self._counts.grid(row=1, column=1, sticky="ew")

    # -- the puzzles -------------------------------------------------------------------------

    def _steps(self) -> bool:
        return self.model.session.over

    def _today(self) -> None:
        self.model.open_today()
        self._reopened()

    def _following(self) -> None:
        if self.model.open_next():
            self._reopened()
        else:
            self._changed()

    def _again(self) -> None:
        self.model.restart()
        self._changed()
        self.board.focus_set()

    def _solution(self) -> None:
        if self.model.show():
            self._changed()

    def _show(self, changes: BoardChanges) -> None:
        super()._show(changes)
        self._counts.set_text(self.model.counts_line)
