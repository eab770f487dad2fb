"""Show and hide widgets that keep their cell in a grid, and replace one by another."""

from __future__ import annotations

import tkinter as tk


def set_visible(widget: tk.Widget, visible: bool) -> None:
    """Show `widget` in its former grid cell, or hide it."""
    if not visible:
        widget.grid_remove()
    elif not widget.winfo_manager():
        widget.grid()


def replace(old: tk.Widget, new: tk.Widget) -> None:
    """Destroy `old`, in whose cell of the grid `new` is, without showing an empty place meanwhile.

    Tk arranges a widget, then draws it when the X server reports that it has become visible. So
    the old widget covers the new one while Tk arranges it, which takes longer than drawing.
    """
    if old.winfo_viewable():
        new.lower(old)
        new.update_idletasks()
        new.lift()
        _draw(new)
        new.update_idletasks()
    old.destroy()


def _draw(widget: tk.Misc) -> None:
    """Let a widget and its visible descendants draw themselves, without waiting for the server."""
    width, height = widget.winfo_width(), widget.winfo_height()
    widget.event_generate("<Expose>", x=0, y=0, width=width, height=height)
    for child in widget.winfo_children():
        if child.winfo_viewable() and child.winfo_toplevel() == widget.winfo_toplevel():
            _draw(child)
