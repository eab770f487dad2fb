"""Ask for a code of an app after the password, or for one of the recovery codes.

The codes are those of RFC 6238 (TOTP): six digits, another one every 30 seconds. The one before and
the one after count too, because clocks differ. None counts twice. Callers have the account's turn.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b32encode
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog
from pyotp import TOTP, random_base32

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import AccountStore, Credential, Login
from doublecross.server.shell.identity.rights import new_id

RECOVERY_CODES: Final = 10
STEP_S: Final = 30
NEEDED: Final = Sentence(
    "This account also needs a code from your app. The page of the server and"
    " doublecross account login ask for it."
)
WRONG: Final = Sentence("The code is wrong or was used already. Wait for the next one of your app.")
_GROUP: Final = 6
_log = structlog.get_logger("accounts")


class SecondFactor:
    """Check and manage the codes of accounts. `date` returns milliseconds since 1970, UTC."""

    def __init__(self, store: AccountStore, date: Callable[[], int]) -> None:
        self._store = store
        self._date = date

    async def check(self, account_id: str, code: str | None) -> None:
        """Check and use up a code, if the account needs one.

        Raises:
            Refused: the code is missing or wrong, or was used.
            StoreError: the database failed.
        """
        found = await self._of(account_id)
        app = next((each for each in found if each.kind == "app"), None)
        if app is None:
            return
        if not code:
            raise Refused(ErrorCode.CODE_NEEDED, NEEDED)
        used = _recovery_id(code)
        if used in [each.credential_id for each in found if each.kind == "recovery"]:
            await self._store.change_credentials([used])
            _log.warning("recovery_code_used", account=account_id)
            return
        step = self._step(app.secret.decode(), code)
        if step is None or step <= app.counter:
            _log.warning("code_failed", account=account_id)
            raise Refused(ErrorCode.BAD_LOGIN, WRONG)
        await self._store.change_credentials([app.credential_id], [replace(app, counter=step)])

    async def turn_on(self, login: Login, key: str, code: str) -> list[str]:
        """Ask for codes from now on, after a first one; return the recovery codes.

        Raises:
            Refused: the code is wrong.
            StoreError: the database failed.
        """
        step = self._step(key, code)
        if step is None:
            raise Refused(ErrorCode.BAD_LOGIN, WRONG)
        now, account_id = self._date(), login.account.account_id
        codes = [_new_code() for _ in range(RECOVERY_CODES)]
        added = [Credential(new_id(), account_id, "app", now, "", key.encode(), step)]
        added += [Credential(_recovery_id(each), account_id, "recovery", now) for each in codes]
        former = [each.credential_id for each in await self._of(account_id)]
        await self._store.change_credentials(former, added)
        _log.info("second_factor_on", player=login.player.name)
        return codes

    async def turn_off(self, login: Login) -> None:
        """Ask for no codes any more.

        Raises:
            StoreError: the database failed.
        """
        former = [each.credential_id for each in await self._of(login.account.account_id)]
        if former:
            await self._store.change_credentials(former)
            _log.info("second_factor_off", player=login.player.name)

    async def _of(self, account_id: str) -> list[Credential]:
        found = await self._store.credentials([account_id])
        return [each for each in found if each.kind in ("app", "recovery")]

    def _step(self, key: str, code: str) -> int | None:
        """Return the time step of a code of the app with this key; None if there is none now."""
        app, now = TOTP(key), self._date() // 1000 // STEP_S
        # Newest first, so that no code with the same digits makes an older one count again.
        return next(
            (
                step
                for step in (now + 1, now, now - 1)
                if hmac.compare_digest(app.generate_otp(step), _plain(code))
            ),
            None,
        )


def new_key(name: str) -> tuple[str, str]:
    """Return a new key for an app, and the link by which apps take it for the player `name`."""
    key = random_base32()
    return key, TOTP(key).provisioning_uri(name=name, issuer_name="Doublecross")


def _new_code() -> str:
    """Return a new recovery code: 120 random bits, so that its hash needs no salt."""
    text = b32encode(secrets.token_bytes(15)).decode().lower()
    return "-".join(text[start : start + _GROUP] for start in range(0, len(text), _GROUP))


def _plain(code: str) -> str:
    # Non-ASCII text cannot be compared, and is no code.
    return "".join(filter(str.isalnum, code.lower())).encode("ascii", "replace").decode()


def _recovery_id(code: str) -> str:
    return hashlib.sha256(_plain(code).encode()).hexdigest()
