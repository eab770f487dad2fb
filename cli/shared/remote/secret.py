"""Read passwords and tokens, which are never arguments: other users can list those.

A token comes from a file or the variable `DOUBLECROSS_TOKEN`. A password is typed without being
shown, or is one line of standard input.
"""

from __future__ import annotations

import getpass
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from doublecross.cli.shared.console import Problem, say, warn
from doublecross.cli.shared.files import STANDARD_OUTPUT
from doublecross.cli.shared.remote.http import is_open_road

VARIABLE: Final = "DOUBLECROSS_TOKEN"
_MOST_BYTES: Final = 10_000
_LONGEST: Final = 200

TokenFileOption = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        metavar="FILE",
        help=f"File with your token. Without it, the variable {VARIABLE}.",
        show_default=False,
    ),
]


def given_token(file: Path | None) -> str | None:
    """Return the token in `file`, otherwise that of the variable, or None if there is none.

    Raises:
        Problem: the file cannot be read, or there is no token in it.
    """
    if file is not None:
        return token_in(file)
    token = os.environ.get(VARIABLE, "").strip()
    if not token:
        return None
    return _checked(token, f"The variable {VARIABLE} has no token.")


def token_in(file: Path) -> str:
    """Return the token in a file: its only line, or that of a file in which a program keeps one.

    Raises:
        Problem: the file cannot be read, or there is no token in it.
    """
    try:
        with file.expanduser().open("rb") as opened:
            data = opened.read(_MOST_BYTES)
    except OSError as error:
        raise Problem(f"{file} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    wrong = f"{file} has no token. Such a file has the token as its only line."
    try:
        text = data.decode().strip()
        found = json.loads(text)["token"] if text.startswith("{") else text
    except (ValueError, KeyError, TypeError):
        raise Problem(wrong) from None
    return _checked(found, wrong)


def _checked(token: object, wrong: str) -> str:
    # What is in the wrong file may be secret, so the sentence repeats nothing of it.
    if not isinstance(token, str) or not 0 < len(token) <= _LONGEST:
        raise Problem(wrong)
    if not token.isascii() or not token.isprintable() or " " in token:
        raise Problem(wrong)
    return token


def ask_password(what: str, *, twice: bool = False) -> str:
    """Return a password that the user types without seeing it.

    Without a terminal it is the next line of standard input. With `twice` a person types it again.

    Raises:
        Problem: there is none, or the two differ.
    """
    if not sys.stdin.isatty():
        line = sys.stdin.readline().rstrip("\r\n")
        if not line:
            raise Problem(f"{what} is missing: write it as a line to standard input.")
        return line
    while True:
        try:
            password = getpass.getpass(f"{what}: ")
            again = getpass.getpass(f"{what} again: ") if twice and password else password
        except EOFError:
            raise typer.Abort from None
        if not password:
            raise Problem("Nothing was typed.")
        if password == again:
            return password
        warn("The two are not the same. Type it again.")


def keep_secret(secret: str, output: Path | None) -> None:
    """Print a new token once, or write it to a file that only its owner can read.

    Raises:
        Problem: the file cannot be written. The token is printed then, as nobody sees it again.
    """
    if output is None or output == STANDARD_OUTPUT:
        say(f"Token, shown only now: {secret}")
        return
    from doublecross.client.private import write_private

    try:
        write_private(output.expanduser(), f"{secret}\n")
    except OSError as error:
        say(f"Token, shown only now: {secret}")
        raise Problem(f"{output} cannot be written: {error.strerror}.") from None
    say(f"The token is in {output}, which only you can read.")


def warn_open_road(address: str) -> None:
    """Warn before a secret goes to another machine without encryption."""
    if is_open_road(address):
        warn(
            f"The connection to {address} is not encrypted: others on the way can read what is"
            " sent. Use an address with https if the server has one.",
            "yellow",
        )
