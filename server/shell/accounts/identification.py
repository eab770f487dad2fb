"""Find the account of a token, which every node of a cluster can do by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import AccountStore, Login, Token
from doublecross.server.shell.accounts.bans import Bans
from doublecross.server.shell.identity.rights import Rights, rights_of, token_hash

USED_MS: Final = 3_600_000
"""The use of a token is stored when the last stored use is longer ago than this."""
LOST: Final = Sentence("No player of this server has that token; connect with a name instead.")
EXPIRED: Final = Sentence("This token has ended; log in again, or use a new token.")


class Identification:
    """Find out who has a token, and with which rights.

    `date` returns milliseconds since 1970, UTC. A session ends when nobody has used it for
    `session_ms`.
    """

    def __init__(
        self, accounts: AccountStore, bans: Bans, date: Callable[[], int], session_ms: int
    ) -> None:
        self.bans = bans
        self._accounts = accounts
        self._date = date
        self._session_ms = session_ms
        self._moving: set[str] = set()
        """The account ids of players who are getting other names."""

    async def identify(self, secret: str) -> tuple[Login, Rights]:
        """Return the account that has a token, and its rights.

        Raises:
            Refused: nobody has it, it has ended, or the account is banned.
            StoreError: the database failed.
        """
        login = await self._accounts.login(token_hash(secret))
        if login is None:
            raise Refused(ErrorCode.BAD_TOKEN, LOST)
        # None for a guest, whose token has no dates.
        token = login.token
        if token is not None and token.expires_ms is not None and token.expires_ms <= self._date():
            raise Refused(ErrorCode.TOKEN_EXPIRED, EXPIRED)
        self.bans.check_account(login.account.account_id, login.account.run_by)
        if login.account.account_id in self._moving:
            raise _renaming()
        # Not at each use, because every hello would then write.
        if token is not None and (now := self._date()) - token.used_ms > USED_MS:
            login = replace(login, token=await self._used(token, now))
        return login, rights_of(login)

    async def _used(self, token: Token, now: int) -> Token:
        """Store that a token is in use; a session then lasts longer."""
        expires = token.expires_ms
        if token.kind == "session":
            expires = now + self._session_ms
        await self._accounts.use_token(token.token_id, now, expires)
        return replace(token, used_ms=now, expires_ms=expires)

    def check_steady(self, account_id: str) -> None:
        """Check that the name of an account is not changing at this moment.

        Raises:
            Refused: the name is changing.
        """
        if account_id in self._moving:
            raise _renaming()


def _renaming() -> Refused:
    """Return the refusal of an account whose name is changing."""
    return Refused(
        ErrorCode.STORAGE_FAILED,
        "This account is getting another name just now; try again in a moment.",
    )
