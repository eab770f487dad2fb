"""Find widgets by class, name and text, and read the texts that a window shows."""

from __future__ import annotations

import inspect
import tkinter as tk
from collections.abc import Callable, Iterator
from tkinter import ttk
from typing import Any, TypeVar

W = TypeVar("W", bound=tk.Misc)
_OPTIONS: dict[str, frozenset[str]] = {}


def widgets(parent: tk.Misc, *, hidden: bool = False) -> Iterator[tk.Misc]:
    """Yield `parent` and its visible descendants; with `hidden` all descendants."""
    if hidden or parent.winfo_viewable():
        yield parent
    for child in parent.winfo_children():
        yield from widgets(child, hidden=hidden)


def text_of(widget: tk.Misc) -> str:
    """Return the text of a widget: its label or its contents, one line per item."""
    if isinstance(widget, tk.Text):
        return widget.get("1.0", "end-1c")
    if isinstance(widget, tk.Entry | ttk.Entry | tk.Spinbox):  # a ttk.Combobox is a ttk.Entry
        return str(widget.get())
    if isinstance(widget, tk.Listbox):
        return "\n".join(map(str, widget.get(0, "end")))
    shown: Any = widget  # tkinter's own annotations have gaps
    if isinstance(widget, tk.Canvas):
        items = [item for item in shown.find_all() if shown.type(item) == "text"]
        seen = [item for item in items if shown.itemcget(item, "state") != "hidden"]
        return "\n".join(shown.itemcget(item, "text") for item in seen)
    if isinstance(widget, ttk.Treeview):
        return "\n".join(_rows(widget, ""))
    if isinstance(widget, ttk.Notebook):
        return "\n".join(str(shown.tab(tab, "text")) for tab in shown.tabs())
    options = _options(widget)
    variable = str(widget.cget("textvariable")) if "textvariable" in options else ""
    if variable:
        return str(widget.getvar(variable))
    return str(widget.cget("text")) if "text" in options else ""


def enabled(button: Any) -> bool:
    """Return whether a button can be pressed; those of the theme have states of their own."""
    if isinstance(button, ttk.Widget):
        return bool(button.instate(["!disabled"]))
    return str(button.cget("state")) != "disabled"


def shown_texts(root: tk.Misc) -> list[str]:
    """Return all visible texts of a window, in the order in which the widgets were created."""
    return [text for widget in widgets(root) if (text := text_of(widget))]


def find(
    parent: tk.Misc,
    text: str | None = None,
    *,
    name: str | None = None,
    kind: type[W] | None = None,
    hidden: bool = False,
) -> W:
    """Return the only widget in `parent` with this text, this name and this class.

    Raises:
        LookupError: No or several widgets match; the message lists the visible texts.
    """
    found = find_all(parent, text, name=name, kind=kind, hidden=hidden)
    if len(found) == 1:
        return found[0]
    asked = ", ".join(f"{value!r}" for value in (text, name) if value is not None)
    what = kind.__name__ if kind is not None else "widget"
    raise LookupError(
        f"{len(found)} of {what} {asked} instead of one"
        + (f": {[str(each) for each in found]}" if found else f"; shown: {shown_texts(parent)}")
    )


def find_all(
    parent: tk.Misc,
    text: str | None = None,
    *,
    name: str | None = None,
    kind: type[W] | None = None,
    hidden: bool = False,
) -> list[W]:
    """Return all widgets in `parent` with this text, this name and this class."""
    parent.update_idletasks()  # new widgets are not visible before
    found: list[Any] = [
        widget
        for widget in widgets(parent, hidden=hidden)
        if (kind is None or isinstance(widget, kind))
        and (name is None or widget.winfo_name() == name)
        and (text is None or text_of(widget) == text)
    ]
    return found


def describe(condition: Callable[[], object]) -> str:
    """Return the source of a condition, for error messages."""
    try:
        return " ".join(inspect.getsource(condition).split())
    except (OSError, TypeError):
        return repr(condition)


def _rows(tree: ttk.Treeview, parent: str) -> Iterator[str]:
    for row in tree.get_children(parent):
        values = (str(tree.item(row, "text")), *map(str, tree.item(row, "values") or ()))
        yield " | ".join(value for value in values if value)
        yield from _rows(tree, row)


def _options(widget: tk.Misc) -> frozenset[str]:
    """Return the names of the options of a widget, which all widgets of a class share."""
    name = widget.winfo_class()
    if name not in _OPTIONS:
        _OPTIONS[name] = frozenset(widget.keys())
    return _OPTIONS[name]
