"""The harness of the window's tests: its mouse, keyboard, search for widgets and errors."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import tkinter as tk
from pathlib import Path
from tkinter import ttk

import psutil
import pytest

from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.xvfb import VirtualDisplay

HERE = Path(__file__).parent


@pytest.fixture
def bare(ui: Ui) -> tk.Tk:
    return ui.open("400x300+0+0")


def test_what_is_covered_or_hidden_cannot_be_clicked(bare: tk.Tk, ui: Ui) -> None:
    button = ttk.Button(bare, text="below")
    button.place(x=10, y=10, width=80, height=30)
    cover = tk.Frame(bare, background="grey")
    cover.place(x=0, y=0, width=200, height=100)
    with pytest.raises(AssertionError, match="instead of"):
        ui.mouse.click(button)
    button.place_forget()
    with pytest.raises(AssertionError, match="not shown"):
        ui.mouse.click(button)


def test_waiting_for_what_comes_and_for_what_does_not(ui: Ui, bare: tk.Tk) -> None:
    label = ttk.Label(bare, text="before")
    label.pack()
    bare.after(30, lambda: label.configure(text="after"))
    ui.see("after")
    assert ui.pump(lambda: label.cget("text")) == "after"
    with pytest.raises(AssertionError, match=r"in vain for: the moon.*\nShown: .'after'"):
        ui.pump(lambda: False, 0.01, what="the moon")
    with pytest.raises(AssertionError, match=r"label\.cget"):
        ui.pump(lambda: label.cget("text") == "never", 0.01)
    label.destroy()
    with pytest.raises(AssertionError, match="last: invalid command name"):
        ui.pump(lambda: label.cget("text"), 0.01)


# The fixture fails tests with errors, so these tests remove theirs at the end.


def test_a_callback_that_fails_is_seen(ui: Ui, bare: tk.Tk) -> None:
    ttk.Button(bare, text="Break", command=lambda: 1 // 0).pack()
    ui.mouse.click(find(bare, "Break"))
    assert "ZeroDivisionError" in ui.complaint()
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        ui.pump(lambda: False)
    ui.errors.clear()


def test_errors_of_tcl_and_of_the_log_are_seen(ui: Ui, bare: tk.Tk) -> None:
    bare.tk.call("after", "0", "no_such_command")
    ui.update()
    assert "no_such_command" in ui.complaint()
    ui.errors.clear()
    logging.getLogger("doublecross.client.tk.network.thread").error("A bug.")
    assert ui.errors == ["doublecross.client.tk.network.thread: A bug."]
    ui.errors.clear()


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
