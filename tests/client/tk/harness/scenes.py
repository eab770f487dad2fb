"""Show each screen, dialog and bar with long texts, by name: `SCENES[group][name](stage)`."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from doublecross.analysis.report import make_report
from doublecross.client.tk.context import Screen
from doublecross.client.tk.files import RecordFile
from doublecross.client.tk.models.games_elsewhere import news_of_snapshot
from doublecross.client.tk.models.records import game_rows
from doublecross.client.tk.models.room.phrases import phrase_words
from doublecross.client.tk.models.snapshots import (
    AnnouncementSnapshot,
    LinkSnapshot,
    LobbySnapshot,
    OffersSnapshot,
    OpenOffer,
    RoomSnapshot,
    SaidPhrase,
)
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.forms.records import RecordsDialog
from doublecross.client.tk.screens.history import HistoryScreen
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from doublecross.client.tk.screens.review.screen import ReviewScreen
from doublecross.client.tk.screens.room.screen import RoomScreen
from doublecross.client.tk.screens.start import StartScreen
from doublecross.client.tk.widgets.strip.strip import Strip
from doublecross.games.api import Game
from doublecross.games.record import Record, RecordedMove
from doublecross.protocol.common import EngineInfo, MatchSettings, PlayerInfo
from doublecross.protocol.server_messages import GamesFound, LobbyRoom, LobbySeek
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.lobbying import USUAL
from tests.client.tk.harness.staging import Stage
from tests.client.tk.models.analysis.games import WarningJudge
from tests.client.tk.models.contests import entrant, line, terms, tournament_state
from tests.client.tk.models.rooms import SeenRoom, settings
from tests.fakes.histories import own
from tests.games.test_record import finished

Scene = Callable[[Stage], object]

LONG: Final = "Maximilian-Alexander Featherston"
"""A name of the most letters that a name can have."""
CONTEST: Final = "Spring of the year"
PERSON: Final = PlayerInfo(name=LONG, kind="human")
BOB: Final = PlayerInfo(name="Bob", kind="human")


def _bot(name: str) -> PlayerInfo:
    return PlayerInfo(name=name, kind="bot", engine=EngineInfo(name=name, version="1"))


_BOTS: Final = tuple(map(_bot, ("easy", "medium", "tricky", "hard", "perfect")))
BIG: Final = MatchSettings(
    game="dots-and-boxes", params={"rows": 10, "cols": 10}, time=USUAL.time.parse("600+5")
)
_RUNNING: Final = tournament_state(
    entrant(LONG, place=1, games=12, points=9.5, net=-14),
    entrant("perfect", engine="perfect 1", place=2, games=12, points=2.5, net=14),
    terms=terms(name=CONTEST, settings=BIG),
    status="running",
    games_played=12,
    games_planned=24,
)


def connect(stage: Stage, offers: tuple[OpenOffer, ...] = ()) -> None:
    """Show the window what it knows in the lobby of a server."""
    seek = LobbySeek(seek="s1", player=BOB, settings=BIG, seat=None)
    room = LobbyRoom(room="r9", settings=BIG, status="playing", players=(PERSON, _BOTS[-1]))
    contest = line(name=CONTEST, settings=BIG, status="running", entrants=12)
    latest = stage.context.latest
    latest.server = "ws://play.example.org:8765"
    for snapshot in (
        LinkSnapshot(ME, "open", player=PERSON),
        LobbySnapshot(ME, (PERSON, BOB, *_BOTS), (seek,), (room,), False, (contest,)),
        OffersSnapshot(ME, offers),
    ):
        latest.take(snapshot)


def offer(number: int, other: str | None, *, mine: bool = True) -> OpenOffer:
    """Return an offer of a match with long settings to `other` (None: anybody)."""
    return OpenOffer(f"o{number}", mine, other, BIG)


# -- the lobby and its dialogs ---------------------------------------------------------------


def lobby(
    stage: Stage,
    open_dialog: Callable[[LobbyScreen], object] = lambda _: None,
    *,
    offers: tuple[OpenOffer, ...] = (),
    room: RoomSnapshot | None = None,
) -> LobbyScreen:
    """Show the lobby with own `offers`, and with a `room` of this player that waits."""
    connect(stage, offers)
    if room is not None:
        stage.context.latest.take(room)
    shown = stage.show(LobbyScreen)
    assert isinstance(shown, LobbyScreen)
    stage.root.update()
    open_dialog(shown)
    return shown


def waiting_room() -> RoomSnapshot:
    """Return a private room of this player in which a seat is free."""
    return SeenRoom(BIG, players=(PERSON,), me=LONG, room="r7").seen(code="K7Q2")


def _lobby_with_notice(stage: Stage) -> None:
    shown = lobby(stage)
    shown._show_message(f"{LONG} has declined: Dots and Boxes 10 × 10 · 10 min + 5 s.")


def _lobby_in_other_colours(stage: Stage) -> None:
    lobby(stage)
    stage.restyle(dark=True, palette="colour-blind")


def _records(stage: Stage) -> None:
    connect(stage)
    stage.show(LobbyScreen)
    stage.root.update()
    games = (
        *(finished(players=("Ann", "Bob")) for _ in range(1200)),
        finished(players=(LONG, "perfect")),
    )
    file = RecordFile("games of the spring.pgn", games, game_rows(games))
    RecordsDialog(stage.context, back=lambda: None).choose_from(file, 1201)


# -- rooms and reviews -----------------------------------------------------------------------


def game(stage: Stage, snapshot: RoomSnapshot) -> RoomScreen:
    """Show the screen of a room."""
    connect(stage)
    stage.context.latest.take(snapshot)
    screen = stage.show(lambda context: RoomScreen(context, snapshot.room))
    assert isinstance(screen, RoomScreen)
    screen.take(snapshot)
    return screen


def a_room(
    key: str = "dots-and-boxes", size: str = "5x5", *, over: bool = False, moves: int = 6
) -> RoomSnapshot:
    """Return a room in which this player plays against a bot."""
    room = SeenRoom(
        settings(size, "300+3", game=key), players=(PERSON, _BOTS[-1]), me=LONG, room="r1"
    )
    room.now = 0.0
    if over:
        room.end()
    else:
        room.some(moves)
    return room.seen()


def _people(stage: Stage, *, over: bool = False) -> None:
    """Show a room in which both people have just said something."""
    room = SeenRoom(settings("5x5", "300+3"), players=(PERSON, BOB), me=LONG, room="r1")
    room.now = 0.0
    if over:
        room.end()
    screen = game(stage, room.seen())
    longest = max(phrase_words().items(), key=lambda each: len(each[1]))[0]
    for seat in (0, 1):
        screen.take(SaidPhrase(ME, "r1", seat, longest))
    screen.tick(stage.context.clock())


def _watching(stage: Stage, *, over: bool = False) -> None:
    """Show a match of two bots to a spectator, while it runs or when it is over."""
    room = SeenRoom(settings("5x5", "300+3"), players=_BOTS[-2:], me=LONG, room="r1")
    room.now = 0.0
    room.some(30)
    if over:
        room.end()
    game(stage, room.seen())


def _press(stage: Stage, screen: Screen, name: str) -> None:
    stage.root.update()
    button: Any = find(screen, name=name)
    button.invoke()


def _ask(stage: Stage, name: str) -> None:
    _press(stage, game(stage, a_room()), name)


def _look_back(stage: Stage) -> None:
    screen = game(stage, a_room(moves=40))
    _press(stage, screen, "overlay")
    assert screen.view is not None
    screen.view.earlier_bar._buttons[0].invoke()


def _game() -> Record:
    """Return the record of a long game."""
    room = SeenRoom(settings("8x8", "300+3"), players=(PERSON, _BOTS[-1]), me=LONG)
    room.end()
    moves = tuple(map(RecordedMove, room.seen().moves))
    first, second = room.state.scores()
    return Record(
        room.game,
        (LONG, "perfect"),
        moves,
        date="2026-11-21T09:56:17+00:00",
        time_control="300+3",
        result="1-0" if first > second else "0-1",
        termination="completed",
        tags=(("Room", "y89umhfgi5"), ("Rated", "no"), ("Engine1", "perfect 1")),
    )


def review(stage: Stage, record: Record) -> ReviewScreen:
    """Show the review of `record`."""
    stage.helpers.shares = ((0, 1.0),)
    screen = stage.show(
        lambda context: ReviewScreen(context, record, title=f"{LONG} – perfect", back=lambda: None)
    )
    assert isinstance(screen, ReviewScreen)
    return screen


def _answer_review(stage: Stage, game: Game, moves: tuple[int, ...]) -> None:
    network: Any = stage.context.network
    asked = next(each for each in network.asked if each.name == "review")
    asked.done(make_report(game, (), moves, WarningJudge()))
    stage.root.update()


def _analysed(stage: Stage) -> ReviewScreen:
    screen = review(stage, _game())
    stage.root.update()
    screen.analysis.begin()
    _answer_review(stage, screen.model.record.game, screen.model.replay.actions)
    screen._go_to_mistake(1)
    return screen


# -- the strip -------------------------------------------------------------------------------


def strip(stage: Stage) -> Strip:
    """Show the strip for messages alone."""
    connect(stage)
    if stage.screen is not None:
        stage.screen.grid_remove()
    bars = Strip(stage.context, on_review=lambda _: None)
    bars.grid(row=0, column=0, sticky="new")
    tk.Frame(stage.root, width=300, height=200).grid(row=1, column=0)
    stage.root.update()
    return bars


def _lost(stage: Stage) -> Strip:
    bars = strip(stage)
    bars.connection.take(
        LinkSnapshot(
            ME,
            "lost",
            "The connection to games.play.example.org was lost.",
            next_try_at=stage.context.clock() + 3600.0,
        )
    )
    return bars


def _challenged(stage: Stage, *, playing: bool = False, asked: bool = False) -> Strip:
    bars = strip(stage)
    bars.challenges.take(OffersSnapshot(ME, (offer(1, LONG, mine=False),)))
    if playing:
        stage.context.latest.take(a_room())
        bars.tick(0.0, shown=None)
    if asked:
        bars.challenges._first.invoke()
    return bars


def _game_waits(stage: Stage) -> None:
    bars = strip(stage)
    stage.context.latest.tournaments["t1"] = _RUNNING
    room = SeenRoom(BIG, players=(PERSON, PlayerInfo(name=LONG[::-1], kind="human")), me=LONG)
    bars.waiting_game.show(room.seen(tournament="t1"))


def _news(stage: Stage) -> None:
    bars = strip(stage)
    news = news_of_snapshot(a_room(over=True))
    assert news is not None
    bars.news.add(news)


def _announced(stage: Stage) -> None:
    text = "The server restarts at ten o'clock. Games that are being played are kept, and go on. "
    bars = strip(stage)
    bars.announcement.take(AnnouncementSnapshot(ME, f"{text * 3}"[:200], None), 0)


def _runs_elsewhere(stage: Stage) -> None:
    stage.context.latest.take(a_room())
    strip(stage).tick(0.0, shown=None)


def _log_in(stage: Stage) -> None:
    screen: Any = stage.show(
        lambda context: StartScreen(context, "You are logged out.", log_in=True)
    )
    screen._form.problems = {"password": "The name or the password is wrong."}
    screen._refresh()


def _page_opened(stage: Stage) -> None:
    strip(stage).connection.report(
        "No browser could be started. Open https://games.play.example.org:8765/tournaments in one."
    )


def _history(stage: Stage) -> None:
    connect(stage)
    stage.show(HistoryScreen)
    network: Any = stage.context.network
    played = {"players": (LONG, "perfect"), "engines": ("", "perfect 1"), "size": "10x10"}
    games = tuple(own(number, **played) for number in range(1200))
    network.asked[-1].done(GamesFound(id=1, games=games, more=False))


def _start(stage: Stage) -> None:
    said = "The server has closed the connection for good."
    screen = stage.show(lambda context: StartScreen(context, said))
    assert isinstance(screen, StartScreen)
    address = "'ftp://foo' begins with ftp://; write http://host:port, host:port or host."
    screen._form.problems = {"name": "The name Ann is taken; choose another.", "server": address}
    screen._refresh()


_START: Final[dict[str, Scene]] = {
    "start": lambda stage: stage.show(StartScreen),
    "start with messages": _start,
    "logging in": _log_in,
    "own games": _history,
    "lobby": lobby,
    "lobby in other colours": _lobby_in_other_colours,
    "lobby with a notice": _lobby_with_notice,
    "an offer": lambda stage: lobby(stage, offers=(offer(1, "perfect"),)),
    "several offers": lambda stage: lobby(
        stage, offers=(offer(1, "perfect"), offer(2, None), offer(3, LONG))
    ),
    "a waiting room and offers": lambda stage: lobby(
        stage, offers=(offer(1, "perfect"), offer(2, None)), room=waiting_room()
    ),
}
_DIALOGS: Final[dict[str, Scene]] = {
    "play a bot": lambda stage: lobby(stage, lambda screen: screen.dialogs.play_bot()),
    "challenge": lambda stage: lobby(stage, lambda screen: screen.dialogs.challenge(BOB)),
    "create a room": lambda stage: lobby(stage, lambda screen: screen.dialogs.create_room()),
    "join by code": lambda stage: lobby(stage, lambda screen: screen.dialogs.join_by_code()),
    "hot seat": lambda stage: lobby(stage, lambda screen: screen.dialogs.hot_seat()),
    "quick match": lambda stage: lobby(stage, lambda screen: screen.dialogs.quick_match()),
    "records": _records,
}
_ROOMS: Final[dict[str, Scene]] = {
    "game": lambda stage: game(stage, a_room()),
    "game of two people": _people,
    "end of a game of two people": lambda stage: _people(stage, over=True),
    "big game": lambda stage: game(stage, a_room(size="10x10", moves=150)),
    "end of a game": lambda stage: game(stage, a_room(over=True)),
    "tic-tac-toe": lambda stage: game(stage, a_room("tic-tac-toe", "3x3x3")),
    "nim": lambda stage: game(stage, a_room("nim", "1x3x5x7x1")),
    "connect four": lambda stage: game(stage, a_room("connect-four", "6x7")),
    "waiting for an opponent": lambda stage: game(stage, waiting_room()),
    "resigning": lambda stage: _ask(stage, "resign"),
    "leaving": lambda stage: _ask(stage, "back"),
    "looking back": _look_back,
    "watching": _watching,
    "watched to the end": lambda stage: _watching(stage, over=True),
}
_REVIEWS: Final[dict[str, Scene]] = {
    "review": lambda stage: review(stage, _game()),
    "analysed review": _analysed,
    "better line": lambda stage: _analysed(stage)._better_variation(),
    "connection lost": _lost,
    "a page that cannot be opened": _page_opened,
    "announcement": _announced,
    "challenged": _challenged,
    "challenged in a match": lambda stage: _challenged(stage, playing=True),
    "asked about two matches": lambda stage: _challenged(stage, playing=True, asked=True),
    "a tournament game waits": _game_waits,
    "news": _news,
    "a match runs elsewhere": _runs_elsewhere,
}
SCENES: Final[Mapping[str, Mapping[str, Scene]]] = MappingProxyType(
    {"start and lobby": _START, "dialogs": _DIALOGS, "rooms": _ROOMS, "reviews, strip": _REVIEWS}
)
