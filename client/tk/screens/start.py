"""The start screen: who plays, and where: on this computer or on somebody's server."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Final

from client.tk.context import Context, Screen
from client.tk.models.start import Place, StartForm, Way
from client.tk.network.joining import checked_url, join, join_here
from client.tk.network.thread import ME, Refusal
from client.tk.widgets.logo import Logo
from client.tk.widgets.settings import SettingsRow

WIDTH: Final = 460
"""Of what stands in the card, in pixels."""
_ROOMY_PX: Final = 620
"""In a window that is lower than this, in pixels, explanations and some air are left out."""
_TIGHT_PX: Final = 450
"""In one that is lower than this, in pixels, and has something to say, the title too."""


class StartScreen(Screen):
    """A name, and two ways in. `sentence` says why one is here, if there is anything to say.

    `server` stands in the field for it at first, and is joined at once if a name is known, given
    as `name` or kept from the last time; without `sentence`, since that says why it went wrong.
    """

    name = "start"

    def __init__(
        self,
        context: Context,
        sentence: str = "",
        server: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(context)
        kept = context.home.kept
        self._form = StartForm()
        self._fitted: tuple[bool, bool] | None = None
        self._way: Way = "join" if server is not None or kept.way == "join" else "here"
        self.columnconfigure((0, 2), weight=1)
        self.rowconfigure((0, 5), weight=1)
        self._build_head(sentence)
        self._build_card()
        self._build_foot()
        self._enter(self._name_entry, kept.name if name is None else name)
        recent = kept.recent[0] if kept.recent else ""
        self._enter(self._server, server if server is not None else kept.address or recent)
        self.restyle()
        self.bind("<Configure>", lambda _: self._fit())
        self._fit()
        at_once = server is not None and not sentence
        self._begins = self.after_idle(self._begin, at_once)

    # -- what the window calls ---------------------------------------------------------------

    def restyle(self) -> None:
        """Other colours."""
        look = self.context.look
        self._settings.refresh()
        self._logo.restyle(look)
        self._sentence.configure(background=look.banner, foreground=look.banner_text)

    def leave(self) -> None:
        """Another screen comes; what is in the fields is there again the next time."""
        self.after_cancel(self._begins)
        self._bar.stop()  # it would go on by itself, and miss its window
        kept = self.context.home.kept
        kept.name, kept.address = self._name_entry.get().strip(), self._server.get().strip()
        self.context.home.save()

    # -- how it looks ------------------------------------------------------------------------

    def _build_head(self, sentence: str) -> None:
        head = ttk.Frame(self)
        head.grid(row=1, column=1)
        self._logo = Logo(head, self.context.look)
        self._logo.grid(row=0, column=0, rowspan=2, padx=(0, 16))
        title = ttk.Label(head, text="Doublecross", style="Title.TLabel")
        title.grid(row=0, column=1, sticky="sw")
        about = ttk.Label(head, text="Dots and Boxes, and other games for two", style="Dim.TLabel")
        about.grid(row=1, column=1, sticky="nw")
        self._head = head
        self._sentence = tk.Label(
            self,
            name="sentence",
            text=sentence,
            padx=16,
            pady=8,
            wraplength=WIDTH,
            justify="left",
            anchor="w",
        )
        if sentence:
            self._sentence.grid(row=2, column=1, sticky="ew", pady=(0, 12))

    def _build_card(self) -> None:
        card = self._card = ttk.Frame(self, style="Card.TFrame")
        card.grid(row=3, column=1, sticky="ew")
        card.columnconfigure(0, weight=1, minsize=WIDTH - 100)
        card.columnconfigure(1, minsize=100)
        self._errors: dict[Place, ttk.Label] = {}

        self._caption(card, 0, "Your name")
        self._name_entry = self._entry(ttk.Entry(card, name="name"), 1, "name")
        self._name_entry.grid(columnspan=2)
        self._error(card, 2, "name")

        self._play = self._button(card, "play_here", "Play here", lambda: self._connect("here"))
        self._play.grid(row=3, column=0, columnspan=2, sticky="ew", pady=(16, 0))
        self._play_about = ttk.Label(
            card, text="Against bots, or two of you at this computer.", style="Dim.TLabel"
        )
        self._play_about.grid(row=4, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._error(card, 5, "here")

        self._rule = ttk.Separator(card)
        self._rule.grid(row=6, column=0, columnspan=2, sticky="ew", pady=16)

        self._caption(card, 7, "Or a server that somebody hosts")
        box = ttk.Combobox(card, name="server", values=self.context.home.kept.recent)
        self._server = self._entry(box, 8, "server")
        self._server.bind("<<ComboboxSelected>>", lambda _: self._edited("server"))
        self._join = self._button(card, "join", "Join", lambda: self._connect("join"))
        self._join.grid(row=8, column=1, sticky="ew", padx=(8, 0))
        for key in ("<Return>", "<KP_Enter>"):
            self._name_entry.bind(key, lambda _: self._press(self._primary))
            self._server.bind(key, lambda _: self._press(self._join))
        self._server_about = ttk.Label(
            card, text="Its address, such as 192.168.1.5 or play.example", style="Dim.TLabel"
        )
        self._server_about.grid(row=9, column=0, columnspan=2, sticky="w", pady=(6, 0))
        self._error(card, 10, "server")

        self._progress = ttk.Frame(card)
        self._progress.columnconfigure(0, weight=1)
        self._doing = ttk.Label(self._progress, name="doing", wraplength=WIDTH - 110)
        self._doing.grid(row=0, column=0, sticky="w")
        self._bar = ttk.Progressbar(self._progress, mode="indeterminate")
        self._bar.grid(row=1, column=0, sticky="ew", pady=(6, 0))
        self._cancel = self._button(self._progress, "cancel", "Cancel", self._give_up)
        self._cancel.grid(row=0, column=1, rowspan=2, padx=(16, 0))
        self._progress.grid(row=11, column=0, columnspan=2, sticky="ew", pady=(16, 0))

    def _build_foot(self) -> None:
        foot = ttk.Frame(self)
        foot.grid(row=4, column=1, sticky="ew")
        foot.columnconfigure(0, weight=1)
        self._settings = SettingsRow(foot, self.context)
        self._settings.grid(row=0, column=0, sticky="w")
        self._open = self._button(foot, "open_record", "Open a record ...", self._open_record)
        self._open.grid(row=0, column=1, padx=(12, 0))
        self._foot = foot

    def _caption(self, card: ttk.Frame, row: int, text: str) -> None:
        caption = ttk.Label(card, text=text, style="Strong.TLabel")
        caption.grid(row=row, column=0, columnspan=2, sticky="w", pady=(0, 6))

    def _entry(self, entry: ttk.Entry, row: int, place: Place) -> ttk.Entry:
        entry.grid(row=row, column=0, sticky="ew")
        # Variables of Tk would do as well, but their end may come in the network's thread.
        edited = entry.register(lambda: self._edited(place))
        entry.configure(validate="key", validatecommand=(edited,))
        entry.bind("<Escape>", lambda _: self._give_up())
        return entry

    def _error(self, card: ttk.Frame, row: int, place: Place) -> None:
        label = ttk.Label(
            card,
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
        button = ttk.Button(parent, name=name, text=text, command=command)
        for key in ("<Return>", "<KP_Enter>"):
            button.bind(key, lambda _: self._press(button))
        button.bind("<Escape>", lambda _: self._give_up())
        return button

    def _fit(self) -> None:
        """Leave out what a low window has no room for."""
        height = self.winfo_height()
        if height <= 1:  # not laid out yet
            height = _ROOMY_PX
        tight = height < _TIGHT_PX and bool(self._sentence.cget("text"))
        roomy, _ = fitted = height >= _ROOMY_PX, tight
        if fitted == self._fitted:
            return
        self._fitted = fitted
        self._card.configure(padding=(24, 20) if roomy else (20, 12))
        self._rule.grid_configure(pady=18 if roomy else 12)
        self._head.grid_configure(pady=(16, 24) if roomy else (0, 10))
        self._foot.grid_configure(pady=(20, 16) if roomy else (10, 0))
        _show(self._head, not tight)
        self._refresh()

    # -- what it does ------------------------------------------------------------------------

    def _begin(self, at_once: bool) -> None:
        if not self._name_entry.get():
            self._name_entry.focus_set()
        elif at_once:
            self._connect("join")
        else:
            self._primary.focus_set()

    @property
    def _primary(self) -> ttk.Button:
        """What Enter does."""
        return self._play if self._way == "here" else self._join

    def _connect(self, way: Way) -> None:
        name, typed = self._name_entry.get().strip(), self._server.get().strip()
        problem, url = "", ""
        if way == "join":
            try:
                url = checked_url(typed)
            except Refusal as refusal:
                problem = refusal.sentence if typed else "Write the address of a server."
        begun = self._form.begin(way, name=name, address=typed, address_problem=problem)
        self._refresh()
        if not begun:
            self._show_problem()
            return
        attempt, found = self._form.attempt, [url]
        if way == "here":
            make = join_here(self.context, ME, name, found.append)
        else:
            make = join(self.context, ME, url, name)
        self.context.network.connect(
            ME,
            make,
            lambda _: self._joined(attempt, way, name, found[-1]),
            lambda refusal: self._refused(attempt, refusal),
        )
        self._cancel.focus_set()

    def _joined(self, attempt: int, way: Way, name: str, url: str) -> None:
        if not self.winfo_exists() or not self._form.joined(attempt):
            return
        context = self.context
        kept, latest = context.home.kept, context.latest
        latest.server, latest.here = url, way == "here"
        kept.name, kept.way = name, way
        if way == "join":
            kept.address = self._server.get().strip()
            context.home.used(url)
        context.navigation.to_lobby()

    def _refused(self, attempt: int, refusal: Refusal) -> None:
        if not self.winfo_exists():
            return
        if self._form.refused(attempt, refusal.sentence, refusal.code) is not None:
            self._refresh()
            self._show_problem()

    def _give_up(self) -> None:
        if self._form.cancel():
            self.context.network.disconnect(ME)
            self._refresh()
            self._primary.focus_set()

    def _open_record(self) -> None:
        self._give_up()
        self.context.navigation.open_record()

    def _edited(self, place: Place) -> bool:
        """A key has changed a field; whether that may be."""
        self._form.edited(place)
        self._refresh()
        return True

    def _press(self, button: ttk.Button) -> str:
        button.invoke()
        return "break"

    def _enter(self, entry: ttk.Entry, text: str) -> None:
        entry.delete(0, "end")
        entry.insert(0, text)
        entry.icursor("end")

    def _show_problem(self) -> None:
        """Lead to the first field with which something is wrong."""
        problems = self._form.problems
        field = self._name_entry if "name" in problems else self._server
        if "here" in problems:
            self._play.focus_set()
        elif problems:
            field.focus_set()
            field.selection_range(0, "end")

    def _refresh(self) -> None:
        """Show what the form knows."""
        form = self._form
        for place, label in self._errors.items():
            sentence = form.problems.get(place, "")
            label.configure(text=sentence)
            _show(label, bool(sentence))
        roomy = self._fitted is None or self._fitted[0]
        _show(self._play_about, roomy and "here" not in form.problems)
        _show(self._server_about, roomy and "server" not in form.problems)
        self._name_entry.state(["invalid" if "name" in form.problems else "!invalid"])
        self._server.state(["invalid" if "server" in form.problems else "!invalid"])
        # A field that cannot be written in keeps its text.
        state = ["disabled" if form.busy else "!disabled"]
        for widget in (self._name_entry, self._server, self._play, self._join, self._open):
            widget.state(state)
        self._play.configure(style="Accent.TButton" if self._way == "here" else "TButton")
        self._join.configure(style="Accent.TButton" if self._way == "join" else "TButton")
        _show(self._progress, bool(form.busy))
        if form.busy:
            self._doing.configure(text=form.busy)
            self._bar.start(12)
        else:
            self._bar.stop()


def _show(widget: ttk.Widget, shown: bool) -> None:
    if shown:
        widget.grid()
    else:
        widget.grid_remove()
