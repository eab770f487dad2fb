"""The strip above all screens: its bars take turns, and nothing moves when one appears."""

from __future__ import annotations

import tkinter as tk
from tkinter import font as tkfont
from typing import Any

import pytest

from doublecross.client.tk.models.games_elsewhere import GameNews, news_of_record
from doublecross.client.tk.models.snapshots import (
    AnnouncementSnapshot,
    LinkSnapshot,
    OffersSnapshot,
    OpenOffer,
)
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.strip.strip import Strip
from tests.client.tk.harness.driver import Ui, Windows
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.lobbying import USUAL
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import ScriptedNetwork
from tests.client.tk.models.contests import tournament_state
from tests.client.tk.models.rooms import ROBO, SeenRoom
from tests.fakes.rooms import ANN
from tests.games.test_record import finished


class Shown:
    """A strip above an empty screen. `looked` has the news that the person wanted to see."""

    def __init__(self, stage: Stage, windows: Windows) -> None:
        self.stage = stage
        self.windows = windows
        self.network = ScriptedNetwork()
        self.looked: list[GameNews] = []
        stage.context.network = self.network  # type: ignore[assignment]
        self.strip = Strip(stage.context, on_review=self.looked.append)
        stage.root.rowconfigure(0, weight=0)
        stage.root.rowconfigure(1, weight=1)
        self.strip.grid(row=0, column=0, sticky="ew")
        self.below = tk.Frame(stage.root, width=300, height=200)
        self.below.grid(row=1, column=0, sticky="nsew")
        windows.settle()

    def tick(self, now: float = 100.0, shown: str | None = None) -> None:
        self.strip.tick(now, shown=shown)
        self.windows.settle()

    def lost(self, state: Any = "lost") -> None:
        self.strip.connection.take(LinkSnapshot(ME, state, "The connection was lost."))
        self.windows.settle()

    def challenged(self, *others: str) -> None:
        offers = tuple(OpenOffer(f"o-{other}", False, other, USUAL) for other in others)
        self.strip.challenges.take(OffersSnapshot(ME, offers))
        self.windows.settle()

    def play(self, room: SeenRoom) -> None:
        """Let a match run in `room`."""
        self.stage.context.latest.rooms[ME, room.room] = room.seen()

    @property
    def texts(self) -> str:
        return " | ".join(shown_texts(self.strip))


@pytest.fixture
def shown(stage: Stage, ui: Ui) -> Any:
    network = stage.context.network
    yield Shown(stage, ui)
    stage.context.network = network


def test_nothing_moves_when_bars_appear(shown: Shown) -> None:
    """The letters on a board change their size with the board; the layout must not loop."""
    moved: list[int] = []
    shown.below.bind("<Configure>", lambda event: moved.append(event.height))
    shown.lost()
    shown.challenged("Ben")
    shown.play(SeenRoom())
    shown.tick()
    shown.strip.waiting_game.show(SeenRoom().seen(tournament="t1"))
    shown.strip.news.add(GameNews("r1", "r1-1", "Your match is over. " * 20))
    font = tkfont.Font(root=shown.stage.root, size=-20)
    tk.Label(shown.stage.root, font=font)
    font.configure(size=-40)
    shown.windows.settle()
    assert moved == []
    assert shown.strip.winfo_height() > 30


def test_the_most_important_message_is_shown_and_the_others_follow(shown: Shown) -> None:
    shown.strip.news.add(GameNews("r1", "r1-1", "It is over."))
    shown.challenged("Ben")
    assert "Ben challenges you" in shown.texts
    shown.lost()
    assert "The connection was lost." in shown.texts
    assert "Ben challenges you" not in shown.texts
    shown.lost("connected")
    shown.challenged()
    assert "It is over." in shown.texts


def test_the_buttons_of_a_challenge_stay_where_they_are(shown: Shown, ui: Ui) -> None:
    def places() -> list[tuple[int, int]]:
        bar = shown.strip.challenges
        names = ("accept", "decline")
        return [(w.winfo_rootx(), w.winfo_width()) for w in (find(bar, name=n) for n in names)]

    shown.challenged("Ben", "Cid")
    before = places()
    ui.mouse.move(find(shown.strip, name="decline"))
    ui.mouse.press()
    shown.challenged("Ben", "Cid", "Dora")  # an update in the middle of a click
    shown.play(SeenRoom())
    shown.tick()
    ui.mouse.release()
    shown.windows.settle()
    assert [asked.args for asked in shown.network.asked] == [("o-Ben",)]
    assert "Cid challenges you" in shown.texts
    ui.mouse.click(find(shown.strip, name="accept"))
    shown.windows.settle()
    assert places() == before


