"""Ties between players, talk and reports; see `doublecross.server.core.people.social`."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, Final

import sqlalchemy as sa

from doublecross.server.core.people.social import Line, Related, Report, Tie
from doublecross.server.store.database import Database, ReadQueue
from doublecross.server.store.schema import players, reports, talk, ties
from doublecross.server.store.writer import Steps

KEPT_S: Final = 1.0
"""For how long other nodes may not know of a new block, in seconds."""
_MOST_KEPT: Final = 10_000
_REPORTER, _ABOUT = players.alias("reporter"), players.alias("about")
_REPORTS: Final = (
    sa.select(reports, _REPORTER.c.name.label("reporter"), _ABOUT.c.name.label("about"))
    .join(_REPORTER, _REPORTER.c.account_id == reports.c.reporter_id)
    .join(_ABOUT, _ABOUT.c.account_id == reports.c.about_id)
)
_ACCOUNT, _BLOCKS = sa.bindparam("of_account", type_=sa.String()), ties.c.tie == "block"
_RELATED: Final = (
    sa.select(players.c.name, players.c.kind, ties.c.tie)
    .join(ties, ties.c.other_id == players.c.account_id)
    .where(ties.c.account_id == _ACCOUNT)
    .order_by(players.c.name_key)
)
# An "or" over two columns would use no index.
_APART: Final = sa.select(players.c.name).where(
    players.c.account_id.in_(
        sa.union_all(
            sa.select(ties.c.other_id).where(ties.c.account_id == _ACCOUNT, _BLOCKS),
            sa.select(ties.c.account_id).where(ties.c.other_id == _ACCOUNT, _BLOCKS),
        )
    )
)
_NEW_BLOCKS: Final = sa.select(ties.c.account_id, ties.c.other_id).where(
    _BLOCKS, ties.c.made_ms >= sa.bindparam("since_ms", type_=sa.BigInteger())
)
_NAMES: Final = frozenset({"reporter", "about"})


class SqlSocial:
    """Implement `doublecross.server.core.people.social.SocialStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._apart: dict[str, tuple[float, asyncio.Task[frozenset[str]]]] = {}
        """The answers of `apart` and when they were asked for, by account."""
        self._blocking: set[str] | None = None
        """All accounts that block or are blocked, and perhaps others; None: not known."""

    async def relate(self, account_id: str, other_id: str, tie: Tie | None, made_ms: int) -> None:
        """Store a tie to another account in place of the former one; None ends it."""
        former = (ties.c.account_id == account_id) & (ties.c.other_id == other_id)
        if tie == "block":
            back = (ties.c.account_id == other_id) & (ties.c.other_id == account_id)
            former |= back & (ties.c.tie == "follow")
            self._note_blocks((account_id, other_id))
        steps: list[Any] = [(sa.delete(ties).where(former), [{}])]
        if tie is not None:
            row = {"account_id": account_id, "other_id": other_id, "tie": tie, "made_ms": made_ms}
            steps.append((sa.insert(ties), [row]))
        await self._database.write(steps)
        self._apart.clear()

    async def related(self, account_id: str) -> Sequence[Related]:
        """Return whom an account follows and blocks, by name."""
        rows = await self._database.read(_RELATED, ReadQueue.ORDINARY, {"of_account": account_id})
        return [Related(*row) for row in rows]

    def may_block(self, account_id: str) -> bool:
        """Return False if it is known without a read that `apart` names nobody."""
        return self._blocking is None or account_id in self._blocking

    async def apart(self, account_id: str) -> frozenset[str]:
        """Return the names of all whom an account blocks, or who block it.

        An answer is kept for `KEPT_S`, so that a flood of requests costs few reads.
        """
        if not self.may_block(account_id):
            return frozenset()
        now_s = asyncio.get_running_loop().time()
        at_s, task = self._apart.get(account_id, (0.0, None))
        if task is None or now_s - at_s > KEPT_S or (task.done() and task.exception()):
            if len(self._apart) >= _MOST_KEPT:
                self._apart.clear()
            task = asyncio.ensure_future(self._read_apart(account_id))
            self._apart[account_id] = now_s, task
        return await asyncio.shield(task)

    async def keep_blocks(self, since_ms: int) -> None:
        """Keep in memory which accounts have to do with blocks; see `SocialStore`."""
        rows = await self._database.read(_NEW_BLOCKS, ReadQueue.ORDINARY, {"since_ms": since_ms})
        self._blocking = self._blocking or set()
        for row in rows:
            self._note_blocks(row)

    def _note_blocks(self, accounts: Iterable[str]) -> None:
        if self._blocking is not None:
            self._blocking.update(accounts)

    async def _read_apart(self, account_id: str) -> frozenset[str]:
        rows = await self._database.read(_APART, ReadQueue.ORDINARY, {"of_account": account_id})
        return frozenset(row[0] for row in rows)

    async def say(self, line: Line) -> None:
        """Store something that was said."""
        row = dataclasses.asdict(line)
        del row["name"]
        await self._database.write([(sa.insert(talk), [row])])

    async def talk(
        self, room: str, seated: bool, limit: int, match: int | None = None
    ) -> Sequence[Line]:
        """Return what the players of a room said last, or its spectators, oldest first."""
        of_room = (talk.c.room == room) & (
            talk.c.seat.is_not(None) if seated else talk.c.seat.is_(None)
        )
        if match is not None:
            of_room &= talk.c.match == match
        columns = [column for column in talk.c if column.name != "number"]
        query = (
            sa.select(*columns, players.c.name)
            .join(players, players.c.account_id == talk.c.account_id)
            .where(of_room)
            .order_by(talk.c.number.desc())
            .limit(limit)
        )
        return [Line(**row._mapping) for row in reversed(await self._database.read(query))]

    async def add_report(self, report: Report) -> None:
        """Store a report."""
        row = {k: v for k, v in dataclasses.asdict(report).items() if k not in _NAMES}
        await self._database.write([(sa.insert(reports), [row])])

    async def reports_since(self, reporter_id: str, since_ms: int) -> int:
        """Return how many reports an account has made since a date."""
        mine = (reports.c.reporter_id == reporter_id) & (reports.c.made_ms > since_ms)
        query = sa.select(sa.func.count()).select_from(reports).where(mine)
        return int((await self._database.read(query))[0][0])

    async def reports(self, limit: int) -> Sequence[Report]:
        """Return the newest reports, those that are open first."""
        newest = (reports.c.closed_ms.is_not(None), reports.c.made_ms.desc())
        query = _REPORTS.order_by(*newest).limit(limit)
        return [Report(**row._mapping) for row in await self._database.read(query)]

    async def report(self, report_id: str) -> Report | None:
        """Return a report, or None."""
        rows = await self._database.read(_REPORTS.where(reports.c.report_id == report_id))
        return Report(**rows[0]._mapping) if rows else None

    async def note(self, report: Report) -> None:
        """Store the note of a report, and whether it is closed."""
        change = sa.update(reports).where(reports.c.report_id == report.report_id)
        values = {name: getattr(report, name) for name in ("note", "closed_ms", "closed_by")}
        await self._database.write([(change.values(values), [{}])])

    async def of_player(self, account_id: str) -> dict[str, list[dict[str, Any]]]:
        """Return what a player has said and reported, the player's ties, and reports about it."""
        found = {"ties": [dataclasses.asdict(each) for each in await self.related(account_id)]}
        for name, query in (
            ("talk", sa.select(talk).where(talk.c.account_id == account_id)),
            ("reports", _REPORTS.where(reports.c.reporter_id == account_id)),
            ("reported", _REPORTS.where(reports.c.about_id == account_id)),
        ):
            found[name] = [dict(row._mapping) for row in await self._database.read(query)]
        for row in found["reported"]:
            del row["reporter"], row["reporter_id"]
        return found


def forgotten(account_id: str) -> Steps:
    """Return the steps that delete all of it about an account."""
    columns = (
        *(ties.c.account_id, ties.c.other_id, talk.c.account_id),
        *(reports.c.reporter_id, reports.c.about_id),
    )
    return [(sa.delete(each.table).where(each == account_id), [{}]) for each in columns]
