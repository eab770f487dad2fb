"""Measure the texts of all screens, dialogs and bars in narrow and wide windows."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator
from typing import Final

import pytest

from doublecross.client.tk import theme
from doublecross.client.tk.app import least_size
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.colours import PALETTES, make_colours
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.fitting import misfits
from tests.client.tk.harness.lobbying import CHOICES
from tests.client.tk.harness.scenes import CONTEST, LONG, SCENES
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import ScriptedNetwork

SIZES: Final = {1.0: ((0, 0), (680, 720), (1024, 720)), 1.5: ((0, 720),)}
"""The sizes of windows, by the scale of the fonts; 0 is the least one. One palette is enough to
measure: the test at the end of this file shows that fonts and paddings are the same in all."""


def scaled(context: Context, scale: float) -> None:
    """Give the window fonts that are `scale` times as large as usual."""
    context.root.tk.call("tk", "scaling", scale * 96 / 72)
    theme.apply(context.root, context.colours)


@pytest.fixture
def scripted(stage: Stage) -> Iterator[Stage]:
    """Return a stage without a server; give later windows fonts of the usual size again."""
    real = stage.context.network
    # All windows of a process on one screen share its scaling.
    usual = stage.root.tk.call("tk", "scaling")
    stage.context.network = ScriptedNetwork()  # type: ignore[assignment]
    stage.helpers.choices = CHOICES
    yield stage
    clear(stage)
    stage.context.network = real
    stage.root.tk.call("tk", "scaling", usual)


def clear(stage: Stage) -> None:
    """Remove the screen, with its dialogs, and the strip, and forget what the server said."""
    if stage.screen is not None:
        stage.screen.leave()
        stage.screen = None
    for child in stage.root.winfo_children():
        child.destroy()
    stage.context.latest.clear()


@pytest.mark.timeout(180)
@pytest.mark.parametrize("scale", SIZES)
@pytest.mark.parametrize("group", SCENES)
def test_no_text_is_cut(scripted: Stage, ui: Ui, group: str, scale: float) -> None:
    scaled(scripted.context, scale)
    root = scripted.root
    least = least_size(root)
    problems = []
    for name, show in SCENES[group].items():
        clear(scripted)
        for number, size in enumerate(SIZES[scale]):
            width, height = map(max, size, least)
            root.geometry(f"{width}x{height}+0+0")
            ui.pump(
                lambda wanted=(width, height): (root.winfo_width(), root.winfo_height()) == wanted
            )
            ui.settle()
            if not number:
                show(scripted)
                ui.settle()
            problems += [
                f"{name}, {width}x{height}: {line}"
                for line in misfits(root, (LONG, CONTEST, f"1,201. {LONG}"))
            ]
    assert not problems, "\n".join(problems)


def test_fonts_and_paddings_are_the_same_in_all_palettes(root: tk.Tk) -> None:
    from tkinter import font as tkfont
    from tkinter import ttk

    def measures() -> list[object]:
        style = ttk.Style(root)
        fonts = [tkfont.nametofont(name, root=root).actual() for name in tkfont.names(root)]
        layouts = [
            (style.lookup(name, "padding"), style.lookup(name, "font"), style.layout(name))
            for name in ("TButton", "Accent.TButton", "TLabel", "Treeview.Heading", "TMenubutton")
        ]
        return [fonts, repr(layouts).replace("Dark", "").replace("Light", "")]

    seen = []
    for palette in PALETTES:
        for dark in (False, True):
            theme.apply(root, make_colours(palette, dark=dark))
            seen.append(measures())
    assert all(each == seen[0] for each in seen)
