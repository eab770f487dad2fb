"""The start screen: ask for a name and where to play, on this computer or on a server."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.joining import checked_url, join, join_here
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.models.start import StartForm, Way
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.start_card import WIDTH, StartCard
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.logo import Logo
from doublecross.client.tk.widgets.settings import SettingsRow
from doublecross.client.tk.widgets.visible import set_visible

_ROOMY_PX: Final = 620
"""Below this height, in pixels, explanations are hidden and padding is reduced."""
_TIGHT_PX: Final = 450
"""Below this height, in pixels, the title is hidden if there is a message."""


class StartScreen(Screen):
    """Asks for a name and connects. `sentence` is a message, such as why the connection ended.

    With `log_in` there is a field for the password of an account, which one may leave empty.
    `server` is the initial address. The screen joins it at once if the name is known, from `name`
    or from the last time, unless there is a `sentence`: the last connection has just failed then.
    """

    name = "start"

    def __init__(
        self,
        context: Context,
        sentence: str = "",
        server: str | None = None,
        name: str | None = None,
        *,
        log_in: bool = False,
    ) -> None:
        super().__init__(context)
        kept = context.home.settings
        self._form = StartForm(asks_password=log_in)
        self._fitted: tuple[bool, bool] | None = None
        self.columnconfigure((0, 2), weight=1)
        self.rowconfigure((0, 5), weight=1)
        self._build_head(sentence)
        self._card = StartCard(
            self,
            self._form,
            way="join" if server is not None or kept.way == "join" else "here",
            recent=kept.recent,
            on_connect=self._connect,
            on_learn=lambda: context.navigation.to_page(Page.LESSONS),
            on_history=lambda way: self._connect(way, to_history=True),
            on_give_up=self._give_up,
        )
        self._card.grid(row=3, column=1, sticky="ew")
        self._build_foot()
        recent = kept.recent[0] if kept.recent else ""
        self._card.fill(
            kept.name if name is None else name,
            server if server is not None else context.typed_address or kept.address or recent,
        )
        self.restyle()
        self.bind("<Configure>", lambda _: self._fit())
        self._fit()
        at_once = server is not None and not sentence
        self._begins = self.after_idle(self._begin, at_once)

    # -- called by the window ----------------------------------------------------------------

    def restyle(self) -> None:
        """Apply the current theme."""
        colours = self.context.colours
        self._settings.refresh()
        self._logo.restyle(colours)
        self._sentence.configure(background=colours.banner, foreground=colours.banner_text)

    def leave(self) -> None:
        """Store the name before another screen replaces this one.

        The address is stored only when somebody has joined there: a wrong one would come back.
        """
        self.after_cancel(self._begins)
        self._card.stop()
        kept = self.context.home.settings
        kept.name, self.context.typed_address = self._card.name, self._card.address
        self.context.home.save()

    # -- layout ------------------------------------------------------------------------------

    def _build_head(self, sentence: str) -> None:
        head = ttk.Frame(self)
        head.grid(row=1, column=1)
        self._logo = Logo(head, self.context.colours)
        self._logo.grid(row=0, column=0, rowspan=2, padx=(0, 16))
        title = ttk.Label(head, text=tr("Doublecross"), style="Title.TLabel")
        title.grid(row=0, column=1, sticky="sw")
        about = ttk.Label(
            head, text=tr("Dots and Boxes, and other games for two"), style="Dim.TLabel"
        )
        about.grid(row=1, column=1, sticky="nw")
        self._head = head
        self._sentence = tk.Label(
            self,
            name="sentence",
            text=sentence,
            padx=16,
            pady=8,
            wraplength=scaled(self, WIDTH),
            justify="left",
            anchor="w",
        )
        if sentence:
            self._sentence.grid(row=2, column=1, sticky="ew", pady=(0, 12))

    def _build_foot(self) -> None:
        foot = self._foot = ttk.Frame(self)
        foot.grid(row=4, column=1, sticky="ew")
        foot.columnconfigure(0, weight=1)
        self._settings = SettingsRow(foot, self.context)
        self._settings.grid(row=0, column=0, sticky="w")
        self._open = enter_button(foot, "open_record", tr("Open a file ..."), self._open_record)
        self._open.bind("<Escape>", lambda _: self._give_up())
        self._open.grid(row=0, column=1, padx=(12, 0))

    def _fit(self) -> None:
        """Hide the parts for which a low window has no space."""
        height = self.winfo_height()
        if height <= 1:  # not laid out yet
            height = _ROOMY_PX
        tight = height < _TIGHT_PX and bool(self._sentence.cget("text"))
        roomy, _ = fitted = height >= _ROOMY_PX, tight
        if fitted == self._fitted:
            return
        self._fitted = fitted
        self._card.fit(roomy=roomy)
        self._head.grid_configure(pady=(16, 24) if roomy else (0, 10))
        self._foot.grid_configure(pady=(20, 16) if roomy else (10, 0))
        set_visible(self._head, not tight)
        self._refresh()

    def _refresh(self) -> None:
        """Show the current state of the form."""
        self._card.refresh()
        self._open.state(["disabled" if self._form.busy else "!disabled"])

    # -- connecting --------------------------------------------------------------------------

    def _begin(self, at_once: bool) -> None:
        if at_once and self._card.named:
            self._connect("join")
        else:
            self._card.focus_first()

    def _connect(self, way: Way, *, to_history: bool = False) -> None:
        name, typed, password = self._card.name, self._card.address, self._card.password
        problem, url = "", ""
        if way == "join":
            try:
                url = checked_url(typed)
            except Refusal as refusal:
                problem = refusal.sentence if typed else tr("Enter the address of a server.")
        begun = self._form.begin(
            way, name=name, address=typed, address_problem=problem, password=password
        )
        self._refresh()
        if not begun:
            self._card.focus_problem()
            return
        attempt, found = self._form.attempt, [url]
        if way == "here":
            make = join_here(self.context, ME, name, found.append, password=password)
        else:
            make = join(self.context, ME, url, name, password=password)
        self.context.network.connect(
            ME,
            make,
            lambda _: self._joined(attempt, way, name, found[-1], to_history),
            lambda refusal: self._refused(attempt, refusal),
        )
        self._card.focus_cancel()

    def _joined(self, attempt: int, way: Way, name: str, url: str, to_history: bool) -> None:
        if not self.winfo_exists() or not self._form.joined(attempt):
            return
        context = self.context
        kept, latest = context.home.settings, context.latest
        latest.server, latest.here = url, way == "here"
        kept.name, kept.way = name, way
        if way == "join":
            kept.address = self._card.address
            context.home.remember_server(url)
        if to_history:
            context.navigation.to_history()
        else:
            context.navigation.to_lobby()

    def _refused(self, attempt: int, refusal: Refusal) -> None:
        if not self.winfo_exists():
            return
        if self._form.refused(attempt, refusal.sentence, refusal.code) is not None:
            self._refresh()
            self._card.focus_problem()

    def _give_up(self) -> None:
        if self._form.cancel():
            self.context.network.disconnect(ME)
            self._refresh()
            self._card.focus_primary()

    def _open_record(self) -> None:
        self._give_up()
        self.context.navigation.open_record()
