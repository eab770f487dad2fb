"""`doublecross play`: the window."""

from __future__ import annotations

import importlib.util
from typing import Annotated

import typer

from cli.asking import SERVER_HELP, check_player_name
from cli.console import Problem, quiet_logs

_NO_TKINTER = (
    "The window needs tkinter, which this Python does not have: on Debian and Ubuntu install the "
    "package python3-tk, on Fedora python3-tkinter, with Homebrew python-tk."
)
_NO_THEME = (
    "The window needs the package sv-ttk, which is not installed:"
    " pip install 'doublecross[desktop]'"
)
_NO_DISPLAY = "There is no screen to open a window on ({})."


def play(
    server: Annotated[
        str | None,
        typer.Option("--server", "-s", help=SERVER_HELP, show_default="the window asks"),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", "-n", help="Your name.", show_default="as last time")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what happens, to standard error.")
    ] = False,
) -> int:
    """Play in a window: against people, bots, or each other at one screen.

    Without a server the window offers one on this machine, with bots, which ends with it.

    Example: doublecross play --server 192.168.1.5 --name Ann
    """
    from client.address import server_url

    if name is not None:
        check_player_name(name)
    if server is not None:
        try:
            server_url(server)
        except ValueError as error:
            raise Problem(str(error)) from None
    if importlib.util.find_spec("sv_ttk") is None:
        raise Problem(_NO_THEME)
    try:
        import tkinter
    except ImportError:
        raise Problem(_NO_TKINTER) from None
    from cli.helpers import LocalHelpers
    from client.tk.app import run

    quiet_logs(verbose)
    try:
        root = tkinter.Tk(className="Doublecross")
    except tkinter.TclError as error:
        raise Problem(_NO_DISPLAY.format(str(error).rstrip("."))) from None
    return run(root, LocalHelpers(), server=server, name=name)
