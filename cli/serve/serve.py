"""Run a server until Ctrl-C and print the address to open: `doublecross serve`."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.serve.printing import (
    print_bot,
    print_bot_json,
    print_given_up,
    print_given_up_json,
)
from doublecross.cli.settings.options import load_or_refuse, refuse
from doublecross.cli.shared.console import Problem, say, warn

if TYPE_CHECKING:
    from doublecross.bots.hosting.resident_bots import ResidentBots
    from doublecross.cli.settings.load import Loaded
    from doublecross.server.shell.settings import ServerSettings


def serve(
    *,
    levels: Annotated[
        str, typer.Option(help="Levels that play here in one process.", hidden=True)
    ] = "",
    qr: Annotated[
        bool, typer.Option("--qr", help="Print the address as a QR code for phones too.")
    ] = False,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser, where there is one.")
    ] = False,
    json_line: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON when ready.")
    ] = False,
    settings_file: Annotated[
        str | None,
        typer.Option("--settings", help="TOML file with settings.", metavar="FILE"),
    ] = None,
    show_settings: Annotated[
        bool,
        typer.Option(
            "--show-settings",
            help="Print all settings as such a file, with their sources, and end.",
        ),
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Check the settings and what they name; start nothing."),
    ] = False,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", help="Stop when standard input is closed.", hidden=True)
    ] = False,
    **flags: object,
) -> None:
    """Run a server.

    It prints the address that people open in a browser, and that the window and bots take too. It
    runs until Ctrl-C. If it stops or is killed, start it
    again with the same database: all games continue.

    With --bots there are always opponents. These bots join as players and accept every challenge.
    The server restarts a bot that ends.

    You can also write settings into a TOML file (--settings), or set them as environment variables,
    such as DOUBLECROSS_PORT and DOUBLECROSS_GRACE_S. docs/hosting.md lists all. An option beats a
    variable, and a variable beats the file.

    Example: doublecross serve --host 0.0.0.0 --bots rules,greedy
    """
    if qr and json_line:
        raise Problem("--qr is for people and --json for programs; use one of them.")
    if open_browser and json_line:
        raise Problem("--open is for people and --json for programs; use one of them.")
    if (show_settings or check) and (json_line or qr or open_browser or (show_settings and check)):
        raise Problem(
            "--show-settings and --check stand without each other, --json, --qr and --open."
        )
    from doublecross.cli.settings.load import unknown_variables

    for sentence in unknown_variables():
        warn(sentence)
    loaded = load_or_refuse(flags, settings_file)
    if show_settings:
        _show(loaded)
        return
    if check:
        _check(loaded)
        return
    if until_eof:
        threading.Thread(target=_stop_at_eof, name="standard input", daemon=True).start()
    # Nearly nothing that imports make is garbage, and to look for it takes a tenth of the start.
    gc.disable()
    try:
        from doublecross.cli.serve.hosting import keep_serving
    finally:
        gc.freeze()
        gc.enable()
    residents = _residents(loaded.settings, levels, json_line)
    keep_serving(loaded.settings, residents, as_json=json_line, qr=qr, opens=open_browser)


def _show(loaded: Loaded) -> None:
    from doublecross.cli.settings.show import toml_of

    sys.stdout.write(toml_of(loaded))


def _check(loaded: Loaded) -> None:
    from doublecross.cli.serve.settings_check import check

    warnings, problems = check(loaded)
    for sentence in warnings:
        warn(sentence)
    if problems:
        refuse(problems)
    say("The settings are right." if loaded.file is None else f"{loaded.file} is right.")


def _residents(settings: ServerSettings, levels: str, json_line: bool) -> ResidentBots | None:
    """Return the residents of the server, not started yet; None if there are none."""
    if not settings.bots and not levels:
        return None
    import structlog

    from doublecross.bots.hosting.resident_bots import ResidentBots, ResidentTerms
    from doublecross.cli.serve.residents import find_levels, find_residents

    found = find_levels(levels) or find_residents([settings.bots])
    if not found:
        return None
    return ResidentBots(
        found,
        ResidentTerms(
            settings.bot_games,
            settings.bot_pause,
            _bot_folder(settings),
            verbose=settings.verbose,
            together=bool(levels),
            games_each=settings.bot_games_each,
            seeks_after_s=settings.bot_seeks_after_s or None,
        ),
        on_ready=print_bot_json if json_line else print_bot,
        on_given_up=print_given_up_json if json_line else print_given_up,
        log=structlog.get_logger("bots"),
    )


def _bot_folder(settings: ServerSettings) -> Path:
    """Return the folder for the tokens of the bots.

    Each node of a cluster has one of its own. Otherwise the second node on a machine would wait for
    the names of the bots of the first one.
    """
    from doublecross.cli.shared.server_files.bot_tokens import token_folder

    folder = token_folder(settings.database)
    if not settings.cluster:
        return folder
    return folder / (settings.node or f"{socket.gethostname()}-{settings.port}")


def _stop_at_eof() -> None:
    """Stop the server when the process that started it closes our input or dies."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
