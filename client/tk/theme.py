"""The theme of the window: sv_ttk, light or dark, with this program's fonts and styles over it.

What screens may use, beside the styles of sv_ttk (`Accent.TButton`, `Switch.TCheckbutton`,
`Toggle.TButton`, `Toolbutton` and `Card.TFrame`, whose ground is that of the window):

====================  =========================================================================
`Title.TLabel`        the name of a screen
`Heading.TLabel`      the name of a part of it
`Strong.TLabel`       text that stands out
`Dim.TLabel`          text of less weight
`Caption.TLabel`      small text of less weight
`Error.TLabel`        what is wrong, beside its field
`Good.TLabel`         what went well
`Seat0.TLabel`        in the colour of seat 0, and `Seat1.TLabel`
`Score0.TLabel`       large, in the colour of seat 0, and `Score1.TLabel`
`Clock.TLabel`        a clock; `Low.Clock.TLabel` one that runs out, `Idle.Clock.TLabel` one that
                      stands still
====================  =========================================================================

Plain widgets of Tk made after `apply` have the colours of the look too (labels, frames, lists,
texts, menus, windows); whoever makes them recolours them when the look changes.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Iterator, Mapping
from tkinter import font as tkfont
from tkinter import ttk
from typing import Final, Literal

import sv_ttk

from client.tk.models.look import Look, mix

CAPTION: Final = "SunValleyCaptionFont"
BODY: Final = "SunValleyBodyFont"
STRONG: Final = "SunValleyBodyStrongFont"
HEADLINE: Final = "SunValleySubtitleFont"
TITLE: Final = "SunValleyTitleFont"
"""Fonts of the theme, by their names in Tk."""

_ACCENT, _ON_ACCENT = "#2f60d8", "#ffffff"
"""The theme's ground of what is selected, light or dark, and the text on it."""
_BODY_PX: Final = 14
_FONTS: Final[dict[str, tuple[int, Literal["normal", "bold"]]]] = {
    CAPTION: (12, "normal"),
    BODY: (_BODY_PX, "normal"),
    STRONG: (_BODY_PX, "bold"),
    "SunValleyBodyLargeFont": (17, "normal"),
    HEADLINE: (19, "bold"),
    TITLE: (26, "bold"),
    "SunValleyTitleLargeFont": (36, "bold"),
}
"""The theme's fonts: height in pixels where an inch has 96 of them, and weight."""


def apply(root: tk.Tk, look: Look) -> None:
    """Give everything in `root` the theme in the colours of `look`.

    Styles are the theme's own, so this has to be called for every change of it.
    """
    sv_ttk.set_theme("dark" if look.dark else "light", root)
    # A moment later sv_ttk would colour all widgets one by one (`tk_setPalette`), and a label
    # with a colour of its own heeds its style no more. All that is needed of it follows here.
    root.tk.call("bind", root.winfo_class(), "<<ThemeChanged>>", "")
    # What it does to menus fails at those that pop up (sv_ttk 2.6.1).
    root.tk.call("bind", "Menu", "<<ThemeChanged>>", "")
    _set_fonts(root)
    _set_styles(root, look)
    _set_plain(root, look)


def _set_fonts(root: tk.Tk) -> None:
    """Give the theme, which asks for a font of Windows, the desktop's own elsewhere."""
    own = tkfont.nametofont("TkDefaultFont", root=root).actual("family")
    # A point is 1/72 inch; `tk scaling` has pixels to the point. Small screens keep the size.
    scale = max(1.0, float(root.tk.call("tk", "scaling")) * 72 / 96)
    for name, (height, weight) in _FONTS.items():
        font = tkfont.nametofont(name, root=root)
        font.configure(size=-round(height * scale))
        if root.tk.call("tk", "windowingsystem") != "win32":
            font.configure(family=own, weight=weight)
    for name in ("TkDefaultFont", "TkTextFont", "TkMenuFont", "TkHeadingFont"):
        tkfont.nametofont(name, root=root).configure(size=-round(_BODY_PX * scale))


def _set_styles(root: tk.Tk, look: Look) -> None:
    style = ttk.Style(root)
    # The theme measures its own font, not the one that is used instead.
    line = tkfont.nametofont(BODY, root=root).metrics("linespace")
    style.configure("Treeview", rowheight=line + 8)
    # In the dark the theme's own ground of a chosen line can hardly be told from the others'.
    chosen = mix(look.text, look.window, 0.16)
    style.map(
        "Treeview",
        background=[("selected", chosen)],
        foreground=[("selected", look.text)],
    )
    style.configure(
        ".",
        background=look.window,
        foreground=look.text,
        troughcolor=look.window,
        focuscolor=_ACCENT,
        selectbackground=_ACCENT,
        selectforeground=_ON_ACCENT,
        insertwidth=1,
        insertcolor=look.text,
        fieldbackground=look.window,
        font=BODY,
        borderwidth=0,
        relief="flat",
    )
    style.map(".", foreground=[("disabled", mix(look.text, look.window, 0.4))])
    for name, font, colour in (
        ("Title.TLabel", TITLE, look.text),
        ("Heading.TLabel", HEADLINE, look.text),
        ("Strong.TLabel", STRONG, look.text),
        ("Dim.TLabel", BODY, look.dim),
        ("Caption.TLabel", CAPTION, look.dim),
        ("Error.TLabel", BODY, look.warning),
        ("Good.TLabel", BODY, look.hint),
        ("Clock.TLabel", HEADLINE, look.text),
        ("Low.Clock.TLabel", HEADLINE, look.warning),
        ("Idle.Clock.TLabel", HEADLINE, look.dim),
        *((f"Seat{s}.TLabel", STRONG, look.strokes[s]) for s in (0, 1)),
        *((f"Score{s}.TLabel", TITLE, look.strokes[s]) for s in (0, 1)),
    ):
        style.configure(name, font=font, foreground=colour)


def _set_plain(root: tk.Tk, look: Look) -> None:
    """Colour widgets that know nothing of themes: those to come and, of those that are
    there, the ones that nobody but Tk has made."""
    ground = {"background": look.window}
    text = {**ground, "foreground": look.text}
    chosen = {"selectBackground": _ACCENT, "selectForeground": _ON_ACCENT}
    raised = mix(look.text, look.window, 0.07)
    options: dict[str, Mapping[str, str | int]] = {
        "Toplevel": ground,
        "Frame": ground,
        "Label": text,
        "Listbox": {**text, **chosen},
        "Text": {**text, **chosen, "insertBackground": look.text},
        "Menu": {
            "background": raised,
            "foreground": look.text,
            "activeBackground": _ACCENT,
            "activeForeground": _ON_ACCENT,
            "selectColor": look.text,
            "relief": "solid",
            "borderWidth": 1,
            "activeBorderWidth": 0,
        },
    }
    for kind, colours in options.items():
        for name, colour in colours.items():
            root.option_add(f"*{kind}.{name}", colour)
    root.configure(background=look.window)
    for path, kind in _everything(root, "."):
        # The list of a combobox lies in a window of its own, which the combobox makes once.
        if kind == "Menu" or ".popdown." in path:
            for name, colour in options.get(kind, {}).items():
                root.tk.call(path, "configure", f"-{name.lower()}", colour)


def _everything(root: tk.Tk, path: str) -> Iterator[tuple[str, str]]:
    """Yield the path and class of each widget in `path`, also those unknown to Python."""
    for child in root.tk.splitlist(root.tk.call("winfo", "children", path)):
        yield str(child), str(root.tk.call("winfo", "class", child))
        yield from _everything(root, str(child))
