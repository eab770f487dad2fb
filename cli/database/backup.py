"""Save the database of a server, its key and the tokens of its bots: `doublecross backup`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from doublecross.cli.database.problems import backup_problems
from doublecross.cli.settings.options import SettingsOption, settings_of
from doublecross.cli.shared.console import FAILED, Problem, say
from doublecross.cli.shared.files import STANDARD_OUTPUT, check_file
from doublecross.cli.shared.options import Database
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.server_files.database import POSTGRESQL, SQLITE, sqlite_path, url_of
from doublecross.cli.shared.server_files.key_file import key_file
from doublecross.server.store.whole import archive, dumps


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, such as games.tar.")],
    database: Database = None,
    settings_file: SettingsOption = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the file if it exists.")
    ] = False,
) -> None:
    """Save everything that a server keeps in one file: its database, its key for signatures, and
    the tokens of its bots.

    The server may run meanwhile. The file has the state of one moment, with every move that was
    answered before the command began. Only you can read it; keep it secret, because it lets its
    owner play as the server's bots and sign as the server. Restore it with: doublecross restore
    FILE

    Example: doublecross backup games.tar --database var/doublecross.db
    """
    need_server_packages()
    from doublecross.cli.shared.server_files.bot_tokens import token_files, token_folder

    settings = settings_of(database, settings_file)
    database = settings.database
    if file == STANDARD_OUTPUT:
        raise Problem("A backup cannot go to standard output. Name a file, such as games.tar.")
    check_file(file)
    path = sqlite_path(database)
    key = key_file(settings.database, settings.signing_key)
    if path is not None and path.exists() and file.exists() and file.samefile(path):
        raise Problem(f"{file} is the database itself. Choose another name for the backup.")
    if file.exists() and not replace:
        raise Problem(f"{file} exists already. Choose another name, or add --replace.")
    # The database first: a token without its player is replaced by a new one when the bot joins,
    # but a player without its token could never be used again.
    with backup_problems(), archive.scratch_folder(file) as scratch:
        created = datetime.now(UTC).isoformat(timespec="seconds")
        copy = scratch / archive.DATABASE
        if path is not None:
            kind = SQLITE
            dumps.copy_sqlite(path, copy)
        else:
            kind = POSTGRESQL
            dumps.dump_postgresql(url_of(database), copy)
        tokens = token_files(token_folder(database))
        try:
            archive.write(file, scratch, kind=kind, created=created, tokens=tokens, key=key)
        except OSError as error:
            raise Problem(f"{file} cannot be written: {error.strerror}.", FAILED) from None
    bots = "1 bot" if len(tokens) == 1 else f"{len(tokens)} bots"
    tokens_of = f"the tokens of {bots}"
    if key.is_file():
        say(f"Saved the database, {tokens_of}, and the key of the server in {file}.")
    else:
        say(f"Saved the database and {tokens_of} in {file}.")
