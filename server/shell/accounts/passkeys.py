"""Log in with passkeys (WebAuthn) beside the password, and add and remove them.

A challenge counts once, within `CHALLENGE_S`, and for the site whose page asked for it. That site
comes from the request (see `Origins.own`), never from what the browser signs. A passkey checks who
holds the device, by a fingerprint or a code, so a login with one needs no second factor.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, NamedTuple

import structlog

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused, too_many
from doublecross.server.core.people.accounts import Credential, Login
from doublecross.server.core.storage import Store
from doublecross.server.shell.accounts.issuing import Issued
from doublecross.server.shell.accounts.service import AccountService
from doublecross.server.shell.addresses.admission import Action, Admission
from doublecross.server.shell.addresses.origins import Origin

MOST: Final = 20
"""The most passkeys of one account."""
CHALLENGE_S: Final = 300.0
MOST_CHALLENGES: Final = 10_000
"""How many challenges are kept; the oldest goes first."""
WRONG: Final = Sentence("The passkey does not fit; try again, or log in with your password.")

_log = structlog.get_logger("accounts")


class Challenge(NamedTuple):
    """What a browser has to sign. `account_id` is empty for a login."""

    site: Origin
    account_id: str
    until_s: float


class Passkeys:
    """Manage the passkeys of accounts. `date` returns milliseconds since 1970, UTC."""

    def __init__(
        self,
        service: AccountService,
        store: Store,
        admission: Admission,
        date: Callable[[], int],
        real_s: Callable[[], float],
    ) -> None:
        self._service = service
        self._store = store.accounts
        self._admission = admission
        self._date = date
        self._real_s = real_s
        self._challenges: OrderedDict[bytes, Challenge] = OrderedDict()

    # -- adding ------------------------------------------------------------------------------

    async def new_options(self, login: Login, site: Origin) -> dict[str, Any]:
        """Return what a browser needs to make a passkey.

        Raises:
            Refused: the account has too many.
            StoreError: the database failed.
        """
        account_id = login.account.account_id
        known = [c for c in await self._store.credentials([account_id]) if c.kind == "passkey"]
        if len(known) >= MOST:
            raise too_many("You have {count} passkeys, which is the limit.", len(known))
        challenge = self._new_challenge(site, account_id)
        return await asyncio.to_thread(_new_options, challenge, site, login, known)

    async def add(self, login: Login, credential: dict[str, Any], label: str) -> None:
        """Store the passkey that a browser has made.

        Raises:
            Refused: it does not fit the challenge.
            StoreError: the database failed.
        """
        account_id = login.account.account_id
        challenge, asked = self._taken(credential, account_id)
        async with self._service.turns.of(account_id):
            await self._service.anew(login)  # the account may have been deleted meanwhile
            made = await asyncio.to_thread(_registered, credential, challenge, asked.site)
            if await self._store.credential(made.credential_id) is not None:
                raise _wrong()
            stored = replace(
                made, account_id=account_id, created_ms=self._date(), label=one_line(label)
            )
            await self._store.change_credentials([], [stored])
        _log.info("passkey_added", player=login.player.name)

    async def remove(self, login: Login, credential_id: str) -> None:
        """Remove a passkey of the account, if it is there.

        Raises:
            StoreError: the database failed.
        """
        account_id = login.account.account_id
        async with self._service.turns.of(account_id):
            found = await self._store.credential(credential_id)
            if found is not None and (found.account_id, found.kind) == (account_id, "passkey"):
                await self._store.change_credentials([credential_id])
                _log.info("passkey_removed", player=login.player.name)

    # -- logging in --------------------------------------------------------------------------

    async def login_options(self, site: Origin) -> dict[str, Any]:
        """Return what a browser needs to log in with any passkey that it has for this site."""
        return await asyncio.to_thread(_login_options, self._new_challenge(site, ""), site)

    async def log_in(self, credential: dict[str, Any], label: str, source: str) -> Issued:
        """Begin a session for somebody who has a passkey of an account.

        Raises:
            Refused: it does not fit the challenge, nobody has it, too many were tried, or a ban.
            StoreError: the database failed.
        """
        self._admission.check(source, Action.PASSWORD)
        challenge, asked = self._taken(credential, "")
        with _formed():
            name = urlsafe_b64encode(_bytes(credential["id"])).decode().rstrip("=")
        found = await self._store.credential(name)
        if found is None or found.kind != "passkey":
            raise _wrong()
        async with self._service.turns.of(found.account_id):
            # Again, because it may have been removed or used meanwhile.
            found = await self._store.credential(found.credential_id)
            login = None if found is None else await self._store.account(found.account_id)
            if found is None or login is None:
                raise _wrong()
            count = await asyncio.to_thread(_signed, credential, challenge, asked.site, found)
            used = replace(found, counter=count)
            await self._store.change_credentials([found.credential_id], [used])
            return await self._service.begin(login, label)

    # -- challenges --------------------------------------------------------------------------

    def _new_challenge(self, site: Origin, account_id: str) -> bytes:
        challenge = secrets.token_bytes(32)
        self._challenges[challenge] = Challenge(site, account_id, self._real_s() + CHALLENGE_S)
        if len(self._challenges) > MOST_CHALLENGES:
            self._challenges.popitem(last=False)
        return challenge

    def _taken(self, credential: dict[str, Any], account_id: str) -> tuple[bytes, Challenge]:
        """Use up the challenge that was signed."""
        with _formed():
            client_data = json.loads(_bytes(credential["response"]["clientDataJSON"]))
            challenge = _bytes(client_data["challenge"])
        asked = self._challenges.pop(challenge, None)
        if asked is None or asked.account_id != account_id or asked.until_s < self._real_s():
            raise _wrong()
        return challenge, asked


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(f"{text}==")


# The library is imported in threads only, because that takes longer than the event loop may stand.


def _new_options(
    challenge: bytes, site: Origin, login: Login, known: Sequence[Credential]
) -> dict[str, Any]:
    import webauthn
    from webauthn.helpers import options_to_json_dict, structs

    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name="Doublecross",
        user_id=login.account.account_id.encode(),
        user_name=login.player.name,
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(_bytes(each.credential_id)) for each in known
        ],
    )
    return options_to_json_dict(options)


def _login_options(challenge: bytes, site: Origin) -> dict[str, Any]:
    import webauthn
    from webauthn.helpers import options_to_json_dict, structs

    options = webauthn.generate_authentication_options(
        rp_id=site.host,
        challenge=challenge,
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return options_to_json_dict(options)


def _registered(credential: dict[str, Any], challenge: bytes, site: Origin) -> Credential:
    import webauthn
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    with _formed(WebAuthnException):
        made = webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.text,
            require_user_verification=True,
        )
    name = bytes_to_base64url(made.credential_id)
    return Credential(name, "", "passkey", 0, "", made.credential_public_key, made.sign_count)


def _signed(credential: dict[str, Any], challenge: bytes, site: Origin, known: Credential) -> int:
    """Check a signature, and return how many the passkey has made."""
    import webauthn
    from webauthn.helpers.exceptions import WebAuthnException

    with _formed(WebAuthnException):
        return webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.text,
            credential_public_key=known.secret,
            credential_current_sign_count=known.counter,
            require_user_verification=True,
        ).new_sign_count


@contextmanager
def _formed(other: type[Exception] = ValueError) -> Iterator[None]:
    """Refuse what a browser sent if it has another form, or for an `other` error."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError, other) as error:
        raise _wrong(type(error).__name__) from None


def _wrong(why: str = "unknown") -> Refused:
    _log.warning("passkey_failed", error=why)
    return Refused(ErrorCode.BAD_LOGIN, WRONG)
