"""Subscriptions of browsers on a database; see `doublecross.server.core.people.pushes`."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from typing import Final

import sqlalchemy as sa

from doublecross.server.core.people.pushes import MOST_SUBSCRIPTIONS, Subscription
from doublecross.server.store.database import Database
from doublecross.server.store.schema import credentials, players, push_subscriptions

_OF: Final = push_subscriptions.c
_REMOVE: Final = sa.delete(push_subscriptions).where(_OF.endpoint == sa.bindparam("of_endpoint"))


class SqlPushes:
    """Implement `doublecross.server.core.people.pushes.PushStore`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, subscription: Subscription) -> None:
        """Store a subscription; the oldest ones of the account go if there are too many."""
        mine = _OF.account_id == subscription.account_id
        newest = sa.select(_OF.endpoint).where(mine).order_by(_OF.made_ms.desc(), _OF.endpoint)
        kept = newest.limit(MOST_SUBSCRIPTIONS - 1).subquery()
        surplus = sa.delete(push_subscriptions).where(mine, _OF.endpoint.not_in(sa.select(kept)))
        await self._database.write(
            [
                (_REMOVE, [{"of_endpoint": subscription.endpoint}]),
                (surplus, [{}]),
                (sa.insert(push_subscriptions), [dataclasses.asdict(subscription)]),
            ]
        )

    async def remove(self, endpoints: Collection[str], account_id: str) -> None:
        """Delete subscriptions of an account."""
        ended = [{"of_endpoint": endpoint} for endpoint in endpoints]
        mine = _REMOVE.where(_OF.account_id == account_id)
        await self._database.write([(mine, ended)])

    async def of_account(self, account_id: str) -> Sequence[Subscription]:
        """Return the subscriptions of an account, oldest first."""
        query = sa.select(push_subscriptions).where(_OF.account_id == account_id)
        rows = await self._database.read(query.order_by(_OF.made_ms, _OF.endpoint))
        return [Subscription(**row._mapping) for row in rows]

    async def reachable(self) -> Sequence[str]:
        """Return the names of all players with a subscription, or who want mails about turns."""
        wanting = sa.select(credentials.c.account_id).where(credentials.c.kind == "turns")
        ids = sa.union(sa.select(_OF.account_id), wanting)
        query = sa.select(players.c.name).where(players.c.account_id.in_(ids))
        return [name for (name,) in await self._database.read(query)]
