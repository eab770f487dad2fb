"""Switch screens: the window shows the old one, then the new one, and never an empty place."""

from __future__ import annotations

import tkinter as tk
from collections import Counter
from collections.abc import Callable
from typing import Final

import pytest

from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.room.screen import RoomScreen
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.playing import Open
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.windows import Windows
from tests.client.tk.harness.xvfb import VirtualDisplay
from tests.client.tk.models.rooms import SeenRoom
from tests.client.tk.screens.test_review import whole_game

AREA: Final = (0, 60, 1024, 660)
"""The part of the window below the strip: left, top, width and height in pixels."""
DRAWN: Final = 0.01
"""The least share of pixels in another colour than the background on a window with contents."""
CHANGED: Final = 0.02
"""The largest share of pixels that may still change once a new screen is shown: focus, clocks."""


class Watch:
    """Looks at the window each time when Tk has arranged or drawn widgets in a switch."""

    def __init__(self, root: tk.Tk, display: VirtualDisplay, patch: pytest.MonkeyPatch) -> None:
        self.root = root
        self.display = display
        self.shares: list[float] = []
        arrange = tk.Misc.update_idletasks

        def arrange_and_look(widget: tk.Misc) -> None:
            arrange(widget)
            self.look()

        patch.setattr(tk.Misc, "update_idletasks", arrange_and_look)

    def look(self) -> Counter[int]:
        """Note how much is drawn now, without letting Tk draw more."""
        self.root.winfo_pointerxy()  # a round trip: the X server has done what Tk asked for
        pixels = Counter(self.pixels())
        total = sum(pixels.values())
        self.shares.append(1 - max(pixels.values()) / total)
        return pixels

    def pixels(self) -> memoryview:
        """Return a part of the pixels, from all columns and rows."""
        return memoryview(self.display.pixels(AREA)).cast("I")[::7]

    def switch(self, act: Callable[[], object], windows: Windows) -> float:
        """Switch the screen; return the share of pixels that change when Tk goes on."""
        self.shares.clear()
        act()
        self.look()
        before = self.pixels()
        windows.settle()
        after = self.pixels()
        return sum(map(int.__ne__, before, after)) / len(after)


def test_no_switch_leaves_the_window_empty(
    program: Open,
    server: RealServer,
    ui: Ui,
    display: VirtualDisplay,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann = program(server.url, "Ann")
    ann.at("lobby")
    ui.see("1 player, 0 offers, 0 games")
    navigator, latest = ann.app.navigator, ann.app.context.latest
    room = SeenRoom()
    latest.rooms[ME, room.room] = room.seen()
    watch = Watch(ann.root, display, monkeypatch)
    for act in (
        lambda: navigator.to_game(room.room),
        lambda: navigator.to_review(whole_game(), title="A game", back=navigator.to_lobby),
        lambda: navigator.to_game(room.room),
        navigator.to_lobby,
        navigator.to_start,
    ):
        assert watch.switch(act, ui) < CHANGED
        assert min(watch.shares) > DRAWN


def test_a_room_that_arrives_late_replaces_the_message_about_it(
    stage: Stage, ui: Ui, display: VirtualDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = SeenRoom()
    screen = stage.show(lambda context: RoomScreen(context, room.room))
    ui.see("Opening the room ...")
    watch = Watch(stage.root, display, monkeypatch)
    share = watch.switch(lambda: screen.take(room.seen()), ui)
    assert share < CHANGED
    assert min(watch.shares[1:]) > DRAWN
