"""Run the window: connect Tk's thread to the network thread, and switch between screens.

Theory of operation
-------------------
About sixty times a second Tk's thread runs `_turn`. It takes the updates (see `models.snapshots`)
that the network thread has put into the inbox, for a few milliseconds at most. `UpdateRouter`
passes each one to `LatestSnapshots`, to the strip and to the current screen (`Navigator`). Then the
screen advances its clocks and animations. The bars in the strip above the screen report a broken
connection, challenges, and matches that go on or have ended elsewhere. The strip is always there,
even if it is empty, so that nothing moves when a bar appears.

Only Tk's thread collects garbage. Variables, fonts and images of tkinter call Tk when they are
deleted, and objects in a reference cycle are deleted in the thread that collects them.

A player who still has a seat in a match when the window connects returns to that match. This
happens after the window was closed or its machine crashed. A second person who played in the same
window returns too. The games of a tournament start by themselves; `WaitingGames` decides when the
window shows them.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import time
import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from types import TracebackType
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk import theme
from doublecross.client.tk.browser import Browse, browse
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.game_watch import GameWatch
from doublecross.client.tk.home import Home
from doublecross.client.tk.joining import join
from doublecross.client.tk.models.attention import Attention
from doublecross.client.tk.models.colours import make_colours
from doublecross.client.tk.models.helpers import Helpers
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.lobby.waiting_games import WaitingGames
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.navigator import Navigator
from doublecross.client.tk.network.inbox import Inbox
from doublecross.client.tk.network.thread import GUEST, Network
from doublecross.client.tk.sound import Sound
from doublecross.client.tk.updates import UpdateRouter
from doublecross.client.tk.widgets.strip.strip import Strip

log = logging.getLogger(__name__)

TURN_MS: Final = 15
"""The time between two turns of Tk's thread, in milliseconds."""
COLLECT_S: Final = 2.0
"""How often young objects are collected, in seconds. The turn after a change of screen collects all
objects; in the change itself that would delay the new screen."""
SIZE: Final = "1024x720"
"""The size of the window when none is remembered, in pixels."""
LEAST: Final = (560, 460)
"""The smallest width and height of the window with fonts of the usual size, in pixels."""


def least_size(root: tk.Misc) -> tuple[int, int]:
    """Return the smallest width and height of the window, in pixels: more with larger fonts."""
    return theme.scaled(root, LEAST[0]), theme.scaled(root, LEAST[1])


