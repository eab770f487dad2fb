"""Notice a database and a folder of bots' tokens that do not belong together."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path

import sqlalchemy as sa

from doublecross.cli.shared.server_files.bot_tokens import token_files
from doublecross.cli.shared.server_files.database import shown
from doublecross.server.core.storage import StoreError
from doublecross.server.store.schema import players
from doublecross.server.store.whole.reading import file_of, snapshot


def wrong_tokens(database: str, folder: Path, bots: Collection[str]) -> str | None:
    """Return a sentence for the host when only the database or only the tokens are new.

    `bots` are the names of the bots that the server shall have. Call this before it starts.
    """
    tokens = token_files(folder)
    if not tokens and not bots:
        return None
    try:
        known = asyncio.run(_known_bots(database, bots))
    except StoreError:
        return None  # the server cannot start either, and says so
    if tokens and known is None:
        return (
            f"The database {shown(database)} is new, but {folder} has the tokens of another one."
            " The bots will get new tokens. If a database should be here, stop the server and"
            " restore it first."
        )
    if not tokens and known:
        return (
            f"The database {shown(database)} knows {', '.join(known)}, but their tokens are not in"
            f" {folder}. The bots will get other names. To keep the names, stop the server and"
            " restore the folder first."
        )
    return None


async def _known_bots(database: str, names: Collection[str]) -> list[str] | None:
    """Return those of the names that bots have in a database; None if it is empty."""
    if (file := file_of(database)) is not None and not (file.is_file() and file.stat().st_size):
        return None
    async with snapshot(database, alone=False) as connection:
        tables = await connection.run_sync(lambda each: sa.inspect(each).get_table_names())
        if players.name not in tables:
            return None
        chosen = players.c.name_key.in_([name.casefold() for name in names])
        query = sa.select(players.c.name).where(chosen, players.c.kind == "bot")
        return list(await connection.scalars(query.order_by(players.c.name)))
