"""Apply the theme of the window: sv_ttk, light or dark, with fonts and styles of this program.

Screens use the styles of sv_ttk (`Accent.TButton`, `Switch.TCheckbutton`, `Toggle.TButton`,
`Toolbutton`, and `Card.TFrame`, which has the window's background) and these styles:

====================  =========================================================================
`Title.TLabel`        the name of a screen
`Heading.TLabel`      the name of a section
`Strong.TLabel`       emphasised text
`Dim.TLabel`          secondary text
`Caption.TLabel`      small secondary text
`Error.TLabel`        a problem, beside the field that it concerns
`Good.TLabel`         a success
`Seat0.TLabel`        text in the colour of seat 0; also `Seat1.TLabel`
`Score0.TLabel`       large text in the colour of seat 0; also `Score1.TLabel`
`Clock.TLabel`        a clock; `Low.Clock.TLabel` for one with little time left,
                      `Idle.Clock.TLabel` for one that is stopped
====================  =========================================================================

Plain Tk widgets (labels, frames, lists, texts, menus, windows) that are created after `apply` get
these colours too. Code that creates such widgets recolours them when the colours change.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator, Mapping
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final, Literal

from doublecross.client.tk import sun_valley
from doublecross.client.tk.models.colours import Colours
from doublecross.games.colours import mix

CAPTION: Final = "SunValleyCaptionFont"
BODY: Final = "SunValleyBodyFont"
STRONG: Final = "SunValleyBodyStrongFont"
HEADLINE: Final = "SunValleySubtitleFont"
TITLE: Final = "SunValleyTitleFont"
"""The fonts of the theme, by their names in Tk."""

_ACCENT, _ON_ACCENT = "#2f60d8", "#ffffff"
"""The background of selected text in both themes, and the colour of the text on it."""
_BODY_PX: Final = 14
_FONTS: Final[dict[str, tuple[int, Literal["normal", "bold"], str]]] = {
    CAPTION: (12, "normal", "Small"),
    BODY: (_BODY_PX, "normal", "Text"),
    STRONG: (_BODY_PX, "bold", "Text Semibold"),
    HEADLINE: (19, "bold", "Display Semibold"),
    TITLE: (26, "bold", "Display Semibold"),
}
"""The fonts of the theme: height in pixels at 96 pixels per inch, weight, and the kind of Segoe UI
Variable that Windows has for it."""


def apply(root: tk.Tk, colours: Colours) -> None:
    """Give everything in `root` the theme in the colours of `colours`.

    Styles are the theme's own, so this has to be called for every change of it.
    """
    _set_fonts(root)  # first, because the theme looks for them
    sun_valley.use(root, "dark" if colours.dark else "light")
    _set_styles(root, colours)
    _set_plain(root, colours)


def font_scale(root: tk.Misc) -> float:
    """Return how many times larger than usual the fonts are."""
    # `tk scaling` is pixels per point (1/72 inch). Low-resolution screens keep the normal size.
    return max(1.0, float(root.tk.call("tk", "scaling")) * 72 / 96)


def scaled(widget: tk.Misc, pixels: int) -> int:
    """Return a length for text, in pixels: `pixels` with fonts of the usual size."""
    return round(pixels * font_scale(widget))


def _set_fonts(root: tk.Tk) -> None:
    """Make the fonts of the theme from the desktop's font, and on Windows from its newest one."""
    own = tkfont.nametofont("TkDefaultFont", root=root).actual("family")
    scale = font_scale(root)
    windows = root.tk.call("tk", "windowingsystem") == "win32"
    there = tkfont.names(root)
    for name, (height, weight, kind) in _FONTS.items():
        font = tkfont.Font(root, name=name, exists=name in there)
        font.delete_font = False  # the font stays when this object goes
        if windows:
            font.configure(family=f"Segoe UI Variable {kind}")
        else:
            font.configure(family=own, weight=weight)
        font.configure(size=-round(height * scale))
    for name in ("TkDefaultFont", "TkTextFont", "TkMenuFont", "TkHeadingFont"):
        tkfont.nametofont(name, root=root).configure(size=-round(_BODY_PX * scale))