class App:
    """The window; `run` shows it until it is closed.

    `server` and `name` prefill the start screen. `clock` is in seconds and must be the clock of the
    clients, because snapshots carry its times. `browse` opens pages in the browser.
    """

    def __init__(
        self,
        root: tk.Tk,
        helpers: Helpers,
        *,
        server: str | None = None,
        name: str | None = None,
        home: Home | None = None,
        clock: Callable[[], float] = time.monotonic,
        browse: Browse = browse,
    ) -> None:
        home = home or Home()
        home.open_window()
        self.root = root
        self._inbox = Inbox()
        self._clock = clock
        self._helpers = helpers
        self._network = Network(self._inbox, clock)
        self._after: str | None = None
        self._collected_at = clock()
        self._collected_for: Screen | None = None
        waiting_games = WaitingGames()
        self.navigator = Navigator(
            waiting_games,
            on_disconnect=lambda: self._strip.forget(),
            report=lambda sentence: self._strip.connection.report(sentence),
            browse=browse,
        )
        self.context = Context(
            root=root,
            network=self._network,
            helpers=helpers,
            home=home,
            colours=make_colours(home.settings.palette, dark=home.settings.dark),
            sound=Sound(on=home.settings.sound),
            latest=LatestSnapshots(),
            navigation=self.navigator,
            program=self,
            clock=clock,
        )
        self._attention = Attention()
        self._title = ""
        self._set_up_window()
        self._strip = Strip(self.context, on_review=lambda news: self._games.review(news))
        self._strip.grid(row=0, column=0, sticky="ew")
        self._games = GameWatch(
            self.context,
            shown=lambda: self.navigator.shown_room,
            report=self._strip.news.add,
            complain=self._strip.connection.report,
        )
        self._updates = UpdateRouter(
            self.context, self.navigator, self._strip, waiting_games, self._games, self._attention
        )
        self._network.start()
        self.navigator.begin(self.context, server=server, name=name)
        self._turn()

    def _set_up_window(self) -> None:
        root = self.root
        self._show_title()
        with contextlib.suppress(tk.TclError):
            root.geometry(self.context.home.settings.geometry or SIZE)
        root.protocol("WM_DELETE_WINDOW", self.quit)
        root.report_callback_exception = self._report_error
        theme.apply(root, self.context.colours)
        root.minsize(*least_size(root))
        # Control-a selects everything in other programs. Under X11, Tk moves to the line start.
        root.event_delete("<<LineStart>>", "<Control-a>")
        root.event_add("<<SelectAll>>", "<Control-a>")
        # These work on all screens. A screen that uses Escape itself stops the event.
        root.bind("<F11>", lambda _: self.context.switch_full_screen())
        root.bind("<F1>", lambda _: self.navigator.to_page(Page.RULES))
        root.bind("<question>", self._question)
        root.bind("<Escape>", lambda _: self._leave_full_screen())
        root.columnconfigure(0, weight=1)
        root.rowconfigure(3, weight=1)

    def run(self) -> int:
        """Show the window until it is closed; return the exit code."""
        gc.disable()
        try:
            self.root.mainloop()
        finally:
            gc.enable()
        return 0

    # -- requests of screens (see `Program`) -------------------------------------------------

    def restyle(self, *, dark: bool, palette: str) -> None:
        """Apply another theme and remember it."""
        kept = self.context.home.settings
        kept.dark, kept.palette = dark, palette
        self.context.home.save()
        self.context.colours = make_colours(palette, dark=dark)
        theme.apply(self.root, self.context.colours)
        self._strip.restyle()
        if self.navigator.screen is not None:
            self.navigator.screen.restyle()

    def connect_guest(
        self, name: str, then: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        """Connect a second person, called `name`, in this window; see `Program`."""
        latest = self.context.latest

        def done(_: object) -> None:
            self.context.home.settings.guest = name
            self.context.home.save()
            then()

        make = join(self.context, GUEST, latest.server, name, here=latest.here)
        self._network.connect(GUEST, make, done, lambda refusal: failed(refusal.sentence))

    def quit(self) -> None:
        """End the program. Matches in progress go on at the server."""
        if self._after is not None:
            self.root.after_cancel(self._after)
            self._after = None
        self.navigator.close()
        with contextlib.suppress(tk.TclError):
            if not self.context.full_screen:
                self.context.home.settings.geometry = self.root.geometry().split("+")[0]
        self.context.home.save()
        self.context.home.close_window()
        self.root.withdraw()
        self.context.sound.close()
        self._network.stop(self._helpers.close)
        self.root.destroy()

    # -- turns -------------------------------------------------------------------------------

    def _turn(self) -> None:
        more = False
        try:
            more = self._inbox.drain(self._updates.take, self._clock)
            self._show_title()
            now = self._clock()
            self._strip.tick(now, shown=self.navigator.shown_room)
            if self.navigator.screen is not None:
                self.navigator.screen.tick(now)
            if not more:  # only an empty inbox shows all matches that have begun
                self._updates.lead_to_waiting_game(now)
            if not gc.isenabled():
                self._collect(now)
        finally:  # an error in one turn must not end all turns
            if self.navigator.screen is not None:
                self._after = self.root.after(1 if more else TURN_MS, self._turn)

    def _show_title(self) -> None:
        """Say in the title what has happened since the window lost the focus.

        Tk 8.6 has no hint of urgency for window managers; taskbars show the title.
        """
        # A person who looks at a dialog looks at the window, too.
        if self.root.tk.call("focus"):
            self._attention.clear()
        if self._attention.title != self._title:
            self._title = self._attention.title
            self.root.title(self._title)
            self.root.iconname(self._title)

    def _collect(self, now: float) -> None:
        """Collect garbage if it is time: young objects, or all after a change of screen."""
        screen, changed = self.navigator.screen, self.navigator.screen is not self._collected_for
        if changed or now - self._collected_at >= COLLECT_S:
            self._collected_for, self._collected_at = screen, now
            gc.collect(2 if changed else 1)

    def _question(self, event: tk.Event[tk.Misc]) -> None:
        """Show the rules for a question mark, unless it was typed into a field."""
        if not isinstance(event.widget, ttk.Entry | tk.Entry):
            self.navigator.to_page(Page.RULES)

    def _leave_full_screen(self) -> None:
        if self.context.full_screen:
            self.context.full_screen = False

    def _report_error(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log an exception of a Tk callback and report it in the window, which goes on."""
        log.error("An unexpected error in the window.", exc_info=(kind, error, trace))
        self._strip.connection.report(tr("Something went wrong. Details are in the log."))


def run(
    root: tk.Tk,
    helpers: Helpers,
    *,
    server: str | None = None,
    name: str | None = None,
    home: Home | None = None,
) -> int:
    """Show the window in `root` until it is closed; return the exit code."""
    return App(root, helpers, server=server, name=name, home=home).run()
