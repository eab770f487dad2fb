"""The bars above all screens keep the height of their contents."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import font as tkfont

import pytest

from client.tk.models.pictures import LinkPicture, OfferPicture, OffersPicture
from client.tk.network.thread import ME
from client.tk.widgets.bars import ChallengeBar, ConnectionBar, WaitingGameBar
from tests.client.tk.harness.driver import Mouse, Windows
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.lobbying import USUAL
from tests.client.tk.harness.staging import Stage
from tests.client.tk.models.contests import tournament_state
from tests.client.tk.models.rooms import PicturedRoom

Made = tuple[ConnectionBar | ChallengeBar | WaitingGameBar, Callable[[], None]]


def lost(stage: Stage) -> Made:
    bar = ConnectionBar(stage.context, on_give_up=lambda: None)
    return bar, lambda: bar.take(LinkPicture(ME, "lost", "The connection was lost."))


def challenged(stage: Stage) -> Made:
    bar = ChallengeBar(stage.context)
    offer = OfferPicture("o1", False, "Ben", USUAL)
    return bar, lambda: bar.take(OffersPicture(ME, (offer,)))


def game_waits(stage: Stage) -> Made:
    bar = WaitingGameBar(stage.context, on_go=stage.to_game)
    return bar, lambda: bar.show(PicturedRoom().picture(tournament="t1"))


@pytest.mark.parametrize("make", [lost, challenged, game_waits])
def test_a_bar_stays_as_high_when_a_font_changes_its_size(
    make: Callable[[Stage], Made], stage: Stage, windows: Windows
) -> None:
    """The letters on a board shrink when a bar takes space from it; the layout must not loop."""
    bar, fill = make(stage)
    tk.Frame(stage.root, width=300, height=200).grid(row=0, column=0, sticky="nsew")
    bar.grid(row=1, column=0, sticky="ew")
    windows.settle()
    assert bar.winfo_height() == 1
    fill()
    windows.settle()
    high = bar.winfo_height()
    assert high > 20
    font = tkfont.Font(root=stage.root, size=-20)
    tk.Label(stage.root, font=font)
    heights: list[int] = []
    bar.bind("<Configure>", lambda event: heights.append(event.height))
    for size in (-30, -40):
        font.configure(size=size)
        windows.settle()
    assert heights == []
    bar.unbind("<Configure>")
    bar.clear()
    windows.settle()
    assert bar.winfo_height() == 1


def test_a_game_that_waits(stage: Stage, windows: Windows, mouse: Mouse) -> None:
    bar = WaitingGameBar(stage.context, on_go=stage.to_game)
    bar.grid(row=1, column=0, sticky="ew")
    game = PicturedRoom().picture(tournament="t1")
    bar.show(game)
    windows.see("Your game against Bob in a tournament has begun.")
    stage.context.latest.tournaments["t1"] = tournament_state()
    bar.restyle()
    bar.show(game)
    windows.see("Your game against Bob in the tournament Spring has begun.")
    mouse.click(find(bar, "Go there"))
    assert stage.went == [("game", "r1")]
    bar.show(None)
    windows.settle()
    assert shown_texts(bar) == []