def _set_styles(root: tk.Tk, colours: Colours) -> None:
    style = ttk.Style(root)
    # The theme computes the row height from its own font, not from the one set above.
    line = tkfont.nametofont(BODY, root=root).metrics("linespace")
    style.configure("Treeview", rowheight=line + 8)
    # The dark theme's own background of a selected row hardly differs from that of other rows.
    chosen = mix(colours.text, colours.ground, 0.16)
    style.map(
        "Treeview", background=[("selected", chosen)], foreground=[("selected", colours.text)]
    )
    style.configure(
        ".",
        background=colours.ground,
        foreground=colours.text,
        troughcolor=colours.ground,
        focuscolor=_ACCENT,
        selectbackground=_ACCENT,
        selectforeground=_ON_ACCENT,
        insertwidth=1,
        insertcolor=colours.text,
        fieldbackground=colours.ground,
        font=BODY,
        borderwidth=0,
        relief="flat",
    )
    style.map(".", foreground=[("disabled", mix(colours.text, colours.ground, 0.4))])
    for name, font, colour in (
        ("Title.TLabel", TITLE, colours.text),
        ("Heading.TLabel", HEADLINE, colours.text),
        ("Strong.TLabel", STRONG, colours.text),
        ("Dim.TLabel", BODY, colours.muted),
        ("Caption.TLabel", CAPTION, colours.muted),
        ("Error.TLabel", BODY, colours.bad),
        ("Good.TLabel", BODY, colours.hint),
        ("Clock.TLabel", HEADLINE, colours.text),
        ("Low.Clock.TLabel", HEADLINE, colours.bad),
        ("Idle.Clock.TLabel", HEADLINE, colours.muted),
        *((f"Seat{s}.TLabel", STRONG, colours.strokes[s]) for s in (0, 1)),
        *((f"Score{s}.TLabel", TITLE, colours.strokes[s]) for s in (0, 1)),
    ):
        style.configure(name, font=font, foreground=colour)


def _set_plain(root: tk.Tk, colours: Colours) -> None:
    """Colour plain Tk widgets, which have no theme.

    These are all widgets created later, and those that Tk itself has created already.
    """
    ground = {"background": colours.ground}
    text = {**ground, "foreground": colours.text}
    chosen = {"selectBackground": _ACCENT, "selectForeground": _ON_ACCENT}
    raised = mix(colours.text, colours.ground, 0.07)
    options: dict[str, Mapping[str, str | int]] = {
        "Toplevel": ground,
        "Frame": ground,
        "Label": text,
        "Listbox": {**text, **chosen},
        "Text": {**text, **chosen, "insertBackground": colours.text},
        "Menu": {
            "background": raised,
            "foreground": colours.text,
            "activeBackground": _ACCENT,
            "activeForeground": _ON_ACCENT,
            "selectColor": colours.text,
            "relief": "solid",
            "borderWidth": 1,
            "activeBorderWidth": 0,
        },
    }
    for kind, values in options.items():
        for name, colour in values.items():
            root.option_add(f"*{kind}.{name}", colour)
    root.configure(background=colours.ground)
    for path, kind in _everything(root, "."):
        # A combobox creates its list once, in a window of its own.
        if kind == "Menu" or ".popdown." in path:
            for name, colour in options.get(kind, {}).items():
                root.tk.call(path, "configure", f"-{name.lower()}", colour)


def _everything(root: tk.Tk, path: str) -> Iterator[tuple[str, str]]:
    """Yield path and class of all widgets inside `path`, including those that only Tk knows."""
    for child in root.tk.splitlist(root.tk.call("winfo", "children", path)):
        yield str(child), str(root.tk.call("winfo", "class", child))
        yield from _everything(root, str(child))
