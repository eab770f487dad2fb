"""Check that the theme sets the colours and fonts of all widgets, and changes them all."""

from __future__ import annotations

import math
import tkinter as tk
from tkinter import font as tkfont
from tkinter import ttk
from typing import TYPE_CHECKING

import pytest

from doublecross.client.tk import theme
from doublecross.client.tk.models.colours import make_colours
from tests.client.tk.harness.driver import Ui

if TYPE_CHECKING:
    from tests.client.tk.harness.driver import Windows

LIGHT, DARK = make_colours("classic", dark=False), make_colours("classic", dark=True)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))


def seen(windows: Windows, widget: tk.Misc, x: int, y: int) -> tuple[int, ...]:
    windows.settle()
    return windows.display.pixel(widget.winfo_rootx() + x, widget.winfo_rooty() + y)


def shows(windows: Windows, widget: tk.Misc, colour: str) -> bool:
    """Return whether a pixel near the middle of a widget has about this colour."""
    windows.settle()
    return any(
        math.dist(seen(windows, widget, x, y), rgb(colour)) < 20
        for x in range(widget.winfo_width())
        for y in range(widget.winfo_height() // 3, 2 * widget.winfo_height() // 3, 2)
    )


@pytest.mark.parametrize("palette", ["classic", "colour-blind", "contrast"])
def test_styles_keep_their_colours_when_the_theme_changes(
    root: tk.Tk, ui: Ui, palette: str
) -> None:
    label = ttk.Label(root, text="MMMM", style="Seat1.TLabel")
    plain = ttk.Label(root, text="MMMM")
    label.pack()
    plain.pack()
    for dark in (False, True, False):
        colours = make_colours(palette, dark=dark)
        theme.apply(root, colours)
        ui.settle()
        assert seen(ui, root, 2, root.winfo_height() - 3) == rgb(colours.ground)
        assert shows(ui, label, colours.strokes[1])
        assert shows(ui, plain, colours.text)
        assert not shows(ui, plain, colours.strokes[1])


def test_each_style_that_is_promised_is_there(root: tk.Tk) -> None:
    style = ttk.Style(root)
    names = [
        line.split("`")[1]
        for line in (theme.__doc__ or "").splitlines()
        if line.startswith("`") and line.count("`") >= 2
    ]
    assert len(names) >= 9
    for name in names:
        assert style.lookup(name, "font").startswith("SunValley"), name
        assert style.lookup(name, "foreground").startswith("#"), name
    for seat in (0, 1):
        assert style.lookup(f"Score{seat}.TLabel", "foreground") == LIGHT.strokes[seat]
    assert style.lookup("Low.Clock.TLabel", "foreground") == LIGHT.bad


def test_plain_widgets_made_later_have_the_colours_too(root: tk.Tk) -> None:
    theme.apply(root, DARK)
    label, text, top = tk.Label(root), tk.Text(root), tk.Toplevel(root)
    assert (label.cget("background"), label.cget("foreground")) == (DARK.ground, DARK.text)
    assert text.cget("insertbackground") == DARK.text
    assert top.cget("background") == DARK.ground
    top.destroy()


def test_a_combobox_that_was_open_before_has_the_new_colours(root: tk.Tk, ui: Ui) -> None:
    box = ttk.Combobox(root, values=["one", "two"], state="readonly")
    box.pack()
    ui.mouse.choose(box, "two")
    listbox = f"{root.tk.call('ttk::combobox::PopdownWindow', box)}.f.l"
    assert root.tk.call(listbox, "cget", "-background") == LIGHT.ground
    theme.apply(root, DARK)
    ui.settle()
    assert root.tk.call(listbox, "cget", "-background") == DARK.ground
    assert root.tk.call(listbox, "cget", "-foreground") == DARK.text
    ui.mouse.choose(box, "one")
    assert box.get() == "one"


def test_the_rows_of_a_table_have_room_for_their_letters(root: tk.Tk) -> None:
    line = tkfont.nametofont("SunValleyBodyFont", root=root).metrics("linespace")
    assert int(ttk.Style(root).lookup("Treeview", "rowheight")) > line
