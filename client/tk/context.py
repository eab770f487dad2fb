"""What every screen has at hand, and what it must be able to do."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tkinter import ttk
from typing import Protocol

from client.tk.home import Home
from client.tk.models.helpers import Helpers
from client.tk.models.look import Look
from client.tk.models.pictures import LinkPicture, LobbyPicture, OffersPicture, Picture, RoomPicture
from client.tk.network.thread import Network
from client.tk.sound import Sound
from games.record import Record
from protocol.common import MatchSettings
from protocol.server_messages import TournamentState


@dataclass(slots=True)
class LatestPictures:
    """The last picture of everything that the network's thread reports.

    `link`, `lobby` and `offers` belong to this person's connection; `rooms` are by (connection,
    room). `tournaments` are those that the server reported or that a screen asked for, by id.
    `server` is the address in use, `here` says that this program has started it; both are set by
    whoever connects.
    """

    server: str = ""
    here: bool = False
    link: LinkPicture | None = None
    lobby: LobbyPicture | None = None
    offers: OffersPicture | None = None
    rooms: dict[tuple[str, str], RoomPicture] = field(default_factory=dict)
    tournaments: dict[str, TournamentState] = field(default_factory=dict)

    def tournament_name(self, tournament: str) -> str:
        """What a tournament is called; empty as long as that is not known."""
        if (state := self.tournaments.get(tournament)) is not None:
            return state.terms.name
        lines = () if self.lobby is None else self.lobby.tournaments
        return next((line.name for line in lines if line.tournament == tournament), "")


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

    def restyle(self, *, dark: bool, palette: str) -> None:
        """Other colours, from now on and next time."""

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        """Show the lobby, with its form filled in for another match like one against
        `opponent`."""

    def hot_seat(self, name: str, then: Callable[[], None], failed: Callable[[str], None]) -> None:
        """Connect a second person, called `name`, at this window; `then` once that is done."""

    def quit(self) -> None:
        """End the program."""


@dataclass(slots=True)
class Context:
    """What every screen has at hand. `clock` is the clients' clock, in seconds."""

    root: tk.Tk
    network: Network
    helpers: Helpers
    home: Home
    look: Look
    sound: Sound
    latest: LatestPictures
    navigation: Navigation
    clock: Callable[[], float]

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


class Screen(ttk.Frame):
    """One of the screens, filling the window."""

    name = ""

    def __init__(self, context: Context) -> None:
        super().__init__(context.root)
        self.context = context

    def take(self, picture: Picture) -> None:
        """Something is new; `context.latest` has it already."""

    def tick(self, now: float) -> None:
        """Called about sixty times a second, for what moves by itself, such as clocks."""

    def restyle(self) -> None:
        """The look has changed: colours, light or dark."""

    def leave(self) -> None:
        """Another screen comes; this one is destroyed right after."""
