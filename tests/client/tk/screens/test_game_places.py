"""Nothing that one clicks moves on the screen of a room, and no click gets lost."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk
from typing import Any

import pytest

from doublecross.analysis.advice import Advice
from doublecross.client.tk.screens.room.commands import ButtonName
from doublecross.games.api import Feature
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from tests.client.tk.harness.inspecting import find, find_all
from tests.client.tk.harness.tables import Table
from tests.client.tk.models.rooms import ROBO, SeenRoom, settings
from tests.fakes.rooms import ANN

Sit = Callable[..., Table]
Place = tuple[int, int, int, int]

GEOMETRIES = ["1024x720+0+0", "640x480+0+0", "560x416+0+0", "560x800+0+0"]


def places(table: Table) -> dict[str, Place]:
    """Return where the board, the sentence and all buttons are."""
    found: list[Any] = [table.view.board, find(table.screen, name="status", hidden=True)]
    found += find_all(table.screen, kind=ttk.Button) + find_all(table.screen, kind=ttk.Checkbutton)
    return {
        str(w): (w.winfo_rootx(), w.winfo_rooty(), w.winfo_width(), w.winfo_height()) for w in found
    }


def moved(before: dict[str, Place], after: dict[str, Place]) -> dict[str, tuple[Place, Place]]:
    """Return the widgets that are shown both times, at different places."""
    return {
        path: (before[path], after[path])
        for path in before.keys() & after.keys()
        if before[path] != after[path]
    }


@pytest.fixture(autouse=True)
def features(monkeypatch: pytest.MonkeyPatch) -> None:
    feature = Feature(kind="chain", label="chain of 1", cells=(0,), actions=())
    monkeypatch.setattr(DotsAndBoxesState, "features", lambda _: (feature,))


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_nothing_moves_during_a_match(sit: Sit, geometry: str) -> None:
    table = sit(SeenRoom(players=(ANN, ROBO)), geometry)
    before = places(table)

    def check(what: str) -> None:
        assert moved(before, places(table)) == {}, what

    table.press("hint")
    check("a hint is awaited")
    advice = Advice((table.room.game.parse_action("b1"),), 1.0, exact=True)
    table.network.asked[-1].done(advice)
    table.settle()
    check("a hint is shown")
    table.press("overlay")
    check("chains are shown")
    table.press("overlay")
    table.moves("b1 b3")
    check("the match can no longer be called off")
    table.put(present=(True, False), claim_at=table.room.now)
    check("the opponent is away")
    assert table.enabled("claim")
    table.put()
    table.screen.update_idletasks()
    table.view.side.ask(None)
    table.press("back")
    board = places(table)
    assert moved(before, board) == {}, "a question"
    table.press("stay")
    check("after the question")
    table.stage.root.event_generate("<Prior>")
    table.settle()
    check("an earlier position")


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_nothing_moves_after_a_match(sit: Sit, geometry: str) -> None:
    table = sit(SeenRoom(), geometry)
    table.moves("b1 b3")
    during = places(table)
    table.room.finish("resigned", winner=0)
    table.put()
    assert moved(during, places(table)) == {}
    before = places(table)
    table.room.offer(1)
    table.put()
    assert moved(before, places(table)) == {}, "a rematch is offered"
    table.put(present=(True, False))
    assert moved(before, places(table)) == {}, "the opponent has left"
    last = find(table.stage.root, name="quit")
    height = int(geometry.partition("+")[0].partition("x")[2])
    assert last.winfo_rooty() + last.winfo_height() <= table.stage.root.winfo_rooty() + height


@pytest.mark.parametrize("name", [ButtonName.RESIGN, ButtonName.ABORT])
def test_an_update_in_the_middle_of_a_click_does_not_lose_it(sit: Sit, name: str) -> None:
    table = sit(SeenRoom(players=(ANN, ROBO)))
    table.mouse.move(find(table.screen, name=name))
    table.mouse.press()
    table.settle()
    table.put(present=(True, False))
    table.mouse.release()
    table.settle()
    assert table.asked == ["abort"] if name == ButtonName.ABORT else table.there("confirm")


def test_buttons_of_no_use_are_disabled(sit: Sit) -> None:
    table = sit(SeenRoom(players=(ANN, ROBO)))
    names = ["hint", "take_back", "abort", "resign"]
    assert [table.enabled(name) for name in names] == [True, False, True, True]
    table.moves("b1 b3")
    assert [table.enabled(name) for name in names] == [True, True, False, True]
    table.put(present=(True, False), claim_at=table.room.now + 9)
    names = ["claim", "take_back", "abort", "resign"]
    assert [table.enabled(name) for name in names] == [False, False, False, True]
    rated = sit(SeenRoom(settings(rated=True), players=(ANN, ROBO)))
    assert not find_all(rated.screen, name="hint")


def test_a_question_hides_behind_nothing(sit: Sit) -> None:
    table = sit()
    table.press("resign")
    question: tk.Misc = find(table.screen, name="question")
    for name in ("confirm", "stay"):
        button = find(question, name=name)
        table.mouse.move(button)  # fails if something covers it
