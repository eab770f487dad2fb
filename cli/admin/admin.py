"""Assemble the commands for hosts: `doublecross admin`."""

from __future__ import annotations

from doublecross.cli.admin.act import announce, ban, close_room, drain, kick, unban
from doublecross.cli.admin.listing import audit, list_
from doublecross.cli.admin.players import (
    delete_player,
    end_second_factor,
    end_tokens,
    grant,
    password,
    player_data,
    rename,
)
from doublecross.cli.admin.register import register
from doublecross.cli.admin.top import top
from doublecross.cli.shared.family import add, family

app = family("admin", no_args_is_help=True)

for _command in (
    register,
    list_,
    top,
    kick,
    ban,
    unban,
    rename,
    close_room,
    announce,
    drain,
    password,
    grant,
    end_tokens,
    end_second_factor,
    player_data,
    delete_player,
    audit,
):
    add(app, _command)