def test_whoever_plays_is_asked_before_a_second_match(shown: Shown, ui: Ui) -> None:
    shown.play(SeenRoom())
    shown.challenged("Cid")
    ui.mouse.click(find(shown.strip, name="accept"))
    shown.windows.settle()
    assert "Your match against Bob and its clock go on. Play Cid, too?" in shown.texts
    assert shown.network.asked == []
    ui.mouse.click(find(shown.strip, "Not now"))
    shown.windows.settle()
    assert "Cid challenges you" in shown.texts
    ui.mouse.click(find(shown.strip, name="accept"))
    shown.windows.settle()
    ui.mouse.click(find(shown.strip, "Play both"))
    assert [asked.name for asked in shown.network.asked] == ["offers.accept_challenge"]


def test_a_match_elsewhere_shows_its_running_clock(shown: Shown, ui: Ui) -> None:
    shown.play(SeenRoom())
    shown.play(SeenRoom(players=(ROBO, ANN), room="r2"))
    shown.tick(shown=None)
    assert "Your match against Bob goes on · your turn · 1:00 · and 1 more" in shown.texts
    shown.tick(110.0)
    assert "0:50" in shown.texts
    shown.tick(110.0, shown="r1")
    assert "Your match against Robo goes on · Robo has 0:50" in shown.texts
    shown.challenged("Cid")
    shown.tick(110.0, shown="r1")
    assert "Robo · 0:50" in shown.texts
    assert "Cid challenges you" in shown.texts
    ui.mouse.click(find(shown.strip, "Robo · 0:50"))
    assert shown.stage.went == [("game", "r2")]
    shown.stage.context.latest.rooms.clear()
    shown.tick()
    assert not find_all(shown.strip, name="go_there")


def test_a_tournament_game_that_waits(shown: Shown, ui: Ui) -> None:
    game = SeenRoom().seen(tournament="t1")
    shown.stage.context.latest.rooms[ME, "r1"] = game
    shown.strip.waiting_game.show(game)
    shown.tick()
    assert "Your game against Bob in a tournament has begun." in shown.texts
    shown.stage.context.latest.tournaments["t1"] = tournament_state()
    shown.strip.waiting_game.show(game)
    shown.windows.settle()
    assert "Your game against Bob in the tournament Spring has begun." in shown.texts
    ui.mouse.click(find(shown.strip, "Go there"))
    assert shown.stage.went == [("game", "r1")]
    shown.strip.waiting_game.show(None)
    shown.windows.settle()
    assert "has begun" not in shown.texts


def test_news_are_shown_one_after_the_other(shown: Shown, ui: Ui) -> None:
    record = finished(players=("Ann", "Bob"))
    first = news_of_record(record, "r1", "r1-1", "Ann")
    assert first.text.startswith("Your match against Bob ended while you were away: ")
    lost = finished(players=("Ann", "Bob"), termination="resigned", result="0-1")
    assert "Bob won. " in (own := news_of_record(lost, "r1", "r1-1", "Ann").text)
    assert own.endswith(", You resigned.")
    other = news_of_record(lost, "r1", "r1-1", "Bob").text
    assert "You won. " in other
    assert other.endswith(", Ann resigned.")
    shown.strip.news.add(first)
    shown.strip.news.add(first)
    shown.strip.news.add(GameNews("r2", "r2-1", "Second."))
    shown.windows.settle()
    ui.mouse.click(find(shown.strip, "Review"))
    shown.windows.settle()
    assert shown.looked == [first]
    assert "Second." in shown.texts
    ui.mouse.click(find(shown.strip, "OK"))
    shown.windows.settle()
    assert shown.texts == ""
    shown.strip.news.add(first)
    shown.strip.forget()
    shown.windows.settle()
    assert shown.texts == ""


def test_an_announcement_is_shown_until_it_is_read_or_out_of_date(shown: Shown, ui: Ui) -> None:
    bar = shown.strip.announcement
    told = AnnouncementSnapshot(ME, "The server restarts at ten.", 5000)
    bar.take(told, 4000)
    shown.windows.settle()
    assert told.text in shown.texts
    ui.mouse.click(find(bar, "OK"))
    shown.windows.settle()
    assert shown.texts == ""
    bar.take(told, 4100)  # as after a reconnect
    assert bar.text == ""
    bar.take(AnnouncementSnapshot(ME, "At eleven.", 6000), 4200)
    bar.tick(5999)
    assert bar.text == "At eleven."
    bar.tick(6000)
    assert bar.text == ""
    bar.take(AnnouncementSnapshot(ME, "Soon.", None), 6000)
    bar.tick(9_000_000)
    assert bar.text == "Soon."
    bar.take(AnnouncementSnapshot(ME, "", None), 9_000_000)
    assert bar.text == ""
    bar.take(told, 4000)
    shown.strip.forget()
    assert bar.text == ""


def test_other_colours(shown: Shown) -> None:
    shown.challenged("Ben")
    shown.stage.restyle(dark=True, palette="classic")
    shown.strip.restyle()
    colours = shown.stage.context.colours
    label = find(shown.strip.challenges, name="message")
    assert str(label.cget("background")) == colours.banner
    assert str(find(shown.strip, "Accept").cget("background")) == colours.banner
