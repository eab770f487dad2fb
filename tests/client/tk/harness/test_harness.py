"""The harness of the window's tests: its mouse, keyboard, search for widgets and errors."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import tkinter as tk
import zlib
from collections.abc import Callable
from pathlib import Path
from tkinter import filedialog, ttk
from typing import Any

import psutil
import pytest

from tests.client.tk.harness.driver import Keyboard, Mouse, Windows
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.harness.xvfb import VirtualDisplay, png

Pump = Callable[..., Any]
HERE = Path(__file__).parent


@pytest.fixture
def bare(windows: Windows) -> tk.Tk:
    return windows.open("400x300+0+0")


def test_a_click_presses_a_button(bare: tk.Tk, mouse: Mouse) -> None:
    pressed: list[str] = []
    for name in ("left", "right"):
        button = ttk.Button(bare, text=name, command=lambda name=name: pressed.append(name))  # type: ignore[misc]
        button.pack(side="left")
    mouse.click(find(bare, "right"))
    mouse.click(find(bare, "left"))
    assert pressed == ["right", "left"]


def test_a_click_arrives_where_it_is_aimed(bare: tk.Tk, mouse: Mouse) -> None:
    canvas = tk.Canvas(bare, width=300, height=200)
    canvas.pack()
    item = canvas.create_rectangle(100, 40, 120, 80)
    seen: list[tuple[str, int, int]] = []
    canvas.bind("<Motion>", lambda event: seen.append(("move", event.x, event.y)))
    canvas.bind("<ButtonPress-1>", lambda event: seen.append(("press", event.x, event.y)))
    canvas.bind("<Double-Button-1>", lambda event: seen.append(("double", event.x, event.y)))
    canvas.bind("<ButtonPress-3>", lambda event: seen.append(("other", event.x, event.y)))
    mouse.click(canvas, 7, 9)
    assert seen == [("move", 7, 9), ("press", 7, 9)]
    seen.clear()
    mouse.click_item(canvas, item)
    assert seen == [("move", 110, 60), ("press", 110, 60)]
    seen.clear()
    mouse.click(canvas, 50, 50, button=3)
    assert seen == [("move", 50, 50), ("other", 50, 50)]
    seen.clear()
    mouse.double_click(canvas, 200, 100)
    assert [what for what, _, _ in seen] == ["move", "press", "double"]


def test_what_is_covered_or_hidden_cannot_be_clicked(bare: tk.Tk, mouse: Mouse) -> None:
    button = ttk.Button(bare, text="below")
    button.place(x=10, y=10, width=80, height=30)
    cover = tk.Frame(bare, background="grey")
    cover.place(x=0, y=0, width=200, height=100)
    with pytest.raises(AssertionError, match="instead of"):
        mouse.click(button)
    button.place_forget()
    with pytest.raises(AssertionError, match="not shown"):
        mouse.click(button)


def test_the_wheel_turns(bare: tk.Tk, mouse: Mouse) -> None:
    box: Any = tk.Listbox(bare, height=5)
    box.insert("end", *range(100))
    box.pack()
    mouse.wheel(box, -3)
    top = box.nearest(0)
    assert top > 0
    mouse.wheel(box, 1)
    assert box.nearest(0) < top


@pytest.mark.parametrize("text", ["Ann", "a B_c-1:/.?!@#{}~|", "José Müller Łódź Ωμέγα Ёж 名前"])
def test_typing_arrives_in_an_entry(bare: tk.Tk, keyboard: Keyboard, text: str) -> None:
    entry = ttk.Entry(bare)
    entry.pack()
    entry.focus_set()
    keyboard.type(text)
    assert entry.get() == text


def test_keys_arrive_by_their_names(bare: tk.Tk, keyboard: Keyboard) -> None:
    first, second = ttk.Entry(bare), ttk.Entry(bare)
    first.pack()
    second.pack()
    first.focus_set()
    keyboard.type("abc")
    keyboard.press("Tab")
    assert bare.focus_get() is second
    keyboard.press("shift+Tab")
    assert bare.focus_get() is first
    keyboard.press("Home", "Delete", "End", "BackSpace")
    assert first.get() == "b"
    seen: list[str] = []
    bare.bind("<Key>", lambda event: seen.append(event.keysym))
    names = ["Up", "Down", "Left", "Right", "Return", "Escape", "F11", "space"]
    second.focus_set()
    keyboard.press(*names, "+")
    assert seen == [*names, "Shift_L", "plus"]
    bare.bind("<Control-a>", lambda event: seen.append("all"))
    keyboard.press("ctrl+a")
    assert seen[-1] == "all"


def test_values_are_chosen_from_lists(bare: tk.Tk, mouse: Mouse, keyboard: Keyboard) -> None:
    box = ttk.Combobox(bare, values=[f"value {n}" for n in range(40)], state="readonly")
    box.pack()
    chosen: list[str] = []
    box.bind("<<ComboboxSelected>>", lambda _: chosen.append(box.get()))
    mouse.choose(box, "value 3")
    mouse.choose(box, "value 37")
    assert chosen == ["value 3", "value 37"]
    box.focus_set()
    keyboard.press("Down", "Up", "Return")
    assert chosen[-1] == "value 36"
    with pytest.raises(AssertionError, match="none of"):
        mouse.choose(box, "value 99")
    keyboard.press("Escape")


def test_entries_are_chosen_from_menus(bare: tk.Tk, mouse: Mouse, keyboard: Keyboard) -> None:
    button = ttk.Menubutton(bare, text="More")
    menu = tk.Menu(button, tearoff=False)
    chosen: list[str] = []
    for label in ("One", "Two", "Three"):
        menu.add_command(label=label, command=lambda label=label: chosen.append(label))  # type: ignore[misc]
    button.configure(menu=menu)
    button.pack()
    mouse.pick(button, "Two")
    assert chosen == ["Two"]
    button.focus_set()
    keyboard.press("space", "Up", "Return")
    assert chosen == ["Two", "One"]


def test_rows_are_clicked(bare: tk.Tk, mouse: Mouse) -> None:
    tree = ttk.Treeview(bare, columns=("a", "b"), show="headings", height=4)
    tree.pack()
    rows = [tree.insert("", "end", values=(f"a{n}", f"b{n}")) for n in range(20)]
    doubled: list[object] = []
    tree.bind("<Double-Button-1>", lambda _: doubled.append(tree.selection()))
    mouse.click_row(tree, rows[2])
    assert tree.selection() == (rows[2],)
    mouse.click_row(tree, rows[17], "b", twice=True)
    assert doubled == [(rows[17],)]
    assert "a17 | b17" in shown_texts(bare)[0]


def test_a_dialog_is_answered_from_inside(
    windows: Windows, bare: tk.Tk, mouse: Mouse, keyboard: Keyboard, tmp_path: Path
) -> None:
    (tmp_path / "game.txt").write_text("")
    found: list[str] = []
    button = ttk.Button(
        bare,
        text="Open",
        command=lambda: found.append(filedialog.askopenfilename(parent=bare, initialdir=tmp_path)),
    )
    button.pack()
    dialog = ".__tk_filedialog"

    def ready() -> bool:
        return bool(bare.tk.call("winfo", "exists", dialog)) and str(
            bare.tk.call("focus")
        ).startswith(dialog)

    def answer() -> None:
        keyboard.type("game.txt")
        keyboard.press("Return")

    windows.meanwhile(bare, ready, answer)
    mouse.click(button)
    assert found == [str(tmp_path / "game.txt")]


def test_widgets_are_found_by_what_they_say(bare: tk.Tk) -> None:
    frame = ttk.Frame(bare)
    frame.pack()
    ttk.Label(frame, text="Score").pack()
    ttk.Label(frame, text="Score").pack()
    entry = ttk.Entry(frame, name="who")
    entry.insert(0, "Ann")
    entry.pack()
    variable = tk.StringVar(bare, "told")
    ttk.Label(frame, textvariable=variable).pack()
    canvas = tk.Canvas(frame)
    canvas.create_text(10, 10, text="drawn")
    canvas.create_text(10, 10, text="not drawn", state="hidden")
    canvas.pack()
    unseen = ttk.Label(frame, text="unseen")
    bare.update()
    assert shown_texts(bare) == ["Score", "Score", "Ann", "told", "drawn"]
    assert find(bare, name="who") is entry
    assert find(bare, kind=ttk.Entry) is entry
    assert len(find_all(bare, "Score")) == 2
    assert find(bare, "unseen", hidden=True) is unseen
    with pytest.raises(LookupError, match="2 of widget 'Score'"):
        find(bare, "Score")
    with pytest.raises(LookupError, match=r"0 of Label 'unseen' .*'drawn'"):
        find(bare, "unseen", kind=ttk.Label)


def test_waiting_for_what_comes_and_for_what_does_not(
    windows: Windows, bare: tk.Tk, pump: Pump
) -> None:
    label = ttk.Label(bare, text="before")
    label.pack()
    bare.after(30, lambda: label.configure(text="after"))
    windows.see("after")
    assert pump(lambda: label.cget("text")) == "after"
    with pytest.raises(AssertionError, match=r"in vain for: the moon.*\nShown: .'after'"):
        pump(lambda: False, 0.01, what="the moon")
    with pytest.raises(AssertionError, match=r"label\.cget"):
        pump(lambda: label.cget("text") == "never", 0.01)
    label.destroy()
    with pytest.raises(AssertionError, match="last: invalid command name"):
        pump(lambda: label.cget("text"), 0.01)


# The fixture fails tests with errors, so these tests remove theirs at the end.


def test_a_callback_that_fails_is_seen(
    windows: Windows, bare: tk.Tk, mouse: Mouse, pump: Pump
) -> None:
    ttk.Button(bare, text="Break", command=lambda: 1 // 0).pack()
    mouse.click(find(bare, "Break"))
    assert "ZeroDivisionError" in windows.complaint()
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        pump(lambda: False)
    windows.errors.clear()


def test_errors_of_tcl_and_of_the_log_are_seen(windows: Windows, bare: tk.Tk) -> None:
    bare.tk.call("after", "0", "no_such_command")
    windows.update()
    assert "no_such_command" in windows.complaint()
    windows.errors.clear()
    logging.getLogger("doublecross.client.tk.network.thread").error("A bug.")
    assert windows.errors == ["doublecross.client.tk.network.thread: A bug."]
    windows.errors.clear()


FAILING = """
import tkinter as tk

