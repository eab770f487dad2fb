"""The harness of the window's tests: its mouse, keyboard, search for widgets and errors."""

from __future__ import annotations

import logging
import tkinter as tk
from tkinter import ttk

import pytest

from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find


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
