"""Classes: an organiser makes one, members join with its code and get a bot each.

Theory of operation
-------------------
A member is a person with a password; a guest who joins chooses one. Joining makes a bot that the
member runs, with its first token. The organiser sees who has which bot. For the bots of the class
alone the organiser may also make a new token, which ends the others, and set a bot aside: then it
has no tokens, and gets none. Nobody else learns who has which bot.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, too_many, wrong_state
from doublecross.server.core.people.accounts import Account, Login, PlayerRow, Token
from doublecross.server.core.people.classrooms import Classroom, ClassroomStore, Member
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.issuing import DAY_MS, Issued, check_session, issue
from doublecross.server.shell.accounts.service import AccountService
from doublecross.server.shell.accounts.tokens import TokenService
from doublecross.server.shell.addresses.admission import Action, Admission
from doublecross.server.shell.identity.rights import OF_BOTS, new_id

MOST_CLASSES: Final = 50
"""The most classes of one organiser."""
MOST_MEMBERS: Final = 500
"""The most members of a class."""
TOKEN_DAYS: Final = 366
"""When the token of a member's bot ends."""
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of codes: those that people confuse are left out."""
_CODE: Final = 8

_log = structlog.get_logger("classrooms")


class ClassroomService:
    """Make classes and let people join. `date` returns milliseconds since 1970, UTC.

    `codes` counts the wrong codes of each address, as if they were passwords.
    """

    def __init__(
        self,
        service: AccountService,
        tokens: TokenService,
        store: Store,
        date: Callable[[], int],
        codes: Admission,
    ) -> None:
        self._service = service
        self._tokens = tokens
        self._accounts = store.accounts
        self._store: ClassroomStore = store.classrooms
        self._date = date
        self._codes = codes

    async def make(self, login: Login, name: str) -> Classroom:
        """Make a class of this organiser.

        Raises:
            Refused: no session asks, or the organiser has too many classes.
            StoreError: the database failed.
        """
        check_session(login)
        async with self._service.turns.of(login.account.account_id):
            if len(await self._store.owned(login.account.account_id)) >= MOST_CLASSES:
                raise too_many("You have {count} classes, which is the limit.", MOST_CLASSES)
            owner = login.account.account_id
            made = Classroom(new_id(), name, owner, _new_code(), True, self._date())
            await self._store.add(made)
        _log.info("class_made", player=login.player.name, classroom=made.classroom_id)
        return made

    async def owned(self, login: Login) -> list[Classroom]:
        """Return the classes of this organiser, newest first.

        Raises:
            Refused: no session or organiser's token asks.
            StoreError: the database failed.
        """
        _check_organiser(login)
        return list(await self._store.owned(login.account.account_id))

    async def mine(self, login: Login, classroom_id: str) -> Classroom:
        """Return a class of this organiser.

        Raises:
            Refused: no session or organiser's token asks, or there is no such class of theirs.
            StoreError: the database failed.
        """
        _check_organiser(login)
        found = await self._store.by_id(classroom_id)
        if found is None or found.owner_id != login.account.account_id:
            raise Refused(ErrorCode.NOT_YOURS, "You organise no class with that id.")
        return found

    async def change(
        self, login: Login, classroom_id: str, is_open: bool | None, new_code: bool
    ) -> Classroom:
        """Open or close a class for new members (None: as it is), or give it another code.

        Raises:
            Refused: it is not theirs.
            StoreError: the database failed.
        """
        async with self._service.turns.of(classroom_id):
            found = await self.mine(login, classroom_id)
            changed = replace(
                found,
                is_open=found.is_open if is_open is None else is_open,
                code=_new_code() if new_code else found.code,
            )
            await self._store.change(changed)
        return changed

    async def of_code(self, code: str, source: str) -> Classroom:
        """Return the class with a code, for a client at the address `source`.

        Raises:
            Refused: there is none, nobody may join it now, or too many were wrong.
            StoreError: the database failed.
        """
        # Taken before the code is looked up: requests at once cannot try more then.
        wait = self._codes.wait_s(source, Action.PASSWORD)
        if wait:
            raise Refused(
                ErrorCode.RATE_LIMITED,
                "Too many wrong codes come from your address; try again in {seconds} s.",
                math.ceil(wait),
            )
        found = await self._store.by_code(code.strip().lower())
        if found is None:
            raise Refused(ErrorCode.UNKNOWN_ROOM, "There is no class with this code.")
        self._codes.give_back(source, Action.PASSWORD)
        if not found.is_open:
            raise wrong_state("Nobody can join this class now; ask its organiser.")
        return found

    async def join(
        self, login: Login, code: str, label: str, bot: str, source: str
    ) -> tuple[Classroom, Issued]:
        """Let a person join a class with a new bot; return the class and the bot's token.

        Raises:
            Refused: the code is wrong, a guest or a program asks, the person is a member already,
                the bot's name is taken, or too many bots or members.
            StoreError: the database failed.
        """
        found = await self.of_code(code, source)
        account_id = login.account.account_id
        async with self._service.turns.of(found.classroom_id):
            members = await self._store.members(found.classroom_id)
            if any(each.member.account_id == account_id for each in members):
                raise wrong_state("You are in this class already.")
            if len(members) >= MOST_MEMBERS:
                raise too_many("The class has {count} members, which is the limit.", MOST_MEMBERS)

            async def add(row: PlayerRow, account: Account, token: Token) -> None:
                member = Member(
                    found.classroom_id, account_id, label, row.account_id, False, self._date()
                )
                await self._store.add_member(member, row, account, token)

            issued = await self._tokens.new_bot(login, bot, source, TOKEN_DAYS, add)
        _log.info("class_joined", player=login.player.name, bot=bot)
        return found, issued

    async def new_token(self, login: Login, classroom_id: str, bot: str) -> Issued:
        """Make a new token for the bot of a member; its other tokens end.

        Raises:
            Refused: the class is not theirs, has no such bot, or has set it aside.
            StoreError: the database failed.
        """
        member, owner = await self._bot(login, classroom_id, bot)
        async with self._service.turns.of(member.account_id):
            if await self._store.is_aside(member.bot_id):
                raise wrong_state("The organiser of the class has excluded this bot.")
            now = self._date()
            issued = issue(owner, "api", "class", OF_BOTS, now, now + TOKEN_DAYS * DAY_MS)
            known = await self._accounts.tokens([member.bot_id])
            await self._service.end([token.token_id for token in known])
            await self._accounts.add_token(issued.token)
        return issued

    async def put_aside(self, login: Login, classroom_id: str, bot: str, is_aside: bool) -> None:
        """Set the bot of a member aside, so that it cannot play, or take that back.

        Raises:
            Refused: the class is not theirs, or has no such bot.
            StoreError: the database failed.
        """
        member, _ = await self._bot(login, classroom_id, bot)
        async with self._service.turns.of(member.account_id):
            await self._store.set_aside(member, is_aside)
            if is_aside:
                known = await self._accounts.tokens([member.bot_id])
                await self._service.end([token.token_id for token in known])

    async def _bot(self, login: Login, classroom_id: str, bot: str) -> tuple[Member, Login]:
        """Return the member with this bot, and the bot's account."""
        classroom = await self.mine(login, classroom_id)
        for each in await self._store.members(classroom.classroom_id):
            if each.bot.casefold() == bot.casefold():
                found = await self._accounts.account(each.member.bot_id)
                assert found is not None
                return each.member, found
        raise Refused(ErrorCode.UNKNOWN_PLAYER, "The class has no bot called {name}.", bot)


def _check_organiser(login: Login) -> None:
    """Check that a session asks, or a token for organising.

    Raises:
        Refused: neither of them asks.
    """
    if login.token is None or "organise" not in login.token.scopes:
        check_session(login)


def _new_code() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(_CODE))
