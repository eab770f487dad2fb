"""Accounts, tokens, bans and the audit log on a database.

See `doublecross.server.core.people.accounts`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Coroutine, Sequence
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from doublecross.server.core.people.accounts import (
    Account,
    AuditEntry,
    Ban,
    Credential,
    Login,
    PlayerRow,
    Token,
)
from doublecross.server.store.database import Database, Query, ReadQueue
from doublecross.server.store.rows import login_row, player_values, token_row
from doublecross.server.store.schema import (
    accounts,
    audit,
    bans,
    credentials,
    games,
    players,
    push_subscriptions,
    tokens,
)
from doublecross.server.store.statements import IS_OWN_EPOCH, add_missing
from doublecross.server.store.writer import Steps, Values

_Found: TypeAlias = Coroutine[Any, Any, Login | None]
ACCOUNT: Final = [
    accounts.c[field.name].label(f"its_{field.name}") for field in dataclasses.fields(Account)
]
_TOKEN: Final = [
    tokens.c[field.name].label(f"token_{field.name}") for field in dataclasses.fields(Token)
]
WITH_ACCOUNT: Final = players.outerjoin(accounts, accounts.c.account_id == players.c.account_id)
_HASH: Final = sa.bindparam("of_hash", type_=sa.LargeBinary())
# An "or" over two tables would use no index.
_LOGIN: Final = (
    sa.select(players, *ACCOUNT, *_TOKEN)
    .select_from(WITH_ACCOUNT.outerjoin(tokens, tokens.c.token_hash == _HASH))
    .where(
        players.c.account_id.in_(
            sa.union_all(
                sa.select(players.c.account_id).where(players.c.token_hash == _HASH),
                sa.select(tokens.c.account_id).where(tokens.c.token_hash == _HASH),
            )
        )
    )
)
_COUNT: Final = (
    sa.select(sa.func.count())
    .where(tokens.c.account_id == players.c.account_id)
    .scalar_subquery()
    .label("token_count")
)
_BY_NAME: Final = (
    sa.select(players, *ACCOUNT, _COUNT)
    .select_from(WITH_ACCOUNT)
    .where(players.c.name_key == sa.bindparam("of_key"))
)
# Logins are single statements, which are transactions by themselves and check the epoch as
# `doublecross.server.store.statements.ADD_ENTRY` does: a column that refuses null becomes null.
_ADD_TOKEN: Final = sa.insert(tokens).values(
    {
        **{name: sa.bindparam(f"new_{name}") for name in [column.name for column in tokens.c]},
        "token_hash": sa.case(
            (IS_OWN_EPOCH, sa.bindparam("new_token_hash", type_=sa.LargeBinary()))
        ),
    }
)
_USE_TOKEN: Final = (
    sa.update(tokens)
    .where(tokens.c.token_id == sa.bindparam("of_token"))
    .values(
        used_ms=sa.case((IS_OWN_EPOCH, sa.bindparam("new_used_ms", type_=sa.BigInteger()))),
        expires_ms=sa.bindparam("new_expires_ms"),
    )
)
# Each of the two selects of games reads one row of an index.
_NEWEST_DATES: Final = sa.select(
    sa.union_all(
        *(
            sa.select(sa.func.max(games.c.finished_ms)).where(games.c.private == private)
            for private in (sa.false(), sa.true())
        ),
        sa.select(sa.func.max(tokens.c.used_ms)),
        sa.select(sa.func.max(bans.c.made_ms)),
    ).subquery()
)
_ADD_ACCOUNT: Final = add_missing(accounts)
_END_CREDENTIAL: Final = sa.delete(credentials).where(
    credentials.c.credential_id == sa.bindparam("ended_id")
)
_END_TOKEN: Final = sa.delete(tokens).where(tokens.c.token_id == sa.bindparam("ended_id"))
_END_PUSHES: Final = sa.delete(push_subscriptions).where(
    push_subscriptions.c.token_id == sa.bindparam("ended_id")
)


class SqlAccounts:
    """Implement most of `doublecross.server.core.people.accounts.AccountStore`.

    See `hosting.py` for the rest.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- accounts ----------------------------------------------------------------------------

    def login(self, token_hash: bytes) -> _Found:
        """Return the account that a token belongs to, or None; see `AccountStore.login`.

        This takes one query, because every hello of a known player needs it.
        """
        return self._login(_LOGIN, {"of_hash": token_hash})

    def account(self, account_id: str) -> _Found:
        """Return an account by its id, or None."""
        return self._login(_chosen(players.c.account_id == account_id))

    def account_named(self, name: str) -> _Found:
        """Return the account with this name, with the number of its tokens, or None."""
        return self._login(_BY_NAME, {"of_key": name.casefold()})

    def _login(self, query: Query, values: Values | None = None) -> _Found:
        return self._database.first(login_row, query, ReadQueue.LOGIN, values)

    async def bots_of(self, account_id: str) -> Sequence[Login]:
        """Return the bots that a person runs, in the order of their names."""
        query = _chosen(accounts.c.run_by == account_id).order_by(players.c.name_key)
        return await self._database.all(login_row, query, ReadQueue.LOGIN)

    async def admins(self) -> Sequence[Login]:
        """Return the admins, in the order of their names."""
        query = _chosen(accounts.c.is_admin == sa.true()).order_by(players.c.name_key)
        return await self._database.all(login_row, query, ReadQueue.LOGIN)

    async def set_password(self, account_id: str, password_hash: str) -> None:
        """Store the hash of a password, which claims the account of a guest."""
        await self._database.write(_changed(account_id, {"password_hash": password_hash}))

    async def claim(self, account: Account, unused_hash: bytes, token: Token | None) -> None:
        """Store an account, end its guest token and store its first token in one transaction."""
        of_guest = players.c.account_id == account.account_id
        ended = sa.update(players).where(of_guest).values(token_hash=unused_hash)
        steps = [(ended, [{}]), *_stored(account)]
        if token is not None:
            steps.append((sa.insert(tokens), [_token_values(token)]))
        pushes = push_subscriptions.c
        of_guest = (pushes.account_id == account.account_id) & (pushes.token_id == "")
        if token is None:
            steps.append((sa.delete(push_subscriptions).where(of_guest), [{}]))
        else:
            goes_on = sa.update(push_subscriptions).where(of_guest)
            steps.append((goes_on.values(token_id=token.token_id), [{}]))
        await self._database.write(steps)

    async def add_bot(self, player: PlayerRow, account: Account, token: Token) -> None:
        """Store a new bot as a player with an account and a first token."""
        await self._database.write(new_bot(player, account, token))

    async def set_admin(self, account_id: str, is_admin: bool) -> None:
        """Make an account an admin's, or an ordinary one again."""
        await self._database.write(_changed(account_id, {"is_admin": is_admin}))

    # -- tokens ------------------------------------------------------------------------------

    async def add_token(self, token: Token) -> None:
        """Store a new token, in a single statement that checks the epoch itself."""
        values = {f"new_{name}": value for name, value in _token_values(token).items()}
        await self._write_one(_ADD_TOKEN, values)

    async def _write_one(self, statement: sa.Executable, values: dict[str, Any]) -> None:
        await self._database.write_one(statement, {**values, "own_epoch": self._database.epoch})

    async def tokens(self, account_ids: Collection[str]) -> Sequence[Token]:
        """Return the tokens of these accounts, newest first."""
        query = sa.select(*_TOKEN).where(tokens.c.account_id.in_(account_ids))
        newest = (tokens.c.created_ms.desc(), tokens.c.token_id)
        return await self._database.all(token_row, query.order_by(*newest))

    async def use_token(self, token_id: str, used_ms: int, expires_ms: int | None) -> None:
        """Store when a token was last used and when it ends, in a single statement."""
        values = {"of_token": token_id, "new_used_ms": used_ms, "new_expires_ms": expires_ms}
        await self._write_one(_USE_TOKEN, values)

    async def delete_tokens(self, token_ids: Collection[str]) -> None:
        """Delete tokens, which ends them for good, and what their browsers are told."""
        ended = [{"ended_id": token_id} for token_id in token_ids]
        await self._database.write([(_END_TOKEN, ended), (_END_PUSHES, ended)])

    # -- credentials -------------------------------------------------------------------------

    async def credential(self, credential_id: str) -> Credential | None:
        """Return a credential by its id, or None."""
        found = await self._credentials(credentials.c.credential_id == credential_id)
        return found[0] if found else None

    async def credentials(self, account_ids: Collection[str]) -> Sequence[Credential]:
        """Return the credentials of these accounts, oldest first."""
        return await self._credentials(credentials.c.account_id.in_(account_ids))

    async def with_email(self, address: str) -> Sequence[Credential]:
        """Return the confirmed addresses of all accounts that are equal to this one."""
        same = (credentials.c.label == address) & (credentials.c.kind == "email")
        return await self._credentials(same)

    async def _credentials(self, chosen: sa.ColumnElement[bool]) -> list[Credential]:
        oldest = (credentials.c.created_ms, credentials.c.credential_id)
        query = sa.select(credentials).where(chosen).order_by(*oldest)
        rows = await self._database.read(query, ReadQueue.LOGIN)
        return [Credential(**row._mapping) for row in rows]

    async def change_credentials(
        self, deleted: Collection[str], added: Collection[Credential] = ()
    ) -> None:
        """Delete credentials by their ids, then store new ones, in one transaction."""
        steps: list[tuple[sa.Executable, Sequence[dict[str, Any]]]] = []
        if deleted:
            steps.append((_END_CREDENTIAL, [{"ended_id": each} for each in deleted]))
        if added:
            steps.append((sa.insert(credentials), [dataclasses.asdict(each) for each in added]))
        await self._database.write(steps)

    async def newest_date(self) -> int | None:
        """Return the newest date of a finished game, a used token or a ban, or None."""
        rows = await self._database.read(_NEWEST_DATES, ReadQueue.LOGIN)
        return max((date for (date,) in rows if date is not None), default=None)

    async def delete_expired(self, now_ms: int) -> None:
        """Delete the tokens, credentials and bans that ended before `now_ms`."""
        past = tokens.c.expires_ms < now_ms
        ended = push_subscriptions.c.token_id.in_(sa.select(tokens.c.token_id).where(past))
        await self._database.write(
            [
                (sa.delete(credentials).where(credentials.c.expires_ms < now_ms), [{}]),
                (sa.delete(push_subscriptions).where(ended), [{}]),
                (sa.delete(tokens).where(past), [{}]),
                (sa.delete(bans).where(bans.c.until_ms < now_ms), [{}]),
            ]
        )

    # -- bans and the audit log --------------------------------------------------------------

    async def bans(self) -> Sequence[Ban]:
        """Return all bans, newest first."""
        query = sa.select(bans).order_by(bans.c.made_ms.desc(), bans.c.ban_id)
        return [Ban(**row._mapping) for row in await self._database.read(query, ReadQueue.LOGIN)]

    async def add_ban(self, ban: Ban) -> None:
        """Store a ban."""
        await self._database.write([(sa.insert(bans), [dataclasses.asdict(ban)])])

    async def delete_ban(self, ban_id: str) -> None:
        """Delete a ban, which lifts it."""
        await self._database.write([(sa.delete(bans).where(bans.c.ban_id == ban_id), [{}])])

    async def add_audit(self, entry: AuditEntry) -> None:
        """Add an entry to the audit log; the database chooses its number."""
        values = dataclasses.asdict(entry)
        del values["number"]
        await self._database.write([(sa.insert(audit), [values])])

    async def audit(self, limit: int, before: int | None = None) -> Sequence[AuditEntry]:
        """Return the newest entries of the audit log, at most `limit`, before a number if given."""
        query = sa.select(audit).order_by(audit.c.number.desc()).limit(limit)
        if before is not None:
            query = query.where(audit.c.number < before)
        return [AuditEntry(**row._mapping) for row in await self._database.read(query)]


def new_bot(player: PlayerRow, account: Account, token: Token) -> Steps:
    """Store a new bot as a player with an account and a first token."""
    return [
        (sa.insert(players), [player_values(player)]),
        *_stored(account),
        (sa.insert(tokens), [_token_values(token)]),
    ]


def _chosen(condition: sa.ColumnElement[bool]) -> Query:
    """Select the players for whom the condition is true, with their accounts."""
    return sa.select(players, *ACCOUNT).select_from(WITH_ACCOUNT).where(condition)


def _stored(account: Account) -> Steps:
    """Store an account, in place of an earlier state of it."""
    values = dataclasses.asdict(account)
    return _changed(values.pop("account_id"), values)


def _changed(account_id: str, values: dict[str, Any]) -> Steps:
    """Change columns of an account; add the account first if it does not exist."""
    new = {"account_id": account_id, "password_hash": None, "run_by": None, "is_admin": False}
    change = sa.update(accounts).where(accounts.c.account_id == account_id).values(values)
    return [(_ADD_ACCOUNT, [new]), (change, [{}])]


def _token_values(token: Token) -> dict[str, Any]:
    return {**dataclasses.asdict(token), "scopes": " ".join(token.scopes)}
