"""Check, copy and upgrade the database of a server: `doublecross database`."""

from __future__ import annotations

import typer

from doublecross.cli.database.copy import copy
from doublecross.cli.database.upgrade import upgrade
from doublecross.cli.database.verify import verify
from doublecross.cli.shared.family import add

app = typer.Typer(
    name="database",
    help="Check, copy or upgrade the database of a server.",
    no_args_is_help=True,
)


for _command in (verify, copy, upgrade):
    add(app, _command)
