"""The card of the start screen: the player's name, and a choice between here and a server."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.models.start import Place, StartForm, Way
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import bind_enter, enter_button, watch_text
from doublecross.client.tk.widgets.labels import ErrorLabel
from doublecross.client.tk.widgets.visible import set_visible

WIDTH: Final = 460
"""Width of the card's contents, in pixels."""


class StartCard(ttk.Frame):
    """Shows the fields, problems and progress of `form`.

    `recent` are addresses to choose from; `way` is the action of Enter in the field for the name.
    `on_connect` is called with the chosen way, `on_history` with the usual one to connect and show
    the person's games there. `on_learn` opens the lessons, `on_give_up` is called when the person
    cancels.
    """

    def __init__(
        self,
        parent: tk.Misc,
        form: StartForm,
        *,
        way: Way,
        recent: list[str],
        on_connect: Callable[[Way], None],
        on_learn: Callable[[], None],
        on_history: Callable[[Way], None],
        on_give_up: Callable[[], None],
    ) -> None:
        super().__init__(parent, style="Card.TFrame")
        self._form = form
        self._way = way
        self._roomy = True
        self._on_connect = on_connect
        self._on_learn = on_learn
        self._on_history = on_history
        self._on_give_up = on_give_up
        self._errors: dict[Place, ErrorLabel] = {}
        self.columnconfigure(0, weight=1, minsize=scaled(self, WIDTH - 100))
        self.columnconfigure(1, minsize=100)
        self._build_here()
        self._rule = ttk.Separator(self)
        self._rule.grid(row=6, column=0, columnspan=2, sticky="ew", pady=16)
        self._build_server(recent)
        self._progress = ProgressRow(self, on_cancel=on_give_up)
        self._progress.grid(row=11, column=0, columnspan=2, sticky="ew", pady=(16, 0))
        for entry in (self._name, self._password):
            bind_enter(entry, lambda _: _press(self._primary))
        bind_enter(self._server, lambda _: _press(self._join))

    @property
    def name(self) -> str:
        """The typed name, without surrounding spaces."""
        return self._name.get().strip()

    @property
    def password(self) -> str:
        """The typed password; empty while the form asks for none."""
        return self._password.get() if self._form.asks_password else ""

    @property
    def address(self) -> str:
        """The typed address, without surrounding spaces."""
        return self._server.get().strip()

    @property
    def named(self) -> bool:
        """Return whether the field for the name has any text."""
        return bool(self._name.get())

    def fill(self, name: str, address: str) -> None:
        """Set the texts of the two fields."""
        for entry, text in ((self._name, name), (self._server, address)):
            entry.delete(0, "end")
            entry.insert(0, text)
            entry.icursor("end")

    def fit(self, *, roomy: bool) -> None:
        """Hide explanations and reduce padding unless the window is `roomy`."""
        self._roomy = roomy
        self.configure(padding=(24, 20) if roomy else (20, 12))
        self._rule.grid_configure(pady=18 if roomy else 12)

    def stop(self) -> None:
        """Stop the animation of the progress bar, before the card is destroyed."""
        self._progress.stop()

    # -- the focus ---------------------------------------------------------------------------

    def focus_first(self) -> None:
        """Focus the first field that is empty, else the button that Enter presses."""
        if not self.named:
            self._name.focus_set()
        elif self._form.asks_password:
            self._password.focus_set()
        else:
            self._primary.focus_set()

    def focus_cancel(self) -> None:
        """Focus the button that cancels the attempt to connect."""
        self._progress.focus_cancel()

    def focus_primary(self) -> None:
        """Focus the button that Enter presses."""
        self._primary.focus_set()

    def focus_problem(self) -> None:
        """Focus the first field with a problem, or the Play button if the problem is there."""
        problems = self._form.problems
        field = self._server
        if "name" in problems:
            field = self._name
        elif "password" in problems:
            field = self._password
        if "here" in problems:
            self._play.focus_set()
        elif problems:
            field.focus_set()
            field.selection_range(0, "end")

    # -- contents ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the current state of the form."""
        form = self._form
        for place, label in self._errors.items():
            label.say(form.problems.get(place, ""))
        set_visible(self._play_about, self._roomy and "here" not in form.problems)
        set_visible(self._server_about, self._roomy and "server" not in form.problems)
        self._show_password(shown=form.asks_password)
        # A disabled field keeps its text.
        state = ["disabled" if form.busy else "!disabled"]
        fields: dict[Place, ttk.Entry] = {
            "name": self._name,
            "password": self._password,
            "server": self._server,
        }
        for place, entry in fields.items():
            entry.state(["invalid" if place in form.problems else "!invalid", *state])
        for button in (self._switch, self._play, self._mine, self._learn, self._join):
            button.state(state)
        self._play.configure(style="Accent.TButton" if self._way == "here" else "TButton")
        self._join.configure(style="Accent.TButton" if self._way == "join" else "TButton")
        self._progress.show(form.busy)

    def _show_password(self, *, shown: bool) -> None:
        """Show the field for the password beside that for the name, or hide it."""
        for widget in (self._password, self._password_caption):
            set_visible(widget, shown)
        self._name.grid(columnspan=1 if shown else 2)
        for column in (0, 1):
            weight = 1 if shown else 1 - column
            self._fields.columnconfigure(column, weight=weight, uniform="fields" if shown else "")
        text = tr("No account") if shown else tr("I have an account")
        self._switch.configure(text=text)

    @property
    def _primary(self) -> ttk.Button:
        """The button that Enter presses."""
        return self._play if self._way == "here" else self._join

    # -- layout ------------------------------------------------------------------------------

    def _build_here(self) -> None:
        self._build_fields()
        self._error(1, "name")
        self._error(2, "password")
        row = ttk.Frame(self)
        row.grid(row=3, column=0, sticky="ew", pady=(16, 0))
        row.columnconfigure(0, weight=1)
        self._play = self._button(
            "play_here", tr("Play here"), lambda: self._on_connect("here"), row
        )
        self._play.grid(row=0, column=0, sticky="ew")
        self._mine = self._button(
            "history", tr("My games"), lambda: self._on_history(self._way), row
        )
        self._mine.grid(row=0, column=1, padx=(8, 0))
        self._learn = self._button("learn", tr("Learn"), self._on_learn, self)
        self._learn.grid(row=3, column=1, sticky="ew", padx=(8, 0), pady=(16, 0))
        self._play_about = ttk.Label(
            self, text=tr("Against bots, or two of you at this computer."), style="Dim.TLabel"
        )
        self._play_about.grid(row=4, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._error(5, "here")

    def _build_fields(self) -> None:
        """Build the fields for the name and the password, side by side."""
        fields = self._fields = ttk.Frame(self)
        fields.grid(row=0, column=0, columnspan=2, sticky="ew")
        self._caption(0, tr("Your name"), fields).grid(columnspan=1)
        # In one frame, so that they share the space above the second field.
        above = ttk.Frame(fields)
        above.grid(row=0, column=1, sticky="ew", padx=(8, 0))
        above.columnconfigure(0, weight=1)
        self._password_caption = self._caption(0, tr("Password"), above)
        self._password_caption.grid(columnspan=1)
        self._name = self._entry(ttk.Entry(fields, name="name"), 1, "name")
        self._password = self._entry(ttk.Entry(fields, name="password", show="•"), 1, "password")
        self._password.grid(column=1, padx=(8, 0))
        self._switch = self._button("has_account", "", self._switch_password, above)
        self._switch.configure(style="Toolbutton")
        self._switch.grid(row=0, column=1, sticky="e", pady=(0, 6))
        above.lift()  # Tab reaches the button after the fields

    def _switch_password(self) -> None:
        """Ask for a password, or for none; one that was typed is forgotten."""
        self._form.switch_password()
        self._password.delete(0, "end")
        self.refresh()
        (self._password if self._form.asks_password and self.named else self._name).focus_set()

    def _build_server(self, recent: list[str]) -> None:
        self._caption(7, tr("Or a server that somebody hosts"))
        box = ttk.Combobox(self, name="server", values=recent)
        self._server = self._entry(box, 8, "server")
        self._server.bind("<<ComboboxSelected>>", lambda _: self._edited("server"))
        self._join = self._button("join", tr("Join"), lambda: self._on_connect("join"), self)
        self._join.grid(row=8, column=1, sticky="ew", padx=(8, 0))
        self._server_about = ttk.Label(
            self, text=tr("Its address, such as 192.168.1.5 or play.example"), style="Dim.TLabel"
        )
        self._server_about.grid(row=9, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._error(10, "server")

    def _caption(self, row: int, text: str, parent: ttk.Frame | None = None) -> ttk.Label:
        caption = ttk.Label(parent or self, text=text, style="Strong.TLabel")
        caption.grid(row=row, column=0, columnspan=2, sticky="w", pady=(0, 6))
        return caption

    def _entry(self, entry: ttk.Entry, row: int, place: Place) -> ttk.Entry:
        entry.grid(row=row, column=0, sticky="ew")
        watch_text(entry, lambda: self._edited(place))
        entry.bind("<Escape>", lambda _: self._on_give_up())
        return entry

    def _error(self, row: int, place: Place) -> None:
        label = ErrorLabel(self, name=f"{place}_error", width=scaled(self, WIDTH))
        label.grid(row=row, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._errors[place] = label

    def _button(
        self, name: str, text: str, command: Callable[[], None], parent: ttk.Frame
    ) -> ttk.Button:
        button = enter_button(parent, name, text, command)
        button.bind("<Escape>", lambda _: self._on_give_up())
        return button

    def _edited(self, place: Place) -> None:
        """Remove the problem of a field whose text is about to change."""
        self._form.edited(place)
        self.refresh()


class ProgressRow(ttk.Frame):
    """Shows what the program is doing, with a button that cancels it; hidden while it is idle."""

    def __init__(self, parent: tk.Misc, *, on_cancel: Callable[[], None]) -> None:
        super().__init__(parent)
        self.columnconfigure(0, weight=1)
        self._message = ttk.Label(self, name="doing", wraplength=scaled(self, WIDTH - 110))
        self._message.grid(row=0, column=0, sticky="w")
        self._bar = ttk.Progressbar(self, mode="indeterminate")
        self._bar.grid(row=1, column=0, sticky="ew", pady=(6, 0))
        self._cancel = enter_button(self, "cancel", tr("Cancel"), on_cancel)
        self._cancel.bind("<Escape>", lambda _: on_cancel())
        self._cancel.grid(row=0, column=1, rowspan=2, padx=(16, 0))

    def show(self, message: str) -> None:
        """Show `message` and a moving bar; hide the row if it is empty."""
        set_visible(self, bool(message))
        if message:
            self._message.configure(text=message)
            self._bar.start(12)
        else:
            self._bar.stop()

    def stop(self) -> None:
        """Stop the animation of the bar; its timer would fail after the row is destroyed."""
        self._bar.stop()

    def focus_cancel(self) -> None:
        """Focus the button that cancels."""
        self._cancel.focus_set()


def _press(button: ttk.Button) -> str:
    button.invoke()
    return "break"
