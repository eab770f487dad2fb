"""`doublecross admin`: assembles the commands for hosts."""

from __future__ import annotations

import typer

from cli.admin.register import register
from cli.shared.family import add

app = typer.Typer(
    name="admin",
    help="Manage a server: see who is there, kick, ban, close rooms, announce, make admins.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for _command in (register,):
    add(app, _command)
