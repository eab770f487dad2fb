"""Show one screen with a real connection, and record calls of the navigation and the helpers."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from typing import Any

from doublecross.analysis.advice import Advice
from doublecross.analysis.judgement import Evaluator
from doublecross.analysis.report import GameReport, make_report
from doublecross.client.tk import theme
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.home import Home
from doublecross.client.tk.models.colours import make_colours
from doublecross.client.tk.models.helpers import BotChoice, HelperFailed
from doublecross.client.tk.models.history import History
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.pages import Page
from doublecross.client.tk.models.snapshots import Answer, WindowUpdate
from doublecross.client.tk.network.inbox import Inbox
from doublecross.client.tk.network.thread import Network
from doublecross.client.tk.sound import Sound
from doublecross.games.api import Game
from doublecross.games.record import Record
from doublecross.protocol.common import MatchSettings

LEVELS = ("easy", "medium", "tricky", "hard", "perfect")


class NotedHelpers:
    """Helpers that record their calls in `asked`.

    `address` is that of this computer's server; while it is empty, starting one fails. `coming`
    are the bots that join every server without being asked. `judge` makes reports.
    """

    def __init__(self) -> None:
        self.address = ""
        self.levels = LEVELS
        self.choices: tuple[BotChoice, ...] = ()
        self.coming: frozenset[str] = frozenset()
        self.judge: Evaluator | None = None
        self.asked: list[tuple[Any, ...]] = []

    def bots(self, game: Game) -> tuple[BotChoice, ...]:
        return self.choices

    def residents(self, url: str) -> frozenset[str]:
        return self.coming

    async def open_server(self) -> str:
        self.asked.append(("open_server",))
        if not self.address:
            raise HelperFailed("A server could not be started on this computer.")
        return self.address

    async def bring_bot(self, url: str, spec: str) -> str:
        self.asked.append(("bring_bot", url, spec))
        return spec

    async def advise(self, game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> Advice:
        self.asked.append(("advise", game, opening, moves))
        raise HelperFailed("There is no advice.")

    async def review(
        self,
        game: Game,
        opening: tuple[int, ...],
        moves: tuple[int, ...],
        progress: Callable[[int, int], None],
    ) -> GameReport:
        self.asked.append(("review", game, opening, moves))
        if self.judge is None:
            raise HelperFailed("This computer has no analysis.")
        return make_report(game, opening, moves, self.judge, progress)

    async def close(self) -> None:
        self.asked.append(("close",))


class Stage:
    """Shows a screen in place of the whole program. `went` records the requested screens."""

    def __init__(self, root: tk.Tk, folder: Path) -> None:
        self.root = root
        self.went: list[tuple[Any, ...]] = []
        self.helpers = NotedHelpers()
        self.screen: Screen | None = None
        self._inbox = Inbox()
        self._after: str | None = None
        home = Home(folder)
        self.context = Context(
            root=root,
            network=Network(self._inbox),
            helpers=self.helpers,
            home=home,
            colours=make_colours(home.settings.palette, dark=home.settings.dark),
            sound=Sound(on=home.settings.sound),
            latest=LatestSnapshots(),
            navigation=self,
            program=self,
            clock=time.monotonic,
        )
        theme.apply(root, self.context.colours)
        root.columnconfigure(0, weight=1)
        root.rowconfigure(0, weight=1)
        self.context.network.start()
        self._turn()

    def show(self, make: Callable[[Context], Screen]) -> Screen:
        """Replace the current screen by the one that `make` returns."""
        old, self.screen = self.screen, make(self.context)
        if old is not None:
            old.leave()
            old.destroy()
        self.screen.grid(row=0, column=0, sticky="nsew")
        return self.screen

    def close(self) -> None:
        """Stop the screen and the network, as the program does when its window is closed."""
        if self._after is not None:
            self.root.after_cancel(self._after)
            self._after = None
        if self.screen is not None:
            self.screen.leave()
            self.screen = None
        self.context.network.stop(self.helpers.close)

    @property
    def answered(self) -> bool:
        """Whether an answer waits for its handler."""
        return self._inbox.answered

    # -- navigation and program --------------------------------------------------------------

    def to_start(self, sentence: str = "", *, log_in: bool = False) -> None:
        self.went.append(("start", sentence))

    def to_lobby(self) -> None:
        self.went.append(("lobby",))

    def to_game(self, room: str) -> None:
        self.went.append(("game", room))

    def to_review(
        self, record: Record, *, title: str, back: Callable[[], None], page: str = Page.RECORDS
    ) -> None:
        self.went.append(("review", record, title))
        self.page = page

    def to_history(self, history: History | None = None, chosen: str = "") -> None:
        self.went.append(("history", history, chosen))

    def to_page(self, page: str) -> None:
        self.went.append(("page", page))

    def open_record(self, path: Path | None = None) -> None:
        self.went.append(("open_record", path))

    def play_again(self, settings: MatchSettings, opponent: str) -> None:
        self.went.append(("play_again", settings, opponent))

    def connect_guest(
        self, name: str, then: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        self.went.append(("hot_seat", name))

    def quit(self) -> None:
        self.went.append(("quit",))

    def restyle(self, *, dark: bool, palette: str) -> None:
        kept = self.context.home.settings
        kept.dark, kept.palette = dark, palette
        self.context.home.save()
        self.context.colours = make_colours(palette, dark=dark)
        theme.apply(self.root, self.context.colours)
        if self.screen is not None:
            self.screen.restyle()

    # -- turns -------------------------------------------------------------------------------

    def _turn(self) -> None:
        self._after = self.root.after(5, self._turn)
        self._inbox.drain(self._take, time.monotonic)
        if self.screen is not None:
            self.screen.tick(time.monotonic())

    def _take(self, update: WindowUpdate) -> None:
        if isinstance(update, Answer):
            update.deliver()
            return
        self.context.latest.take(update)
        if self.screen is not None:
            self.screen.take(update)
