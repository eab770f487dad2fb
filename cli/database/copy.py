"""`doublecross database copy`: copies a database to an empty one, which may be of another kind."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Annotated

import typer

from cli.backup.archive import sync_folder
from cli.backup.restore import names_of, say_how_to_start, shown
from cli.database.progress import progress
from cli.shared.console import FAILED, Problem, say
from cli.shared.parsing import need_server_packages


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

    Stop the server first. All tables are copied at once or not at all, and compared at the end.
    The tokens of the server's bots are copied too. The old database stays as it is: do not start
    a server with it any more.

    Example: doublecross database copy var/doublecross.db postgresql://user@host/doublecross
    """
    need_server_packages()
    from cli.serve.residents import token_folder
    from server.core.storage import StoreError
    from server.store.whole.copying import copy_database
    from server.store.whole.reading import name_of

    try:
        name_of(source), name_of(target)
    except StoreError as error:
        raise Problem(str(error)) from None
    old, new = token_folder(source), token_folder(target)
    if new.is_dir() and any(new.glob("*.json")):
        raise Problem(f"{new} exists already. Move it away, or choose another database.")
    placed: list[Path] = []
    try:
        # The database last: without its tokens a server would give its bots new names.
        placed = _copy_tokens(old, new)
        with progress() as show:
            sums = asyncio.run(copy_database(source, target, show))
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
    if placed:
        say(f"Copied the tokens of the bots to {new}.")
    say_how_to_start(target, names_of(new, tuple(placed)))


def _copy_tokens(old: Path, new: Path) -> list[Path]:
    """Copy the tokens of the bots; return the new files.

    Raises:
        OSError: they could not be copied. Then none are left.
    """
    placed: list[Path] = []
    found = sorted(old.glob("*.json")) if old.is_dir() else []
    if not found:
        return placed
    new.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        for token in found:
            copied = new / token.name
            copied.touch(mode=0o600, exist_ok=False)
            placed.append(copied)
            shutil.copyfile(token, copied)
    except OSError:
        for copied in placed:
            copied.unlink(missing_ok=True)
        raise
    sync_folder(new)
    return placed
