"""Make new tokens, and check that somebody may ask for them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import one_line
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Login, Scope, Token, TokenKind
from doublecross.server.shell.identity.rights import new_id, new_secret, token_hash

DAY_MS: Final = 86_400_000


@dataclass(frozen=True, slots=True)
class Issued:
    """A new token and its account. `secret` is shown once, because only its hash is stored."""

    secret: str
    token: Token
    login: Login


def issue(
    login: Login,
    kind: TokenKind,
    label: str,
    scopes: tuple[Scope, ...],
    now: int,
    expires: int,
) -> Issued:
    """Return a new token for an account, which is not stored yet; times are dates in ms."""
    secret = new_secret()
    account_id = login.account.account_id
    hashed, shown = token_hash(secret), one_line(label)
    token = Token(new_id(), hashed, account_id, kind, shown, scopes, now, now, expires)
    return Issued(secret, token, replace(login, token=token))


def check_session(login: Login) -> None:
    """Check that somebody has logged in with a password.

    Raises:
        Refused: a guest or a program asks.
    """
    if login.token is None:
        raise Refused(
            ErrorCode.MISSING_SCOPE,
            "Guests have no tokens; set a password first to keep your name.",
        )
    if login.token.kind != "session":
        raise Refused(
            ErrorCode.MISSING_SCOPE, "Only a login with a password may do this, not an API token."
        )
