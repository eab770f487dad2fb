"""Show and hide widgets that keep their cell in a grid."""

from __future__ import annotations

import tkinter as tk


def set_visible(widget: tk.Widget, visible: bool) -> None:
    """Show `widget` in its former grid cell, or hide it."""
    if not visible:
        widget.grid_remove()
    elif not widget.winfo_manager():
        widget.grid()
