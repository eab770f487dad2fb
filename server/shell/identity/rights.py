"""The secret tokens by which players log in, and what their bearers may do."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from doublecross.protocol import client_messages as cm
from doublecross.protocol.common import Kind
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.core.people.accounts import Login, Scope

GUEST: Final[frozenset[Scope]] = frozenset({"play", "bot", "organise"})
PERSON: Final[frozenset[Scope]] = frozenset({"play", "organise"})
_ADMIN: Final[frozenset[Scope]] = frozenset({"admin"})
OF_PEOPLE: Final[tuple[Scope, ...]] = ("play", "organise", "admin")
"""The scopes that a token of a person can have."""
OF_BOTS: Final[tuple[Scope, ...]] = ("bot", "organise")
"""The scopes that a token of a bot can have."""

_FREE: Final = frozenset(
    {
        cm.Ping,
        cm.GetGames,
        cm.FollowLobby,
        cm.GetTournament,
        cm.GetRecord,
        cm.GetReview,
    }
)
"""Requests that every token may send."""
_ORGANISE: Final = frozenset(
    {
        cm.CreateTournament,
        cm.StartTournament,
        cm.EndTournament,
        cm.NextSeason,
        cm.SetAside,
        cm.TakeBack,
    }
)
_PLAYS: Final[Mapping[Kind, Scope]] = MappingProxyType({"human": "play", "bot": "bot"})


@dataclass(frozen=True, slots=True)
class Rights:
    """The rights of a connection or of an HTTP request.

    `account_id` is whose rights these are; for a bot, `run_by` is that of the person who runs it.
    `token_id` is empty for the token of a guest, and `expires_ms` None for a token without an end.
    """

    account_id: str = ""
    scopes: frozenset[Scope] = GUEST
    token_id: str = ""
    expires_ms: int | None = None
    is_session: bool = False
    run_by: str | None = None

    @property
    def is_admin(self) -> bool:
        """True when it may manage the server and everybody's tournaments."""
        return "admin" in self.scopes

    def may_play(self, kind: Kind) -> bool:
        """Return whether it may act as a player of this kind."""
        return _PLAYS[kind] in self.scopes

    def check(self, request: type[cm.Request], kind: Kind) -> None:
        """Check that a player of this kind may send such a request.

        Raises:
            Refused: the token lacks a scope.
        """
        if request in _FREE:
            return
        needed: Scope = "organise" if request in _ORGANISE else _PLAYS[kind]
        if needed not in self.scopes:
            raise missing(needed)


def rights_of(login: Login) -> Rights:
    """Return the rights of whoever has this token."""
    account, token = login.account, login.token
    if token is None:
        return Rights(account.account_id, GUEST)
    is_session = token.kind == "session"
    scopes = PERSON | _ADMIN if is_session else frozenset(token.scopes)
    if not account.is_admin:
        scopes -= _ADMIN
    return Rights(
        account.account_id, scopes, token.token_id, token.expires_ms, is_session, account.run_by
    )


def missing(scope: Scope) -> Refused:
    """Return the refusal of a token that lacks a scope."""
    return Refused(
        ErrorCode.MISSING_SCOPE, "This token lacks the scope {scope}; use one with it.", scope
    )


def check_kind(login: Login, kind: Kind, scopes: frozenset[Scope]) -> None:
    """Check that the player of an account may connect as a person or as a bot.

    Guests may be either.

    Raises:
        Refused: the account is of the other kind.
    """
    account = login.account
    if kind == "human":
        if account.run_by is not None:
            raise Refused(
                ErrorCode.WRONG_KIND,
                "{name} is the account of a bot; a person needs an account of their own.",
                login.player.name,
            )
    elif account.is_claimed:
        if account.run_by is None:
            raise Refused(
                ErrorCode.WRONG_KIND,
                "{name} is the account of a person; make a bot account for your bot.",
                login.player.name,
            )
        if "bot" not in scopes:
            raise missing("bot")


# -- the tokens themselves -------------------------------------------------------------------


def token_hash(token: str) -> bytes:
    """Return the hash that is stored in place of a token.

    A plain SHA-256 is enough, because a token has 192 random bits and cannot be guessed.
    """
    return hashlib.sha256(token.encode()).digest()


def new_token(name: str, key: str | None) -> str:
    """Return the token of a new player.

    Without a key it is random. With the client's key it follows from key and name alone, so a hello
    that is sent again after a lost welcome gets the same token.
    """
    if key is None:
        return secrets.token_urlsafe(24)
    digest = hmac.digest(key.encode(), b"doublecross player " + name.casefold().encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:24]).decode()


def new_secret() -> str:
    """Return a new session or API token. Its start tells programs that search for lost secrets."""
    return f"dcx_{secrets.token_urlsafe(32)}"


def new_id() -> str:
    """Return a random id for an account, a token or a ban: 20 hexadecimal digits."""
    return secrets.token_hex(10)


def bearer(headers: Mapping[str, str]) -> str:
    """Return the token in the header `Authorization` of a request; empty if there is none."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
