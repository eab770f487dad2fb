"""A store in memory that a test can make wait, fail, or fail after it has stored the data."""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence

from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.rating_book import RatedGame
from doublecross.server.core.records import rated_row
from doublecross.server.core.rooms.plans import PlanRow, Plans
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import (
    Batch,
    DatabaseTakenError,
    GameRow,
    Gather,
    JournalEntry,
    ReviewRow,
    StoreError,
    TournamentRow,
)
from doublecross.server.core.tournament_rows import Entrant, Pairing
from tests.fakes.accounts import FakeAccounts, FakeClassrooms, FakeSocial


class FakeSleeping:
    """Hold the rows of rooms that sleep; `here` returns whether a room is one of this store.

    `fails` is how often `room` and `counts` fail next.
    """

    def __init__(
        self,
        rows: dict[str, SleepingRoom] | None = None,
        here: Callable[[str], bool] = lambda _: True,
    ) -> None:
        self.all = {} if rows is None else rows
        self.fails = 0
        self._here = here

    @property
    def rows(self) -> dict[str, SleepingRoom]:
        return {room: row for room, row in self.all.items() if self._here(room)}

    async def room(self, room_id: str) -> SleepingRoom | None:
        self._fail()
        return self.rows.get(room_id)

    def _fail(self) -> None:
        if self.fails:
            self.fails -= 1
            raise StoreError("The database does not answer.")

    async def due(self, until_ms: int, after: tuple[int, str], limit: int) -> list[SleepingRoom]:
        rows = sorted(self.rows.values(), key=lambda row: (row.due_ms, row.room))
        return [r for r in rows if after < (r.due_ms, r.room) and r.due_ms <= until_ms][:limit]

    async def first_due(self, after_ms: int) -> int | None:
        return min((r.due_ms for r in self.rows.values() if r.due_ms > after_ms), default=None)

    async def of_player(self, player: str) -> list[SleepingRoom]:
        return [row for row in self.rows.values() if player in row.players]

    async def of_tournament(self, tournament: str, players: Collection[str]) -> list[SleepingRoom]:
        rows = (row for row in self.rows.values() if row.tournament == tournament)
        return [row for row in rows if row.players[0] in players]

    async def counts(self) -> Counter[str]:
        self._fail()
        return Counter(name for row in self.rows.values() for name in row.players)


