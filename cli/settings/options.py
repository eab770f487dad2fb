"""Read the settings of a server for other commands: where its database is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from doublecross.cli.shared.console import BAD_INPUT, print_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doublecross.cli.settings.model import ServeSettings

SettingsOption = Annotated[
    str | None,
    typer.Option(
        "--settings",
        help="TOML file with the server's settings.",
        metavar="FILE",
        show_default="DOUBLECROSS_SETTINGS",
    ),
]
"""The option that names a file of settings, for commands that need the server's database."""


def settings_of(database: str | None, settings_file: str | None) -> ServeSettings:
    """Return the settings of a server, for a command that is not `serve`.

    `database` is the value of the option ``--database``, or None. It beats the variable, which
    beats the file, which beats the default.

    Wrong settings end the command with a line for each.
    """
    from doublecross.cli.settings.load import WrongSettingsError, load

    try:
        return load({"database": database}, settings_file).settings
    except WrongSettingsError as error:
        refuse(error.sentences)


def database_of(database: str | None, settings_file: str | None) -> str:
    """Return the server's database, a file or a URL; see `settings_of`."""
    return settings_of(database, settings_file).database


def refuse(sentences: Sequence[str]) -> NoReturn:
    """End the command with one line for each of these problems."""
    for sentence in sentences:
        print_error(sentence)
    raise typer.Exit(BAD_INPUT)
