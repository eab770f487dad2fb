"""Open game files: every problem has a message, and reading never blocks the window."""

from __future__ import annotations

import os
import threading
import tkinter as tk
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tkinter import ttk

import pytest

from doublecross.client.tk import files
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.files import MAX_BYTES, PART, read_records, write_record
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.forms import records
from doublecross.client.tk.screens.forms.game_list import MOST, GameList
from doublecross.client.tk.screens.forms.records import RecordsDialog, choose_record
from doublecross.games.record import Record, format_record, format_records
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.staging import Stage
from tests.games.test_record import finished

NAMES = ("Ann", "Bob", "Carl", "Dora")


def many(count: int) -> list[Record]:
    """Return records with different players, dates and results."""
    return [
        replace(
            finished(),
            players=(NAMES[number % 4], NAMES[(number + 1 + number // 4 % 3) % 4]),
            date=f"2026-11-{number % 28 + 1:02}T12:00:00Z",
            result=("1-0", "0-1", "*")[number % 3],
        )
        for number in range(count)
    ]


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def write(content: str | bytes, name: str = "games.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def refused(path: Path) -> str:
    with pytest.raises(Refusal) as caught:
        read_records(path)
    return caught.value.sentence


# -- reading -----------------------------------------------------------------------------------


def test_all_games_of_a_file_are_read(write: Callable[..., Path]) -> None:
    games = many(2 * PART + 7)
    file = read_records(write(format_records(games)))
    assert file.records == tuple(games)
    assert [row.number for row in file.rows] == list(range(1, len(games) + 1))
    assert file.name == "games.txt"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_parts_are_parts_however_the_file_is_laid_out(
    write: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    monkeypatch.setattr(files, "PART", 2)
    games = many(7)
    text = format_records(games).replace("]\n", "]\n\n \n").replace("*\n", "\n  *\n\n\n")
    assert read_records(write(text.replace("\n", end))).records == tuple(games)


def test_a_fault_is_reported_with_its_line_in_the_file(write: Callable[..., Path]) -> None:
    games = many(PART + 50)
    lines = format_records(games).split("\n")
    fault = max(n for n, line in enumerate(lines) if line.startswith("1. "))
    lines[fault] = lines[fault].replace("a2", "c2", 1)
    file = read_records(write("\n".join(lines)))
    assert file.records == tuple(games[:-1])
    assert file.fault == (
        f"1 game cannot be read. Line {fault + 1}: At ply 1: Edge c2 is drawn already."
    )


ONE = format_record(finished(result="1-0"))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "games.txt is empty; choose a file with games."),
        (b" \n\t\r\n", "games.txt is empty; choose a file with games."),
        (b"\xef\xbb\xbf\n", "games.txt has no games in it."),
        (bytes(range(256)), "games.txt is not a game file: it is not UTF-8 text."),
        (ONE.encode("utf-16"), "games.txt is not a game file: it is not UTF-8 text."),
        (ONE.replace("Ann", "\0").encode(), "not a game file: it is not UTF-8 text."),
        (ONE.replace("Ann", "Böb").encode("latin-1"), "it is not UTF-8 text."),
        (b"hello", "not a game file. Line 1: The header Game is missing."),
        (ONE.replace("dots-and-boxes", "chess").encode(), "There is no game 'chess'; choose one"),
        (ONE.replace("2x2", "99x99").encode(), "must be from 1 to 10, not 99."),
        (ONE.replace("a2", "c2").encode(), "At ply 1: Edge c2 is drawn already."),
        (ONE.replace(" 1-0\n", "\n").encode(), "The record that begins here has no end."),
        (ONE.encode()[:60], "not a game file. Line "),
        (ONE.replace("a2", "q" * 10**6).encode(), "not a game file. Line 7: At ply 1: 'qqq"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    write: Callable[..., Path], content: bytes, says: str
) -> None:
    sentence = refused(write(content))
    assert says in sentence
    assert sentence.endswith((".", "…"))
    assert sentence.isprintable()
    assert len(sentence) < 300


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert refused(path) == "large.txt is larger than 16 MB, which is too large for a game file."


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    assert refused(tmp_path / "gone.txt") == "There is no file gone.txt."
    folder = tmp_path / "games"
    folder.mkdir()
    assert refused(folder) == "games is a folder; choose a game file in it."
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe") == "pipe is not a regular file; choose a game file."
    assert refused(Path("/dev/zero")) == "zero is not a regular file; choose a game file."
    assert refused(tmp_path / "a\0b").startswith("a\ufffdb cannot be read: ")
    (tmp_path / "plain").write_text("x")
    assert refused(tmp_path / "plain" / "x").startswith("x cannot be read: ")


def test_a_file_that_gives_an_error_says_which() -> None:
    # Its reported size is 0, and reading address 0 of a process fails even for root.
    assert refused(Path("/proc/self/mem")) == "mem cannot be read: Input/output error."


def test_nobody_waits_for_what_was_stopped(write: Callable[..., Path]) -> None:
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    path = write(format_records(many(5 * PART)))
    with pytest.raises(Refusal, match="not read to its end"):
        read_records(path, stopped)
    assert asked == 3


# -- writing -----------------------------------------------------------------------------------


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    record = finished(players=("Ännö", "Bob\n\u202e"))
    write_record(tmp_path / "one.txt", format_record(record))
    assert read_records(tmp_path / "one.txt").records == (record,)


def test_a_write_error_is_reported(tmp_path: Path) -> None:
    for path, why in (
        (tmp_path, "Is a directory"),
        (tmp_path / "no" / "such.txt", "No such file or directory"),
    ):
        with pytest.raises(Refusal) as caught:
            write_record(path, "x")
        assert caught.value.sentence == f"{path.name} cannot be written: {why}."


# -- the window --------------------------------------------------------------------------------


class Before(Screen):
    """A screen with some typed text, from which a record is opened."""

    name = "before"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.entry = ttk.Entry(self, name="typed")
        self.entry.insert(0, "half a wo")
        self.entry.pack()
        self.entry.focus_set()


class Opened(Stage):
    """Records the callback `back` of each review, and shows a new screen after it."""

    back: Callable[[], None]

    def to_review(self, record: Record, *, title: str, back: Callable[[], None]) -> None:
        super().to_review(record, title=title, back=back)
        self.back = back
        self.show(Screen)

    def open(self, path: Path | None) -> None:
        choose_record(self.context, path, back=lambda: self.show(Before))

    def dialogs(self) -> list[RecordsDialog]:
        return find_all(self.root, kind=RecordsDialog, hidden=True)


@pytest.fixture
def stage(ui: Ui, tmp_path: Path) -> Iterator[Opened]:
    stage = Opened(ui.open(), tmp_path / "home")
    stage.show(Before)
    stage.root.update()
    yield stage
    stage.close()


def button(stage: Stage, name: str) -> ttk.Button:
    return find(stage.root, name=name, kind=ttk.Button)


def tree(stage: Stage) -> ttk.Treeview:
    return find(find(stage.root, name="games"), name="rows", kind=ttk.Treeview)


def listed(stage: Stage) -> list[str]:
    return list(tree(stage).get_children())


def test_a_file_of_one_game_is_shown_at_once(
    stage: Opened, write: Callable[..., Path], ui: Ui
) -> None:
    stage.open(write(ONE))
    ui.pump(lambda: stage.went)
    assert stage.went == [("review", finished(result="1-0"), "games.txt")]
    assert stage.dialogs() == []
    stage.back()
    assert isinstance(stage.screen, Before)
    assert stage.dialogs() == []


def timers(root: tk.Tk) -> list[str]:
    """Return the scripts of Tk's pending timers."""
    tcl, split = root.tk.call, root.tk.splitlist
    return [str(split(tcl("after", "info", i))[0]) for i in split(tcl("after", "info"))]


def test_what_was_to_come_up_in_a_while_is_forgotten_with_its_window(
    stage: Opened, write: Callable[..., Path], ui: Ui
) -> None:
    stage.open(write(ONE))
    assert [script for script in timers(stage.root) if script.endswith("show")]
    ui.pump(lambda: stage.went)
    assert not [script for script in timers(stage.root) if script.endswith("show")]


def test_a_bad_file_is_reported_and_another_can_be_chosen(
    stage: Opened, write: Callable[..., Path], ui: Ui, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = stage.screen
    stage.open(write("[nonsense\n"))
    ui.pump(lambda: button(stage, "close"))
    assert find(stage.root, name="error", kind=ttk.Label).cget("text") == (
        'games.txt is not a game file. Line 1: A header looks like [Name "value"].'
    )
    asked: list[tk.Misc] = []

    def cancelled(*, parent: tk.Misc, **_: object) -> str:
        asked.append(parent)
        return ""

    monkeypatch.setattr(records.filedialog, "askopenfilename", cancelled)
    ui.mouse.click(button(stage, "other"))
    assert len(asked) == 1
    assert button(stage, "close").winfo_viewable()  # after cancelling, the dialog stays open
    good = write(ONE, "good.txt")
    monkeypatch.setattr(records.filedialog, "askopenfilename", lambda **_: str(good))
    assert stage.screen is before
    assert find(stage.root, name="typed", kind=ttk.Entry).get() == "half a wo"
    ui.mouse.click(button(stage, "other"))
    ui.pump(lambda: stage.went)
    assert stage.went[0][2] == "good.txt"


@pytest.mark.parametrize("key", ["Escape", "Return"])
def test_a_complaint_goes_away_with_a_key(
    stage: Opened, write: Callable[..., Path], ui: Ui, key: str
) -> None:
    stage.open(write(""))
    ui.pump(lambda: button(stage, "close"))
    ui.pump(lambda: stage.root.focus_get() is button(stage, "close"))
    ui.keyboard.press(key)
    assert stage.dialogs() == []
    assert stage.went == []
    entry = find(stage.root, name="typed", kind=ttk.Entry)
    ui.pump(lambda: stage.root.focus_get() is entry)
    ui.keyboard.type("rd")
    assert entry.get() == "half a word"


def test_the_systems_dialog_is_cancelled_or_names_a_file(
    stage: Opened, write: Callable[..., Path], ui: Ui, monkeypatch: pytest.MonkeyPatch
) -> None:
    for answer in ("", ()):
        monkeypatch.setattr(records.filedialog, "askopenfilename", lambda a=answer, **_: a)
        stage.open(None)
        assert stage.dialogs() == []
    path = write(ONE)
    monkeypatch.setattr(records.filedialog, "askopenfilename", lambda **_: str(path))
    stage.open(None)
    ui.pump(lambda: stage.went)


def test_while_a_file_is_read_the_window_lives_and_can_be_told_to_stop(
    stage: Opened, ui: Ui, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, told = threading.Event(), threading.Event()

    def slow(path: Path, stopped: Callable[[], bool]) -> files.RecordFile:
        begun.set()
        while not stopped():
            told.wait(0.01)
        told.set()
        raise Refusal("too late to be seen")

    monkeypatch.setattr(records, "read_records", slow)
    stage.open(Path("slow.txt"))
    ui.pump(lambda: find(stage.root, "Reading slow.txt ..."))
    assert begun.is_set()
    ui.mouse.click(button(stage, "cancel"))
    assert stage.dialogs() == []
    ui.pump(told.is_set)
    stage.root.update()
    assert not any("too late" in text for text in shown_texts(stage.root))


def test_reading_ends_with_the_screen_that_it_was_for(
    stage: Opened, ui: Ui, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = threading.Event()

    def slow(path: Path, stopped: Callable[[], bool]) -> files.RecordFile:
        while not stopped():
            told.wait(0.01)
        told.set()
        return files.RecordFile("slow.txt", (finished(),), ())

    monkeypatch.setattr(records, "read_records", slow)
    stage.open(Path("slow.txt"))
    ui.pump(lambda: find(stage.root, "Reading slow.txt ..."))
    stage.show(Before)
    ui.pump(told.is_set)
    stage.root.update()
    assert stage.dialogs() == []
    assert stage.went == []


def test_a_second_file_takes_the_place_of_the_first(
    stage: Opened, write: Callable[..., Path], ui: Ui
) -> None:
    stage.open(write("", "first.txt"))
    ui.pump(lambda: button(stage, "close"))
    stage.open(write("", "second.txt"))
    ui.pump(lambda: find(stage.root, "second.txt is empty; choose a file with games."))
    assert len(stage.dialogs()) == 1


# -- the list ----------------------------------------------------------------------------------


def test_of_many_games_one_is_chosen_with_the_keys(
    stage: Opened, write: Callable[..., Path], ui: Ui
) -> None:
    games = many(40)
    stage.open(write(f"{format_records(games)}\n{ONE.replace('a2', 'c2')}"))
    ui.pump(lambda: len(listed(stage)) == 40)
    assert "40 games" in shown_texts(stage.root)
    assert any(text.startswith("1 game cannot be read. Line ") for text in shown_texts(stage.root))
    ui.pump(lambda: stage.root.focus_get() is find(stage.root, name="filter"))
    ui.keyboard.type("dora 1-0")
    wanted = [
        str(number)
        for number, game in enumerate(games, 1)
        if "Dora" in game.players and game.result == "1-0"
    ]
    assert 2 < len(wanted) < 40
    assert listed(stage) == wanted
    assert f"{len(wanted)} of 40 games" in shown_texts(stage.root)
    ui.keyboard.press("Down", "Down", "Down", "Return")
    assert stage.went == [
        ("review", games[int(wanted[2]) - 1], f"Game {wanted[2]} of 40 · games.txt")
    ]
    assert stage.dialogs() == []


def test_back_leads_to_the_list_and_the_same_game(
    stage: Opened, write: Callable[..., Path], ui: Ui
) -> None:
    stage.open(write(format_records(many(30))))
    ui.pump(lambda: len(listed(stage)) == 30)
    ui.mouse.click_row(tree(stage), "17", "Players", twice=True)
    ui.pump(lambda: stage.went)
    assert stage.went[-1][2] == "Game 17 of 30 · games.txt"
    stage.back()
    assert isinstance(stage.screen, Before)
    ui.pump(lambda: tree(stage).selection() == ("17",))
    ui.pump(lambda: tree(stage).bbox("17"), what="game 17 is in sight")
    ui.mouse.click_row(tree(stage), "3", "Date")
    ui.mouse.click(button(stage, "open"))
    assert stage.went[-1][2] == "Game 3 of 30 · games.txt"


def test_enter_opens_the_first_match_and_nothing_where_none_is(
    stage: Opened, write: Callable[..., Path], ui: Ui
) -> None:
    stage.open(write(format_records(many(30))))
    ui.pump(lambda: stage.root.focus_get() is find(stage.root, name="filter"))
    ui.keyboard.type("zz")
    assert listed(stage) == []
    assert "No game has all of these words." in shown_texts(stage.root)
    ui.keyboard.press("Return")
    stage.root.update()
    assert stage.went == []
    ui.keyboard.press("BackSpace", "BackSpace")
    assert len(listed(stage)) == 30
    ui.keyboard.type("-02")
    ui.keyboard.press("Return")
    assert stage.went[-1][2] == "Game 2 of 30 · games.txt"


def test_of_thousands_of_games_those_around_the_chosen_one_are_listed(stage: Opened) -> None:
    (row,) = files.game_rows([finished()])
    rows = tuple(replace(row, number=number) for number in range(1, 4001))
    assert stage.screen is not None
    for chosen, first in ((1, 1), (3000, 2750), (4000, 3501)):
        games = GameList(stage.screen, rows, chosen, on_open=lambda _: None)
        assert games.tree.get_children() == tuple(map(str, range(first, first + MOST)))
        assert games.tree.selection() == (str(chosen),)
        games.destroy()
