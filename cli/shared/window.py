"""Open the root of the window, or say what it lacks."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    import tkinter

_NO_TKINTER: Final = (
    "The window needs tkinter, which this Python does not have: on Debian and Ubuntu install the "
    "package python3-tk, on Fedora python3-tkinter, with Homebrew python-tk."
)
_NO_THEME: Final = "The window needs the package sv-ttk, which is not installed: {}"
_NO_DISPLAY: Final = (
    "There is no screen to open a window on ({}): the window needs a desktop, or a connection that"
    " leads to one, such as ssh -X."
)


def need_window_packages() -> None:
    """Refuse to go on without tkinter and the theme."""
    if importlib.util.find_spec("sv_ttk") is None:
        raise Problem(_NO_THEME.format(how_to_add("desktop")))
    try:
        import tkinter  # noqa: F401
    except ImportError:
        raise Problem(_NO_TKINTER) from None


def open_root() -> tkinter.Tk:
    """Open the root of the window; refuse to go on without a screen."""
    import tkinter

    try:
        return tkinter.Tk(className="Doublecross")
    except tkinter.TclError as error:
        raise Problem(_NO_DISPLAY.format(str(error).rstrip("."))) from None
