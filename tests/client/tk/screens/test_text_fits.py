"""Measure the texts of all screens and dialogs in narrow and wide windows, with two font sizes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from client.tk import theme
from client.tk.app import least_size
from client.tk.context import Context, Screen
from client.tk.models.look import PALETTES, make_look
from client.tk.models.pictures import (
    LinkPicture,
    LobbyPicture,
    OfferPicture,
    OffersPicture,
    RoomPicture,
)
from client.tk.screens.lobby.screen import LobbyScreen
from client.tk.screens.review.screen import ReviewScreen
from client.tk.screens.room.screen import RoomScreen
from client.tk.screens.start.screen import StartScreen
from protocol.common import EngineInfo, MatchSettings, PlayerInfo
from protocol.server_messages import LobbyRoom, LobbySeek
from tests.client.tk.harness.driver import Windows
from tests.client.tk.harness.fitting import misfits
from tests.client.tk.harness.lobbying import CHOICES, USUAL
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import ScriptedNetwork
from tests.client.tk.models.contests import entrant, line, terms, tournament_state
from tests.client.tk.models.rooms import PicturedRoom, settings
from tests.client.tk.screens.test_review import whole_game

WIDTHS: Final = (560, 680, 1024, 1280)
"""The widths of windows; a wider one than the screen of the tests has the same layout."""
LONG: Final = "Maximilian-Alexander Featherston"
"""A name of the most letters that a name can have."""
ME: Final = PlayerInfo(name=LONG, kind="human")
BOB: Final = PlayerInfo(name="Bob", kind="human")


def bot(name: str) -> PlayerInfo:
    return PlayerInfo(name=name, kind="bot", engine=EngineInfo(name=name, version="1"))


BOTS: Final = tuple(map(bot, ("easy", "medium", "hard", "perfect")))
BIG: Final = MatchSettings(
    game="dots-and-boxes", params={"rows": 10, "cols": 10}, time=USUAL.time.parse("600+5")
)
RUNNING: Final = tournament_state(
    entrant(LONG, place=1, games=12, points=9.5, net=-14),
    entrant("perfect", engine="perfect 1", place=2, games=12, points=2.5, net=14),
    terms=terms(name="Spring of the year", settings=BIG),
    status="running",
    games_played=12,
    games_planned=24,
)


def connect(stage: Stage) -> None:
    """Show the window what it knows in the lobby of a server."""
    seek = LobbySeek(seek="s1", player=BOB, settings=BIG, seat=None)
    room = LobbyRoom(room="r9", settings=BIG, status="playing", players=(ME, BOTS[3]))
    contest = line(name="Spring of the year", settings=BIG, status="running", entrants=12)
    own = OfferPicture("o1", True, "perfect", BIG)
    stage.context.latest.server = "ws://play.example.org:8765"
    for picture in (
        LinkPicture("me", "open", player=ME),
        LobbyPicture("me", (ME, BOB, *BOTS), (seek,), (room,), False, (contest,)),
        OffersPicture("me", (own,)),
    ):
        stage.context.latest.take(picture)


def lobby(stage: Stage, open_dialog: Callable[[LobbyScreen], object] = lambda _: None) -> Screen:
    connect(stage)
    shown = stage.show(LobbyScreen)
    assert isinstance(shown, LobbyScreen)
    stage.root.update()
    open_dialog(shown)
    return shown


def tournaments(screen: LobbyScreen) -> None:
    screen.dialogs.tournaments()
    dialog: Any = screen.dialogs.opened
    dialog.model.take(RUNNING)
    dialog._refresh()


def game(stage: Stage, picture: RoomPicture) -> Screen:
    connect(stage)
    stage.context.latest.take(picture)
    screen = stage.show(lambda context: RoomScreen(context, picture.room))
    screen.take(picture)
    return screen


def a_room(key: str = "dots-and-boxes", size: str = "5x5", *, over: bool = False) -> RoomPicture:
    room = PicturedRoom(
        settings(size, "300+3", game=key), players=(ME, BOTS[3]), me=LONG, room="r1"
    )
    if over:
        room.end()
    else:
        room.some(6)
    return room.picture()


SCENES: Final[dict[str, Callable[[Stage], object]]] = {
    "start": lambda stage: stage.show(StartScreen),
    "start with a message": lambda stage: stage.show(
        lambda context: StartScreen(context, "The server has closed the connection for good.")
    ),
    "lobby": lobby,
    "play a bot": lambda stage: lobby(stage, lambda screen: screen.dialogs.play_bot()),
    "challenge": lambda stage: lobby(stage, lambda screen: screen.dialogs.challenge(BOB)),
    "create a room": lambda stage: lobby(stage, lambda screen: screen.dialogs.create_room()),
    "join by code": lambda stage: lobby(stage, lambda screen: screen.dialogs.join_by_code()),
    "hot seat": lambda stage: lobby(stage, lambda screen: screen.dialogs.hot_seat()),
    "watch two bots": lambda stage: lobby(stage, lambda screen: screen.dialogs.watch_bots()),
    "quick match": lambda stage: lobby(stage, lambda screen: screen.dialogs.quick_match()),
    "tournaments": lambda stage: lobby(stage, tournaments),
    "game": lambda stage: game(stage, a_room()),
    "end of a game": lambda stage: game(stage, a_room(over=True)),
    "tic-tac-toe": lambda stage: game(stage, a_room("tic-tac-toe", "3x3x3")),
    "review": lambda stage: stage.show(
        lambda context: ReviewScreen(
            context, whole_game(), title="Your game against perfect", back=lambda: None
        )
    ),
}


def scaled(context: Context, scale: float) -> None:
    """Give the window fonts that are `scale` times as large as usual."""
    context.root.tk.call("tk", "scaling", scale * 96 / 72)
    theme.apply(context.root, context.look)


@pytest.fixture
def scripted(stage: Stage) -> Iterator[Stage]:
    """Return a stage without a server; give later windows fonts of the usual size again."""
    real = stage.context.network
    # All windows of a process on one screen share its scaling.
    usual = stage.root.tk.call("tk", "scaling")
    stage.context.network = ScriptedNetwork()  # type: ignore[assignment]
    stage.helpers.choices = CHOICES
    yield stage
    if stage.screen is not None:
        stage.screen.leave()
        stage.screen.destroy()
        stage.screen = None
    stage.context.network = real
    stage.root.tk.call("tk", "scaling", usual)


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("scene", SCENES)
def test_no_text_is_cut(scripted: Stage, windows: Windows, scene: str, scale: float) -> None:
    scaled(scripted.context, scale)
    least, height = least_size(scripted.root)
    SCENES[scene](scripted)
    problems = []
    for width in sorted({max(width, least) for width in WIDTHS}):
        # The strip above the screens is not part of the stage.
        scripted.root.geometry(f"{width}x{max(height, 720)}+0+0")
        windows.pump(lambda width=width: scripted.root.winfo_width() == width)
        windows.settle()
        problems += [f"{width} px: {line}" for line in misfits(scripted.root)]
    assert not problems, "\n".join(problems)


def test_fonts_and_paddings_are_the_same_in_all_palettes(root: tk.Tk) -> None:
    from tkinter import font as tkfont
    from tkinter import ttk

    def measures() -> list[object]:
        style = ttk.Style(root)
        fonts = [tkfont.nametofont(name, root=root).actual() for name in tkfont.names(root)]
        layouts = [
            (style.lookup(name, "padding"), style.lookup(name, "font"), style.layout(name))
            for name in ("TButton", "Accent.TButton", "TLabel", "Treeview.Heading", "TMenubutton")
        ]
        return [fonts, repr(layouts).replace("Dark", "").replace("Light", "")]

    seen = []
    for palette in PALETTES:
        for dark in (False, True):
            theme.apply(root, make_look(palette, dark=dark))
            seen.append(measures())
    assert all(each == seen[0] for each in seen)
