"""API tokens, and the bots that people run."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import structlog

from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused, too_many, wrong_state
from doublecross.server.core.people.accounts import (
    Account,
    AccountStore,
    Login,
    PlayerRow,
    Scope,
    Token,
)
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.issuing import DAY_MS, Issued, check_session, issue
from doublecross.server.shell.accounts.service import AccountService
from doublecross.server.shell.identity.names import look_of
from doublecross.server.shell.identity.newcomers import taken
from doublecross.server.shell.identity.rights import OF_BOTS, OF_PEOPLE, new_id

AddBot: TypeAlias = Callable[[PlayerRow, Account, Token], Awaitable[None]]
"""Stores a new bot, its account and its first token, all or nothing."""

MOST_BOTS: Final = 20
"""The most bots that one person runs."""

_log = structlog.get_logger("accounts")


class TokenService:
    """Make, list and end the tokens of accounts. `date` returns milliseconds since 1970, UTC."""

    def __init__(self, service: AccountService, store: Store, date: Callable[[], int]) -> None:
        self._service = service
        self._accounts = store.accounts
        self._classrooms = store.classrooms
        self._date = date

    async def new_token(
        self, login: Login, name: str | None, label: str, scopes: Sequence[Scope], days: int
    ) -> Issued:
        """Make an API token for the own account, or for a bot `name` that the person runs.

        Raises:
            Refused: no session asks, the bot is another one's, a scope does not fit, or too many.
            StoreError: the database failed.
        """
        async with self._service.turns.of(login.account.account_id):
            login = await self._service.anew(login)
            check_session(login)
            whose = await _whose(self._accounts, login, name)
            allowed = OF_PEOPLE if whose.account.run_by is None else OF_BOTS
            for scope in scopes:
                if scope not in allowed or (scope == "admin" and not whose.account.is_admin):
                    raise Refused(
                        ErrorCode.MISSING_SCOPE,
                        "{name} cannot have the scope {scope}.",
                        whose.player.name,
                        scope,
                    )
            if await self._classrooms.is_aside(whose.account.account_id):
                raise wrong_state("The organiser of the class has excluded this bot.")
            now = self._date()
            chosen = tuple(scope for scope in allowed if scope in scopes)
            issued = issue(whose, "api", label, chosen, now, now + days * DAY_MS)
            await self._service.make_room(whose.account.account_id)
            await self._accounts.add_token(issued.token)
        _log.info("token_made", player=whose.player.name, token=issued.token.token_id)
        return issued

    async def revoke(self, login: Login, token_id: str) -> None:
        """End a token of the own account or of an own bot, and the connections that use it.

        Every token may end itself.

        Raises:
            Refused: there is no such token, or an API token wants to end another one.
            StoreError: the database failed.
        """
        if login.token is None or login.token.token_id != token_id:
            check_session(login)
            if token_id not in [
                token.token_id for _, token in await tokens_of(self._accounts, login)
            ]:
                raise Refused(ErrorCode.UNKNOWN_TOKEN, "You have no token with that id.")
        await self._service.end([token_id])
        _log.info("token_revoked", player=login.player.name, token=token_id)

    # -- bots --------------------------------------------------------------------------------

    async def new_bot(
        self, login: Login, name: str, source: str, days: int, add: AddBot | None = None
    ) -> Issued:
        """Make the account of a bot that this person runs, and its first token.

        `add` stores all three (None: as the storage does, with nothing else).

        Raises:
            Refused: no session asks, the name is not allowed or taken, or too many bots.
            StoreError: the database failed.
        """
        async with self._service.turns.of(login.account.account_id):
            login = await self._service.anew(login)
            check_session(login)
            await self._check_bots(login)
            now = self._date()
            # The bot has API tokens only. No token has this hash.
            unused = secrets.token_bytes(32)
            async with self._service.newcomers.reserve(name, unused) as alike:
                if alike and alike[0].name.casefold() == name.casefold():
                    raise taken(name)
                self._service.newcomers.check(name, alike, source)
                row = PlayerRow(name, "bot", "", "", unused, now, look_of(name), new_id())
                account = Account(row.account_id, run_by=login.account.account_id)
                bot = Login(row, account, None)
                end = now + days * DAY_MS
                issued = issue(bot, "api", "first token", OF_BOTS, now, end)
                await (add or self._accounts.add_bot)(row, account, issued.token)
        _log.info("bot_made", player=login.player.name, bot=name)
        return issued

    async def adopt(self, login: Login, secret: str) -> Login:
        """Make a bot that plays as a guest one of the person's bots; its token goes on.

        Raises:
            Refused: no session asks, or the token is not of a guest's bot.
            StoreError: the database failed.
        """
        check_session(login)
        bot, _ = await self._service.identify(secret)
        turns, own = self._service.turns, login.account.account_id
        if bot.account.is_claimed:
            raise _no_guest(bot)
        # Only persons wait for guests here, never guests for persons, so this cannot deadlock.
        async with turns.of(own), turns.of(bot.account.account_id):
            # Both may have changed while this waited for its turns.
            login, bot = await self._service.anew(login), await self._service.anew(bot)
            await self._check_bots(login)
            if bot.account.is_claimed or bot.player.kind != "bot":
                raise _no_guest(bot)
            account = replace(bot.account, run_by=own)
            await self._service.claim(bot, account, "api", OF_BOTS)
        _log.info("bot_adopted", player=login.player.name, bot=bot.player.name)
        return Login(bot.player, account, None)

    async def _check_bots(self, login: Login) -> None:
        count = len(await self._accounts.bots_of(login.account.account_id))
        if count >= MOST_BOTS:
            raise too_many("You run {count} bots, which is the limit.", count)


def _no_guest(bot: Login) -> Refused:
    """Return the refusal of a player who cannot become a bot of a person."""
    return Refused(ErrorCode.WRONG_KIND, "{name} is no bot that plays as a guest.", bot.player.name)


async def tokens_of(accounts: AccountStore, login: Login) -> list[tuple[str, Token]]:
    """Return the tokens of a person and of the bots that the person runs, with their names.

    An API token sees itself alone.
    """
    if login.token is not None and login.token.kind != "session":
        return [(login.player.name, login.token)]
    names = {login.account.account_id: login.player.name}
    for bot in await accounts.bots_of(login.account.account_id):
        names[bot.account.account_id] = bot.player.name
    return [(names[token.account_id], token) for token in await accounts.tokens(names)]


async def _whose(accounts: AccountStore, login: Login, name: str | None) -> Login:
    """Return the own account, or that of a bot `name` that the person runs.

    Raises:
        Refused: the person runs no such bot.
    """
    if name is None or name.casefold() == login.player.name.casefold():
        return login
    for bot in await accounts.bots_of(login.account.account_id):
        if bot.player.name.casefold() == name.casefold():
            return bot
    raise Refused(ErrorCode.NOT_YOURS, "You run no bot called {name}.", one_line(name))


async def own_bot(accounts: AccountStore, login: Login, name: str) -> Login:
    """Return the account of a bot that the person runs.

    Raises:
        Refused: the person runs no such bot, or the token is of a program.
        StoreError: the database failed.
    """
    check_session(login)
    return await _whose(accounts, login, name)
