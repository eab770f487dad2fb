"""Write records of finished games from a server or a database to a file: `doublecross export`."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote, urlencode

import typer

from doublecross.cli.settings.options import settings_of
from doublecross.cli.shared.console import FAILED, Problem, err, warn
from doublecross.cli.shared.files import STANDARD_OUTPUT, check_file, write_file
from doublecross.cli.shared.parsing import DEFAULT_SERVER, need_server_packages
from doublecross.cli.shared.remote.reading import fetch, fetch_records, http_of, reading
from doublecross.cli.watch.signatures import check_records, keys_in, named_keys, signing
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from doublecross.server.store.sql import SqlStore

_PAGE: Final = 200
"""The number of games that one request asks for."""


def export(
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            "-s",
            help="Address of the server for players, or its HTTP address.",
            show_default=DEFAULT_SERVER,
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(help="Read this database, a file or URL, which no server may be using."),
    ] = None,
    settings_file: Annotated[
        str | None,
        typer.Option(
            "--settings",
            help="Read the database that this TOML file with a server's settings names.",
            metavar="FILE",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write.", show_default="standard output"),
    ] = None,
    player: Annotated[str | None, typer.Option(help="Only games of this player.")] = None,
    game: Annotated[
        str | None, typer.Option(help="Only this game, such as dots-and-boxes.")
    ] = None,
    sign: Annotated[
        Path | None,
        typer.Option(
            help="Sign the records with the keys in this file, see doublecross keys.",
            metavar="KEYFILE",
        ),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(
            help="Check the signatures in this file of records, with the keys of the server or of "
            "--key. Write nothing.",
            metavar="FILE",
        ),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            help="The public key to check signatures with, or a file with public keys.",
            metavar="PUBLICKEY",
        ),
    ] = None,
) -> None:
    """Write the records of all finished public games to one file, oldest first.

    With --verify, check whether somebody has changed the records in a file. The exit code is 0 if
    all of them are signed and unchanged, otherwise 1.

    Example: doublecross export --server http://127.0.0.1:8765 --output games.txt
    """
    quiet_logs(verbose=False)
    if verify is not None:
        others = (database, settings_file, output, player, game, sign)
        if any(each is not None for each in others):
            raise Problem("Use --verify with --server or --key and without other options.")
        _verify(verify, key, server)
        return
    if key is not None:
        raise Problem("--key is for --verify; sign with --sign KEYFILE.")
    if server is not None and database is not None:
        raise Problem("Use --server or --database, not both.")
    if server is not None and settings_file is not None:
        raise Problem("Use --server or --settings, not both.")
    if game is not None:
        from doublecross.cli.shared.parsing import game_of

        game_of(game, None)
    check_file(output)
    signed = None if sign is None else signing(sign)
    if database is not None or settings_file is not None:
        need_server_packages()
        database = settings_of(database, settings_file).database
        if "://" not in database and not Path(database).expanduser().is_file():
            raise Problem(f"There is no database {database}.")
        records = asyncio.run(_from_database(database, player, game))
    else:
        records = _from_server(server or DEFAULT_SERVER, player, game)
    # The server and the database list the newest games first.
    records.reverse()
    if signed is not None:
        records = [signed(record) for record in records]
    _write(records, output)


def _verify(file: Path, key: str | None, server: str | None) -> None:
    """Check the signatures in a file with one public key, or with those of a server."""
    if key is not None and server is not None:
        raise Problem("Use --server or --key, not both.")
    need_server_packages()
    if key is not None:
        keys = named_keys(key)
    else:
        http = http_of(server or DEFAULT_SERVER)
        keys = keys_in(fetch(http, "/api/keys"), f"The server at {http} publishes no keys.")
        if not keys:
            raise Problem(f"The server at {http} signs no records, so it has no keys.")
    if not check_records(file, keys):
        raise typer.Exit(FAILED)


def _from_server(server: str, player: str | None, game: str | None) -> list[str]:
    http = http_of(server)
    chosen = {key: value for key, value in (("player", player), ("game", game)) if value}
    ids: dict[str, None] = {}
    with reading(http) as get:
        page: str | None = f"/api/games?{urlencode({'limit': _PAGE, **chosen})}"
        while page is not None:
            games, page = _games(get(page))
            ids.update(dict.fromkeys(row["id"] for row in games))
        if player is not None and not ids:
            get(f"/api/players/{quote(player, safe='')}")  # refuses a name that nobody has
    return fetch_records(http, list(ids))


def _games(text: str) -> tuple[list[dict[str, Any]], str | None]:
    """Return the games of a page, and the address of the next one."""
    try:
        found = json.loads(text)
        games: list[dict[str, Any]] = found["games"]
        onward: str | None = found.get("next")
        too_old = "next" not in found and len(games) >= _PAGE
    except (ValueError, KeyError, TypeError):
        raise Problem("There is no Doublecross server at that HTTP address.") from None
    if too_old:
        raise Problem(
            "The server is of an earlier version, which cannot list all games;"
            " export from its database with --database."
        )
    return games, onward


async def _from_database(database: str, player: str | None, game: str | None) -> list[str]:
    from doublecross.server.core.storage import StoreError
    from doublecross.server.store.sql import SqlStore, database_url

    try:
        store = await SqlStore.open(database_url(database))
        try:
            records = [record async for record in _rows(store, player, game)]
            if player is not None and not records and await store.player_by_name(player) is None:
                raise Problem(f"There is no player {player}.")
            return records
        finally:
            await store.close()
    except StoreError as error:
        hint = " Export from it with --server." if str(error).startswith("Another server") else ""
        raise Problem(f"{error}{hint}") from None


async def _rows(store: SqlStore, player: str | None, game: str | None) -> AsyncIterator[str]:
    before_ms, before_id = None, ""
    while True:
        page = await store.games(
            limit=_PAGE, before_ms=before_ms, before_id=before_id, player=player, game=game
        )
        for listed in page:
            row = await store.game(listed.game_id)
            if row is not None:
                yield row.record
        if len(page) < _PAGE:
            return
        before_ms, before_id = page[-1].finished_ms, page[-1].game_id


def _write(records: list[str], output: Path | None) -> None:
    count = "1 game" if len(records) == 1 else f"{len(records)} games"
    if output is None or output == STANDARD_OUTPUT:
        write_file(STANDARD_OUTPUT, records)
        if not records:
            warn("No finished public game is like that.")
        elif err().is_terminal:
            warn(count, "dim")
        return
    write_file(output, records)
    warn(f"Wrote {count} to {output}.")
