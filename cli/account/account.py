"""Assemble the commands for people who manage their accounts: `doublecross account`."""

from __future__ import annotations

from doublecross.cli.account.login import create, login, logout, password, show
from doublecross.cli.account.tokens import adopt_bot, new_bot, new_token, revoke, tokens
from doublecross.cli.shared.family import add, family

app = family("account", no_args_is_help=True)

for _command in (
    create,
    login,
    show,
    password,
    tokens,
    new_token,
    revoke,
    new_bot,
    adopt_bot,
    logout,
):
    add(app, _command)
