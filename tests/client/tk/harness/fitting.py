"""Find texts in a window that are cut off or that overlap."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Collection, Iterable, Iterator
from tkinter import ttk
from typing import Any, Final

from tests.client.tk.harness.inspecting import describe, text_of, widgets

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the screen."""

_LABELS: Final = (tk.Label, ttk.Label)
_BUTTONS: Final = (tk.Button, ttk.Button, ttk.Checkbutton, ttk.Radiobutton, ttk.Menubutton)
_LISTS_PX: Final = {"TCombobox": 34, "TSpinbox": 44, "TEntry": 10}
"""What the arrows and borders of fields take of their widths, in pixels."""
_PAD_PX: Final = 8
"""The padding of a cell on both sides of its text."""
_KEPT: Final = 4
"""The fewest letters of a name that are left of it."""


def misfits(root: tk.Misc, shortened: Collection[str] = ()) -> list[str]:
    """Return a line for each visible text that is cut off or overlaps another one.

    Only texts that begin with one of `shortened`, such as names, may end in an ellipsis. The
    contents of fields that scroll are left out.
    """
    found = []
    shown: list[tuple[tk.Misc, Box]] = []
    for widget in widgets(root):
        if isinstance(widget, ttk.Treeview):
            lines = [*_columns(widget), *_ellipses(_cells(widget), shortened)]
        elif isinstance(widget, tk.Canvas):
            lines = list(_items(widget))
        elif isinstance(widget, ttk.Combobox | ttk.Spinbox):
            lines = list(_field(widget))
        elif isinstance(widget, (*_LABELS, *_BUTTONS)) and text_of(widget):
            box = _box(widget)
            shown.append((widget, box))
            lines = [*_cut(widget, box), *_ellipses([text_of(widget)], shortened)]
        else:
            lines = []
        found += [f"{describe(widget)}: {line}" for line in lines]
    for number, (one, box) in enumerate(shown):
        for other, second in shown[number + 1 :]:
            if _overlap(box, second) and not _is_above(one, other):
                found.append(f"{describe(one)} overlaps {describe(other)}")
    return found


def _ellipses(texts: Iterable[str], shortened: Collection[str]) -> Iterator[str]:
    """Yield a line for each text with an ellipsis that does not begin with one of `shortened`."""
    for text in texts:
        head, ellipsis, _ = text.partition("…")
        if ellipsis and not any(
            len(head) >= _KEPT and (head.startswith(name) or name.startswith(head.rstrip()))
            for name in shortened
        ):
            yield f"{text!r} is shortened"


def _items(canvas: tk.Canvas) -> Iterator[str]:
    """Yield a line for each text on a canvas that is cut at its border or overlaps another."""
    seen: list[tuple[str, Box]] = []
    for item in canvas.find_all():
        text = canvas.itemcget(item, "text") if canvas.type(item) == "text" else ""
        if not text or canvas.itemcget(item, "state") == "hidden":
            continue
        box = canvas.bbox(item)
        if (
            box[0] < 0
            or box[1] < 0
            or box[2] > canvas.winfo_width()
            or (box[3] > canvas.winfo_height())
        ):
            yield f"the text {text!r} at {box} is partly outside"
        # The boxes of letters in neighbouring cells may touch.
        inner = (box[0] + 1, box[1] + 1, box[2] - 1, box[3] - 1)
        for other, second in seen:
            if _overlap(inner, second):
                yield f"the text {text!r} overlaps {other!r}"
        seen.append((text, inner))


def _field(field: Any) -> Iterator[str]:
    """Yield a line if the contents of a field that does not scroll are wider than it."""
    font = str(field.cget("font")) or "TkTextFont"
    need = _measure(field, font, text_of(field)) + _LISTS_PX[field.winfo_class()]
    if need > field.winfo_width():
        yield f"{text_of(field)!r} needs {need} of {field.winfo_width()} pixels"


def _cells(tree: Any) -> Iterator[str]:
    """Yield the texts of the visible cells."""
    for row in tree.get_children():
        if tree.bbox(row):
            for column in tree["columns"]:
                yield str(tree.set(row, column))


