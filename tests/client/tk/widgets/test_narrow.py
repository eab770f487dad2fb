"""What widgets do where the texts of a language need more space than there is."""

from __future__ import annotations

from doublecross.client.tk.models.rows import Row
from doublecross.client.tk.theme import CAPTION
from doublecross.client.tk.widgets.board.cards import CardButton, Choices
from doublecross.client.tk.widgets.lobby.list import LobbyList
from doublecross.client.tk.widgets.note import Note
from doublecross.client.tk.widgets.strip.bar import Bar
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.staging import Stage

LONG = "Donaudampfschifffahrt"


def test_buttons_that_are_too_long_take_a_row_and_share_one_where_they_fit(
    stage: Stage, ui: Ui
) -> None:
    names = ("one", "two", "three")
    choices = Choices(stage.root, {name: lambda: None for name in names})
    choices.place(x=0, y=0, width=240)
    ui.settle()

    def places() -> list[tuple[int, int]]:
        ui.settle()
        infos = [choices.buttons[name].grid_info() for name in names]
        return [(int(info["row"]), int(info["columnspan"])) for info in infos]

    choices.show([CardButton("one", "A"), CardButton("two", "B"), CardButton("three", "C")])
    assert places() == [(0, 1), (0, 1), (1, 2)]
    choices.show([CardButton("one", LONG), CardButton("two", "B"), CardButton("three", "C")])
    assert places() == [(0, 2), (1, 1), (1, 1)]
    choices.place(width=600)
    assert places() == [(0, 1), (0, 1), (1, 2)]
    choices.place(width=240)
    assert places() == [(0, 2), (1, 1), (1, 1)]


def test_a_list_shortens_a_column_with_short_texts_before_it_cuts_others(
    stage: Stage, ui: Ui
) -> None:
    rows = LobbyList(
        stage.root,
        name="rows",
        columns=(("Who", "Maximilian"), ("Game", f"{LONG} 10x10"), ("When", "23 nov. 2026")),
        empty="",
        on_open=lambda _: None,
        on_choose=lambda _: None,
        narrow={"Game": "10x10"},
    )
    rows.show([Row("a", ("Maximilian", f"{LONG} 5x5", "23 nov. 2026"), {1: "5x5"})])
    rows.place(x=0, y=0, height=200)

    def cells(width: int) -> list[str]:
        rows.place(width=width)
        ui.settle()
        return [str(cell) for cell in rows.tree.item("a", "values")]

    assert cells(600) == ["Maximilian", f"{LONG} 5x5", "23 nov. 2026"]
    assert cells(280) == ["Maximilian", "5x5", "23 nov. 2026"]
    assert cells(600)[1] == f"{LONG} 5x5"


def test_a_note_is_two_lines_high_unless_a_message_needs_more(stage: Stage, ui: Ui) -> None:
    usual = Note(stage.root, instead=(title := Choices(stage.root, {})))
    for each in (title, usual):
        each.grid(row=0, column=0, sticky="ew")

    def height(sentence: str) -> int:
        usual.show(sentence)
        ui.settle()
        return usual.winfo_height()

    stage.root.geometry("300x200")
    ui.pump(lambda: stage.root.winfo_width() == 300)
    least = height("Short.")
    assert height("Two lines of this text, which are usual.") == least
    assert height("word " * 24) > least
    assert height("Short.") == least


def test_two_buttons_of_a_bar_leave_space_for_its_message(stage: Stage, ui: Ui) -> None:
    bar = Bar(stage.root, stage.context, "bar", lambda: None)
    first = bar.add_button("first", LONG, lambda: None)
    second = bar.add_button("second", LONG, lambda: None)
    bar.say(f"{LONG} is waiting for an answer")
    bar.place(x=0, y=0, height=50)

    def rows(width: int) -> list[int]:
        bar.place(width=width)
        ui.settle()
        return [int(button.grid_info()["row"]) for button in (first, second)]

    assert rows(800) == [0, 0]
    assert rows(400) == [0, 1]
    assert str(first.cget("font")) == CAPTION
    for button in (first, second):
        assert button.winfo_y() + button.winfo_height() <= 50
    assert rows(800) == [0, 0]
    assert str(first.cget("font")) != CAPTION
