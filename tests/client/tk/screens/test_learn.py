"""The course with a real mouse and keyboard: the list, a lesson, the rules."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from tkinter import ttk
from typing import Any

from doublecross.analysis.values import PositionValues
from doublecross.client.tk.progress_files import CourseFile
from doublecross.client.tk.screens.learn.course import CourseScreen
from doublecross.client.tk.screens.learn.lesson import LessonScreen
from doublecross.client.tk.screens.learn.rules import NAME, RulesWindow, show_rules
from doublecross.client.tk.screens.learn.texts import glossary, lessons
from doublecross.games.api import Game
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from tests.analysis.course.lessons import judge
from tests.client.tk.harness.driver import Keyboard, Mouse, Windows
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.playing import Open
from tests.client.tk.harness.staging import Stage

Pump = Callable[..., Any]
Shoot = Callable[..., Path]
NAMES = [lesson.name for lesson in lessons()]


async def values(game: Game, opening: tuple[int, ...], moves: tuple[int, ...]) -> PositionValues:
    state = game.replay(opening, moves)
    assert isinstance(state, DotsAndBoxesState)
    return judge(state)


def open_lesson(stage: Stage, name: str, exercise: int = 0) -> LessonScreen:
    stage.helpers.values = values  # type: ignore[method-assign]
    number = NAMES.index(name)

    def make(context: Any) -> LessonScreen:
        return LessonScreen(
            *(context, lessons()[number], number + 1, glossary()),
            on_next=lambda: stage.went.append(("next",)),
            back=lambda: stage.went.append(("back",)),
        )

    screen = stage.show(make)
    assert isinstance(screen, LessonScreen)
    if exercise:
        screen._open(exercise)
    stage.root.update()
    screen.focus_first()
    return screen


def text_of(screen: tk.Misc, name: str) -> str:
    return str(find(screen, name=name).cget("text"))


def test_the_list_opens_lessons_and_shows_what_is_solved(
    stage: Stage, keyboard: Keyboard, pump: Pump
) -> None:
    first = lessons()[0]
    file = CourseFile(stage.context.home.folder)
    for exercise in first.exercises:
        file.add(file.read().with_solved(first.key(exercise)))
    opened: list[str] = []
    screen = stage.show(
        lambda context: CourseScreen(
            context,
            lessons(),
            on_open=lambda lesson: opened.append(lesson.name),
            back=lambda: opened.append("back"),
        )
    )
    assert isinstance(screen, CourseScreen)
    stage.root.update()
    screen.focus_first()
    rows = [screen.list.item(row, "values") for row in screen.list.get_children()]
    assert len(rows) == 12
    assert (rows[0][2], rows[1][2]) == ("✓ all", "0 of 4")
    keyboard.press("Return")  # the first lesson that is not finished
    pump(lambda: opened == [NAMES[1]])
    keyboard.press("Escape")
    pump(lambda: opened[1:] == ["back"])


def test_an_exercise_is_played_with_mistake_hint_and_reply(
    stage: Stage, mouse: Mouse, windows: Windows, pump: Pump
) -> None:
    screen = open_lesson(stage, "double-dealing", 1)
    game = screen.model.exercise.position.game

    def click(name: str) -> None:
        mouse.click_action(screen.board, game.parse_action(name))

    def status() -> str:
        return str(screen.model.session.status)

    windows.settle()
    assert text_of(screen, "you") == "You are A · 0-0 · 0 of 2 moves"
    click("c6")
    pump(lambda: screen.model.session.progress == (1, 2) and screen.model.can_play)
    click("e6")
    pump(lambda: status() == "wrong")
    pump(lambda: "It cost 4 boxes." in text_of(screen, "message"))
    assert text_of(screen, "message").startswith("Taking all three makes you open the chain of 6")
    assert text_of(screen, "again") == "Take it back"
    click("g6")
    find(screen, name="again", kind=ttk.Button).invoke()
    assert screen.model.can_play
    for _ in range(3):
        find(screen, name="hint", kind=ttk.Button).invoke()
    assert screen.board.find_withtag("hint")
    pump(lambda: screen.model.can_play)
    click("g6")
    pump(lambda: status() == "solved")
    assert CourseFile(stage.context.home.folder).read().solved == {"double-dealing/first"}
    assert text_of(screen, "exercise") == "Exercise 2 of 4 · solved"
    assert text_of(screen, "forward") == "Next exercise"
    find(screen, name="forward", kind=ttk.Button).invoke()
    assert screen.model.index == 2


def test_numbers_steps_terms_and_the_way_out(
    stage: Stage, keyboard: Keyboard, mouse: Mouse, windows: Windows, pump: Pump
) -> None:
    screen = open_lesson(stage, "chains")
    windows.settle()
    keyboard.press("Right")
    pump(lambda: screen.model.session.progress == (1, 5))
    assert text_of(screen, "message").startswith("A must move")
    keyboard.press("Left")
    pump(lambda: screen.model.session.progress == (0, 5))
    term = screen.side.text.tag_ranges("term")
    assert screen.side.text.get(term[0], term[1]) == "chains"
    screen.side.text.see(term[0])
    windows.settle()
    box = screen.side.text.bbox(term[0])
    assert box is not None
    mouse.move(screen.side.text, box[0] + 3, box[1] + 5)
    pump(lambda: text_of(screen, "term").startswith("Chain: A path of boxes"))
    screen._open(1)
    windows.settle()
    keyboard.type("7")
    keyboard.press("Return")
    pump(lambda: text_of(screen, "message") == "7 is too few. Count again.")
    keyboard.press("BackSpace")
    keyboard.type("8")
    keyboard.press("Return")
    pump(lambda: screen.model.solved)
    screen._open(len(screen.model.lesson.exercises) - 1)
    assert text_of(screen, "forward") == "Next lesson"
    find(screen, name="forward", kind=ttk.Button).invoke()
    keyboard.press("Escape")
    pump(lambda: stage.went == [("next",), ("back",)])


def test_without_a_helper_the_lesson_says_so_and_asks_again(stage: Stage, pump: Pump) -> None:
    screen = open_lesson(stage, "shortest")

    async def broken(*_: object) -> PositionValues:
        from doublecross.client.tk.models.helpers import HelperFailed

        raise HelperFailed("The process for analysis has ended.")

    stage.helpers.values = broken  # type: ignore[method-assign]
    screen._open(0)
    pump(lambda: "has ended" in text_of(screen, "message"))
    stage.helpers.values = values  # type: ignore[method-assign]
    find(screen, name="again", kind=ttk.Button).invoke()
    pump(lambda: screen.model.session.wanted is None)
    assert text_of(screen, "message") == ""


def test_the_rules_open_once_beside_the_screen_and_can_be_tried(
    stage: Stage, mouse: Mouse, windows: Windows, pump: Pump
) -> None:
    show_rules(stage.context)
    show_rules(stage.context)
    window = stage.root.nametowidget(NAME)
    assert isinstance(window, RulesWindow)
    windows.settle()
    assert "double-cross" in window.words.get("1.0", "end")
    mouse.click_action(window.board, 0)
    pump(lambda: window.trial.board.moves == (0,))
    assert text_of(window, "message").startswith("A safe edge.")
    stage.restyle(dark=True, palette="classic")
    pump(lambda: window.board.cget("background") == stage.context.colours.window)
    find(window, name="again", kind=ttk.Button).invoke()
    assert window.trial.board.moves == ()
    window.destroy()
    show_rules(stage.context)
    stage.root.nametowidget(NAME).destroy()


def test_the_way_from_the_start_screen_to_a_lesson_and_the_keys_for_the_rules(
    program: Open, pump: Pump
) -> None:
    ann = program()
    ann.at("start")

    def rules() -> bool:
        return any(child.winfo_name() == NAME for child in ann.root.winfo_children())

    ann.keyboard.type("An?n")
    pump(lambda: find(ann.root, name="name", kind=ttk.Entry).get() == "An?n")
    assert not rules()  # a question mark in a field is part of the text
    ann.keyboard.press("F1")
    pump(rules)
    ann.root.nametowidget(NAME).destroy()
    ann.press("Learn")
    ann.at("course")
    ann.press("Open the lesson")
    ann.at("lesson")
    assert text_of(ann.root, "title") == "1. Turns and boxes"
    ann.keyboard.press("question")
    pump(rules)
    ann.root.nametowidget(NAME).destroy()
    ann.root.focus_force()
    ann.press("‹ Lessons")
    ann.at("course")
    ann.press("‹ Back")
    ann.at("start")
    assert find(ann.root, name="name", kind=ttk.Entry).get() == "An?n"
