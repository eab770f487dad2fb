"""Ask the host before something is done that cannot be undone, and share options."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from doublecross.cli.shared.console import Problem

Player = Annotated[
    str, typer.Argument(metavar="PLAYER", help="The name of the player.", show_default=False)
]
Reason = Annotated[
    str, typer.Option("--reason", help="Why, which the players read.", show_default=False)
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def confirm(question: str, *, yes: bool) -> None:
    """Go on if the host agrees.

    Raises:
        Problem: nobody can be asked, or the host does not agree.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise Problem("Nobody can be asked without a terminal. Add --yes.")
    if not typer.confirm(question):
        raise Problem("Nothing was changed.")


def confirm_name(question: str, name: str, *, yes: bool) -> None:
    """Go on if the host types `name`.

    Raises:
        Problem: nobody can be asked, or something else was typed.
    """
    if yes:
        return
    if not sys.stdin.isatty():
        raise Problem("Nobody can be asked without a terminal. Add --yes.")
    if typer.prompt(question, default="", show_default=False) != name:
        raise Problem("That is not the name. Nothing was changed.")
