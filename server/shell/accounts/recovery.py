"""E-mail addresses of accounts, and links by which somebody sets a new password.

A link has a random secret behind its ``#``, which browsers send to nobody; the database has its
hash. Whoever asks for a link learns neither whether there is such an account nor whether it has an
address: what depends on that happens in the background.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import structlog

from doublecross.server.core.errors import bad_parameter, wrong_state
from doublecross.server.core.people.accounts import Credential, CredentialKind, Login
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.service import LINK_ENDED, AccountService
from doublecross.server.shell.addresses.admission import Action, Admission
from doublecross.server.shell.identity.mail import MailAccount
from doublecross.server.shell.identity.rights import new_id, new_secret, token_hash
from doublecross.server.shell.mail import Mail, Mailer

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 86_400_000
PATH: Final = "/account"
_CONFIRM: Final = """Hello {name},

somebody has added this e-mail address to the account {name} at {page}.
Open this link within a day to confirm that it was you:

{link}

If it was somebody else, do nothing: the address is then not used.
"""
_RESET: Final = """Hello {name},

somebody has asked for a new password for the account {name} at {page}.
Open this link within an hour to choose one:

{link}

If it was somebody else, do nothing: your password stays as it is.
"""

_log = structlog.get_logger("accounts")


class Recovery:
    """Keep addresses, and make and take links. `date` returns milliseconds since 1970, UTC."""

    def __init__(
        self,
        service: AccountService,
        store: Store,
        mailer: Mailer,
        admission: Admission,
        date: Callable[[], int],
        real_s: Callable[[], float],
    ) -> None:
        self._service = service
        self._store = store.accounts
        self._mailer = mailer
        self._admission = admission
        # Buckets of its own, so that no flood of other actions makes it forget mails.
        self._mailboxes = Admission(admission.limits, real_s)
        self._mailboxes.hits = admission.hits
        self._date = date

    # -- the address -------------------------------------------------------------------------

    async def set_email(self, login: Login, address: str, source: str) -> None:
        """Mail a link that confirms an address; without an address, forget the one there is.

        The caller has the account's turn.

        Raises:
            Refused: the server sends no mails, or too many were asked for.
            StoreError: the database failed.
        """
        known = await self._store.credentials([login.account.account_id])
        if not address:
            former = [each.credential_id for each in known if each.kind in ("email", "confirm")]
            if former:
                await self._store.change_credentials(former)
            return
        account, address = self._account(), address.lower()
        self._admission.check(source, Action.MAIL)
        self._mailboxes.check(address, Action.MAIL)
        former = [each.credential_id for each in known if each.kind == "confirm"]
        link, stored = self._new_link(login, "confirm", DAY_MS, address)
        await self._store.change_credentials(former, [stored])
        mail = _mail(account, login, address, "Confirm your e-mail address", _CONFIRM, link)

        async def write() -> Sequence[Mail]:
            return [mail]

        self._mailer.post(write)

    async def confirm(self, secret: str) -> None:
        """Take the link that confirms an address.

        Raises:
            Refused: it was used, or has ended.
            StoreError: the database failed.
        """
        found = await self._linked(secret, "confirm")
        async with self._service.turns.of(found.account_id):
            found = await self._linked(secret, "confirm")
            known = await self._store.credentials([found.account_id])
            former = [each.credential_id for each in known if each.kind in ("email", "confirm")]
            address = Credential(new_id(), found.account_id, "email", self._date(), found.label)
            await self._store.change_credentials(former, [address])

    # -- a new password ----------------------------------------------------------------------

    def forgotten(self, who: str, source: str) -> None:
        """Mail links to those whose name or address this is, if they have confirmed an address.

        Raises:
            Refused: the server sends no mails, or too many were asked for.
        """
        account = self._account()
        self._admission.check(source, Action.MAIL)

        async def write() -> Sequence[Mail]:
            if "@" in who:
                emails = await self._store.with_email(who.lower())
            else:
                found = await self._store.account_named(who)
                ids = [] if found is None else [found.account.account_id]
                known = await self._store.credentials(ids) if ids else ()
                emails = [each for each in known if each.kind == "email"]
            mails: list[Mail] = []
            for email in emails:
                login = await self._store.account(email.account_id)
                if login is None or self._mailboxes.wait_s(email.label, Action.MAIL):
                    continue
                link, stored = self._new_link(login, "reset", HOUR_MS)
                await self._store.change_credentials([], [stored])
                mails.append(_mail(account, login, email.label, "A new password", _RESET, link))
            return mails

        self._mailer.post(write)

    async def reset(self, secret: str, password: str, source: str) -> Login:
        """Set the password of the account that a link belongs to; all its sessions end.

        Raises:
            Refused: the link was used or has ended, or the password is weak.
            StoreError: the database failed.
        """
        self._admission.check(source, Action.PASSWORD)
        link = await self._linked(secret, "reset")
        login = await self._service.reset_password(link.account_id, password, link)
        _log.info("password_reset", player=login.player.name)
        return login

    async def host_link(self, login: Login) -> str:
        """Return a new link of the host that sets a password; the password until now is gone.

        Raises:
            StoreError: the database failed.
        """
        # Somebody else may know the password, so it must not go on until the link is used.
        await self._service.reset_password(login.account.account_id, new_secret())
        link, stored = self._new_link(login, "reset", DAY_MS)
        await self._store.change_credentials([], [stored])
        return link

    # -- links -------------------------------------------------------------------------------

    def _new_link(
        self, login: Login, kind: CredentialKind, lasts_ms: int, label: str = ""
    ) -> tuple[str, Credential]:
        """Return the path of a new link, and what is stored of it."""
        secret, now = new_secret(), self._date()
        stored = Credential(
            token_hash(secret).hex(),
            login.account.account_id,
            kind,
            now,
            label,
            expires_ms=now + lasts_ms,
        )
        return f"{PATH}#{kind}={secret}", stored

    async def _linked(self, secret: str, kind: CredentialKind) -> Credential:
        found = await self._store.credential(token_hash(secret).hex())
        if found is None or found.kind != kind or (found.expires_ms or 0) <= self._date():
            raise bad_parameter(LINK_ENDED)
        return found

    def _account(self) -> MailAccount:
        account = self._mailer.account
        if account is None:
            raise wrong_state("This server sends no mails; ask its host for a link.")
        return account


def _mail(account: MailAccount, login: Login, to: str, subject: str, text: str, link: str) -> Mail:
    page = account.page
    return Mail(to, subject, text.format(name=login.player.name, page=page, link=page + link))
