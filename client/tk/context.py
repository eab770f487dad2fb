"""Define the interface between the screens and the program around them."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tkinter import ttk
from typing import Protocol

from doublecross.client.tk.home import Home
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.helpers import Helpers
from doublecross.client.tk.models.history import History
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.models.snapshots import WindowUpdate
from doublecross.client.tk.network.thread import Network
from doublecross.client.tk.sound import Sound
from doublecross.games.record import Record
from doublecross.protocol.common import MatchSettings


class Navigation(Protocol):
    """Switches screens. Each method replaces the current screen."""

    def to_start(self, sentence: str = "", *, log_in: bool = False) -> None:
        """End the connection and show the start screen, with `sentence` as its message.

        With `log_in` it asks for a password, which one may leave out.
        """

    def to_lobby(self) -> None:
        """Show the lobby of the server."""

    def to_game(self, room: str) -> None:
        """Show a room that this player's connection follows."""

    def to_review(
        self, record: Record, *, title: str, back: Callable[[], None], page: str = Page.RECORDS
    ) -> None:
        """Show the review of a finished game; its back button calls `back`.

        `page` is the path of the page in the browser that reviews the game or can open its record.
        """

    def to_history(self, history: History | None = None, chosen: str = "") -> None:
        """Show this player's finished games: those in `history` (None: fetch them).

        `chosen` is the id of the game to select.
        """

    def to_page(self, page: str) -> None:
        """Open the page with this path of the server in the browser; the current screen stays.

        Without a connection it is a page of this computer's server, which is started if necessary.
        """

    def open_record(self, path: Path | None = None) -> None:
        """Read a game file from the disk (None opens a file dialog) and show its review."""

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """Show the lobby, with the form filled in for another match against `opponent`."""


class Program(Protocol):
    """Offers screens what concerns the program as a whole."""

    def restyle(self, *, dark: bool, palette: str) -> None:
        """Apply another theme and remember it."""

    def connect_guest(
        self, name: str, then: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        """Connect a second person, called `name`, in this window.

        Call `then` on success, or `failed` with a sentence that gives the reason.
        """

    def quit(self) -> None:
        """End the program."""


@dataclass(slots=True)
class Context:
    """The objects that all screens share. `clock` is the clients' clock, in seconds.

    `typed_address` is what the start screen's address field had when another screen replaced it.
    `muted_rooms` says of rooms whether the person has muted phrases there, or wants them again.
    """

    root: tk.Tk
    network: Network
    helpers: Helpers
    home: Home
    colours: Colours
    sound: Sound
    latest: LatestSnapshots
    navigation: Navigation
    program: Program
    clock: Callable[[], float]
    typed_address: str = ""
    muted_rooms: dict[str, bool] = field(default_factory=dict)

    @property
    def player_name(self) -> str:
        """The name of the person at this window: the server's if connected, else the last used."""
        link = self.latest.link
        if link is not None and link.player is not None:
            return link.player.name
        return self.home.settings.name

    def mutes_phrases(self, room: str) -> bool:
        """Return whether the phrases of others are dropped in a room."""
        return self.muted_rooms.get(room, self.home.settings.mute_phrases)

    def switch_sound(self, *, on: bool) -> None:
        """Turn sound on or off and remember it."""
        self.sound.on = self.home.settings.sound = on
        self.home.save()

    @property
    def full_screen(self) -> bool:
        """Return whether the window fills the screen."""
        return bool(self.root.attributes("-fullscreen"))

    @full_screen.setter
    def full_screen(self, on: bool) -> None:
        self.root.attributes("-fullscreen", on)

    def switch_full_screen(self) -> None:
        """Switch between full screen and the window's own size."""
        self.full_screen = not self.full_screen


class Screen(ttk.Frame):
    """The base of the screens, which fill the window below the bars."""

    name = ""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root)
        self.context = context

    def take(self, update: WindowUpdate) -> None:
        """Show a new update, which `context.latest` has already stored."""

    def tick(self, now: float) -> None:
        """Advance clocks and animations; called about sixty times a second."""

    def restyle(self) -> None:
        """Apply the current theme."""

    def focus_first(self) -> None:
        """Focus the widget with which a person begins; called after the former screen is gone.

        Before that, a dialog of the former screen may still give the focus back to it.
        """

    def leave(self) -> None:
        """Stop all activity of this screen, right before it is destroyed."""
