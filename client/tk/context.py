"""What every screen works with, and what it must be able to do."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tkinter import ttk
from typing import Protocol

from client.tk.home import Home
from client.tk.models.helpers import Helpers
from client.tk.models.latest import LatestPictures
from client.tk.models.look import Look
from client.tk.models.pictures import Picture
from client.tk.network.thread import Network
from client.tk.sound import Sound
from games.record import Record
from protocol.common import MatchSettings


class Navigation(Protocol):
    """Leads from one screen to another. Each method replaces the screen that is shown."""

    def to_start(self, sentence: str = "") -> None:
        """End the connection and show the start screen, with `sentence`."""

    def to_lobby(self) -> None:
        """Show the lobby of the server."""

    def to_game(self, room: str) -> None:
        """Show a room that this player's connection follows."""

    def to_tournament(self, tournament: str) -> None:
        """Show the lobby, with the table of a tournament over it."""

    def to_review(self, record: Record, *, title: str, back: Callable[[], None]) -> None:
        """Show the review of a finished game; `back` leads away again."""

    def open_record(self, path: Path | None = None) -> None:
        """Read a record file from the disk (None: ask which) and show its review."""

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """Show the lobby, with its form filled in for another match like one against
        `opponent`."""


class Program(Protocol):
    """What a screen can ask of the program itself."""

    def restyle(self, *, dark: bool, palette: str) -> None:
        """Apply another theme, from now on and next time."""

    def connect_guest(
        self, name: str, then: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        """Connect a second person, called `name`, at this window; `then` is called once that is
        done, `failed` with the reason why it cannot be."""

    def quit(self) -> None:
        """End the program."""


@dataclass(slots=True)
class Context:
    """What every screen works with. `clock` is the clients' clock, in seconds."""

    root: tk.Tk
    network: Network
    helpers: Helpers
    home: Home
    look: Look
    sound: Sound
    latest: LatestPictures
    navigation: Navigation
    program: Program
    clock: Callable[[], float]

    @property
    def player_name(self) -> str:
        """The name of the person at this window, as the server has it or as it was last used."""
        link = self.latest.link
        if link is not None and link.player is not None:
            return link.player.name
        return self.home.kept.name

    def switch_sound(self, *, on: bool) -> None:
        """Turn sound on or off, from now on and next time."""
        self.sound.on = self.home.kept.sound = on
        self.home.save()

    @property
    def full_screen(self) -> bool:
        """Whether the window fills the screen."""
        return bool(self.root.attributes("-fullscreen"))

    @full_screen.setter
    def full_screen(self, on: bool) -> None:
        self.root.attributes("-fullscreen", on)

    def switch_full_screen(self) -> None:
        """Let the window fill the screen, or have its own size again."""
        self.full_screen = not self.full_screen


class Screen(ttk.Frame):
    """One of the screens, filling the window."""

    name = ""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root)
        self.context = context

    def take(self, picture: Picture) -> None:
        """Show an update; `context.latest` has it already."""

    def tick(self, now: float) -> None:
        """Move on what moves by itself, such as clocks; called about sixty times a second."""

    def restyle(self) -> None:
        """Apply the current theme."""

    def leave(self) -> None:
        """End what goes on here: another screen comes, and this one is destroyed right after."""
