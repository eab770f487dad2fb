"""The program: one window, its turns, and what is above all screens.

Theory of operation
-------------------
Tk's thread has one turn about sixty times a second: it takes what the network's thread has put
into the inbox, for some milliseconds at most, and passes it on (`UpdateRouter`): to
`LatestPictures`, to the bars, and to the screen that is shown (`Navigator`). Then that screen moves
what moves by itself. The bars above the screen are empty and unseen most of the time: how the
connection stands, who challenges this player, which game waits.

Garbage is collected in Tk's thread alone: variables, fonts and pictures of tkinter call Tk when
they end, and those in a cycle would end in whatever thread collects it.

A player who has a seat in a match when the connection is made, because the window was closed or
its machine crashed, is led back to it; so is a second person who sat at the same window. The games
of a tournament begin by themselves; `WaitingGames` says when the window goes there.
"""

from __future__ import annotations

import contextlib
import gc
import logging
import time
import tkinter as tk
from collections.abc import Callable
from types import TracebackType
from typing import Final

from client.tk import theme
from client.tk.context import Context
from client.tk.home import Home
from client.tk.models.helpers import Helpers
from client.tk.models.latest import LatestPictures
from client.tk.models.lobby.waiting_games import WaitingGames
from client.tk.models.look import make_look
from client.tk.navigator import Navigator
from client.tk.network.inbox import Inbox
from client.tk.network.joining import join
from client.tk.network.thread import GUEST, Network
from client.tk.sound import Sound
from client.tk.updates import UpdateRouter
from client.tk.widgets.bars import Bars

log = logging.getLogger(__name__)

TURN_MS: Final = 15
"""Between two turns of Tk's thread, in milliseconds."""
COLLECT_S: Final = 2.0
"""How often young garbage is collected, in seconds; all of it when the screen changes."""
SIZE: Final = "1024x720"
LEAST: Final = (560, 420)


class App:
    """The window; `run` shows it until it is closed.

    `server` and `name` are what the start screen begins with. `clock` must be the one of the
    clients, in seconds.
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
    ) -> None:
        home = home or Home()
        self.root = root
        self._inbox = Inbox()
        self._clock = clock
        self._helpers = helpers
        self._network = Network(self._inbox, clock)
        self._after: str | None = None
        self._collected_at = clock()
        waiting_games = WaitingGames()
        self.navigator = Navigator(waiting_games, on_disconnect=lambda: self._bars.forget())
        self.context = Context(
            root=root,
            network=self._network,
            helpers=helpers,
            home=home,
            look=make_look(home.kept.palette, dark=home.kept.dark),
            sound=Sound(on=home.kept.sound),
            latest=LatestPictures(),
            navigation=self.navigator,
            program=self,
            clock=clock,
        )
        self._set_up_window()
        self._bars = Bars(self.context)
        self._updates = UpdateRouter(self.context, self.navigator, self._bars, waiting_games)
        self._network.start()
        self.navigator.begin(self.context, server=server, name=name)
        self._turn()

    def _set_up_window(self) -> None:
        root = self.root
        root.title("Doublecross")
        root.minsize(*LEAST)
        with contextlib.suppress(tk.TclError):
            root.geometry(self.context.home.kept.geometry or SIZE)
        root.protocol("WM_DELETE_WINDOW", self.quit)
        root.report_callback_exception = self._bug
        theme.apply(root, self.context.look)
        # Elsewhere Control-a selects everything; Tk under X11 has it from Emacs.
        root.event_delete("<<LineStart>>", "<Control-a>")
        root.event_add("<<SelectAll>>", "<Control-a>")
        # Whatever screen is shown; one that has a use for Escape keeps it from coming here.
        root.bind("<F11>", lambda _: self.context.switch_full_screen())
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

    # -- what a screen can ask for -----------------------------------------------------------

    def restyle(self, *, dark: bool, palette: str) -> None:
        """Apply another theme, from now on and next time."""
        kept = self.context.home.kept
        kept.dark, kept.palette = dark, palette
        self.context.home.save()
        self.context.look = make_look(palette, dark=dark)
        theme.apply(self.root, self.context.look)
        self._bars.restyle()
        if self.navigator.screen is not None:
            self.navigator.screen.restyle()

    def connect_guest(
        self, name: str, then: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        """Connect a second person, called `name`, at this window."""
        latest = self.context.latest

        def done(_: object) -> None:
            self.context.home.kept.guest = name
            self.context.home.save()
            then()

        make = join(self.context, GUEST, latest.server, name, here=latest.here)
        self._network.connect(GUEST, make, done, lambda refusal: failed(refusal.sentence))

    def quit(self) -> None:
        """End the program. Matches that are being played go on at the server."""
        if self._after is not None:
            self.root.after_cancel(self._after)
            self._after = None
        self.navigator.close()
        with contextlib.suppress(tk.TclError):
            if not self.context.full_screen:
                self.context.home.kept.geometry = self.root.geometry().split("+")[0]
        self.context.home.save()
        self.root.withdraw()
        self.context.sound.close()
        self._network.stop(self._helpers.close)
        self.root.destroy()

    # -- turns -------------------------------------------------------------------------------

    def _turn(self) -> None:
        more = False
        try:
            more = self._inbox.drain(self._updates.take, self._clock)
            now = self._clock()
            self._bars.connection.tick(now)
            if self.navigator.screen is not None:
                self.navigator.screen.tick(now)
            if not more:  # a match that has begun is known by then
                self._updates.lead_to_waiting_game(now)
            if not gc.isenabled() and now - self._collected_at >= COLLECT_S:
                self._collected_at = now
                gc.collect(1)
        finally:  # a bug in one turn must not be the end of all turns
            if self.navigator.screen is not None:
                self._after = self.root.after(1 if more else TURN_MS, self._turn)

    def _leave_full_screen(self) -> None:
        if self.context.full_screen:
            self.context.full_screen = False

    def _bug(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Log the failure of a callback of Tk: a bug of ours, and no reason to stop."""
        log.error("A bug in the window.", exc_info=(kind, error, trace))
        self._bars.connection.complain(
            "A bug of this program has come in between; its log says more."
        )


def run(
    root: tk.Tk,
    helpers: Helpers,
    *,
    server: str | None = None,
    name: str | None = None,
    home: Home | None = None,
) -> int:
    """Show the program in `root` until it is closed; the exit code."""
    return App(root, helpers, server=server, name=name, home=home).run()
