"""Register the name of an admin, which strangers cannot take: `doublecross admin register`."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

import typer

from doublecross.cli.settings.options import SettingsOption, settings_of
from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.options import Database
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.server_files.database import sqlite_path


def register(
    name: Annotated[str, typer.Argument(help="The admin's name.")],
    database: Database = None,
    settings_file: SettingsOption = None,
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            "-s",
            help="The server's address for players. The window on this computer then logs in there "
            "as the admin.",
        ),
    ] = None,
    create: Annotated[
        bool, typer.Option("--create", help="Make the database if there is none yet.")
    ] = False,
    known: Annotated[
        bool,
        typer.Option("--known", help="The player with this name is the admin."),
    ] = False,
) -> None:
    """Make a player an admin of the server, and print a token that logs in as this player.

    Admins may manage everybody's tournaments, and the server itself. Stop the server, run this
    command, and start the server again. While it runs, use: doublecross admin grant

    Example: doublecross admin register Boss --server http://127.0.0.1:8765
    """
    need_server_packages()
    database = settings_of(database, settings_file).database
    path = sqlite_path(database)
    if path is not None and not path.exists() and not create:
        raise Problem(
            f"There is no database {path}. Correct --database, or add --create to make a new one."
        )
    token = asyncio.run(_register(name, database, known))
    say(f"{name} is registered.")
    if server is not None:
        _keep(server, name, token)
        say(f"The window on this computer logs in at {server} as {name}.")
    say(f"Token, to be kept secret: {token}")


async def _register(name: str, database: str, known: bool) -> str:
    from pydantic import TypeAdapter, ValidationError

    from doublecross.protocol.common import PlayerName
    from doublecross.server.core.storage import StoreError
    from doublecross.server.shell.identity.admins import NotRegisteredError, register_admin
    from doublecross.server.store.sql import SqlStore, database_url

    try:
        TypeAdapter(PlayerName).validate_python(name)
    except ValidationError:
        raise Problem(f"{name!r} is no name that a player can have.") from None
    try:
        store = await SqlStore.open(database_url(database))
        try:
            now_ms = int(time.time() * 1000)
            return await register_admin(store, name, now_ms, known=known)
        finally:
            await store.close()
    except (StoreError, NotRegisteredError) as error:
        raise Problem(str(error)) from None


def _keep(server: str, name: str, token: str) -> None:
    """Store the token where the window looks for it."""
    from doublecross.client.core.address import server_urls
    from doublecross.client.tk.home import Home

    try:
        file = Home().token_file(server_urls(server), name)
        if not file.hold():
            raise Problem(f"A window uses {name} at {server} now; close it first.")
        try:
            file.write(token)
        finally:
            file.release()
    except (OSError, ValueError) as error:
        raise Problem(f"The token cannot be kept on this computer ({error}).") from None
