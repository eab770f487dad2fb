"""Run the whole program in a test and drive its window with real events."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from doublecross.client.tk.app import App
from doublecross.client.tk.home import Home
from doublecross.client.tk.models.helpers import Helpers
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.screens.room.screen import RoomScreen
from doublecross.client.tk.screens.room.view import RoomView
from tests.client.tk.harness.driver import Keyboard, Mouse, Windows
from tests.client.tk.harness.inspecting import enabled, find
from tests.client.tk.harness.staging import NotedHelpers

if TYPE_CHECKING:
    from tkinter import ttk

CORNER_S: Final = 60.0


class Program:
    """One run of the program; `home` is the folder of its stored settings.

    `pages` records the addresses that it opens in the browser; without `has_browser` it fails.
    """

    def __init__(
        self,
        windows: Windows,
        helpers: Helpers,
        home: Path,
        *,
        server: str | None = None,
        name: str | None = None,
        geometry: str = "1024x720+0+0",
    ) -> None:
        self._windows = windows
        self.mouse = Mouse(windows)
        self.keyboard = Keyboard(windows)
        self.root: tk.Tk = windows.open(geometry)
        self.pages: list[str] = []
        self.has_browser = True
        self.app = App(
            self.root, helpers, server=server, name=name, home=Home(home), browse=self._browse
        )
        self.root.geometry(geometry)
        self._open = True

    def _browse(self, address: str) -> bool:
        self.pages.append(address)
        return self.has_browser

    # -- screens -----------------------------------------------------------------------------

    def at(self, screen: str, timeout_s: float = CORNER_S) -> None:
        """Wait until the screen with this name is shown."""
        self._windows.pump(
            lambda: (
                self.app.navigator.screen is not None and self.app.navigator.screen.name == screen
            ),
            timeout_s,
            what=f"the screen is {screen}",
        )

    def playing(self) -> RoomModel:
        """Wait until a match that this window plays or watches has begun; return its model."""
        self.at("game")
        self._windows.pump(
            lambda: self.screen.model is not None and self.model.snapshot.match > 0,
            CORNER_S,
            what="a match has begun",
        )
        return self.model

    @property
    def screen(self) -> RoomScreen:
        """The screen of the room, which must be shown."""
        assert isinstance(self.app.navigator.screen, RoomScreen)
        return self.app.navigator.screen

    @property
    def model(self) -> RoomModel:
        """The model of the room that is shown."""
        model = self.screen.model
        assert model is not None
        return model

    @property
    def view(self) -> RoomView:
        """The widgets of the room that is shown."""
        view = self.screen.view
        assert view is not None
        return view

    # -- input -------------------------------------------------------------------------------

    def press(self, text: str) -> None:
        """Wait for the button labelled `text`, until it can be pressed, and click it."""

        def button() -> tk.Misc | None:
            found: tk.Misc = find(self.root, text)
            return found if enabled(found) else None

        self.mouse.click(self._windows.pump(button, what=f"a button {text!r} that is enabled"))

    def write(self, field: str, text: str) -> None:
        """Replace the contents of the entry called `field` by `text`."""
        entry: ttk.Entry = find(self.root, name=field)
        self.mouse.click(entry, 12)
        self.keyboard.press("ctrl+a")
        self.keyboard.type(text)

    def choose_bot(self, name: str) -> None:
        """Click a bot in the list of the open form, once it is there."""
        tree: ttk.Treeview = find(self.root, name="bots")

        def row() -> str:
            rows = tree.get_children()
            return next((each for each in rows if tree.set(each, 0).strip().casefold() == name), "")

        self.mouse.click_row(tree, self._windows.pump(row, what=f"{name} is in the list"))

    def size(self, rows: int, cols: int) -> None:
        """Enter a board size in the open form."""
        self.write("size_rows", str(rows))
        self.write("size_cols", str(cols))

    def click(self, action: int) -> None:
        """Click an action on the board."""
        self.mouse.click_action(self.view.board, action)

    def my_move(self) -> bool:
        """Wait for this window's turn; return false if the match is over instead."""
        self._windows.pump(
            lambda: (
                self.model.snapshot.status != "playing"
                or (self.model.my_turn and not self.model.position.pending)
            ),
            CORNER_S,
            what="it is my turn",
        )
        return self.model.snapshot.status == "playing"

    def play_on(self, rng: Random, most: int = 1000) -> int:
        """Click random legal actions until the match is over, `most` at most; return how many."""
        count = 0
        while count < most and self.my_move():
            self.click(rng.choice(self.model.position.board.state.legal_actions()))
            count += 1
        return count

    def quiet(self) -> None:
        """Wait until all animations on the board have ended."""
        self._windows.pump(lambda: not self.view.board.moving, what="the board is at rest")

    def close(self) -> None:
        """Close the program, as a person does by its window."""
        if self._open:
            self._open = False
            self.app.quit()


Open = Callable[..., Program]


@contextmanager
def programs(windows: Windows, folder: Path) -> Iterator[Open]:
    """Yield a function that runs the program: `open(server.url, "Ann")`.

    All programs are closed at the end of the context; their settings are stored in `folder`.
    """
    with ExitStack() as stack:

        def start(
            server: str | None = None,
            name: str | None = None,
            *,
            helpers: Helpers | None = None,
            home: str = "home",
            geometry: str = "1024x720+0+0",
        ) -> Program:
            opened = Program(
                windows,
                helpers or NotedHelpers(),
                folder / home,
                server=server,
                name=name,
                geometry=geometry,
            )
            stack.callback(opened.close)
            return opened

        yield start
