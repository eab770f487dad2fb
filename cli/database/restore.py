"""Write the database, the key and the tokens of a backup to new places: `doublecross restore`."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Annotated

import typer

from doublecross.cli.database.problems import backup_problems
from doublecross.cli.settings.options import SettingsOption, settings_of
from doublecross.cli.shared.console import FAILED, Problem, say
from doublecross.cli.shared.options import Database
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.server_files.bot_tokens import token_files, token_folder
from doublecross.cli.shared.server_files.database import (
    POSTGRESQL,
    SQLITE,
    shown,
    sqlite_path,
    url_of,
)
from doublecross.cli.shared.server_files.key_file import key_file
from doublecross.server.store.whole import archive, dumps


def restore(
    file: Annotated[Path, typer.Argument(help="A file that doublecross backup wrote.")],
    database: Database = None,
    settings_file: SettingsOption = None,
) -> None:
    """Restore what doublecross backup saved, and check that it is whole.

    It never overwrites a database: move the old one away first, with the folder of tokens beside
    it, or choose another place. Then start the server with this database.

    Example: doublecross restore games.tar --database var/doublecross.db
    """
    need_server_packages()
    settings = settings_of(database, settings_file)
    database = settings.database
    target = sqlite_path(database)
    key = key_file(settings.database, settings.signing_key)
    folder = token_folder(database)
    check_free(target, folder, key)
    try:
        beside = folder if target is None else target
        beside.parent.mkdir(parents=True, exist_ok=True)
        with backup_problems(), archive.scratch_folder(beside) as scratch:
            found = archive.read(file, scratch)
            _check_kind(found.kind, target)
            if target is None:
                dumps.restore_postgresql(found.database, url_of(database))
                _place_tokens(found.tokens, folder)
                _place_key(found.key, key)
            else:
                dumps.check_sqlite(found.database)
                # The database last: if this is interrupted, there is nothing that a server could
                # start with and give its bots new names.
                _place_tokens(found.tokens, folder)
                _place_key(found.key, key)
                found.database.rename(target)
                archive.sync_folder(target.parent)
    except OSError as error:
        raise Problem(f"{file} cannot be restored: {error.strerror}.", FAILED) from None
    say(f"Restored the backup of {found.created}.")
    if found.key is not None and settings.signing_key is None:
        say(f"Let the server sign records with this setting: signing_key = {json.dumps(str(key))}")
    say_how_to_start(database, names_of(folder, found.tokens))


def names_of(folder: Path, tokens: tuple[Path, ...]) -> list[str]:
    """Return the names of the bots whose tokens were placed in `folder`."""
    names = []
    for token in tokens:
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            names.append(str(json.loads((folder / token.name).read_text("utf-8"))["name"]))
    return sorted(names)


def say_how_to_start(database: str, names: list[str]) -> None:
    """Print the command that starts the server with its database and the bots of these names."""
    from doublecross.bots.registry import bot_names

    known = bot_names()
    # The second bot of a kind is called rules-2.
    kinds = {name: re.sub(r"-[0-9]{1,2}$", "", name) for name in names}
    kinds |= {name: name for name in names if name in known}
    specs = [kind for kind in kinds.values() if kind in known]
    bots = f" --bots {','.join(specs)}" if specs else ""
    say(f"Start the server: doublecross serve --database {shlex.quote(shown(database))}{bots}")
    others = [name for name in names if kinds[name] not in known]
    if others:
        were = "were bots" if len(others) > 1 else "was a bot"
        say(f"{', '.join(others)} {were} of this server too: add module:Class to --bots.")
    say("Add the other options that it had, such as --host.")
    if sqlite_path(database) is None:
        say("Or add --cluster to start a node of a cluster, which continues its games in play.")


def check_free(target: Path | None, folder: Path, key: Path) -> None:
    """Refuse to overwrite anything of another database."""
    # A server that was killed leaves its host file, which nobody needs.
    taken = [folder] if token_files(folder) else []
    if key.exists():
        taken.append(key)
    if target is not None:
        beside = (target, *(target.with_name(target.name + end) for end in ("-wal", "-shm")))
        taken = [path for path in beside if path.exists()] + taken
    if taken:
        raise Problem(f"{taken[0]} exists already. Move it away, or choose another --database.")


def _check_kind(kind: str, target: Path | None) -> None:
    wanted = POSTGRESQL if target is None else SQLITE
    if kind != wanted:
        names = {SQLITE: "SQLite", POSTGRESQL: "PostgreSQL"}
        raise Problem(
            f"The backup is of an {names[kind]} database and can only be restored to one."
            if kind == SQLITE
            else "The backup is of a PostgreSQL database. Give the URL of an empty one."
        )


def _place_key(found: Path | None, key: Path) -> None:
    if found is None:
        return
    key.parent.mkdir(parents=True, exist_ok=True)
    # The place of the key may be on another file system, where nothing can be renamed to.
    key.touch(mode=0o600, exist_ok=False)
    shutil.copyfile(found, key)
    archive.sync_folder(key.parent)


def _place_tokens(tokens: tuple[Path, ...], folder: Path) -> None:
    if not tokens:
        return
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for token in tokens:
        token.rename(folder / token.name)
    archive.sync_folder(folder)
