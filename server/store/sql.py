"""The storage on a database: SQLite by default, PostgreSQL by its URL.

One connection writes, in the order of the calls; reads have connections of their own and never
wait for it. The hot path is a commit of one journal entry and nothing else: a single statement
that is its own transaction. Everything else that writes begins a transaction, in a task of its
own that goes on to its end when the caller is cancelled, so that no half of it stays behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Self, TypeAlias, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import InvalidRequestError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from server.core.match import NO_RESULT
from server.core.rating_book import RatedGame
from server.core.storage import (
    Batch,
    GameRow,
    JournalEntry,
    PlayerRow,
    StoreError,
    TournamentChange,
    TournamentRow,
)
from server.store import migrate, sqlite
from server.store.failures import FAILURES, failing_as, failure
from server.store.postgresql import PostgresqlWriter
from server.store.rows import (
    entrant_row,
    entrant_values,
    game_row,
    game_values,
    pairing_row,
    pairing_values,
    player_row,
    player_values,
    tournament_row,
    tournament_values,
)
from server.store.schema import (
    LAST_ENTRY,
    counters,
    entrants,
    games,
    journal,
    pairings,
    players,
    tournaments,
)
from server.store.writer import Writer
from server.tournaments.core.rows import Entrant, Pairing

_Row: TypeAlias = sa.Row[*tuple[Any, ...]]
_Query: TypeAlias = sa.Select[*tuple[Any, ...]]
_Steps: TypeAlias = Sequence[tuple[sa.Executable, Sequence[Mapping[str, Any]]]]
_Result = TypeVar("_Result")

# What a URL without a driver means; the synchronous drivers cannot be used.
_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgresql": "postgresql+asyncpg",
    "postgres": "postgresql+asyncpg",
}
_READ_WAIT_S: Final = 10.0  # for a free connection
_JOURNAL_PAGE: Final = 100  # entries in memory at once
_DELETE_CHUNK: Final = 500  # entries in one transaction, between which commits get their turn

_NOT_WRITTEN: Final = "The database could not be written"
_NOT_READ: Final = "The database could not be read"

_ADD_ENTRY: Final = sa.insert(journal)
_DELETE_ENTRY: Final = sa.delete(journal).where(journal.c.entry_id == sa.bindparam("deleted_id"))
_HIGHEST_ENTRY: Final = sa.select(sa.func.max(journal.c.entry_id)).scalar_subquery()
_RAISE_LAST_ENTRY: Final = (
    sa.update(counters)
    .where(counters.c.name == LAST_ENTRY, counters.c.value < _HIGHEST_ENTRY)
    .values(value=_HIGHEST_ENTRY)
)
_LAST_ENTRY: Final = sa.select(
    _HIGHEST_ENTRY,
    sa.select(counters.c.value).where(counters.c.name == LAST_ENTRY).scalar_subquery(),
)
_REMOVE_PLAYER: Final = sa.delete(players).where(players.c.name_key == sa.bindparam("removed_key"))
_ADD_PLAYER: Final = sa.insert(players)
# Both databases have an upsert, but SQLAlchemy spells it in two dialects; this is plain SQL.
_ADD_GAME: Final = sa.insert(games).from_select(
    [column.name for column in games.c],
    sa.select(*(sa.bindparam(column.name, type_=column.type) for column in games.c)).where(
        ~sa.exists().where(games.c.game_id == sa.bindparam("game_id", type_=sa.String()))
    ),
)
_REMOVE: Final[Mapping[sa.Table, sa.Delete]] = {
    table: sa.delete(table).where(
        *(column == sa.bindparam(f"removed_{column.name}") for column in table.primary_key)
    )
    for table in (tournaments, entrants, pairings)
}
_RATED_PAGE: Final = 5000  # games in memory at once
_TOURNAMENT_PAGE: Final = 250  # some milliseconds of the event loop
_RATED: Final = (
    *("game_id", "game", "size", "player_0", "player_1", "engine_0", "engine_1"),
    *("winner", "termination", "finished_ms"),
)
_LISTED: Final = [column for column in games.c if column.name != "record"]


def database_url(path_or_url: str) -> str:
    """The URL of a database given by its URL, which stays as it is, or by the path of an SQLite
    file, whose folder is made if there is none. Raises StoreError when that fails."""
    if "://" in path_or_url:
        return path_or_url
    path = Path(path_or_url).expanduser()
    with failing_as(f"The folder of the database {path} could not be made"):
        path.parent.mkdir(parents=True, exist_ok=True)
    return sa.URL.create("sqlite+aiosqlite", database=str(path.absolute())).render_as_string()


class SqlStore:
    """`server.core.storage.Store` on a database. Make one with `open`, end it with `close`."""

    def __init__(self, writer: Writer, readers: AsyncEngine, lock: sqlite.UseLock | None) -> None:
        self._writer = writer
        self._readers = readers
        self._lock = lock
        self._turn = asyncio.Lock()  # whose holder uses the writer
        self._closed = False
        self._tasks: set[asyncio.Future[Any]] = set()

    @classmethod
    async def open(cls, url: str, *, read_connections: int = 2) -> Self:
        """Open the database, make or bring up to date its tables, and keep other servers off.

        Raises StoreError, with nothing left open and the database as it was, when the URL is no
        good, its driver is missing, the database cannot be opened or written, is in use by
        another server, is of a newer version or of another program."""
        parsed = _parsed(url)
        is_sqlite = parsed.drivername.startswith("sqlite")
        name = parsed.database if is_sqlite else parsed.render_as_string(hide_password=True)
        lock: sqlite.UseLock | None = None
        with failing_as(f"The database {name} cannot be opened"):
            if is_sqlite:
                lock = sqlite.UseLock(sqlite.database_file(parsed))
                lock.acquire()
            try:
                store = cls(*_engines(parsed, read_connections), lock)
            except BaseException:
                if lock is not None:
                    lock.release()
                raise
            try:
                await store._bring_up_to_date()
            except BaseException:
                await store.close()
                raise
        return store

    async def commit(self, batch: Batch) -> None:
        """See `Store.commit`. When cancelled, the batch is stored nevertheless, unless that fails;
        `has_entry` waits for it and tells."""
        if batch.games or batch.players or batch.tournaments:
            await self._to_its_end(self._commit_all(batch))
        elif batch.entry is not None:
            entry = batch.entry
            row = {"entry_id": entry.entry_id, "at_ms": entry.at_ms, "frames": entry.frames}
            if self._writer.finishes_when_cancelled:
                await self._commit_entry(row)  # a task would cost a fifth more
            else:
                await self._to_its_end(self._commit_entry(row))

    async def has_entry(self, entry_id: int) -> bool:
        """See `Store.has_entry`. It asks where it is written, after all that came before."""
        return await self._to_its_end(self._has_entry(entry_id))

    async def last_entry_id(self) -> int:
        """See `Store.last_entry_id`."""
        rows = await self._read(_LAST_ENTRY)
        return max(rows[0][0] or 0, int(rows[0][1]))

    async def journal(self) -> AsyncIterator[JournalEntry]:
        """See `Store.journal`. It reads page by page and holds nothing open between them; an
        entry that is stored or deleted meanwhile may or may not be among them."""
        page = sa.select(journal).order_by(journal.c.entry_id).limit(_JOURNAL_PAGE)
        rows = await self._read(page)
        while rows:
            for row in rows:
                yield JournalEntry(row.entry_id, row.at_ms, row.frames)
            rows = await self._read(page.where(journal.c.entry_id > rows[-1].entry_id))

    async def delete_entries(self, entry_ids: Collection[int]) -> None:
        """See `Store.delete_entries`. Each 500 are a transaction; some are deleted when a later
        one fails."""
        ids = sorted(entry_ids)
        for start in range(0, len(ids), _DELETE_CHUNK):
            rows = [{"deleted_id": entry_id} for entry_id in ids[start : start + _DELETE_CHUNK]]
            await self._to_its_end(
                self._transaction([(_RAISE_LAST_ENTRY, [{}]), (_DELETE_ENTRY, rows)])
            )

    async def player_by_token_hash(self, token_hash: bytes) -> PlayerRow | None:
        """See `Store.player_by_token_hash`."""
        return await self._player(players.c.token_hash == token_hash)

    async def player_by_name(self, name: str) -> PlayerRow | None:
        """See `Store.player_by_name`."""
        return await self._player(players.c.name_key == name.casefold())

    async def game(self, game_id: str) -> GameRow | None:
        """See `Store.game`."""
        rows = await self._read(sa.select(games).where(games.c.game_id == game_id))
        return game_row(rows[0]._mapping) if rows else None

    async def games(
        self,
        *,
        limit: int,
        before_ms: int | None = None,
        before_id: str = "",
        player: str | None = None,
        game: str | None = None,
    ) -> Sequence[GameRow]:
        """See `Store.games`: finished before `before_ms`, or in that very millisecond with an id
        before `before_id`. With both of the last game of a page the next one misses none."""
        if limit < 1:
            return []
        chosen = games.c.private == sa.false()
        if before_ms is not None:
            same_ms = sa.and_(games.c.finished_ms == before_ms, games.c.game_id < before_id)
            # The first condition is redundant: databases use it to find the place in the index.
            chosen &= games.c.finished_ms <= before_ms
            chosen &= sa.or_(games.c.finished_ms < before_ms, same_ms)
        if game is not None:
            chosen &= games.c.game == game
        if player is not None:
            # One search for each seat: each reads no more than `limit` rows of its index.
            seats = [
                _newest([games.c.game_id], chosen & (key == player.casefold()), limit).subquery()
                for key in (games.c.player_0_key, games.c.player_1_key)
            ]
            either = sa.union(*(sa.select(seat.c.game_id) for seat in seats))
            chosen = games.c.game_id.in_(either)
        rows = await self._read(_newest(_LISTED, chosen, limit))
        return [game_row(row._mapping) for row in rows]

    async def tournaments(self) -> Sequence[TournamentRow]:
        """See `Store.tournaments`."""
        newest = (tournaments.c.created_ms.desc(), tournaments.c.tournament_id.desc())
        rows = await self._read(sa.select(tournaments).order_by(*newest))
        return [tournament_row(row._mapping) for row in rows]

    async def has_tournament(self, tournament_id: str) -> bool:
        """See `Store.has_tournament`."""
        query = sa.select(tournaments.c.tournament_id)
        return bool(await self._read(query.where(tournaments.c.tournament_id == tournament_id)))

    async def tournament(
        self, tournament_id: str
    ) -> tuple[TournamentRow, Sequence[Entrant], Sequence[Pairing]] | None:
        """See `Store.tournament`."""
        found = await self._read(_of(tournaments, tournament_id))
        if not found:
            return None
        # Whoever is named in a pairing was stored with it or before, so entrants are read last.
        paired = await self._read(_of(pairings, tournament_id).order_by(pairings.c.number))
        entered = await self._read(_of(entrants, tournament_id).order_by(entrants.c.number))
        return (
            tournament_row(found[0]._mapping),
            [entrant_row(row._mapping) for row in entered],
            [pairing_row(row._mapping) for row in paired],
        )

    async def tournament_games(
        self, tournament_id: str, *, records: bool = False
    ) -> Sequence[GameRow]:
        """See `Store.tournament_games`. Between two pages everybody else has their turn."""
        chosen = games.c.tournament_id == tournament_id
        columns = list(games.c) if records else _LISTED
        found: list[GameRow] = []
        async for page in self._oldest(columns, chosen, _TOURNAMENT_PAGE):
            found += [game_row(row._mapping) for row in page]
        return found

    async def rated_games(self) -> AsyncIterator[RatedGame]:
        """See `Store.rated_games`."""
        columns = [games.c[name] for name in _RATED]
        async for page in self._oldest(columns, games.c.rated == sa.true(), _RATED_PAGE):
            for row in page:
                if row.termination not in NO_RESULT:
                    yield RatedGame(
                        row.game_id,
                        row.game,
                        row.size,
                        (row.player_0, row.player_1),
                        (row.engine_0, row.engine_1),
                        row.winner,
                        row.finished_ms,
                    )

    async def _oldest(
        self, columns: Sequence[sa.Column[Any]], chosen: sa.ColumnElement[bool], size: int
    ) -> AsyncIterator[Sequence[_Row]]:
        """Games in the order in which they ended, in pages of at most `size`. Nothing is held open
        between them."""
        order = (games.c.finished_ms, games.c.game_id)
        query = sa.select(*columns).where(chosen).order_by(*order).limit(size)
        page = await self._read(query)
        while page:
            yield page
            if len(page) < size:
                return
            last = page[-1]
            same_ms = sa.and_(
                games.c.finished_ms == last.finished_ms, games.c.game_id > last.game_id
            )
            # The first condition is redundant: databases use it to find the place in the index.
            page = await self._read(
                query.where(
                    games.c.finished_ms >= last.finished_ms,
                    sa.or_(games.c.finished_ms > last.finished_ms, same_ms),
                )
            )

    async def ping(self) -> None:
        """See `Store.ping`."""
        await self._read(sa.select(sa.literal(1)))

    async def close(self) -> None:
        """See `Store.close`. It waits for what is being written; more than one call is fine."""
        await self._to_its_end(self._close())

    async def _close(self) -> None:
        async with self._turn:
            if self._closed:
                return
            self._closed = True
            try:
                await self._readers.dispose()
                await self._writer.close()
                await self._writer.engine.dispose()
            except FAILURES as error:
                raise failure("The database could not be closed", error) from error
            finally:
                if self._lock is not None:
                    self._lock.release()

    async def _bring_up_to_date(self) -> None:
        connection = await self._writer.connection()
        current = await connection.run_sync(migrate.is_current)
        await self._writer.prepare()
        await self._writer.begin()
        try:
            if not current:
                await connection.run_sync(migrate.upgrade)
            # To learn now, not at the first move, whether the database can be written.
            await self._writer.execute(_RAISE_LAST_ENTRY, [{}])
            await self._writer.commit()
        except BaseException:
            await self._abandon()
            raise

    async def _has_entry(self, entry_id: int) -> bool:
        query = sa.select(journal.c.entry_id).where(journal.c.entry_id == entry_id)
        async with self._turn:
            self._check_open()
            with failing_as(_NOT_READ):
                connection = await self._writer.connection()
                return await connection.scalar(query) is not None

    async def _commit_entry(self, row: Mapping[str, Any]) -> None:
        async with self._turn:
            self._check_open()
            try:
                await self._writer.execute(_ADD_ENTRY, (row,))
            except FAILURES as error:
                raise failure(_NOT_WRITTEN, error) from error

    async def _commit_all(self, batch: Batch) -> None:
        steps: list[tuple[sa.Executable, Sequence[Mapping[str, Any]]]] = []
        if batch.entry is not None:
            entry = batch.entry
            row = {"entry_id": entry.entry_id, "at_ms": entry.at_ms, "frames": entry.frames}
            steps.append((_ADD_ENTRY, [row]))
        if batch.players:
            changed = {row["name_key"]: row for row in map(player_values, batch.players)}
            steps.append((_REMOVE_PLAYER, [{"removed_key": key} for key in changed]))
            steps.append((_ADD_PLAYER, list(changed.values())))
        for change in batch.tournaments:
            steps += _tournament_steps(change)
        if batch.games:
            steps.append((_ADD_GAME, [game_values(row) for row in batch.games]))
        await self._transaction(steps)

    async def _transaction(self, steps: _Steps) -> None:
        async with self._turn:
            self._check_open()
            try:
                await self._writer.begin()
                for statement, rows in steps:
                    await self._writer.execute(statement, rows)
                await self._writer.commit()
            except BaseException as error:
                await self._abandon()
                if isinstance(error, FAILURES):
                    raise failure(_NOT_WRITTEN, error) from error
                raise

    async def _abandon(self) -> None:
        """Undo the transaction, with a new connection when there is no other way."""
        try:
            await self._writer.rollback()
        except FAILURES:
            with suppress(*FAILURES):
                await self._writer.close()

    async def _to_its_end(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Do the work in a task, which goes on when the caller is cancelled."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)  # the event loop itself does not keep it alive
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _player(self, chosen: sa.ColumnElement[bool]) -> PlayerRow | None:
        rows = await self._read(sa.select(players).where(chosen))
        return player_row(rows[0]._mapping) if rows else None

    async def _read(self, query: _Query) -> Sequence[_Row]:
        self._check_open()
        with failing_as(_NOT_READ):
            async with self._readers.connect() as connection:
                return (await connection.execute(query)).all()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("The database is closed.")


def _of(table: sa.Table, tournament_id: str) -> _Query:
    return sa.select(table).where(table.c.tournament_id == tournament_id)


def _tournament_steps(change: TournamentChange) -> _Steps:
    """What replaces the rows of this change."""
    key = change.tournament_id
    rows: list[tuple[sa.Table, list[dict[str, Any]]]] = [
        (tournaments, [] if change.row is None else [tournament_values(change.row)]),
        (entrants, [entrant_values(key, row) for row in change.entrants]),
        (pairings, [pairing_values(key, row) for row in change.pairings]),
    ]
    steps: list[tuple[sa.Executable, Sequence[Mapping[str, Any]]]] = []
    for table, values in rows:
        if values:
            keys = [column.name for column in table.primary_key]
            steps.append(
                (_REMOVE[table], [{f"removed_{k}": row[k] for k in keys} for row in values])
            )
            steps.append((sa.insert(table), values))
    return steps


def _newest(
    columns: Sequence[sa.Column[Any]], chosen: sa.ColumnElement[bool], limit: int
) -> _Query:
    newest = (games.c.finished_ms.desc(), games.c.game_id.desc())
    return sa.select(*columns).where(chosen).order_by(*newest).limit(limit)


def _parsed(url: str) -> sa.URL:
    """The URL with a driver. Raises StoreError; the URL is not repeated, it may hold a password."""
    try:
        parsed = sa.make_url(url)
    except (SQLAlchemyError, ValueError) as error:
        raise StoreError(
            "The address of the database cannot be read: it must be such as"
            " sqlite+aiosqlite:///folder/file.db or postgresql+asyncpg://user@host/name."
        ) from error
    return parsed.set(drivername=_DRIVERS.get(parsed.drivername, parsed.drivername))


def _engines(url: sa.URL, read_connections: int) -> tuple[Writer, AsyncEngine]:
    """The writer and the engine of the readers; no connection is open yet."""
    kinds: dict[str, Callable[[AsyncEngine], Writer]] = {
        "sqlite": sqlite.SqliteWriter,
        "postgresql": PostgresqlWriter,
    }
    try:
        writing = create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        reading = create_async_engine(
            url,
            pool_size=read_connections,
            max_overflow=0,
            pool_timeout=_READ_WAIT_S,
            pool_reset_on_return=None,  # each read is a transaction for itself
            isolation_level="AUTOCOMMIT",
        )
    except (ImportError, NoSuchModuleError, InvalidRequestError) as error:
        raise StoreError(
            f"The driver {url.drivername} of the database is not installed or not asynchronous."
        ) from error
    if url.get_backend_name() == "sqlite":
        sqlite.prepare(writing, read_only=False)
        sqlite.prepare(reading, read_only=True)
    return kinds.get(url.get_backend_name(), Writer)(writing), reading
