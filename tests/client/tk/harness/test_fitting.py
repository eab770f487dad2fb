"""Check that cut, shortened and overlapping texts are found."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from tkinter import ttk

import pytest

from doublecross.client.tk.models.colours import make_colours
from doublecross.client.tk.widgets.buttons import BarButton
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.fitting import misfits

LONG = "Maximilian-Alexander Featherston"


def _label(root: tk.Tk) -> None:
    ttk.Label(root, text="A text of some length").place(x=0, y=0, width=40)


def _low_label(root: tk.Tk) -> None:
    ttk.Label(root, text="A text").place(x=0, y=0, height=6)


def _wrapped_label(root: tk.Tk) -> None:
    box = tk.Frame(root, width=100, height=20)
    box.place(x=0, y=0)
    ttk.Label(box, text="A text of several lines", wraplength=60).place(x=0, y=0)


def _button(root: tk.Tk) -> None:
    ttk.Button(root, text="A button of some length", width=5).place(x=0, y=0)


def _bar_button(root: tk.Tk) -> None:
    button = BarButton(root, make_colours("classic", dark=False), "A long button", lambda: None)
    button.place(x=0, y=0, width=50)


def _column(root: tk.Tk) -> None:
    tree = ttk.Treeview(root, columns=("one",), show="headings")
    tree.column("one", width=60)
    tree.insert("", "end", values=("A cell of some length",))
    tree.pack()


def _heading(root: tk.Tk) -> None:
    tree = ttk.Treeview(root, columns=("one",), show="headings")
    tree.column("one", width=60)
    tree.heading("one", text="A heading of some length")
    tree.pack()


def _wide_columns(root: tk.Tk) -> None:
    tree = ttk.Treeview(root, columns=("one", "two"), show="headings")
    for column in ("one", "two"):
        tree.column(column, width=200, stretch=False)
    tree.place(x=0, y=0, width=250)


def _canvas(root: tk.Tk) -> None:
    canvas = tk.Canvas(root, width=100, height=50)
    canvas.create_text(90, 20, text="A text", anchor="w")
    canvas.pack()


def _canvas_overlap(root: tk.Tk) -> None:
    canvas = tk.Canvas(root, width=300, height=50)
    for x in (50, 70):
        canvas.create_text(x, 20, text="A text")
    canvas.pack()


def _field(root: tk.Tk) -> None:
    field = ttk.Combobox(root, width=8, values=("A value of some length",))
    field.current(0)
    field.pack()


def _overlap(root: tk.Tk) -> None:
    for x in (0, 20):
        ttk.Label(root, text="A text").grid(row=0, column=0, padx=(x, 0))


def _ellipsis(root: tk.Tk) -> None:
    ttk.Label(root, text="Waiting for Maxi…").pack()


def _ellipsis_in_a_cell(root: tk.Tk) -> None:
    tree = ttk.Treeview(root, columns=("one",), show="headings")
    tree.insert("", "end", values=("Dots and Box…",))
    tree.pack()


@pytest.mark.parametrize(
    "show",
    [
        *(_label, _low_label, _wrapped_label, _button, _bar_button, _column, _heading),
        *(_wide_columns, _canvas, _canvas_overlap, _field, _overlap, _ellipsis),
        _ellipsis_in_a_cell,
    ],
)
def test_cut_texts_are_found(root: tk.Tk, ui: Ui, show: Callable[[tk.Tk], None]) -> None:
    show(root)
    ui.settle()
    assert len(misfits(root, (LONG,))) == 1


def test_whole_texts_and_shortened_names_are_no_misfits(root: tk.Tk, ui: Ui) -> None:
    ttk.Label(root, text="A text").pack()
    ttk.Label(root, text="Maximilian… (you)").pack()
    ttk.Label(root, text=f"{LONG} at play…").pack()
    ttk.Button(root, text="A button").pack()
    canvas = tk.Canvas(root, width=100, height=50)
    canvas.create_text(50, 20, text="A text")
    canvas.pack()
    ui.settle()
    assert misfits(root, (LONG,)) == []
