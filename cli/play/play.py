"""Open the window: `doublecross play`."""

from __future__ import annotations

import contextlib
import locale
import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.bots.helping.preload import FIRST, LATER
from doublecross.cli.shared.console import INTERRUPTED, Problem
from doublecross.cli.shared.options import Verbose
from doublecross.cli.shared.parsing import SERVER_HELP, check_player_name
from doublecross.cli.shared.window import need_window_packages, open_root
from doublecross.processes.forks import serving
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    import tkinter

_interpreters: list[object] = []


def play(
    server: Annotated[
        str | None,
        typer.Option("--server", "-s", help=SERVER_HELP, show_default="the window asks"),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", "-n", help="Your name.", show_default="as last time")
    ] = None,
    verbose: Verbose = False,
) -> int:
    """Play in a window: against people on a server, against bots, or two at one screen.

    Without --server the window offers a server on this machine, with bots. That server stops with
    the last window.

    Example: doublecross play --server 192.168.1.5 --name Ann
    """
    from doublecross.client.core.address import server_urls
    from doublecross.client.language import use
    from doublecross.client.tk.home import Home

    home = Home()
    # Modules translate their texts when they are imported, so the language comes first.
    use(language_of(home.settings.language))
    if name is not None:
        check_player_name(name)
    if server is not None:
        try:
            server_urls(server)
        except ValueError as error:
            raise Problem(str(error)) from None
    need_window_packages()
    quiet_logs(verbose)
    root = open_root()
    # This thread must free Tcl's interpreter, or the process aborts. The garbage collector runs in
    # any thread, so this reference keeps the interpreter until the end.
    _interpreters.append(root.tk)
    # Who names a server needs none on this computer, and rarely more than one process.
    forks = serving(FIRST, LATER) if server is None else contextlib.nullcontext()
    with _until_interrupt(root) as interrupted, forks:
        from doublecross.bots.helping.helpers import LocalHelpers
        from doublecross.client.tk.app import run

        code = run(root, LocalHelpers(), server=server, name=name, home=home)
    return INTERRUPTED if interrupted else code


def language_of(chosen: str) -> str:
    """Return the language `chosen` in the settings, or else that of the desktop."""
    from doublecross.client.language import LANGUAGES, best

    return chosen if chosen in LANGUAGES else best(_desktop_languages())


def _desktop_languages() -> list[str]:
    """Return the languages of the desktop, the preferred one first, as gettext finds them."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return value.split(":")
    system = locale.getlocale()[0]
    return [system] if system else []


@contextlib.contextmanager
def _until_interrupt(root: tkinter.Tk) -> Iterator[list[int]]:
    """Let Ctrl-C close the window as its close button does; a second Ctrl-C ends the program.

    The context gives a list that holds the signal afterwards. An exception would instead end
    whichever callback of Tk runs at that moment, and look like a bug of it.
    """
    from tkinter import TclError

    interrupted: list[int] = []

    def close() -> None:
        root.tk.eval(root.protocol("WM_DELETE_WINDOW"))

    def interrupt(number: int, _: object) -> None:
        interrupted.append(number)
        signal.signal(signal.SIGINT, before)
        with contextlib.suppress(TclError):  # the window is closed already
            # Not when idle: a callback that updates the layout would run it in its middle.
            root.after(0, close)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted
    finally:
        signal.signal(signal.SIGINT, before)
