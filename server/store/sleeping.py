"""Rooms that sleep, from a database; see `doublecross.server.core.rooms.sleeping`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import sqlalchemy as sa

from doublecross.server.core.cluster_ids import LENGTH, SINGLE
from doublecross.server.core.lobby.lobby import ID_LENGTH
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.store.database import Database
from doublecross.server.store.schema import sleeping_rooms
from doublecross.server.store.writer import Steps

LOG: Final = (
    f"CASE length(room) WHEN {ID_LENGTH} THEN '{SINGLE}' ELSE substr(room, 1, {LENGTH}) END"
)
"""The log of a room, in SQL; see `cluster_ids.log_of_room`."""
_INSERT: Final = sa.insert(sleeping_rooms)
_DELETE: Final = sa.delete(sleeping_rooms).where(sleeping_rooms.c.room == sa.bindparam("of_room"))


def store_sleeping(asleep: Sequence[SleepingRoom], woken: Sequence[str]) -> Steps:
    """Return the statements that add rows of rooms, in place of earlier ones, and remove others."""
    steps: list[tuple[sa.Executable, Sequence[dict[str, object]]]] = []
    if asleep:
        latest = {row.room: row for row in asleep}
        steps.append((_DELETE, [{"of_room": room} for room in latest]))
        steps.append((_INSERT, [_values(row) for row in latest.values()]))
    if woken:
        steps.append((_DELETE, [{"of_room": room} for room in woken]))
    return steps


def _values(row: SleepingRoom) -> dict[str, object]:
    return {
        "room": row.room,
        "player_0": row.players[0],
        "player_1": row.players[1],
        "to_move": row.to_move,
        "due_ms": row.due_ms,
        "since_ms": row.since_ms,
        "tournament": row.tournament,
        "packed": row.packed,
    }


def _row(row: sa.RowMapping) -> SleepingRoom:
    return SleepingRoom(
        row["room"],
        (row["player_0"], row["player_1"]),
        row["to_move"],
        row["due_ms"],
        row["since_ms"],
        row["tournament"],
        row["packed"],
    )


class SqlSleeping:
    """Implement `doublecross.server.core.storage.SleepingStore`; with `log` for its rooms only."""

    def __init__(self, database: Database, log: str | None = None) -> None:
        self._database = database
        self._here = sa.true() if log is None else sa.literal_column(LOG) == log

    async def room(self, room_id: str) -> SleepingRoom | None:
        """Return a room, or None if it does not sleep."""
        chosen = sa.select(sleeping_rooms).where(sleeping_rooms.c.room == room_id, self._here)
        return await self._database.first(_row, chosen)

    async def due(self, until_ms: int, after: tuple[int, str], limit: int) -> list[SleepingRoom]:
        """Return rooms that are due until some time, in their order, after `after`."""
        of = sleeping_rooms.c
        later = sa.tuple_(of.due_ms, of.room) > sa.tuple_(*after)
        query = sa.select(sleeping_rooms).where(of.due_ms <= until_ms, later, self._here)
        return await self._database.all(_row, query.order_by(of.due_ms, of.room).limit(limit))

    async def first_due(self, after_ms: int) -> int | None:
        """Return when the next room is due after some time, or None."""
        due = sleeping_rooms.c.due_ms
        # Not the minimum, for which PostgreSQL may read the whole table.
        query = sa.select(due).where(due > after_ms, self._here).order_by(due).limit(1)
        rows = await self._database.read(query)
        return rows[0][0] if rows else None

    async def of_player(self, player: str) -> list[SleepingRoom]:
        """Return the rooms of a player, those first that are due first."""
        of = sleeping_rooms.c
        chosen = sa.or_(of.player_0 == player, of.player_1 == player)
        query = sa.select(sleeping_rooms).where(chosen, self._here).order_by(of.due_ms, of.room)
        return await self._database.all(_row, query)

    async def of_tournament(self, tournament: str, players: Collection[str]) -> list[SleepingRoom]:
        """Return the rooms of a tournament; `players` are all who play in it."""
        of = sleeping_rooms.c
        # By player, for whom there is an index: most rooms belong to no tournament.
        query = sa.select(sleeping_rooms).where(
            of.player_0.in_(sorted(players)), of.tournament == tournament, self._here
        )
        return await self._database.all(_row, query)

    async def counts(self) -> Counter[str]:
        """Return how many rooms each player has that sleep."""
        counts = Counter[str]()
        for player in (sleeping_rooms.c.player_0, sleeping_rooms.c.player_1):
            query = sa.select(player, sa.func.count()).where(self._here).group_by(player)
            for name, number in await self._database.read(query):
                counts[name] += number
        return counts
