"""Classes on a database; see `doublecross.server.core.people.classrooms`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import sqlalchemy as sa

from doublecross.server.core.people.accounts import Account, PlayerRow, Token
from doublecross.server.core.people.classrooms import ClassBot, Classroom, Member
from doublecross.server.store.database import Database, ReadQueue
from doublecross.server.store.people.accounts import new_bot
from doublecross.server.store.schema import classrooms, members, players


class SqlClassrooms:
    """Implement `doublecross.server.core.people.classrooms.ClassroomStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, classroom: Classroom) -> None:
        """Store a new class."""
        await self._database.write([(sa.insert(classrooms), [dataclasses.asdict(classroom)])])

    async def change(self, classroom: Classroom) -> None:
        """Store another name, code or state of a class."""
        values = dataclasses.asdict(classroom)
        of_it = classrooms.c.classroom_id == values.pop("classroom_id")
        await self._database.write([(sa.update(classrooms).where(of_it).values(values), [{}])])

    async def owned(self, account_id: str) -> Sequence[Classroom]:
        """Return the classes of an organiser, newest first."""
        return await self._found(classrooms.c.owner_id == account_id)

    async def by_id(self, classroom_id: str) -> Classroom | None:
        """Return a class, or None."""
        found = await self._found(classrooms.c.classroom_id == classroom_id)
        return found[0] if found else None

    async def by_code(self, code: str) -> Classroom | None:
        """Return the class with this code, or None."""
        found = await self._found(classrooms.c.code == code)
        return found[0] if found else None

    async def _found(self, condition: sa.ColumnElement[bool]) -> list[Classroom]:
        newest = (classrooms.c.created_ms.desc(), classrooms.c.classroom_id)
        query = sa.select(classrooms).where(condition).order_by(*newest)
        return [Classroom(**row._mapping) for row in await self._database.read(query)]

    async def add_member(
        self, member: Member, bot: PlayerRow, account: Account, token: Token
    ) -> None:
        """Store a member with a new bot and its first token, all or nothing."""
        steps = [*new_bot(bot, account, token), (sa.insert(members), [dataclasses.asdict(member)])]
        await self._database.write(steps)

    async def members(self, classroom_id: str) -> Sequence[ClassBot]:
        """Return the members of a class in the order of their labels."""
        person, bot = players.alias("person"), players.alias("bot")
        query = (
            sa.select(members, person.c.name.label("player_name"), bot.c.name.label("bot_name"))
            .join(person, person.c.account_id == members.c.account_id)
            .join(bot, bot.c.account_id == members.c.bot_id)
            .where(members.c.classroom_id == classroom_id)
            .order_by(members.c.label, members.c.account_id)
        )
        found = []
        for row in await self._database.read(query):
            values = dict(row._mapping)
            player, name = values.pop("player_name"), values.pop("bot_name")
            found.append(ClassBot(Member(**values), player, name))
        return found

    async def set_aside(self, member: Member, is_aside: bool) -> None:
        """Set a member's bot aside, or take that back."""
        of_it = (members.c.classroom_id == member.classroom_id) & (
            members.c.account_id == member.account_id
        )
        change = sa.update(members).where(of_it).values(is_aside=is_aside)
        await self._database.write([(change, [{}])])

    async def is_aside(self, bot_id: str) -> bool:
        """Return whether a bot is set aside."""
        found = (members.c.bot_id == bot_id) & (members.c.is_aside == sa.true())
        query = sa.select(members.c.account_id).where(found).limit(1)
        return bool(await self._database.read(query, ReadQueue.LOGIN))