def _cut(widget: tk.Misc, box: Box) -> Iterator[str]:
    """Yield why the text of a label or button is cut, if it is."""
    need_w, need_h = _needed(widget)
    width, height = box[2] - box[0], box[3] - box[1]
    if need_w > width:
        yield f"needs {need_w} pixels in width and has {width}"
    if need_h > height:
        yield f"needs {need_h} pixels in height and has {height}"
    inside = widget
    while not isinstance(inside, tk.Tk | tk.Toplevel):
        assert inside.master is not None
        inside = inside.master
        outer = _box(inside)
        if box[0] < outer[0] or box[1] < outer[1] or box[2] > outer[2] or box[3] > outer[3]:
            yield f"is partly outside of {describe(inside)}"
            return


def _needed(widget: Any) -> tuple[int, int]:
    """Return the width and height that a label or button needs for its text."""
    if isinstance(widget, _BUTTONS):
        if str(widget.cget("width")) in ("", "0"):
            return widget.winfo_reqwidth(), widget.winfo_reqheight()
        # A fixed width in characters says nothing about the text.
        if isinstance(widget, tk.Button):
            font = str(widget.cget("font"))
            pad = 2 * int(str(widget.cget("highlightthickness")))
            return _measure(widget, font, text_of(widget)) + pad, widget.winfo_reqheight()
        font = str(ttk.Style(widget).lookup(str(widget.cget("style")) or "TButton", "font"))
        return _measure(widget, font, text_of(widget)) + 2 * _PAD_PX, widget.winfo_reqheight()
    wraps = str(widget.cget("wraplength")) not in ("", "0")
    parts = text_of(widget).split() if wraps else text_of(widget).split("\n")
    font = str(widget.cget("font"))
    if not font and isinstance(widget, ttk.Label):
        font = str(ttk.Style(widget).lookup(str(widget.cget("style")) or "TLabel", "font"))
    width = max((_measure(widget, font, part) for part in parts), default=0)
    return width, widget.winfo_reqheight()


def _measure(widget: tk.Misc, font: str, text: str) -> int:
    return int(widget.tk.call("font", "measure", font, text))


def _columns(tree: Any) -> Iterator[str]:
    """Yield a line for each heading and each visible cell that is wider than its column."""
    style = ttk.Style(tree)
    body = str(style.lookup("Treeview", "font") or "TkDefaultFont")
    head = str(style.lookup("Heading", "font") or "TkHeadingFont")
    rows = [row for row in tree.get_children() if tree.bbox(row)]
    shown = [str(column) for column in tree["displaycolumns"]]
    columns = list(tree["columns"]) if shown == ["#all"] else shown
    for column in columns:
        width = tree.column(column, "width")
        text = str(tree.heading(column, "text"))
        if "headings" in str(tree["show"]) and _measure(tree, head, text) + _PAD_PX > width:
            yield f"the heading {text!r} needs {_measure(tree, head, text)} of {width} pixels"
        for row in rows:
            cell = str(tree.set(row, column))
            if _measure(tree, body, cell) + _PAD_PX > width:
                yield f"the cell {cell!r} needs {_measure(tree, body, cell)} of {width} pixels"
    if sum(tree.column(column, "width") for column in columns) > tree.winfo_width():
        yield "its columns are wider than itself"


def _box(widget: tk.Misc) -> Box:
    left, top = widget.winfo_rootx(), widget.winfo_rooty()
    return left, top, left + widget.winfo_width(), top + widget.winfo_height()


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _is_above(one: tk.Misc, other: tk.Misc) -> bool:
    """Return whether one of the two belongs to a dialog over the other one."""
    return one.winfo_toplevel() != other.winfo_toplevel() or _dialog(one) != _dialog(other)


def _dialog(widget: tk.Misc) -> tk.Misc | None:
    """Return the part that is placed over others and holds `widget`, or None."""
    inside: tk.Misc | None = widget
    while inside is not None and not isinstance(inside, tk.Tk):
        if inside.winfo_manager() == "place":
            return inside
        inside = inside.master
    return None
