"""Conditional moves on a database; see `doublecross.server.core.rooms.plans`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from doublecross.server.core.rooms.plans import Plan, PlanRow, Plans
from doublecross.server.store.database import Database
from doublecross.server.store.schema import plans
from doublecross.server.store.writer import Steps

_INSERT: Final = sa.insert(plans)
_DELETE: Final = sa.delete(plans).where(
    plans.c.room == sa.bindparam("of_room"), plans.c.seat == sa.bindparam("of_seat")
)


def store_plans(rows: Sequence[PlanRow]) -> Steps:
    """Return the statements that store rows in place of earlier ones; the last of a seat counts."""
    latest = {(row.room, row.seat): row for row in rows}
    steps: list[tuple[sa.Executable, Sequence[dict[str, Any]]]] = [
        (_DELETE, [{"of_room": room, "of_seat": seat} for room, seat in latest])
    ]
    added = [
        {
            "room": row.room,
            "seat": row.seat,
            "account_id": row.account_id,
            "match": row.plan.match,
            "ply": row.plan.ply,
            "takebacks": row.plan.takebacks,
            "lines": json.dumps(row.plan.lines),
        }
        for row in latest.values()
        if row.plan is not None
    ]
    return [*steps, (_INSERT, added)] if added else steps


class SqlPlans:
    """Implement `doublecross.server.core.rooms.plans.PlanStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_room(self, room: str) -> Plans:
        """Return the plans in a room."""
        found: Plans = [None, None]
        for row in await self._database.read(sa.select(plans).where(plans.c.room == room)):
            lines = tuple(map(tuple, json.loads(row.lines)))
            found[row.seat] = Plan(row.match, row.ply, row.takebacks, lines)
        return found

    async def of_player(self, account_id: str) -> Sequence[dict[str, Any]]:
        """Return all plans of an account."""
        query = sa.select(plans).where(plans.c.account_id == account_id).order_by(plans.c.room)
        rows = await self._database.read(query)
        return [{**row._mapping, "lines": json.loads(row.lines)} for row in rows]
