"""The card of the start screen: a name, and the two places to play at."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from client.tk.models.start import Place, StartForm, Way
from client.tk.widgets.buttons import enter_button
from client.tk.widgets.visible import set_visible

WIDTH: Final = 460
"""Of what stands in the card, in pixels."""


class StartCard(ttk.Frame):
    """Shows `form` and the fields that it is filled in by.

    `recent` are addresses to choose from; `way` is what Enter does in the field for the name.
    `on_connect` is called with the way that was chosen, `on_give_up` when that is cancelled.
    """

    def __init__(
        self,
        parent: tk.Misc,
        form: StartForm,
        *,
        way: Way,
        recent: list[str],
        on_connect: Callable[[Way], None],
        on_give_up: Callable[[], None],
    ) -> None:
        super().__init__(parent, style="Card.TFrame")
        self._form = form
        self._way = way
        self._roomy = True
        self._on_connect = on_connect
        self._on_give_up = on_give_up
        self._errors: dict[Place, ttk.Label] = {}
        self.columnconfigure(0, weight=1, minsize=WIDTH - 100)
        self.columnconfigure(1, minsize=100)
        self._build_here()
        self._rule = ttk.Separator(self)
        self._rule.grid(row=6, column=0, columnspan=2, sticky="ew", pady=16)
        self._build_server(recent)
        self._build_progress()
        for key in ("<Return>", "<KP_Enter>"):
            self._name.bind(key, lambda _: _press(self._primary))
            self._server.bind(key, lambda _: _press(self._join))

    @property
    def name(self) -> str:
        """The name that stands there."""
        return self._name.get().strip()

    @property
    def address(self) -> str:
        """The address that stands there."""
        return self._server.get().strip()

    @property
    def named(self) -> bool:
        """Whether anything stands in the field for the name."""
        return bool(self._name.get())

    def fill(self, name: str, address: str) -> None:
        """Put texts into the two fields."""
        for entry, text in ((self._name, name), (self._server, address)):
            entry.delete(0, "end")
            entry.insert(0, text)
            entry.icursor("end")

    def fit(self, *, roomy: bool) -> None:
        """Leave out explanations and some air unless the window is `roomy`."""
        self._roomy = roomy
        self.configure(padding=(24, 20) if roomy else (20, 12))
        self._rule.grid_configure(pady=18 if roomy else 12)

    def stop(self) -> None:
        """Stop the bar, which would go on by itself and miss its window."""
        self._bar.stop()

    # -- the focus ---------------------------------------------------------------------------

    def focus_first(self) -> None:
        """Focus the field for the name while it is empty, and otherwise what Enter does."""
        (self._primary if self.named else self._name).focus_set()

    def focus_cancel(self) -> None:
        """Focus the button that gives up what is being done."""
        self._cancel.focus_set()

    def focus_primary(self) -> None:
        """Focus the button that Enter presses."""
        self._primary.focus_set()

    def focus_problem(self) -> None:
        """Focus the first field with which something is wrong."""
        problems = self._form.problems
        field = self._name if "name" in problems else self._server
        if "here" in problems:
            self._play.focus_set()
        elif problems:
            field.focus_set()
            field.selection_range(0, "end")

    # -- what it shows -----------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the form as it is."""
        form = self._form
        for place, label in self._errors.items():
            sentence = form.problems.get(place, "")
            label.configure(text=sentence)
            set_visible(label, bool(sentence))
        set_visible(self._play_about, self._roomy and "here" not in form.problems)
        set_visible(self._server_about, self._roomy and "server" not in form.problems)
        self._name.state(["invalid" if "name" in form.problems else "!invalid"])
        self._server.state(["invalid" if "server" in form.problems else "!invalid"])
        # A field that cannot be written in keeps its text.
        state = ["disabled" if form.busy else "!disabled"]
        for widget in (self._name, self._server, self._play, self._join):
            widget.state(state)
        self._play.configure(style="Accent.TButton" if self._way == "here" else "TButton")
        self._join.configure(style="Accent.TButton" if self._way == "join" else "TButton")
        set_visible(self._progress, bool(form.busy))
        if form.busy:
            self._doing.configure(text=form.busy)
            self._bar.start(12)
        else:
            self._bar.stop()

    @property
    def _primary(self) -> ttk.Button:
        """The button that Enter presses."""
        return self._play if self._way == "here" else self._join

    # -- how it is built ---------------------------------------------------------------------

    def _build_here(self) -> None:
        self._caption(0, "Your name")
        self._name = self._entry(ttk.Entry(self, name="name"), 1, "name")
        self._name.grid(columnspan=2)
        self._error(2, "name")
        self._play = self._button(self, "play_here", "Play here", lambda: self._on_connect("here"))
        self._play.grid(row=3, column=0, columnspan=2, sticky="ew", pady=(16, 0))
        self._play_about = ttk.Label(
            self, text="Against bots, or two of you at this computer.", style="Dim.TLabel"
        )
        self._play_about.grid(row=4, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._error(5, "here")

    def _build_server(self, recent: list[str]) -> None:
        self._caption(7, "Or a server that somebody hosts")
        box = ttk.Combobox(self, name="server", values=recent)
        self._server = self._entry(box, 8, "server")
        self._server.bind("<<ComboboxSelected>>", lambda _: self._edited("server"))
        self._join = self._button(self, "join", "Join", lambda: self._on_connect("join"))
        self._join.grid(row=8, column=1, sticky="ew", padx=(8, 0))
        self._server_about = ttk.Label(
            self, text="Its address, such as 192.168.1.5 or play.example", style="Dim.TLabel"
        )
        self._server_about.grid(row=9, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._error(10, "server")

    def _build_progress(self) -> None:
        progress = self._progress = ttk.Frame(self)
        progress.columnconfigure(0, weight=1)
        self._doing = ttk.Label(progress, name="doing", wraplength=WIDTH - 110)
        self._doing.grid(row=0, column=0, sticky="w")
        self._bar = ttk.Progressbar(progress, mode="indeterminate")
        self._bar.grid(row=1, column=0, sticky="ew", pady=(6, 0))
        self._cancel = self._button(progress, "cancel", "Cancel", self._on_give_up)
        self._cancel.grid(row=0, column=1, rowspan=2, padx=(16, 0))
        progress.grid(row=11, column=0, columnspan=2, sticky="ew", pady=(16, 0))

    def _caption(self, row: int, text: str) -> None:
        caption = ttk.Label(self, text=text, style="Strong.TLabel")
        caption.grid(row=row, column=0, columnspan=2, sticky="w", pady=(0, 6))

    def _entry(self, entry: ttk.Entry, row: int, place: Place) -> ttk.Entry:
        entry.grid(row=row, column=0, sticky="ew")
        # Variables of Tk would do as well, but their end may come in the network's thread.
        edited = entry.register(lambda: self._edited(place))
        entry.configure(validate="key", validatecommand=(edited,))
        entry.bind("<Escape>", lambda _: self._on_give_up())
        return entry

    def _error(self, row: int, place: Place) -> None:
        label = ttk.Label(
            self,
            name=f"{place}_error",
            style="Error.TLabel",
            wraplength=WIDTH,
            justify="left",
            anchor="w",
        )
        label.grid(row=row, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._errors[place] = label

    def _button(
        self, parent: tk.Misc, name: str, text: str, command: Callable[[], None]
    ) -> ttk.Button:
        button = enter_button(parent, name, text, command)
        button.bind("<Escape>", lambda _: self._on_give_up())
        return button

    def _edited(self, place: Place) -> bool:
        """Drop what was wrong with a field that a key has changed; allow the change."""
        self._form.edited(place)
        self.refresh()
        return True


def _press(button: ttk.Button) -> str:
    button.invoke()
    return "break"
