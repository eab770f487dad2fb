"""The program: one window, its screens one after the other, and what is above all of them.

Theory of operation
-------------------
Tk's thread has one turn about sixty times a second: it takes what the network's thread has put
into the inbox, for some milliseconds at most, keeps it in `LatestPictures`, hands it to the screen
that is shown, and lets that screen move what moves. Above the screen there are bars, empty and
unseen most of the time: how the connection stands, who challenges this player, which game waits.

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
from pathlib import Path
from types import TracebackType
from typing import Final

from client.tk import theme
from client.tk.context import Context, LatestPictures, Screen
from client.tk.home import Home
from client.tk.models.helpers import Helpers
from client.tk.models.lobby.waiting_games import WaitingGames
from client.tk.models.look import make_look
from client.tk.models.pictures import (
    Answer,
    LinkPicture,
    LobbyPicture,
    OffersPicture,
    Overflow,
    Picture,
    RoomGone,
    RoomPicture,
    SeatTaken,
    TournamentNews,
)
from client.tk.network.inbox import Inbox
from client.tk.network.joining import join
from client.tk.network.thread import GUEST, ME, Network
from client.tk.screens.lobby.screen import LobbyScreen
from client.tk.screens.review.records import choose_record
from client.tk.screens.review.screen import ReviewScreen
from client.tk.screens.room.screen import RoomScreen
from client.tk.screens.start import StartScreen
from client.tk.sound import Sound
from client.tk.widgets.bars import ChallengeBar, ConnectionBar, WaitingGameBar
from games.record import Record
from protocol.common import MatchSettings

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
        self._left_behind: frozenset[str] = frozenset()
        self._waiting_games = WaitingGames()
        self._after: str | None = None
        self._collected_at = clock()
        self.context = Context(
            root=root,
            network=self._network,
            helpers=helpers,
            home=home,
            look=make_look(home.kept.palette, dark=home.kept.dark),
            sound=Sound(on=home.kept.sound),
            latest=LatestPictures(),
            navigation=self,
            clock=clock,
        )
        root.title("Doublecross")
        root.minsize(*LEAST)
        with contextlib.suppress(tk.TclError):
            root.geometry(home.kept.geometry or SIZE)
        root.protocol("WM_DELETE_WINDOW", self.quit)
        root.report_callback_exception = self._bug
        theme.apply(root, self.context.look)
        # Elsewhere Control-a selects everything; Tk under X11 has it from Emacs.
        root.event_delete("<<LineStart>>", "<Control-a>")
        root.event_add("<<SelectAll>>", "<Control-a>")
        # Whatever screen is shown; one that has a use for Escape keeps it from coming here.
        root.bind("<F11>", lambda _: self._switch_full_screen())
        root.bind("<Escape>", lambda _: self._leave_full_screen())
        root.columnconfigure(0, weight=1)
        root.rowconfigure(3, weight=1)
        self._connection = ConnectionBar(self.context, on_give_up=self.to_start)
        self._connection.grid(row=0, column=0, sticky="ew")
        self._challenges = ChallengeBar(self.context)
        self._challenges.grid(row=1, column=0, sticky="ew")
        self._called = WaitingGameBar(self.context, on_go=self.to_game)
        self._called.grid(row=2, column=0, sticky="ew")
        self.screen: Screen | None = None
        self._network.start()
        self._show(StartScreen(self.context, server=server, name=name))
        self._turn()

    def run(self) -> int:
        """Show the window until it is closed; the exit code."""
        gc.disable()
        try:
            self.root.mainloop()
        finally:
            gc.enable()
        return 0

    # -- where a screen can lead -------------------------------------------------------------

    def to_start(self, sentence: str = "") -> None:
        """The start screen; `sentence` is shown there. The connection ends."""
        self._disconnect()
        self._show(StartScreen(self.context, sentence=sentence))

    def to_lobby(self) -> None:
        """The lobby of the server."""
        # Who comes from the start screen may have left a match behind the last time.
        link = self.context.latest.link
        if isinstance(self.screen, StartScreen) and link is not None:
            self._left_behind = frozenset(link.rooms)
        self._show(LobbyScreen(self.context))
        for picture in list(self.context.latest.rooms.values()):
            self._go_on(picture)

    def to_game(self, room: str) -> None:
        """A followed room; the screen waits for its picture if it is still on its way."""
        self._left_behind = frozenset()
        self._waiting_games.went(room)
        if isinstance(self.screen, RoomScreen) and self.screen.room == room:
            return
        self._show(RoomScreen(self.context, room))

    def to_tournament(self, tournament: str) -> None:
        """The lobby, with the table of a tournament over it."""
        self._show(lobby := LobbyScreen(self.context))
        lobby.show_tournaments(tournament)

    def to_review(self, record: Record, *, title: str, back: Callable[[], None]) -> None:
        """A finished game; `back` leads away again."""
        self._show(ReviewScreen(self.context, record, title=title, back=back))

    def open_record(self, path: Path | None = None) -> None:
        """A record file from the disk and its review; then back to where one came from."""

        def back() -> None:
            if self._connected:
                self.to_lobby()
            else:
                self.to_start()

        choose_record(self.context, path, back=back)

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """The lobby, with its form filled in for another match."""
        self._show(lobby := LobbyScreen(self.context))
        lobby.play_again(settings, opponent)

    def restyle(self, *, dark: bool, palette: str) -> None:
        """Other colours, from now on and next time."""
        kept = self.context.home.kept
        kept.dark, kept.palette = dark, palette
        self.context.home.save()
        self.context.look = make_look(palette, dark=dark)
        theme.apply(self.root, self.context.look)
        self._connection.restyle()
        self._challenges.restyle()
        self._called.restyle()
        if self.screen is not None:
            self.screen.restyle()

    def hot_seat(self, name: str, then: Callable[[], None], failed: Callable[[str], None]) -> None:
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
        if self.screen is not None:
            self.screen.leave()
            self.screen = None
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
            more = self._inbox.drain(self._take, self._clock)
            now = self._clock()
            self._connection.tick(now)
            if self.screen is not None:
                self.screen.tick(now)
            if not more:  # a match that has begun is known by then
                self._call(now)
            if not gc.isenabled() and now - self._collected_at >= COLLECT_S:
                self._collected_at = now
                gc.collect(1)
        finally:  # a bug in one turn must not be the end of all turns
            if self.screen is not None:
                self._after = self.root.after(1 if more else TURN_MS, self._turn)

    def _take(self, picture: Picture) -> None:
        latest = self.context.latest
        begun = False
        match picture:
            case Answer():
                picture.tell()
                return
            case Overflow():
                latest.rooms.clear()
                self._network.look()
                return
            case LinkPicture(who=who):
                if who == ME:
                    latest.link = picture
                if picture.state in ("closed", "connecting"):
                    for key in [key for key in latest.rooms if key[0] == who]:
                        del latest.rooms[key]
                self._connection.take(picture)
            case LobbyPicture():
                latest.lobby = picture
            case OffersPicture(who=who) if who == ME:
                latest.offers = picture
                self._challenges.take(picture)
            case RoomPicture():
                begun = self._begins(picture)
                latest.rooms[picture.who, picture.room] = picture
                if picture.who == ME:
                    self._waiting_games.take(picture)
            case RoomGone():
                latest.rooms.pop((picture.who, picture.room), None)
                if picture.who == ME:
                    self._waiting_games.gone(picture.room)
            case TournamentNews(who=who, state=state) if who == ME:
                latest.tournaments[state.tournament] = state
        if self.screen is not None:
            self.screen.take(picture)
        self._follow(picture)
        if begun and isinstance(picture, RoomPicture) and isinstance(self.screen, ReviewScreen):
            self.to_game(picture.room)  # the rematch has begun, and the clock runs

    def _begins(self, picture: RoomPicture) -> bool:
        """Whether a match of this person has begun with this picture."""
        before = self.context.latest.rooms.get((picture.who, picture.room))
        return (
            before is not None
            and picture.who == ME
            and picture.seat is not None
            and picture.status == "playing"
            and picture.match > before.match
        )

    def _follow(self, picture: Picture) -> None:
        """Go where a picture leads, if it leads anywhere."""
        match picture:
            case LinkPicture(who=who, state="ended", sentence=sentence) if who == ME:
                if not isinstance(self.screen, StartScreen | ReviewScreen):
                    self.to_start(sentence)
            case SeatTaken(who=who, room=room) if who == ME and not self._busy:
                self.to_game(room)
            case RoomPicture():
                self._go_on(picture)

    def _call(self, now: float) -> None:
        """Go to a game of a tournament that has begun, or say that it waits."""
        room = self._waiting_games.due(now, busy=self._busy)
        self._called.show(self._waiting_games.waiting if self._busy else None)
        if room is not None and self._connected and not isinstance(self.screen, StartScreen):
            self.context.sound.play("turn")
            self.to_game(room)

    def _go_on(self, picture: RoomPicture) -> None:
        """Lead back to a match that was left behind."""
        if not (
            picture.room in self._left_behind
            and picture.who == ME
            and picture.seat is not None
            and picture.status == "playing"
        ):
            return
        self.to_game(picture.room)
        other, guest = picture.players[1 - picture.seat], self.context.home.kept.guest
        if guest and other is not None and other.name == guest:
            self.hot_seat(guest, lambda: None, lambda _: None)

    @property
    def _busy(self) -> bool:
        """Whether the person is in the middle of a match."""
        return isinstance(self.screen, RoomScreen) and self.screen.playing

    @property
    def _connected(self) -> bool:
        link = self.context.latest.link
        return link is not None and link.state in ("connected", "lost")

    def _switch_full_screen(self) -> None:
        self.context.full_screen = not self.context.full_screen

    def _leave_full_screen(self) -> None:
        if self.context.full_screen:
            self.context.full_screen = False

    def _show(self, screen: Screen) -> None:
        old, self.screen = self.screen, screen
        if old is not None:
            old.leave()
            old.destroy()
        if not gc.isenabled():
            gc.collect()
        screen.grid(row=3, column=0, sticky="nsew")
        screen.tick(self._clock())

    def _disconnect(self) -> None:
        latest = self.context.latest
        for who in (GUEST, ME):
            self._network.disconnect(who)
        latest.link, latest.lobby, latest.offers = None, None, None
        latest.rooms.clear()
        latest.tournaments.clear()
        self._waiting_games.forget()
        self._connection.forget()
        self._challenges.forget()

    def _bug(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """A callback of Tk has failed: that is a bug of ours, and no reason to stop."""
        log.error("A bug in the window.", exc_info=(kind, error, trace))
        self._connection.complain("A bug of this program has come in between; its log says more.")


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
