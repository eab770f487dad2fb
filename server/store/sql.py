"""The storage on a database: SQLite by default, PostgreSQL by its URL.

Most commits have one journal entry and nothing else. Such a commit is a single statement without
an explicit transaction, to make it fast. `statements.py` has the SQL statements; `database.py`
runs them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any, Final, Self

import sqlalchemy as sa

from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.records import both_moved
from doublecross.server.core.rooms.match import NO_RESULT
from doublecross.server.core.storage import (
    Batch,
    GameRow,
    Gather,
    JournalEntry,
    ReviewRow,
    TournamentRow,
)
from doublecross.server.core.tournament_rows import Entrant, Pairing
from doublecross.server.store import statements
from doublecross.server.store.bot_work import SqlBotWork
from doublecross.server.store.database import Database, ReadQueue, Row, Writing, database_url
from doublecross.server.store.people.classrooms import SqlClassrooms
from doublecross.server.store.people.hosting import SqlHostedAccounts
from doublecross.server.store.people.notes import SqlNotes
from doublecross.server.store.people.progress import SqlProgress
from doublecross.server.store.people.pushes import SqlPushes
from doublecross.server.store.people.social import SqlSocial
from doublecross.server.store.plans import SqlPlans, store_plans
from doublecross.server.store.rows import (
    entrant_row,
    game_row,
    pairing_rows,
    player_row,
    review_row,
    tournament_row,
)
from doublecross.server.store.schema import entrants, games, journal, players, reviews, tournaments
from doublecross.server.store.sleeping import SqlSleeping, store_sleeping
from doublecross.server.store.to_journal import take_logs

__all__ = ["SqlStore", "database_url"]

_DELETE_CHUNK: Final = 32
"""How many journal entries one transaction deletes; commits can run between transactions.

