"""The puzzles with a real mouse and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from tkinter import ttk
from typing import Any

import pytest

from doublecross.analysis.puzzles.book import PuzzleBook
from doublecross.analysis.puzzles.progress import PuzzleProgress
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.analysis.values import PositionValues
from doublecross.client.tk.progress_files import PuzzleFile
from doublecross.games.api import Game
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from tests.analysis.course.lessons import judge
from tests.client.tk.harness.driver import Keyboard, Mouse, Windows
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.playing import Open
from tests.client.tk.harness.scenes import puzzle_screen
from tests.client.tk.harness.staging import Stage

Pump = Callable[..., Any]
SMALL = [p for p in puzzles().puzzles if len(p.costs) <= 12]
"""Puzzles that are judged by trying every game."""
FEW = next(p for p in SMALL if p.turns == 2)
OTHER, THIRD = [p for p in SMALL if p.kind != FEW.kind][:2]
BOOK = PuzzleBook((FEW, OTHER, THIRD), "")


async def values(game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> PositionValues:
    state = game.replay(opening, moves)
    assert isinstance(state, DotsAndBoxesState)
    return judge(state)


def test_a_puzzle_is_failed_and_solved_and_its_solution_shown(
    stage: Stage, mouse: Mouse, keyboard: Keyboard, windows: Windows, pump: Pump
) -> None:
    file = PuzzleFile(stage.context.home.folder)
    file.add(PuzzleProgress().with_solved(THIRD.id, clean=True))
    stage.helpers.values = values  # type: ignore[method-assign]
    screen = puzzle_screen(stage, BOOK)
    model = screen.model
    windows.settle()

    def text(name: str) -> str:
        return str(find(screen, name=name).cget("text"))

    def click(edge: int) -> None:
        pump(lambda: model.can_play)
        mouse.click_action(screen.board, edge)

    assert text("puzzle") == "Today's puzzle"
    assert text("counts").startswith("1 of 3 solved")
    kind = find(screen, name="kind", kind=ttk.Combobox)
    kind.current(list(model.kinds).index(FEW.kind))
    kind.event_generate("<<ComboboxSelected>>")
    find(screen, name="next", kind=ttk.Button).invoke()
    assert model.puzzle == FEW
    windows.settle()
    wrong = max(FEW.cost_of, key=FEW.cost_of.__getitem__)
    click(wrong)
    pump(lambda: text("again") == "Take it back")
    assert "cost" in text("message")
    find(screen, name="again", kind=ttk.Button).invoke()
    assert model.session.moves == ()
    click(FEW.keeping[0])
    pump(lambda: model.session.turn == 1 or model.can_play)
    while not model.session.over:
        before = model.session.moves
        click(judge(model.session.state()).actions[0].action)
        pump(lambda before=before: model.session.moves != before)
        pump(lambda: model.can_play or model.session.over)
    pump(lambda: text("message").endswith("Solved, after 1 mistake."))
    assert file.read().solved == {FEW.id, THIRD.id}
    assert text("counts").startswith("2 of 3 solved")
    find(screen, name="again", kind=ttk.Button).invoke()
    pump(lambda: model.can_show)
    find(screen, name="solution", kind=ttk.Button).invoke()
    pump(lambda: text("message").startswith("The solution has"))
    screen.focus_first()
    for count in (1, 2):
        keyboard.press("Right")
        pump(lambda count=count: text("message").startswith(f"{count} of "))
    find(screen, name="step_back", kind=ttk.Button).invoke()
    assert text("message").startswith("1 of ")
    stage.restyle(dark=True, palette="classic")
    keyboard.press("Escape")
    pump(lambda: stage.went == [("course",)])


@pytest.mark.timeout(120)
def test_the_way_from_the_start_screen_to_the_puzzles(program: Open) -> None:
    ann = program()
    ann.at("start")
    ann.press("Learn")
    ann.at("course")
    ann.press("Puzzles")
    ann.at("puzzles")
    assert str(find(ann.root, name="puzzle").cget("text")) == "Today's puzzle"
    ann.press("‹ Lessons")
    ann.at("course")
