"""Find what is wrong in a database, without changing it: `doublecross database verify`."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated

import typer

from doublecross.cli.database.progress import progress
from doublecross.cli.shared.console import FAILED, Problem, say
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.server_files.database import shown


def verify(
    database: Annotated[str, typer.Argument(help="The database: an SQLite file, or a URL.")],
) -> None:
    """Check the database of a server, which may be running, without changing it.

    It checks the file and the numbers of rows, decodes the journal and the logs of a cluster,
    replays all unfinished rooms and all finished games by the rules, and rebuilds all tournaments.
    It prints a line for each problem, and exits with code 1 if there is one.

    Example: doublecross database verify var/doublecross.db
    """
    need_server_packages()
    from doublecross.server.core.storage import StoreError
    from doublecross.server.shell.settings import ServerSettings
    from doublecross.server.shell.verifying.database import RESTORE, is_damage, verify_database

    times = ServerSettings.model_construct().times
    try:
        with progress() as show:
            found = asyncio.run(verify_database(database, times, int(time.time() * 1000), show))
    except StoreError as error:
        if is_damage(error):
            raise Problem(f"{error} {RESTORE}", FAILED) from None
        raise Problem(str(error)) from None
    for wrong in found.wrong:
        say(str(wrong))
    parts = [f"{n:,} {_one(name) if n == 1 else name}" for name, n in found.counts.items()]
    if found.counts:
        say(f"Checked {', '.join(parts)} in {shown(database)}, revision {found.revision}.")
    if not found.wrong:
        say("No problems.")
        return
    count = len(found.wrong)
    say("1 problem." if count == 1 else f"{count:,} problems.")
    raise typer.Exit(FAILED)


def _one(name: str) -> str:
    """Return the singular of a name in `Findings.counts`."""
    return name.replace("entries", "entry") if "entries" in name else name.removesuffix("s")
