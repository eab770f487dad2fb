"""Check, copy and upgrade the database of a server: `doublecross database`."""

from __future__ import annotations

from doublecross.cli.database.copy import copy
from doublecross.cli.database.upgrade import upgrade
from doublecross.cli.database.verify import verify
from doublecross.cli.shared.family import add, family

app = family("database", no_args_is_help=True)


for _command in (verify, copy, upgrade):
    add(app, _command)