class FakePlans:
    """Hold the rows of conditional moves by room and seat."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], PlanRow] = {}

    async def of_room(self, room: str) -> Plans:
        found = [self.rows.get((room, seat)) for seat in (0, 1)]
        return [None if row is None else row.plan for row in found]


class FakeStore:
    """Store rows in memory.

    `hold` makes commits wait until `release`. Each item of `troubles` is an error for one of the
    next commits, and whether that commit stores its batch before it fails. `asking_fails`,
    `deleting_fails` and `reading_fails` are how often `has_entry`, `delete_entries` and reads of
    tournaments fail next.
    """

    def __init__(self) -> None:
        self.entries: dict[int, JournalEntry] = {}
        self.games_by_id: dict[str, GameRow] = {}
        self.players: dict[str, PlayerRow] = {}
        self.accounts = FakeAccounts(self.players)
        self.classrooms = FakeClassrooms()
        self.sleeping = FakeSleeping()
        self.social = FakeSocial()
        self.plans = FakePlans()
        self.batches: list[Batch] = []
        """All batches that were passed to `commit`, stored or not."""
        self.reviews: dict[str, ReviewRow] = {}
        self.review_fails = 0
        """How often `review` and `add_review` fail next."""
        self.tournament_rows: dict[str, TournamentRow] = {}
        self.entrants: dict[str, dict[int, Entrant]] = {}
        self.pairings: dict[str, dict[int, Pairing]] = {}
        """By tournament and number."""
        self.highest = 0
        self.troubles: list[tuple[Exception, bool]] = []
        self.asking_fails = 0
        self.deleting_fails = 0
        self.checking_fails = 0
        """How often `check_writable` fails next."""
        self.taken = False
        """Whether another server has opened the database."""
        self.hold_checks = False
        """Whether `check_owner` fails."""
        self.closed = False
        self._open = asyncio.Event()
        self._open.set()
        self.reading_fails = 0
        self._reading = asyncio.Event()
        self._reading.set()
        self.waiting = 0
        """How many commits wait now."""

    def hold(self) -> None:
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    def hold_reads(self) -> None:
        """Make reads of tournaments wait until `release_reads`."""
        self._reading.clear()

    def release_reads(self) -> None:
        self._reading.set()

    def fail_next(self, *, stored: bool = False, error: Exception | None = None) -> None:
        self.troubles.append((error or StoreError("The disk is full."), stored))

    async def commit(self, batch: Batch) -> None:
        self.batches.append(batch)
        self.waiting += 1
        try:
            await self._open.wait()
        finally:
            self.waiting -= 1
        trouble = self.troubles.pop(0) if self.troubles else None
        if trouble is None or trouble[1]:
            self._store(batch)
        if trouble is not None:
            raise trouble[0]

    def _store(self, batch: Batch) -> None:
        if batch.entry is not None:
            assert batch.entry.entry_id > self.highest
            self.highest = batch.entry.entry_id
            self.entries[batch.entry.entry_id] = batch.entry
        for player in batch.players:
            known = self.players.setdefault(player.name.casefold(), player)
            self.players[player.name.casefold()] = dataclasses.replace(
                known,
                kind=player.kind,
                engine=player.engine,
                engine_version=player.engine_version,
            )
        for game in batch.games:
            first, second = (
                None if player is None else player.account_id
                for player in (self.players.get(name.casefold()) for name in game.players)
            )
            self.games_by_id.setdefault(
                game.game_id, dataclasses.replace(game, accounts=(first, second))
            )
        for change in batch.tournaments:
            if change.row is not None:
                self.tournament_rows[change.tournament_id] = change.row
            entrants = self.entrants.setdefault(change.tournament_id, {})
            entrants.update((row.number, row) for row in change.entrants)
            pairings = self.pairings.setdefault(change.tournament_id, {})
            pairings.update((row.number, row) for row in change.pairings)
        self.sleeping.all |= {row.room: row for row in batch.asleep}
        for room in batch.woken:
            self.sleeping.all.pop(room, None)
        for row in batch.plans:
            self.plans.rows[row.room, row.seat] = row

    async def has_entry(self, entry_id: int) -> bool:
        if self.asking_fails:
            self.asking_fails -= 1
            raise StoreError("The database does not answer.")
        return entry_id in self.entries

    async def last_entry_id(self) -> int:
        return self.highest

    async def journal(self) -> AsyncIterator[JournalEntry]:
        for entry_id in sorted(self.entries):
            yield self.entries[entry_id]

    async def delete_entries(self, entry_ids: Collection[int]) -> None:
        if self.deleting_fails:
            self.deleting_fails -= 1
            raise StoreError("The database is locked.")
        for entry_id in entry_ids:
            del self.entries[entry_id]

    async def player_by_name(self, name: str) -> PlayerRow | None:
        return self.players.get(name.casefold())

    async def players_like(self, name: str, look: str) -> Sequence[PlayerRow]:
        known = self.players.get(name.casefold())
        alike = [row for row in self.players.values() if row.look == look and row is not known]
        return [*([] if known is None else [known]), *alike][:2]

    async def complete_looks(self, version: str, look_of: Callable[[str], str]) -> None:
        for key, row in self.players.items():
            if not row.look.startswith(f"{version} "):
                self.players[key] = dataclasses.replace(row, look=look_of(row.name))

    async def take_logs(self, gather: Gather) -> int:
        return 0  # it never belonged to a cluster

    async def game(self, game_id: str) -> GameRow | None:
        return self.games_by_id.get(game_id)

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
        return [row for row in self.games_by_id.values() if not row.private][:limit]

    async def own_games(
        self,
        player: str,
        account_id: str,
        *,
        limit: int,
        before_ms: int | None = None,
        before_id: str = "",
    ) -> Sequence[GameRow]:
        return [row for row in self.games_by_id.values() if account_id in row.accounts][:limit]

    async def review(self, game_id: str) -> ReviewRow | None:
        self._check_review()
        return self.reviews.get(game_id)

    async def add_review(self, row: ReviewRow, keep: int) -> None:
        self._check_review()
        self.reviews.pop(row.game_id, None)
        self.reviews[row.game_id] = row
        while len(self.reviews) > keep:
            del self.reviews[next(iter(self.reviews))]

    def _check_review(self) -> None:
        if self.review_fails:
            self.review_fails -= 1
            raise StoreError("The disk is full.")

    async def _read(self) -> None:
        await self._reading.wait()
        if self.reading_fails:
            self.reading_fails -= 1
            raise StoreError("The database could not be read.")

    async def tournaments(self) -> Sequence[TournamentRow]:
        await self._read()
        return sorted(self.tournament_rows.values(), key=lambda row: -row.created_ms)

    async def entered(self, player: str) -> Collection[str]:
        await self._read()
        return {
            row.tournament_id
            for row in self.tournament_rows.values()
            if row.status in ("open", "running")
            for each in self.entrants[row.tournament_id].values()
            if each.name == player and each.state == "in"
        }

    async def has_tournament(self, tournament_id: str) -> bool:
        await self._read()
        return tournament_id in self.tournament_rows

    async def tournament(
        self, tournament_id: str
    ) -> tuple[TournamentRow, Sequence[Entrant], Sequence[Pairing]] | None:
        await self._read()
        if tournament_id not in self.tournament_rows:
            return None
        return (
            self.tournament_rows[tournament_id],
            [row for _, row in sorted(self.entrants[tournament_id].items())],
            [row for _, row in sorted(self.pairings[tournament_id].items())],
        )

    async def tournament_games(
        self, tournament_id: str, *, records: bool = False, after: GameRow | None = None
    ) -> Sequence[GameRow]:
        await self._read()
        rows = [
            row
            for row in self.games_by_id.values()
            if row.tag is not None and row.tag.tournament == tournament_id
        ]
        rows.sort(key=lambda row: (row.finished_ms, row.game_id))
        last = (0, "") if after is None else (after.finished_ms, after.game_id)
        return [row for row in rows if (row.finished_ms, row.game_id) > last]

    async def count_tournament_games(self, tournament_id: str) -> int:
        return len(await self.tournament_games(tournament_id))

    async def rated_games(self) -> AsyncIterator[RatedGame]:
        for row in sorted(self.games_by_id.values(), key=lambda row: row.finished_ms):
            if (played := rated_row(row)) is not None:
                yield played

    async def ping(self) -> None:
        return None

    async def check_owner(self) -> None:
        if self.taken:
            raise DatabaseTakenError("Another server is here.")
        if self.hold_checks:
            raise StoreError("The database does not answer.")

    async def check_writable(self) -> None:
        if self.checking_fails:
            self.checking_fails -= 1
            raise StoreError("The disk is still full.")

    async def close(self) -> None:
        self.closed = True
