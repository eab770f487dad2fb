"""Check, copy and upgrade the database of a server: `doublecross database`."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import typer

from doublecross.cli.database.copy import copy
from doublecross.cli.database.upgrade import upgrade
from doublecross.cli.database.verify import verify

app = typer.Typer(
    name="database",
    help="Check, copy or upgrade the database of a server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _add(command: Callable[..., None]) -> None:
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    app.command(help="\n\n".join(" ".join(each.split()) for each in paragraphs))(command)


for _command in (verify, copy, upgrade):
    _add(_command)