500 large entries take 14 ms, and everybody who moves meanwhile waits for that.
"""
_CHECK_BYTES: Final = 16 * 1024
"""How much `check_writable` writes: about as much as a large commit."""
_LOOKS_CHUNK: Final = 500
"""How many looks of names one transaction stores."""
_RATED_PAGE: Final = 5000
"""How many rated games are in memory at the same time."""
_TOURNAMENT_PAGE: Final = 250
"""How many games are converted at once; more would block the event loop for too long."""


class SqlStore:
    """Implement `doublecross.server.core.storage.Store` on a database.

    Create it with `open`, and end it with `close`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.accounts = SqlHostedAccounts(database)
        self.classrooms = SqlClassrooms(database)
        self.bot_work = SqlBotWork(database)
        self.sleeping = SqlSleeping(database)
        self.plans = SqlPlans(database)
        self.progress = SqlProgress(database)
        self.pushes = SqlPushes(database)
        self.notes = SqlNotes(database)
        self.social = SqlSocial(database)

    @classmethod
    async def open(cls, url: str, *, read_connections: int = 3) -> Self:
        """Open the database, lock out other servers, and create or upgrade the tables.

        From then on, a server that has opened the database before can store nothing.

        Raises:
            StoreError: see `Database.open`.
        """
        return cls(
            await Database.open(url, read_connections=read_connections, fence=statements.FENCE)
        )

    def commit(self, batch: Batch) -> Writing:
        """Store the whole batch in one transaction; see `Store.commit`.

        The write continues even when the caller is cancelled. `has_entry` then waits for the write
        and returns whether it succeeded.
        """
        entry = batch.entry
        if entry is not None and not batch.has_rows:
            return self._database.write_one(statements.ADD_ENTRY, self._entry(entry))
        steps: list[tuple[sa.Executable, Sequence[Mapping[str, Any]]]] = []
        if entry is not None:
            steps.append((statements.ADD_ENTRY, [self._entry(entry)]))
        if batch.players:
            steps += statements.store_players(batch.players)
        for change in batch.tournaments:
            steps += statements.replace_tournament(change)
        if batch.games:
            steps += statements.add_games(batch.games)
        if batch.asleep or batch.woken:
            steps += store_sleeping(batch.asleep, batch.woken)
        if batch.plans:
            steps += store_plans(batch.plans)
        return self._database.write(steps)

    def _entry(self, entry: JournalEntry) -> Mapping[str, Any]:
        """Return the parameters of `ADD_ENTRY`."""
        return {
            "new_id": entry.entry_id,
            "new_at_ms": entry.at_ms,
            "new_frames": entry.frames,
            "own_epoch": self._database.epoch,
        }

    # -- the journal -------------------------------------------------------------------------

    async def has_entry(self, entry_id: int) -> bool:
        """Return whether this journal entry is stored, after all earlier writes."""
        query = sa.select(journal.c.entry_id).where(journal.c.entry_id == entry_id)
        return await self._database.read_written(query) is not None

    async def last_entry_id(self) -> int:
        """Return the highest journal entry id ever used, deleted ones included; 0 at first."""
        rows = await self._database.read(statements.LAST_ENTRY_ID)
        # The counter remembers ids whose entries have been deleted.
        return max(rows[0][0] or 0, int(rows[0][1]))

    async def journal(self) -> AsyncIterator[JournalEntry]:
        """Yield all journal entries by id; they are read in pages, with no open query between.

        The result may or may not include entries that are stored or deleted in the meantime.
        """
        rows = await self._database.read(statements.journal_page(None))
        while rows:
            for row in rows:
                yield JournalEntry(row.entry_id, row.at_ms, row.frames)
            rows = await self._database.read(statements.journal_page(rows[-1].entry_id))

    async def delete_entries(self, entry_ids: Collection[int]) -> None:
        """Delete these journal entries, in transactions of 32 entries.

        When a transaction fails, the earlier ones remain done.
        """
        ids = sorted(entry_ids)
        for start in range(0, len(ids), _DELETE_CHUNK):
            chunk = ids[start : start + _DELETE_CHUNK]
            await self._database.write(statements.delete_entries(chunk))

    async def take_logs(self, gather: Gather) -> int:
        """Move the open rooms of a cluster into the journal, and return how many there were."""
        return await take_logs(self._database, gather)

    # -- players -----------------------------------------------------------------------------

    async def player_by_name(self, name: str) -> PlayerRow | None:
        """Return the player with this name, without regard to case, or None."""
        # Logins need these rows, and must not wait for those who read records or lists.
        chosen = players.c.name_key == name.casefold()
        query = sa.select(players).where(chosen).limit(1)
        return await self._database.first(player_row, query, ReadQueue.LOGIN)

    def players_like(self, name: str, look: str) -> Coroutine[Any, Any, Sequence[PlayerRow]]:
        """Return the player with this name and one with this look, in one query.

        The login of a new player needs both. See `Store.players_like`.
        """
        values = {"of_key": name.casefold(), "of_look": look}
        return self._database.all(player_row, statements.ALIKE, ReadQueue.LOGIN, values)

    async def complete_looks(self, version: str, look_of: Callable[[str], str]) -> None:
        """Store the looks that are missing or of another version, 500 players in a transaction."""
        other = sa.or_(players.c.look.is_(None), players.c.look.not_like(f"{version} %"))
        query = sa.select(players.c.name_key, players.c.name).where(other).limit(_LOOKS_CHUNK)
        while rows := await self._database.read(query):
            looks = [{"of_key": row.name_key, "new_look": look_of(row.name)} for row in rows]
            await self._database.write([(statements.SET_LOOK, looks)])

    # -- games -------------------------------------------------------------------------------

    async def game(self, game_id: str) -> GameRow | None:
        """Return a finished game with its record, or None."""
        chosen = sa.select(games).where(games.c.game_id == game_id)
        return await self._database.first(game_row, chosen)

    async def games(
        self,
        *,
        limit: int,
        before_ms: int | None = None,
        before_id: str = "",
        player: str | None = None,
        opponent: str | None = None,
        game: str | None = None,
        records: bool = False,
    ) -> Sequence[GameRow]:
        """Return the newest finished public games; see `Store.games`.

        Games can finish in the same millisecond. To page without gaps, pass `before_ms` and
        `before_id` of the last game of the previous page: the result then includes the games of
        that millisecond with a smaller id.
        """
        if limit < 1:
            return []
        query = statements.newest_games(
            limit,
            before_ms,
            before_id,
            player=player,
            opponent=opponent,
            game=game,
            records=records,
        )
        return await self._database.all(game_row, query)

    async def own_games(
        self,
        player: str,
        account_id: str,
        *,
        limit: int,
        before_ms: int | None = None,
        before_id: str = "",
    ) -> Sequence[GameRow]:
        """Return the newest finished games of an account, private ones too, without records."""
        if limit < 1:
            return []
        query = statements.newest_own_games(player, account_id, limit, before_ms, before_id)
        return await self._database.all(game_row, query)

    async def rated_games(self) -> AsyncIterator[RatedGame]:
        """Yield all rated games with a result in the order in which they ended."""
        chosen = games.c.rated == sa.true()
        async for page in self._oldest(statements.RATED, chosen, _RATED_PAGE):
            for row in page:
                moved = both_moved((row.moves_0, row.moves_1), row.plies)
                if moved and row.termination not in NO_RESULT:
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
        self,
        columns: Sequence[sa.Column[Any]],
        chosen: sa.ColumnElement[bool],
        size: int,
        last: Row | GameRow | None = None,
    ) -> AsyncIterator[Sequence[Row]]:
        """Yield pages of at most `size` games in the order in which the games ended.

        The first one is that after `last`. No query is open between the pages.
        """
        while page := await self._database.read(
            statements.oldest_games(columns, chosen, size, last)
        ):
            yield page
            # A short page is the last one; this saves a query.
            if len(page) < size:
                return
            last = page[-1]

    # -- reviews -----------------------------------------------------------------------------

    async def review(self, game_id: str) -> ReviewRow | None:
        """Return the stored report of a game, or None."""
        chosen = sa.select(reviews).where(reviews.c.game_id == game_id)
        return await self._database.first(review_row, chosen)

    async def add_review(self, row: ReviewRow, keep: int) -> None:
        """Store a report in place of an earlier one, and keep only the `keep` newest reports."""
        await self._database.write(statements.replace_review(row, keep))

    # -- tournaments -------------------------------------------------------------------------

    async def tournaments(self) -> Sequence[TournamentRow]:
        """Return all tournaments, newest first."""
        newest = (tournaments.c.created_ms.desc(), tournaments.c.tournament_id.desc())
        return await self._database.all(tournament_row, sa.select(tournaments).order_by(*newest))

    async def entered(self, player: str) -> Collection[str]:
        """Return the ids of the tournaments in which a player is now; see `Store.entered`."""
        same = entrants.c.tournament_id == tournaments.c.tournament_id
        query = sa.select(entrants.c.tournament_id).join(tournaments, same)
        mine = sa.and_(entrants.c.name == player, entrants.c.state == "in")
        going_on = tournaments.c.status.in_(("open", "running"))
        return {row[0] for row in await self._database.read(query.where(mine, going_on))}

    async def has_tournament(self, tournament_id: str) -> bool:
        """Return whether the tournament exists, even if its rows are unreadable."""
        query = sa.select(tournaments.c.tournament_id)
        chosen = query.where(tournaments.c.tournament_id == tournament_id)
        return bool(await self._database.read(chosen))

    async def tournament(
        self, tournament_id: str
    ) -> tuple[TournamentRow, Sequence[Entrant], Sequence[Pairing]] | None:
        """Return a tournament with its entrants and its pairings, or None if there is none.

        Other tasks can run between two pages of pairings.
        """
        found = await self._database.read(statements.all_of(tournaments, tournament_id))
        if not found:
            return None
        # An entrant is stored before its pairings or with them. Reading the entrants last makes
        # sure that every entrant of a pairing is among them.
        paired: list[Row] = []
        while page := await self._database.read(
            statements.pairing_page(tournament_id, paired[-1].number if paired else -1)
        ):
            paired += page
        entered = await self._database.read(
            statements.all_of(entrants, tournament_id).order_by(entrants.c.number)
        )
        return (
            tournament_row(found[0]._mapping),
            [entrant_row(row._mapping) for row in entered],
            # Use a thread, because there may be many thousands.
            await asyncio.to_thread(lambda: pairing_rows(row._mapping for row in paired)),
        )

    async def tournament_games(
        self, tournament_id: str, *, records: bool = False, after: GameRow | None = None
    ) -> Sequence[GameRow]:
        """Return the finished games of a tournament in the order in which they ended.

        See `Store.tournament_games`. Other tasks can run between two pages.
        """
        chosen = games.c.tournament_id == tournament_id
        columns = list(games.c) if records else statements.LISTED
        found: list[GameRow] = []
        async for page in self._oldest(columns, chosen, _TOURNAMENT_PAGE, after):
            found += [game_row(row._mapping) for row in page]
        return found

    async def count_tournament_games(self, tournament_id: str) -> int:
        """Return how many finished games a tournament has."""
        chosen = games.c.tournament_id == tournament_id
        (row,) = await self._database.read(sa.select(sa.func.count()).where(chosen))
        return int(row[0])

    # -- the database itself -------------------------------------------------------------------

    async def ping(self) -> None:
        """Check that the database answers; this waits for no other read but checks."""
        await self._database.read(sa.select(sa.literal(1)), ReadQueue.CHECK)

    async def check_owner(self) -> None:
        """Check that no other server has opened the database, without writing."""
        await self._database.check_owner()

    async def check_writable(self) -> None:
        """Check that a commit could be stored now: write a large entry and remove it again."""
        entry = JournalEntry(statements.NO_ENTRY, 0, bytes(_CHECK_BYTES))
        added = (statements.ADD_ENTRY, [self._entry(entry)])
        await self._database.write([added, *statements.delete_entries([entry.entry_id])])

    async def close(self) -> None:
        """Close the database after the current write. Further calls do nothing."""
        await self._database.close()
