"""Switch between the screens of the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from doublecross.client.language import tr
from doublecross.client.tk.browser import Browse, show_page
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.history import History
from doublecross.client.tk.models.lobby.waiting_games import WaitingGames
from doublecross.client.tk.models.pages import Page, page_server
from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.forms.records import choose_record
from doublecross.client.tk.screens.history import HistoryScreen
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from doublecross.client.tk.screens.review.screen import ReviewScreen
from doublecross.client.tk.screens.room.screen import RoomScreen
from doublecross.client.tk.screens.start import StartScreen
from doublecross.client.tk.widgets.visible import replace
from doublecross.games.record import Record
from doublecross.protocol.common import MatchSettings


class Navigator:
    """Implements `Navigation`.

    `screen` is the current screen, or None before `begin` and after `close`. `on_disconnect` is
    called when a switch to the start screen ends the connection, and `report` with a sentence about
    a problem or about a page that opens. `browse` opens pages.
    """

    def __init__(
        self,
        waiting_games: WaitingGames,
        *,
        on_disconnect: Callable[[], None],
        report: Callable[[str], None],
        browse: Browse,
    ) -> None:
        self.screen: Screen | None = None
        self._context: Context
        self._waiting_games = waiting_games
        self._on_disconnect = on_disconnect
        self._report = report
        self._browse = browse
        self._left_behind: frozenset[str] = frozenset()

    def begin(self, context: Context, *, server: str | None, name: str | None) -> None:
        """Show the start screen, prefilled with `server` and `name`."""
        self._context = context
        self._show(StartScreen(context, server=server, name=name))

    def close(self) -> None:
        """Leave the current screen at the end of the program."""
        if self.screen is not None:
            self.screen.leave()
            self.screen = None

    # -- switching (see `Navigation`) --------------------------------------------------------

    def to_start(self, sentence: str = "", *, log_in: bool = False) -> None:
        """End the connection and show the start screen; see `Navigation`."""
        self._disconnect()
        self._show(StartScreen(self._context, sentence=sentence, log_in=log_in))

    def to_lobby(self) -> None:
        """Show the lobby of the server."""
        self._note_left_behind()
        for snapshot in self._context.latest.rooms.values():
            if self._is_left_behind(snapshot):
                self.to_game(snapshot.room)  # without the lobby for a moment
                return
        self._show(LobbyScreen(self._context))

    def to_game(self, room: str) -> None:
        """Show a room that this player's connection follows.

        The screen waits for the room's snapshot if it has not arrived yet.
        """
        self._left_behind = frozenset()
        self._waiting_games.enter(room)
        if self.shown_room == room:
            return
        self._show(RoomScreen(self._context, room))
        self._seat_guest(room)

    def to_review(
        self, record: Record, *, title: str, back: Callable[[], None], page: str = Page.RECORDS
    ) -> None:
        """Show the review of a finished game; see `Navigation`."""
        self._show(ReviewScreen(self._context, record, title=title, back=back, page=page))

    def to_history(self, history: History | None = None, chosen: str = "") -> None:
        """Show this player's finished games; see `Navigation`.

        Without a connection, which may have ended during a review, show the start screen.
        """
        if not self._context.latest.connected:
            self._to_start_again()
            return
        self._note_left_behind()
        self._show(HistoryScreen(self._context, history, chosen=chosen))

    def to_page(self, page: str) -> None:
        """Open a page of the server in the browser; see `Navigation`."""
        context = self._context
        server = page_server(context.latest.link)
        if server is None:
            self._report(tr("Starting a server on this computer ..."))
        context.network.run(
            lambda: show_page(page, server, context.helpers, self._browse),
            lambda address: self._report(tr("Opened in the browser: {address}", address=address)),
            lambda refusal: self._report(refusal.sentence),
        )

    def open_record(self, path: Path | None = None) -> None:
        """Read a game file from the disk (None opens a file dialog) and show its review.

        The review leads back to the lobby, or to the start screen without a connection.
        """
        choose_record(self._context, path, back=self._back)

    def _back(self) -> None:
        """Show the lobby, or the start screen without a connection."""
        if self._context.latest.connected:
            self.to_lobby()
        else:
            self._to_start_again()

    def _to_start_again(self) -> None:
        """Show the start screen, which says why the connection has ended meanwhile, if it has."""
        link = self._context.latest.link
        if link is not None and link.state == "ended":
            self.to_start(link.sentence, log_in=link.logged_out)
        else:
            self.to_start()

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """Show the lobby, with the form filled in for another match against `opponent`."""
        self._show(lobby := LobbyScreen(self._context))
        lobby.dialogs.play_again(settings, opponent)

    def _note_left_behind(self) -> None:
        """Note the matches in progress that a new connection finds, left by an earlier run."""
        link = self._context.latest.link
        if isinstance(self.screen, StartScreen) and link is not None:
            self._left_behind = frozenset(link.rooms)

    # -- switching without a request of a screen ---------------------------------------------

    @property
    def shown_room(self) -> str | None:
        """The room that the current screen shows, or None."""
        return self.screen.room if isinstance(self.screen, RoomScreen) else None

    @property
    def playing(self) -> bool:
        """Return whether the current screen shows a match in which the person plays."""
        return isinstance(self.screen, RoomScreen) and self.screen.playing

    @property
    def starting(self) -> bool:
        """Return whether the start screen is the current one."""
        return isinstance(self.screen, StartScreen)

    @property
    def reviewing(self) -> bool:
        """Return whether the current screen is a review, which needs no connection."""
        return isinstance(self.screen, ReviewScreen)

    def return_to(self, snapshot: RoomSnapshot) -> None:
        """Show the match in `snapshot` if an earlier run left it in progress."""
        if self._is_left_behind(snapshot):
            self.to_game(snapshot.room)

    def _is_left_behind(self, snapshot: RoomSnapshot) -> bool:
        return (
            snapshot.room in self._left_behind
            and snapshot.who == ME
            and snapshot.seat is not None
            and snapshot.status == "playing"
        )

    def _seat_guest(self, room: str) -> None:
        """Connect the second person at this window again if they play in `room`.

        Their connection ended with an earlier run of the program, or when another second person
        came.
        """
        latest = self._context.latest
        guest, mine = self._context.home.settings.hot_seats.get(room), latest.rooms.get((ME, room))
        if guest is None or mine is None or mine.seat is None or mine.status != "playing":
            return
        other = mine.players[1 - mine.seat]
        if (GUEST, room) not in latest.rooms and other is not None:
            name = other.name
            self._context.program.connect_guest(
                name,
                lambda: None,
                lambda sentence: self._report(
                    tr("{name} cannot play on here: {sentence}", name=name, sentence=sentence)
                ),
            )

    def _show(self, screen: Screen) -> None:
        """Replace the current screen, which stays visible until the new one can be drawn."""
        old, self.screen = self.screen, screen
        if old is not None:
            old.leave()
        screen.grid(row=3, column=0, sticky="nsew")
        screen.tick(self._context.clock())
        if old is not None:
            replace(old, screen)
        screen.focus_first()

    def _disconnect(self) -> None:
        for who in (GUEST, ME):
            self._context.network.disconnect(who)
        self._context.latest.clear()
        self._waiting_games.forget()
        self._on_disconnect()