def test_fails(root):
    root.after(0, lambda: 1 // 0)

def test_passes(root):
    root.after(0, lambda: None)
"""


def run_tests(folder: Path, source: str, **env: str) -> str:
    """Return pytest's output for tests that use the fixtures of this folder."""
    (folder / "conftest.py").write_text((HERE.parent / "conftest.py").read_text())
    (folder / "__init__.py").touch()
    (folder / "test_it.py").write_text(source)
    done = subprocess.run(
        [
            *(
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-rs",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:xdist",
            ),
            *("--rootdir", str(folder), "-c", os.devnull, str(folder)),
        ],
        cwd=HERE.parents[3],
        env={**os.environ, "PYTHONPATH": str(HERE.parents[3]), **env},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_failing_callback_fails_its_test(display: VirtualDisplay, tmp_path: Path) -> None:
    said = run_tests(tmp_path, FAILING)
    assert "ZeroDivisionError" in said
    assert "ERROR at teardown of test_fails" in said
    assert "2 passed, 1 error" in said  # the error is raised at teardown, after the test passed


@pytest.mark.parametrize("need", ["", "1"])
def test_without_a_screen_they_are_skipped_or_fail(tmp_path: Path, need: str) -> None:
    nowhere = tmp_path / "bin"
    nowhere.mkdir()
    said = run_tests(tmp_path, FAILING, PATH=str(nowhere), DOUBLECROSS_NEED_DISPLAY=need)
    assert "apt-get install xvfb" in said
    assert ("2 errors" if need else "2 skipped") in said


@pytest.mark.parametrize("need", ["", "1"])
def test_without_tkinter_they_are_skipped_or_fail(tmp_path: Path, need: str) -> None:
    fake = tmp_path / "path" / "tkinter"
    fake.mkdir(parents=True)
    (fake / "__init__.py").write_text("raise ModuleNotFoundError('No _tkinter', name='_tkinter')")
    root = HERE.parents[3]
    path = f"{fake.parent}{os.pathsep}{root}"
    said = run_tests(tmp_path, FAILING, PYTHONPATH=path, DOUBLECROSS_NEED_DISPLAY=need)
    assert ("1 error" if need else "1 skipped") in said
    assert need or "apt-get install python3-tk" in said


def test_a_picture_of_the_window(
    bare: tk.Tk, shoot: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tk.Frame(bare, background="#123456", width=50, height=40).place(x=0, y=0)
    monkeypatch.setenv("DOUBLECROSS_SHOTS", str(tmp_path / "shots"))
    path = shoot("a picture")
    assert path == tmp_path / "shots" / "a-picture.png"
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert data[16:24] == (400).to_bytes(4, "big") + (300).to_bytes(4, "big")
    start = data.index(b"IDAT") + 4
    length = int.from_bytes(data[start - 8 : start - 4], "big")
    pixels = zlib.decompress(data[start : start + length])
    assert len(pixels) == 300 * (1 + 3 * 400)
    assert pixels[:4] == b"\x00\x12\x34\x56"
    assert pixels[1 + 3 * 60 : 4 + 3 * 60] != b"\x12\x34\x56"


def test_the_file_of_a_picture() -> None:
    data = png(2, 1, bytes((1, 2, 3, 0, 4, 5, 6, 0)))  # blue, green, red
    start = data.index(b"IDAT") + 4
    assert zlib.decompress(data[start:-16]) == bytes((0, 3, 2, 1, 6, 5, 4))


def test_the_screen_goes_with_its_process() -> None:
    script = (
        "import sys, os\n"
        "from tests.client.tk.harness.xvfb import VirtualDisplay\n"
        "display = VirtualDisplay()\n"
        "print(display._process.pid, flush=True)\n"
        "os._exit(1)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=HERE.parents[3],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    pid = int(done.stdout)
    with contextlib.suppress(psutil.NoSuchProcess):
        psutil.Process(pid).wait(10)


@pytest.mark.timeout(180)
def test_a_server_that_is_killed_and_comes_back(serve: Callable[..., RealServer]) -> None:
    server = serve("easy")
    assert server.names == ["easy"]
    assert server.runs
    url = server.url
    server.kill()
    assert not server.runs
    server.start()
    assert (server.url, server.names) == (url, ["easy"])
    server.stop()
    assert not server.runs
