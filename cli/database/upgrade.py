"""Change the tables of an earlier version to those of this one: `doublecross database upgrade`."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from doublecross.cli.shared.console import Problem, say
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.server_files.database import shown


def upgrade(
    database: Annotated[str, typer.Argument(help="The database: an SQLite file, or a URL.")],
) -> None:
    """Upgrade the database of an earlier version, as a server does when it starts.

    Stop the server and make a backup first: earlier versions cannot read the new tables.

    Example: doublecross database upgrade var/doublecross.db
    """
    need_server_packages()
    from doublecross.server.core.storage import StoreError

    try:
        before, after = asyncio.run(_upgrade(database))
    except StoreError as error:
        in_use = str(error).startswith("Another server")
        raise Problem(f"{error}{' Stop it first.' if in_use else ''}") from None
    if before == after:
        say(f"The database {shown(database)} is up to date: its revision is {after}.")
    else:
        say(f"Upgraded the database {shown(database)} from revision {before} to {after}.")


async def _upgrade(database: str) -> tuple[str, str]:
    """Upgrade a database; return its revisions before and after.

    Raises:
        StoreError: there is no such database, a server uses it, or it cannot be upgraded.
    """
    from doublecross.server.core.storage import StoreError
    from doublecross.server.store.migrate import revision_of, revisions
    from doublecross.server.store.sql import SqlStore, database_url
    from doublecross.server.store.whole.reading import name_of, snapshot

    async with snapshot(database, alone=True) as connection:
        before = await connection.run_sync(revision_of)
    if before is None:
        raise StoreError(f"The database {name_of(database)} is empty.")
    newest = revisions()[-1]
    if before != newest:
        await (await SqlStore.open(database_url(database))).close()
    return before, newest
