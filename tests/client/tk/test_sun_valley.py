"""Check that widgets look as sv_ttk draws them, and that a theme is loaded when it is used."""

from __future__ import annotations

import tkinter as tk
from tkinter import ttk
from typing import TYPE_CHECKING, Literal

import pytest
import sv_ttk

from doublecross.client.tk import sun_valley, theme
from doublecross.client.tk.models.colours import make_colours
from tests.client.tk.harness.driver import Ui

if TYPE_CHECKING:
    from tests.client.tk.harness.driver import Windows

STATES = ((), ("active",), ("focus",), ("selected",), ("disabled",), ("readonly", "pressed"))


def as_sv_ttk_does(root: tk.Tk, name: Literal["light", "dark"]) -> None:
    sv_ttk.set_theme(name, root)
    for bound in (root.winfo_class(), "Menu"):
        root.tk.call("bind", bound, "<<ThemeChanged>>", "")


def widgets(parent: tk.Misc) -> list[ttk.Widget]:
    """Return one widget for each kind of picture, most of them larger than a repeated picture."""
    wide = 12
    text = "M" * wide
    tree = ttk.Treeview(parent, height=2, columns=("one",))
    tree.heading("#0", text=text)
    tree.column("#0", width=20 * wide)
    tree.insert(tree.insert("", "end", text="1"), "end", text="2")
    return [
        *(
            ttk.Button(parent, text=text, style=style)
            for style in ("TButton", "Accent.TButton", "Toolbutton", "Toggle.TButton")
        ),
        ttk.Menubutton(parent, text=text),
        ttk.Checkbutton(parent, text=text),
        ttk.Checkbutton(parent, text=text, style="Switch.TCheckbutton"),
        ttk.Radiobutton(parent, text=text),
        ttk.Entry(parent, width=3 * wide),
        ttk.Combobox(parent, width=3 * wide),
        ttk.Spinbox(parent, width=3 * wide),
        ttk.Progressbar(parent, value=60, length=20 * wide),
        ttk.Scale(parent, value=0.3, length=20 * wide),
        ttk.Scale(parent, value=0.3, length=10 * wide, orient="vertical"),
        ttk.Scrollbar(parent, orient="horizontal"),
        ttk.Scrollbar(parent),
        ttk.Separator(parent),
        ttk.Frame(parent, style="Card.TFrame", width=25 * wide, height=50),
        ttk.Labelframe(parent, text=text, width=25 * wide, height=50),
        tree,
    ]


def pictures(windows: Windows) -> list[tuple[list[tuple[int, int]], bytes]]:
    """Return the requested sizes of all widgets and their pixels, for each theme and state."""
    root = windows.open("900x600+0+0")
    if sun_valley.use is as_sv_ttk_does:
        sv_ttk.set_theme("light", root)  # so that the fonts are its own
    found = []
    for dark in (False, True):
        theme.apply(root, make_colours("classic", dark=dark))
        frame = ttk.Frame(root)
        frame.place(x=0, y=0, relwidth=1, relheight=1)
        shown = widgets(frame)
        for at, widget in enumerate(shown):
            widget.grid(row=at // 4, column=at % 4, sticky=("", "ew", "nsew", "ns")[at % 4])
        for column in range(4):
            frame.columnconfigure(column, weight=1)
        for state in STATES:
            for widget in shown:
                widget.state(state)
            windows.settle()
            sizes = [(each.winfo_reqwidth(), each.winfo_reqheight()) for each in shown]
            found.append((sizes, windows.display.pixels((0, 0, 900, 600))))
            for widget in shown:
                widget.state([f"!{name}" for name in state])
        frame.destroy()
    root.destroy()
    return found


def test_widgets_look_as_sv_ttk_draws_them(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = pictures(ui)
    monkeypatch.setattr(sun_valley, "use", as_sv_ttk_does)
    assert pictures(ui) == ours
    assert len({pixels for _, pixels in ours}) == 2 * len(STATES)


def test_a_theme_is_loaded_when_it_is_used_and_draws_large_tiles(ui: Ui) -> None:
    root = ui.open()

    def loaded() -> set[str]:
        names = root.tk.splitlist(root.tk.call("ttk::style", "theme", "names"))
        return {name for name in names if name.startswith("sun-valley")}

    theme.apply(root, make_colours("classic", dark=False))
    assert loaded() == {"sun-valley-light"}
    pictures = root.tk.splitlist(root.tk.eval("array get ::doublecross::repeated"))
    # The middle of this one is 2 pixels wide in sv_ttk, and flat buttons are filled with it.
    empty = root.tk.eval("set ::ttk::theme::sv_light::I(empty)")
    larger = dict(zip(pictures[::2], pictures[1::2], strict=True))[f"{empty} 4 1 1"]
    assert root.tk.call("image", "width", larger) >= 168
    assert root.tk.call("image", "height", larger) >= 40
    theme.apply(root, make_colours("classic", dark=True))
    assert loaded() == {"sun-valley-light", "sun-valley-dark"}
