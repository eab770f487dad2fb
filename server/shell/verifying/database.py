"""Check a whole database, table by table, as it is at one moment.

A server may be running. It cannot confuse the checks, because all of them read the same snapshot.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from doublecross.server.core.errors import Refused
from doublecross.server.core.storage import GameRow, JournalEntry, StoreError
from doublecross.server.core.terms import RoomTimes
from doublecross.server.shell.verifying.games import TO_DO, wrong_in_game
from doublecross.server.shell.verifying.logs import check_log
from doublecross.server.shell.verifying.problem import Wrong
from doublecross.server.shell.verifying.rooms import OpenRooms, check_rooms
from doublecross.server.store import statements
from doublecross.server.store.row_counts import COUNTED
from doublecross.server.store.rows import entrant_row, game_row, pairing_rows, tournament_row
from doublecross.server.store.schema import (
    LAST_ENTRY,
    accounts,
    counters,
    entrants,
    games,
    journal,
    log_entries,
    pairings,
    players,
    reviews,
    row_counts,
    tokens,
    tournaments,
)
from doublecross.server.store.whole.logs import entries_of_log, stored_logs
from doublecross.server.store.whole.reading import check_current, count, pages, snapshot
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.messages import StoredTournament, outcome_of, rebuild

Show = Callable[[str, int, int], None]
"""Shows progress: takes the name of a part, how many rows are checked, and how many there are."""
RESTORE: Final = "Stop the server, and restore the newest backup that is sound."
_PLAYER: Final = "Nobody may be able to log in as this player; compare with a backup."
_UNREADABLE: Final = (Refused, CorruptTournament)
_ACCOUNT: Final = "Nobody can log in with it; compare with a backup."
_REVIEW: Final = "The server makes it again when the row is gone, so delete it."
_TOURNAMENT: Final = "The server does not run it, and runs all others; compare with a backup."


@dataclass(slots=True)
class Findings:
    """The findings of a check: the revision, how many rows each part has, and what is wrong."""

    revision: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    wrong: list[Wrong] = field(default_factory=list)


async def verify_database(database: str, times: RoomTimes, now_ms: int, show: Show) -> Findings:
    """Check everything in a database, a path or a URL, without changing it.

    `times` are the time limits of rooms and `now_ms` is the time, in milliseconds since 1970.

    Raises:
        StoreError: the database cannot be read, or is of another version or of another program.
    """
    found = Findings()
    async with snapshot(database, alone=False) as connection:
        found.revision = await check_current(connection, database)
        # Nothing that is read from a damaged file can be trusted.
        if await _check_file(connection, found):
            return found
        await _check_counts(connection, found)
        rooms = await check_rooms(_journal(connection, show), times, now_ms)
        found.counts["journal entries"] = rooms.entries
        await _check_logs(connection, rooms, times, now_ms, found, show)
        found.wrong += rooms.wrong
        found.counts["unfinished rooms"] = len(rooms.ids)
        await _check_counters(connection, rooms, found)
        await _check_players(connection, found, show)
        for table, what in ((accounts, "account"), (tokens, "token")):
            await _check_accounts(connection, table, what, found)
        await _check_games(connection, rooms, found, show)
        await _check_reviews(connection, found, show)
        await _check_tournaments(connection, rooms, found, show)
    return found


def is_damage(error: StoreError) -> bool:
    """Return whether a database could not be read because its file is damaged."""
    cause = error.__cause__
    driver = cause.orig if isinstance(cause, DBAPIError) else cause
    code = getattr(driver, "sqlite_errorcode", 0)
    # The lowest byte is the kind of error; the others say more about it.
    return bool(code & 0xFF == sqlite3.SQLITE_CORRUPT)


async def _check_file(connection: AsyncConnection, found: Findings) -> bool:
    """Check the pages and indexes of an SQLite file; return whether it is damaged."""
    if connection.dialect.name != "sqlite":
        return False
    for pragma in ("integrity_check", "foreign_key_check"):
        rows = (await connection.exec_driver_sql(f"PRAGMA {pragma}")).all()
        for row in rows:
            if row[0] != "ok":
                why = " ".join(map(str, row)).splitlines()[0]
                found.wrong.append(Wrong("database file", "", f"it is damaged ({why})", RESTORE))
    return bool(found.wrong)


async def _rows(
    connection: AsyncConnection, table: sa.Table, name: str, show: Show
) -> AsyncIterator[sa.RowMapping]:
    total, done = await count(connection, table), 0
    show(name, 0, total)
    async for page in pages(connection, table):
        for row in page:
            yield row._mapping
        done += len(page)
        show(name, done, total)


async def _journal(connection: AsyncConnection, show: Show) -> AsyncIterator[JournalEntry]:
    async for row in _rows(connection, journal, "journal entries", show):
        yield JournalEntry(row["entry_id"], row["at_ms"], row["frames"])


async def _check_logs(
    connection: AsyncConnection,
    rooms: OpenRooms,
    times: RoomTimes,
    now_ms: int,
    found: Findings,
    show: Show,
) -> None:
    """Check the logs of a cluster, if the database belongs to one, and add their rooms."""
    logs = await stored_logs(connection)
    if not logs:
        return
    total, before, done = await count(connection, log_entries), rooms.entries, 0

    def on_entries(more: int) -> None:
        nonlocal done
        done += more
        show("entries of logs", done, total)

    for log, number in logs.items():
        entries = entries_of_log(connection, log, on_entries)
        await check_log(log, entries, rooms, times, now_ms, number)
    found.counts["logs"] = len(logs)
    found.counts["entries of logs"] = rooms.entries - before


async def _check_counters(connection: AsyncConnection, rooms: OpenRooms, found: Findings) -> None:
    rows = (await connection.execute(sa.select(counters))).all()
    known = {row.name: row.value for row in rows}
    for name in sorted({"epoch", LAST_ENTRY} - known.keys()):
        found.wrong.append(Wrong("counter", name, "it is missing", RESTORE))


async def _check_counts(connection: AsyncConnection, found: Findings) -> None:
    """Check that each table has all rows that were added to it."""
    query = sa.select(row_counts.c.table_name, sa.func.sum(row_counts.c.counted))
    rows = await connection.execute(query.group_by(row_counts.c.table_name))
    counted = {name: int(number) for name, number in rows.all()}
    for table in COUNTED:
        number, right = await count(connection, table), counted.get(table.name, 0)
        if number != right:
            why = f"the number of its rows is {number:,}, but should be {right:,}"
            found.wrong.append(Wrong("table", table.name, why, RESTORE))


async def _check_players(connection: AsyncConnection, found: Findings, show: Show) -> None:
    checked = 0
    async for row in _rows(connection, players, "players", show):
        checked += 1
        if row["name_key"] != row["name"].casefold():
            why = f"its key is {row['name_key']!r}, which is not that of its name"
            found.wrong.append(Wrong("player", row["name"], why, _PLAYER))
        if row["kind"] not in ("human", "bot"):
            why = f"it is of the unknown kind {row['kind']!r}"
            found.wrong.append(Wrong("player", row["name"], why, _PLAYER))
    found.counts["players"] = checked


async def _check_accounts(
    connection: AsyncConnection, table: sa.Table, what: str, found: Findings
) -> None:
    """Check that the player of each row exists."""
    (key,) = table.primary_key
    known = sa.exists().where(players.c.account_id == table.c.account_id)
    query = sa.select(key, table.c.account_id).where(~known).order_by(key)
    for row in (await connection.execute(query)).all():
        why = f"there is no player with the account {row[1]}"
        found.wrong.append(Wrong(what, str(row[0]), why, _ACCOUNT))


async def _check_games(
    connection: AsyncConnection, rooms: OpenRooms, found: Findings, show: Show
) -> None:
    checked = 0
    async for values in _rows(connection, games, "games", show):
        checked += 1
        row = game_row(values)
        wrong = list(wrong_in_game(row))
        keys = tuple(name.casefold() for name in row.players)
        if (values["player_0_key"], values["player_1_key"]) != keys:
            wrong.append("the keys of its players are not those of their names")
        replayed = rooms.finished.get(row.game_id)
        if replayed is not None and _outcome(replayed) != _outcome(row):
            wrong.append("its row differs from the events of its room in the journal")
        found.wrong += [Wrong("game", row.game_id, why, TO_DO) for why in wrong]
    found.counts["games"] = checked
    # Every match of a room that has ended has a row, and rows stay.
    later = games.alias()
    former = later.c.room + "-" + sa.cast(later.c.match - 1, sa.String)
    before = sa.exists().where(games.c.game_id == former)
    query = sa.select(later.c.room, later.c.match).where(later.c.match > 1, ~before)
    for room, match in (await connection.execute(query.order_by(later.c.game_id))).all():
        found.wrong.append(Wrong("game", f"{room}-{match - 1}", "its row is missing", TO_DO))


def _outcome(row: GameRow) -> tuple[Any, ...]:
    return (row.players, row.result, row.winner, row.scores, row.plies, row.termination)


async def _check_reviews(connection: AsyncConnection, found: Findings, show: Show) -> None:
    checked = 0
    async for row in _rows(connection, reviews, "reviews", show):
        checked += 1
        try:
            zlib.decompress(row["text"])
            zlib.decompress(row["packed"])
        except zlib.error as error:
            why = f"it cannot be unpacked ({error})"
            found.wrong.append(Wrong("review of the game", row["game_id"], why, _REVIEW))
    found.counts["reviews"] = checked


async def _check_tournaments(
    connection: AsyncConnection, rooms: OpenRooms, found: Findings, show: Show
) -> None:
    checked, total = 0, await count(connection, tournaments)
    async for values in _rows(connection, tournaments, "tournaments", show):
        row = tournament_row(values)
        try:
            stored = await _stored(connection, row.tournament_id, values)
            _check_players_of_games(stored)
            outcomes = [outcome_of(game) for game in stored.games]
            live = {tag for tag in rooms.live if tag.tournament == row.tournament_id}
            # A game with a row is over, even if its room is still open.
            rebuild(stored, outcomes, live - {outcome.tag for outcome in outcomes})
        except (*_UNREADABLE, LookupError, TypeError, ValueError) as error:
            why = str(error).removeprefix(f"Tournament {row.tournament_id}: ")
            found.wrong.append(
                Wrong("tournament", row.tournament_id, f"its rows do not fit ({why})", _TOURNAMENT)
            )
        checked += 1
        show("tournaments", checked, total)
    found.counts["tournaments"] = checked
    for table in (entrants, pairings, games):
        await _check_orphans(connection, table, found)


async def _stored(
    connection: AsyncConnection, tournament_id: str, values: sa.RowMapping
) -> StoredTournament:
    """Read everything of a tournament."""

    async def rows(query: sa.Select[Any]) -> list[sa.RowMapping]:
        return [row._mapping for row in (await connection.execute(query)).all()]

    entered = await rows(statements.all_of(entrants, tournament_id).order_by(entrants.c.number))
    paired = await rows(statements.all_of(pairings, tournament_id).order_by(pairings.c.number))
    chosen = games.c.tournament_id == tournament_id
    played = await rows(
        sa.select(*statements.LISTED).where(chosen).order_by(games.c.finished_ms, games.c.game_id)
    )
    return StoredTournament(
        tournament_row(values),
        [entrant_row(row) for row in entered],
        pairing_rows(paired),
        [game_row(row) for row in played],
    )


def _check_players_of_games(stored: StoredTournament) -> None:
    """Check that each game was played by the players of its pairing.

    Raises:
        ValueError: one was not.
    """
    names = {entrant.number: entrant.name.casefold() for entrant in stored.entrants}
    paired = {
        pairing.number: {names.get(pairing.first), names.get(pairing.second)}
        for pairing in stored.pairings
        if pairing.second is not None
    }
    for game in stored.games:
        assert game.tag is not None
        number = game.tag.pairing
        if number not in paired:
            raise ValueError(f"the game {game.game_id} is of pairing {number}, which is missing")
        if paired[number] != {name.casefold() for name in game.players}:
            raise ValueError(
                f"the game {game.game_id} is of pairing {number}, but others played it"
            )


async def _check_orphans(connection: AsyncConnection, table: sa.Table, found: Findings) -> None:
    """Check that the tournament of each row exists."""
    column = table.c.tournament_id
    known = sa.exists().where(tournaments.c.tournament_id == column)
    query = sa.select(column).where(column.is_not(None), ~known).distinct().order_by(column)
    for row in (await connection.execute(query)).all():
        why = f"its row is missing, but there are rows of it in the table {table.name}"
        found.wrong.append(Wrong("tournament", str(row[0]), why, _TOURNAMENT))
