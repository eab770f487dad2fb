"""Copy a database to an empty one, which may be of another kind: `doublecross database copy`."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from doublecross.cli.database.progress import progress
from doublecross.cli.database.restore import names_of, say_how_to_start
from doublecross.cli.shared.console import FAILED, Problem, say
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.server_files.database import shown
from doublecross.cli.shared.server_files.key_file import key_file
from doublecross.server.store.whole.archive import sync_folder


def copy(
    source: Annotated[
        str,
        typer.Argument(help="The database to copy: an SQLite file, or a URL.", metavar="FROM"),
    ],
    target: Annotated[
        str,
        typer.Argument(
            help="An SQLite file that does not exist yet, or the URL of an empty database.",
            metavar="TO",
        ),
    ],
) -> None:
    """Copy a server's database, for example from SQLite to PostgreSQL or back.

    Stop the server, or all nodes of the cluster, first. All tables are copied at once or not at
    all, and compared at the end. The tokens of the server's bots and its key for signatures are
    copied too. The old database stays as it is: do not start a server with it any more.

    Example: doublecross database copy var/doublecross.db postgresql://user@host/doublecross
    """
    need_server_packages()
    from doublecross.cli.shared.server_files.bot_tokens import token_folder
    from doublecross.server.core.storage import StoreError
    from doublecross.server.store.whole.copying import copy_database
    from doublecross.server.store.whole.reading import name_of

    try:
        name_of(source), name_of(target)
    except StoreError as error:
        raise Problem(str(error)) from None
    old, new = token_folder(source), token_folder(target)
    if new.is_dir() and any(new.glob("*.json")):
        raise Problem(f"{new} exists already. Move it away, or choose another database.")
    files = {token: new / token.name for token in sorted(old.glob("*.json"))}
    key = key_file(source)
    if key.is_file():
        files[key] = key_file(target)
        if files[key].exists():
            raise Problem(f"{files[key]} exists already. Move it away, or choose another database.")
    placed: list[Path] = []
    try:
        # The database last: without its tokens a server would give its bots new names.
        with progress() as show:
            sums = asyncio.run(
                copy_database(source, target, show, lambda: placed.extend(_copy_secrets(files)))
            )
    except BaseException as error:
        for token in placed:
            token.unlink(missing_ok=True)
        if isinstance(error, StoreError):
            in_use = str(error).startswith("Another server")
            raise Problem(f"{error}{' Stop it first.' if in_use else ''}") from None
        if isinstance(error, OSError):
            raise Problem(f"{new} cannot be written: {error.strerror}.", FAILED) from None
        raise
    rows = sum(each.rows for each in sums.values())
    say(f"Copied {len(sums)} tables with {rows:,} rows to {shown(target)}, and compared them:")
    for name, each in sums.items():
        say(f"  {name:<12} {each.rows:>12,}  checksum {each.checksum:064x}")
    tokens = tuple(path for path in placed if path.parent == new)
    if tokens:
        say(f"Copied the tokens of the bots to {new}.")
    if key in files:
        say(f"Copied the key of the server to {files[key]}; correct signing_key if it named {key}.")
    say_how_to_start(target, names_of(new, tokens))


def _copy_secrets(files: Mapping[Path, Path]) -> list[Path]:
    """Copy files that only their owner may read; return the new ones.

    Raises:
        OSError: they could not be copied. Then none are left.
    """
    placed: list[Path] = []
    try:
        for found, copied in files.items():
            copied.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            copied.touch(mode=0o600, exist_ok=False)
            placed.append(copied)
            shutil.copyfile(found, copied)
    except OSError:
        for copied in placed:
            copied.unlink(missing_ok=True)
        raise
    for folder in {copied.parent for copied in placed}:
        sync_folder(folder)
    return placed
