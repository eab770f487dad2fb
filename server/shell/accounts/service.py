"""Find the account of a token, log in, claim names, and manage tokens.

Theory of operation
-------------------
A guest has one token, which the server makes at the first hello. With a password the guest becomes
an account: the token goes on as a *session*, and the password opens more of them. A session ends
when nobody has used it for `session_ms`. Programs use API tokens, which have scopes and an end.
A person can run bots, each with an account and API tokens of its own.

The database has only hashes of tokens. Ending a token closes the connections that use it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Final

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.protocol.version import CloseCode
from doublecross.server.core.errors import Refused, bad_parameter, too_many
from doublecross.server.core.people.accounts import (
    Account,
    Ban,
    Credential,
    Login,
    Scope,
    Token,
    TokenKind,
)
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.bans import Bans, sentence
from doublecross.server.shell.accounts.guesses import Guesses
from doublecross.server.shell.accounts.identification import (
    EXPIRED,
    LOST,
    USED_MS,
    Identification,
)
from doublecross.server.shell.accounts.issuing import Issued, check_session, issue
from doublecross.server.shell.accounts.passwords import Passwords
from doublecross.server.shell.accounts.second_factor import SecondFactor
from doublecross.server.shell.accounts.turns import Turns
from doublecross.server.shell.addresses.admission import Action, Admission
from doublecross.server.shell.identity.newcomers import Newcomers
from doublecross.server.shell.identity.rights import new_id, rights_of
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.peers import ConnectedPeers
from doublecross.server.shell.upkeep.expiry import Expiry

STEP: Final = 1000
"""How many connections a sweep looks at before others have a turn."""
LATE_MS: Final = 120_000
"""How long ago a block may have been made that the former leader stores now."""
MOST_TOKENS: Final = 50
"""The most tokens of one account."""
WRONG: Final = Sentence("The name or the password is wrong.")
LINK_ENDED: Final = Sentence("This link was used already or has ended; ask for a new one.")

_log = structlog.get_logger("accounts")


class AccountService(Identification):
    """Manage the accounts of a server.

    `date` returns milliseconds since 1970, UTC; `real_s` returns seconds and never goes back.
    """

    def __init__(
        self,
        store: Store,
        peers: ConnectedPeers,
        admission: Admission,
        date: Callable[[], int],
        real_s: Callable[[], float],
        session_ms: int,
    ) -> None:
        super().__init__(store.accounts, Bans(date), date, session_ms)
        self._expiry = Expiry(date, real_s)
        self.newcomers = Newcomers(store, admission)
        self.passwords = Passwords(most=admission.limits.all_passwords)
        self.guesses = Guesses(admission, real_s)
        self.second_factor = SecondFactor(store.accounts, date)
        self.turns = Turns()
        self._store = store
        self._peers = peers
        self._admission = admission
        self.changes = 0
        """Grows when passwords or rights change, tokens end, bans begin or names change.

        A login or a hello that is under way compares it with the value at its start.
        """
        self.on_bans: Callable[[], None] = lambda: None
        """Called when a ban begins or is lifted."""
        self.on_rights: Callable[[Peer], None] = lambda _: None
        """Called with a connection whose rights have changed."""

    async def load(self) -> None:
        """Load the bans, and who has to do with blocks."""
        self._expiry.begin(await self._accounts.newest_date())
        self.bans.load(await self._accounts.bans())
        await self._store.social.keep_blocks(0)

    # -- logging in --------------------------------------------------------------------------

    async def log_in(
        self, name: str, password: str, label: str, source: str, code: str | None = None
    ) -> Issued:
        """Begin a session for somebody who knows the password of an account.

        `code` is that of the second factor, for an account that has one.

        Raises:
            Refused: the name, the password or the code is wrong, too many were tried, or a ban.
            StoreError: the database failed.
        """
        # A hash costs much, so an address may order few of them.
        self._admission.check(source, Action.PASSWORD)
        # Take the guess before the check takes its time: requests at once cannot try more then.
        guess = self.guesses.take(name, source)
        # The check is made without the account's turn, because it takes long. So note what changes.
        seen = self.changes
        found = await self._accounts.account_named(name)
        known = None if found is None else found.account.password_hash
        # Also for a name without an account, so that the time does not tell which names have one.
        right, newer = await self.passwords.check(known, password)
        if found is None or not right:
            raise _wrong(name, source)
        account_id = found.account.account_id
        async with self.turns.of(account_id):
            if self.changes != seen:  # the password may be another one by now
                found = await self._accounts.account_named(name)
                known = None if found is None else found.account.password_hash
                right, newer = await self.passwords.check(known, password)
                if found is None or found.account.account_id != account_id or not right:
                    raise _wrong(name, source)
            try:
                await self.second_factor.check(account_id, code)
            except Refused as refused:
                # A password alone is no wrong guess. But it makes no address known either.
                if refused.code == ErrorCode.CODE_NEEDED:
                    self.guesses.give_back(guess)
                raise
            self.guesses.right(guess, name, source)
            # The password is known only at a login, so this is when its hash gets the present
            # settings.
            if newer is not None:
                await self._store_password(account_id, newer)
            return await self.begin(found, label)

    async def begin(self, login: Login, label: str) -> Issued:
        """Begin a session. The caller has the account's turn, and has checked who it is.

        Raises:
            Refused: a ban, or too many tokens.
            StoreError: the database failed.
        """
        self.bans.check_account(login.account.account_id)
        now = self._date()
        issued = issue(login, "session", label, (), now, now + self._session_ms)
        # The query for the account counts them, so most logins need no other one.
        if login.token_count is None or login.token_count >= MOST_TOKENS:
            await self.make_room(login.account.account_id)
        await self._accounts.add_token(issued.token)
        return issued

    async def _store_password(self, account_id: str, password_hash: str) -> None:
        try:
            await self._accounts.set_password(account_id, password_hash)
        finally:
            # Even if it has failed, because the new password may be stored nevertheless.
            self.changes += 1

    async def anew(self, login: Login) -> Login:
        """Return a login as it is stored now, because another request may have changed it.

        Raises:
            Refused: its token has ended, or the account is banned.
            StoreError: the database failed.
        """
        # A guest's token is in the row of the player.
        known = login.player.token_hash if login.token is None else login.token.token_hash
        found = await self._accounts.login(known)
        if found is None:
            raise Refused(ErrorCode.BAD_TOKEN, LOST)
        self.bans.check_account(found.account.account_id, found.account.run_by)
        return found

    @contextmanager
    def moving(self, account_id: str) -> Iterator[None]:
        """Keep an account out while its name changes.

        Raises:
            Refused: its name is changing already.
        """
        self.check_steady(account_id)
        self._moving.add(account_id)
        self.changes += 1
        try:
            yield
        finally:
            self._moving.discard(account_id)
            self.changes += 1

    # -- passwords ---------------------------------------------------------------------------

    async def set_password(
        self, login: Login, password: str, current: str | None, source: str
    ) -> None:
        """Set the password of a person, which makes a guest an account.

        A guest's token goes on as a session. Otherwise all other sessions end.

        Raises:
            Refused: an API token or a bot asks, the current password is wrong, or the new one weak.
            StoreError: the database failed.
        """
        async with self.turns.of(login.account.account_id):
            login = await self.anew(login)
            account, player, token = login.account, login.player, login.token
            if account.run_by is not None or (not account.is_claimed and player.kind == "bot"):
                raise Refused(
                    ErrorCode.WRONG_KIND,
                    "A bot has no password; whoever runs it adds it to their own account.",
                )
            if token is not None:
                # A guest has no session yet.
                check_session(login)
            await self._check_current(login, current, source)
            problem = await self.passwords.problem(password, player.name)
            if problem:
                raise Refused(ErrorCode.WEAK_PASSWORD, problem)
            hashed = await self.passwords.hash(password)
            if token is None:
                await self.claim(login, replace(account, password_hash=hashed), "session", ())
            else:
                # The sessions end first: if the next step fails, no old one is left.
                await self.end_sessions(account.account_id, but=token.token_id)
                await self._store_password(account.account_id, hashed)
            _log.info("password_set", player=player.name)

    async def _check_current(self, login: Login, current: str | None, source: str) -> None:
        """Check the password that an account has now, if it has one."""
        self._admission.check(source, Action.PASSWORD)
        known, name = login.account.password_hash, login.player.name
        if known is not None:
            guess = self.guesses.take(name, source)
            right, _ = await self.passwords.check(known, current or "")
            if not right:
                raise Refused(ErrorCode.BAD_LOGIN, "The current password is wrong.")
            self.guesses.right(guess, name, source)

    @asynccontextmanager
    async def confirmed(self, login: Login, current: str, source: str) -> AsyncIterator[Login]:
        """Give an account's turn to its owner, who has typed the password; yield the login anew.

        Raises:
            Refused: no session asks, or the password is wrong.
            StoreError: the database failed.
        """
        async with self.turns.of(login.account.account_id):
            login = await self.anew(login)
            check_session(login)
            await self._check_current(login, current, source)
            yield login

    async def claim(
        self, login: Login, account: Account, kind: TokenKind, scopes: tuple[Scope, ...]
    ) -> None:
        """Make a guest an account; its token goes on with these scopes.

        The caller has the account's turn.
        """
        now = self._date()
        token = Token(
            new_id(),
            login.player.token_hash,
            account.account_id,
            kind,
            "first token",
            scopes,
            now,
            now,
            now + self._session_ms if kind == "session" else None,
        )
        # The player's own token ends: random bytes take the place of its hash, and nobody has them.
        await self._accounts.claim(account, secrets.token_bytes(32), token)
        self.changes += 1
        for peer in self._peers.of(login.player.name):
            peer.allow(rights_of(Login(login.player, account, token)))
            self.on_rights(peer)

    async def reset_password(
        self, account_id: str, password: str, link: Credential | None = None
    ) -> Login:
        """Set the password of an account without the former one; all its sessions end.

        All links that reset it end too. One of them is `link`, if somebody came by a link.

        Raises:
            Refused: the password is weak, or the link was used meanwhile.
            StoreError: the database failed.
        """
        async with self.turns.of(account_id):
            login = await self._accounts.account(account_id)
            known = await self._accounts.credentials([account_id])
            links = [each.credential_id for each in known if each.kind == "reset"]
            if login is None or (link is not None and link.credential_id not in links):
                raise bad_parameter(LINK_ENDED)
            problem = await self.passwords.problem(password, login.player.name)
            if problem:
                raise Refused(ErrorCode.WEAK_PASSWORD, problem)
            hashed = await self.passwords.hash(password)
            account = replace(login.account, password_hash=hashed)
            if links:
                await self._accounts.change_credentials(links)
            await self.end_sessions(account_id)
            await self._accounts.claim(account, secrets.token_bytes(32), None)
            self.changes += 1
            self.end_connections(lambda peer: peer.rights.account_id == account_id)
        return login

    # -- the tokens themselves ------------------------------------------------------------------

    async def make_room(self, account_id: str) -> None:
        """Check that an account may have one more token; end the session used longest ago.

        Raises:
            Refused: it has too many API tokens.
        """
        known = await self._accounts.tokens([account_id])
        # A session that ended is still stored until it is deleted, and must not take a place.
        past = self._expiry.past()
        ended = [t for t in known if t.expires_ms is not None and t.expires_ms <= past]
        known = [token for token in known if token not in ended]
        if len(known) >= MOST_TOKENS:
            sessions = [token for token in known if token.kind == "session"]
            if not sessions:
                raise too_many(
                    "An account can have {most} tokens; revoke one of them first.", MOST_TOKENS
                )
            ended.append(min(sessions, key=lambda token: token.used_ms))
        if ended:
            await self.end([token.token_id for token in ended])

    async def end_sessions(self, account_id: str, but: str = "") -> None:
        """End all sessions of an account except the token `but`."""
        known = await self._accounts.tokens([account_id])
        await self.end([t.token_id for t in known if t.kind == "session" and t.token_id != but])

    async def end_all(self, account_id: str) -> None:
        """End all tokens of an account, its own and those of programs."""
        async with self.turns.of(account_id):
            await self.end([token.token_id for token in await self._accounts.tokens([account_id])])
            self.end_connections(lambda peer: peer.rights.account_id == account_id)

    async def end(self, token_ids: Sequence[str]) -> None:
        """End tokens, and the connections that use them."""
        # The changes are counted before and after, because a login may read the token in between.
        if token_ids:
            self.changes += 1
            await self._accounts.delete_tokens(token_ids)
            self.changes += 1
            ended = set(token_ids)
            self.end_connections(lambda peer: peer.rights.token_id in ended)

    # -- connections -------------------------------------------------------------------------

    def end_connections(self, ended: Callable[[Peer], bool], reason: Sentence = EXPIRED) -> int:
        """Close the connections for which `ended` is true; return how many."""
        found = [peer for peer in self._peers.all if ended(peer)]
        for peer in found:
            peer.end(CloseCode.REVOKED, reason)
        return len(found)

    async def _each(self) -> AsyncIterator[Peer]:
        """Yield all connections; others have a turn after every `STEP` of them."""
        for count, peer in enumerate(self._peers.all, 1):
            yield peer
            if count % STEP == 0:
                await asyncio.sleep(0)

    async def ban(self, ban: Ban) -> int:
        """Store a ban, and end the connections that it concerns; return how many.

        A ban of a person also concerns the bots that the person runs.

        Raises:
            StoreError: the database failed.
        """
        await self._accounts.add_ban(ban)
        self.bans.add(ban)
        # So a hello that is under way looks at the bans once more.
        self.changes += 1
        self.on_bans()

        def concerned(peer: Peer) -> bool:
            if ban.account_id is not None:
                return peer.rights.account_id == ban.account_id
            return self.bans.of_address(peer.address) is ban

        def is_run(peer: Peer) -> bool:
            return ban.account_id is not None and peer.rights.run_by == ban.account_id

        # Bots are told that the ban is their owner's.
        bots = self.end_connections(is_run, sentence(ban, is_runner=True))
        return bots + self.end_connections(concerned, sentence(ban))

    async def lift(self, ban_id: str) -> None:
        """Lift a ban.

        Raises:
            StoreError: the database failed.
        """
        await self._accounts.delete_ban(ban_id)
        self.bans.lift(ban_id)
        self.on_bans()

    async def sweep(self) -> None:
        """Close connections whose tokens have ended; extend the sessions that are in use.

        Also delete tokens and bans that ended long ago (see `Expiry`), and read new blocks.

        Raises:
            StoreError: the database failed.
        """
        now = self._date()

        # First, because the storage may fail below.
        async for peer in self._each():
            rights = peer.rights
            if not (rights.is_session or rights.expires_ms is None or rights.expires_ms > now):
                peer.end(CloseCode.REVOKED, EXPIRED)
        async for peer in self._each():
            rights = peer.rights
            if not rights.is_session or rights.expires_ms is None:
                continue
            # As in `identify`: not at each sweep, but when the last stored use is an hour old.
            if rights.expires_ms - now < self._session_ms - USED_MS:
                expires = now + self._session_ms
                await self._accounts.use_token(rights.token_id, now, expires)
                # An admin may have changed them during the await.
                if peer.rights is rights:
                    peer.rights = replace(rights, expires_ms=expires)
        await self._store.social.keep_blocks(now - LATE_MS)
        self._expiry.warn()
        past = self._expiry.due()
        if past is not None:
            await self._accounts.delete_expired(past)

    def close(self) -> None:
        """End the threads."""
        self.passwords.close()


def _wrong(name: str, source: str) -> Refused:
    """Return the refusal of a name and a password that do not fit."""
    # The context adds the address of the connection; behind a proxy that is not the visitor's.
    facts = {"address": source} if source else {}
    _log.warning("login_failed", name=one_line(name)[:40], **facts)
    return Refused(ErrorCode.BAD_LOGIN, WRONG)
