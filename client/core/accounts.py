"""Describe accounts, sessions and API tokens as the server's HTTP interface reports them."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _Answer(BaseModel):
    """A part of an answer. Clients ignore fields that they do not know."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class AccountInfo(_Answer):
    """An account; that of a guest is not `claimed`.

    `scopes` is what the token in use allows, and `session` whether that token is a login with a
    password. `bots` has the names of the bots that this person runs.
    """

    name: str
    claimed: bool
    has_password: bool
    admin: bool = False
    session: bool = False
    scopes: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()


class TokenInfo(_Answer):
    """A session or an API token of `player`, without its secret.

    `kind` is ``session`` or ``api``. `current` says whether the request carried this token. Times
    are milliseconds since 1970, UTC; `used_ms` is right to about an hour, and `expires_ms` is None
    for a token without an end.
    """

    token_id: str
    player: str
    kind: str
    label: str
    scopes: tuple[str, ...] = ()
    created_ms: int
    used_ms: int
    expires_ms: int | None = None
    current: bool = False


class TokenList(_Answer):
    """The tokens of a person and of the person's bots, newest first."""

    tokens: tuple[TokenInfo, ...]


class IssuedToken(_Answer):
    """A new token; `secret` is what a program sends. Nobody can see it again."""

    secret: str
    token: TokenInfo


class OwnBot(_Answer):
    """A bot that this person runs now; `issued` is None for one that keeps its token."""

    name: str
    issued: IssuedToken | None = None
