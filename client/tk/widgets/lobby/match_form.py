"""The form for a match that most dialogs of the lobby share: game, size, time and first move."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from tkinter import ttk
from typing import Final, cast

from doublecross.client.language import tr
from doublecross.client.tk.models.lobby.forms import (
    CUSTOM,
    WHOLE_SIZE,
    BadFields,
    MatchFields,
    Start,
    TimeField,
    casual,
    size_key,
    time_titles,
)
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import is_on, set_switch, switch_button, watch_text
from doublecross.client.tk.widgets.choice import SegmentedChoice
from doublecross.client.tk.widgets.labels import ErrorLabel
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.games.registry import GAMES
from doublecross.protocol.common import MatchSettings

WIDTH: Final = 400
"""Width of a form, in pixels."""
_LABEL_PX: Final = 88
_ACROSS: Final = 3
"""Maximum number of game parameters side by side."""
_TIMES: Final = {
    TimeField.MINUTES: tr("Minutes each"),
    TimeField.ADDED: tr("Seconds added"),
    TimeField.MOVE: tr("Seconds a move"),
}


class MatchForm(ttk.Frame):
    """Edits `fields`, including values that are not valid yet.

    `starts` are the titles for the first move (this player, the opponent, chance); None leaves
    the choice out. With `rates` the form has a switch for rated matches; without it, matches are
    casual. `on_game` is called after the game or its size has changed.
    """

    def __init__(
        self,
        parent: tk.Misc,
        fields: MatchFields,
        *,
        starts: tuple[str, str, str] | None = None,
        rates: bool = False,
        on_game: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(parent, name="match")
        self.fields = fields
        self._on_game = on_game
        self._scheduled: str | None = None
        self._size_inputs: dict[str, ttk.Entry] = {}
        self._time_inputs: dict[TimeField, ttk.Entry] = {}
        self.columnconfigure(0, minsize=scaled(self, _LABEL_PX))
        self.columnconfigure(1, weight=1, minsize=scaled(self, WIDTH - _LABEL_PX))
        self._titles = {tr(kind.title): key for key, kind in GAMES.items()}
        self._times = time_titles()

        self.game = self._list(0, tr("Game"), "game", self._titles, fields.game)
        self.game.bind("<<ComboboxSelected>>", lambda _: self._game_chosen())
        self._caption(1, tr("Size"), pady=(24, 0))
        self._size = ttk.Frame(self, name="size")
        self._size.grid(row=1, column=1, sticky="w", pady=(8, 0))
        self._size_error = self._error(2)
        self.time = self._list(3, tr("Time"), "time", self._times, fields.time)
        self.time.bind("<<ComboboxSelected>>", lambda _: self._time_chosen())
        self._custom = ttk.Frame(self, name="custom")
        self._custom.grid(row=4, column=1, sticky="w", pady=(8, 0))
        for column, (name, title) in enumerate(_TIMES.items()):
            entry = ttk.Entry(self._custom, name=name, width=8)
            self._time_inputs[name] = entry
            self._place(self._custom, column, title, entry, getattr(fields, name))
            watch_text(entry, partial(self._time_edited, entry))
        self._time_error = self._error(5)
        self._start: SegmentedChoice | None = None
        if starts is not None:
            self._caption(6, tr("First move"))
            titles = dict(zip(("me", "other", "chance"), starts, strict=True))
            self._start = SegmentedChoice(self, titles, fields.start, name="start")
            self._start.grid(row=6, column=1, sticky="w", pady=(8, 0))
        self._rated: ttk.Checkbutton | None = None
        if rates:
            text = tr("Rated: the result changes both ratings")
            self._rated = switch_button(self, "rated", text)
            set_switch(self._rated, on=fields.rated)
            self._rated.grid(row=7, column=0, columnspan=2, sticky="w", pady=(14, 0))
        self._build_size()
        self._show_custom()

    # -- reading and checking ----------------------------------------------------------------

    def read(self) -> MatchFields:
        """Return the fields with the texts and choices of all inputs."""
        fields = self.fields
        self._keep_size()
        fields.time = self._times[self.time.get()]
        for name in _TIMES:
            setattr(fields, name, self._time_inputs[name].get())
        if self._start is not None:
            fields.start = cast(Start, self._start.value)
        if self._rated is not None:
            fields.rated = is_on(self._rated)
        return fields

    def settings(self) -> MatchSettings | None:
        """Return the settings of the match; show the problems and return None if any is invalid."""
        try:
            settings = self.read().settings()
        except BadFields as bad:
            self.show(bad.problems)
            self.focus_problem(bad.problems)
            return None
        self.show({})
        return settings if self._rated is not None else casual(settings)

    def show(self, problems: Mapping[str, str]) -> None:
        """Show `problems`, sentences by field name; an empty mapping removes old ones."""
        for entry, wrong in self._checked(problems):
            entry.state(["invalid" if wrong else "!invalid"])
        keys = (*map(size_key, self._size_inputs), WHOLE_SIZE)
        sizes = [problems[key] for key in keys if key in problems]
        times = [problems[name] for name in _TIMES if name in problems]
        self._size_error.say("\n".join(sizes))
        self._time_error.say("\n".join(times))

    def focus_problem(self, problems: Mapping[str, str]) -> None:
        """Focus the first field with a problem."""
        for entry, wrong in self._checked(problems):
            if wrong:
                entry.focus_set()
                entry.selection_range(0, "end")
                return

    def _checked(self, problems: Mapping[str, str]) -> Iterator[tuple[ttk.Entry, bool]]:
        """Yield all inputs, from top to bottom, and whether each has a problem."""
        for parameter, entry in self._size_inputs.items():
            yield entry, size_key(parameter) in problems or WHOLE_SIZE in problems
        for field, entry in self._time_inputs.items():
            yield entry, field in problems

    def destroy(self) -> None:
        """Cancel the scheduled call of `on_game` and destroy the form."""
        if self._scheduled is not None:
            self.after_cancel(self._scheduled)
            self._scheduled = None
        super().destroy()

    # -- how it is built ---------------------------------------------------------------------

    def _caption(self, row: int, text: str, pady: tuple[int, int] = (8, 0)) -> None:
        ttk.Label(self, text=text).grid(row=row, column=0, sticky="w", pady=pady)

    def _list(
        self, row: int, caption: str, name: str, titles: Mapping[str, str], value: str
    ) -> ttk.Combobox:
        top = 0 if row == 0 else 8
        self._caption(row, caption, pady=(top, 0))
        box = ttk.Combobox(self, name=name, values=list(titles), state="readonly", width=20)
        box.set(next(title for title, key in titles.items() if key == value))
        # Tk selects the text of a read-only combobox on focus, which only looks confusing.
        box.bind("<FocusIn>", lambda _: box.selection_clear(), add=True)
        box.grid(row=row, column=1, sticky="ew", pady=(top, 0))
        return box

    def _error(self, row: int) -> ErrorLabel:
        label = ErrorLabel(self, name=f"error{row}", width=scaled(self, WIDTH - _LABEL_PX))
        label.grid(row=row, column=1, sticky="w", pady=(4, 0))
        label.grid_remove()
        return label

    def _place(
        self, parent: ttk.Frame, column: int, title: str, entry: ttk.Entry, text: str, row: int = 0
    ) -> None:
        space = (0 if column == 0 else 10, 0)
        caption = ttk.Label(parent, text=title, style="Caption.TLabel")
        caption.grid(row=2 * row, column=column, sticky="w", padx=space)
        entry.grid(row=2 * row + 1, column=column, sticky="ew", padx=space)
        entry.insert(0, text)

    def _build_size(self) -> None:
        self._size_inputs.clear()
        for child in self._size.winfo_children():
            child.destroy()
        for number, parameter in enumerate(self.fields.parameters):
            box = ttk.Spinbox(
                self._size,
                name=size_key(parameter.name),
                from_=parameter.low,
                to=parameter.high,
                width=3,
            )
            edited = partial(self._size_edited, box)
            box.configure(command=edited)
            self._size_inputs[parameter.name] = box
            text = self.fields.size_text(parameter)
            row, column = divmod(number, _ACROSS)
            self._place(self._size, column, tr(parameter.label), box, text, row=row)
            watch_text(box, edited)

    # -- changes -----------------------------------------------------------------------------

    def _game_chosen(self) -> None:
        self._keep_size()
        self.fields.game = self._titles[self.game.get()]
        self.game.selection_clear()
        self._build_size()
        self.show({})
        self._report_game()

    def _keep_size(self) -> None:
        texts = self.fields.sizes.setdefault(self.fields.game, {})
        for parameter in self.fields.parameters:
            texts[parameter.name] = self._size_inputs[parameter.name].get()

    def _report_game(self) -> None:
        self._scheduled = None
        if self._on_game is not None:
            self._on_game()

    def _time_chosen(self) -> None:
        self.time.selection_clear()
        self._time_error.say("")
        self._show_custom()
        if self._times[self.time.get()] == CUSTOM:
            self._time_inputs[TimeField.MINUTES].focus_set()

    def _show_custom(self) -> None:
        set_visible(self._custom, self._times[self.time.get()] == CUSTOM)

    def _time_edited(self, entry: ttk.Entry) -> None:
        entry.state(["!invalid"])
        self._time_error.say("")

    def _size_edited(self, entry: ttk.Entry) -> None:
        entry.state(["!invalid"])
        self._size_error.say("")
        if self._scheduled is None:
            self._scheduled = self.after_idle(self._report_game)
