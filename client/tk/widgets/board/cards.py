"""Show cards and buttons beside the board of a room.

The cards tell how the match ended, that a seat is still free, or ask for a confirmation.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from tkinter import ttk
from typing import Final

from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.room.seats import Ending
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.labels import Headline, WrappedLabel
from doublecross.client.tk.widgets.visible import set_visible

_PAD: Final = 6


@dataclass(frozen=True, slots=True)
class CardButton:
    """The state of one button of a `Choices` widget."""

    name: str
    """The button's key in the commands of the widget."""
    text: str
    enabled: bool = True
    main: bool = False
    """True when the button is highlighted as the most likely choice."""
    wide: bool = False
    """True when the button takes a whole row."""


class Choices(ttk.Frame):
    """Buttons in one or two columns. `commands` maps the names of all buttons to their actions;
    `show` selects those that are visible.

    A button whose text is too long for its column takes a whole row.
    """

    def __init__(self, parent: tk.Misc, commands: Mapping[str, Callable[[], None]]) -> None:
        super().__init__(parent)
        self._shown: tuple[CardButton, ...] | None = None
        self._columns = 2
        self._gap = _PAD
        self.buttons: dict[str, ttk.Button] = {}
        for name, command in commands.items():
            button = self.buttons[name] = enter_button(self, name, "", command)
            # No horizontal padding: the side of a small window is too narrow for it.
            button.configure(padding=(0, 4))
        self._whole_rows: frozenset[str] = frozenset()
        self.bind("<Configure>", lambda _: self._fit())

    @property
    def main(self) -> str | None:
        """The name of the highlighted button if it is enabled, otherwise None."""
        shown = self._shown or ()
        return next((each.name for each in shown if each.main and each.enabled), None)

    @property
    def height(self) -> int:
        """The height of the buttons that are shown, in pixels."""
        shown = [self.buttons[each.name] for each in self._shown or ()]
        rows = {int(b.grid_info()["row"]): b.winfo_reqheight() for b in shown if b.winfo_manager()}
        return sum(rows.values()) + self._gap * max(0, len(rows) - 1)

    def compact(self, compact: bool) -> None:
        """Use less vertical space if `compact`."""
        self._gap = 4 if compact else _PAD
        for button in self.buttons.values():
            button.configure(padding=(0, 1 if compact else 4))
            if button.winfo_manager() and int(button.grid_info()["row"]):
                button.grid_configure(pady=(self._gap, 0))

    def show(self, choices: Sequence[CardButton], columns: int = 2) -> None:
        """Show these buttons, in this order, in `columns` columns."""
        if (tuple(choices), columns) == (self._shown, self._columns):
            return
        self._shown, self._columns = tuple(choices), columns
        wanted = {choice.name for choice in choices}
        for name, button in self.buttons.items():
            if name not in wanted:
                button.grid_remove()
        for column in range(4):
            used = column < columns
            self.columnconfigure(column, weight=1 if used else 0, uniform="choice" if used else "")
        for choice in choices:
            button = self.buttons[choice.name]
            button.configure(text=choice.text, style="Accent.TButton" if choice.main else "TButton")
            button.state(["!disabled" if choice.enabled else "disabled"])
        self._whole_rows = self._too_wide()
        self._lay_out()

    # -- inside ------------------------------------------------------------------------------

    def _too_wide(self) -> frozenset[str]:
        """Return the names of the buttons that take a whole row."""
        column = (self.winfo_width() - _PAD * (self._columns - 1)) // self._columns
        return frozenset(
            choice.name
            for choice in self._shown or ()
            if choice.wide or 1 < column < self.buttons[choice.name].winfo_reqwidth()
        )

    def _fit(self) -> None:
        """Lay the buttons out again if other ones need a whole row."""
        if (wide := self._too_wide()) != self._whole_rows:
            self._whole_rows = wide
            self._lay_out()

    def _lay_out(self) -> None:
        choices, columns = self._shown or (), self._columns
        row = column = 0
        for choice, after in zip_longest(choices, choices[1:]):
            button = self.buttons[choice.name]
            wide = choice.name in self._whole_rows
            # A button without a neighbour takes the whole row.
            last_one = after is None or after.name in self._whole_rows
            alone = column == 0 and (columns == 1 or wide or last_one)
            first, last = column == 0, alone or column == columns - 1
            button.grid(
                row=row,
                column=column,
                columnspan=columns if alone else 1,
                sticky="ew",
                padx=(0 if first else _PAD // 2, 0 if last else _PAD // 2),
                pady=(0 if row == 0 else self._gap, 0),
            )
            row, column = (row + 1, 0) if last else (row, column + 1)
            button.lift()  # Tab follows the stacking order


class Card(ttk.Frame):
    """A headline, a few lines of text, and buttons."""

    def __init__(
        self, parent: tk.Misc, name: str, commands: Mapping[str, Callable[[], None]]
    ) -> None:
        super().__init__(parent, name=name, style="Card.TFrame", padding=(12, 8, 12, 12))
        self.columnconfigure(0, weight=1)
        self._headline = Headline(self, "", name="headline")
        self._headline.grid(row=0, column=0, sticky="ew")
        self._text = WrappedLabel(self, "", name="why", style="Dim.TLabel")
        self._text.grid(row=1, column=0, sticky="ew", pady=(0, 8))
        self.choices = Choices(self, commands)
        self.choices.grid(row=2, column=0, sticky="ew")
        # The note may change at any time, so it is below the buttons, which keep their places.
        self._note = WrappedLabel(self, "", name="note", style="Dim.TLabel")
        self._note.grid(row=3, column=0, sticky="ew", pady=(6, 0))
        self._note.grid_remove()

    def show(self, headline: str, text: str, style: str = "TLabel", note: str = "") -> None:
        """Show a headline in `style`, the text below it, and `note` below the buttons."""
        self._headline.set_text(headline, style)
        self._text.configure(text=text)
        set_visible(self._text, bool(text))
        self._note.configure(text=note)
        set_visible(self._note, bool(note))

    def compact(self, compact: bool) -> None:
        """Use less vertical space if `compact`."""
        self.configure(padding=(10, 4, 10, 8) if compact else (12, 8, 12, 12))
        self._text.grid_configure(pady=(0, 4 if compact else 8))
        self.choices.compact(compact)

    def show_ending(self, ending: Ending, note: str, colours: Colours) -> None:
        """Show how the match ended, and `note` below the buttons."""
        style = "TLabel" if ending.winner is None else colours.seat_style("Seat", ending.winner)
        self.show(f"{ending.headline} {ending.score}".rstrip(), ending.why, style, note)


class Confirmation(Card):
    """Asks for a confirmation, in place of the buttons, before an action that cannot be undone."""

    def ask(self, sentence: str, choices: Sequence[CardButton]) -> None:
        """Ask `sentence` and focus the last of `choices`, which must be the harmless one."""
        self.show(sentence, "")
        self.choices.show(choices, columns=1 if len(choices) > 2 else 2)
        # Tk can focus only a mapped widget, and maps this one when it handles its idle tasks.
        self.update_idletasks()
        self.choices.buttons[choices[-1].name].focus_set()
