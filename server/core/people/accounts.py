"""Accounts, their tokens, bans and the audit log, and the interface of the storage for them.

Every player has an account id, which never changes and is never used again. Rights belong to that
id, because names can pass from one player to another. A player is a *guest* until a password is
set, a person runs it as a bot, or the host makes it an admin.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

Scope: TypeAlias = Literal["play", "bot", "organise", "admin"]
"""A right of a token: to play as a person or as a bot, to manage tournaments or the server."""
TokenKind: TypeAlias = Literal["session", "api"]
"""A session begins with a password and ends when nobody uses it; programs use API tokens."""
CredentialKind: TypeAlias = Literal[
    "email", "confirm", "reset", "app", "recovery", "passkey", "turns"
]
"""See `Credential`."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player.

    `token_hash` is the SHA-256 of a guest's token (32 bytes). `engine` and `engine_version` are
    empty for people. Names that can be confused have equal `look`s (see
    `server/shell/identity/names.py`). Rights belong to the `account_id` (see above). Times are
    milliseconds since 1970, UTC.
    """

    name: str
    kind: Literal["human", "bot"]
    engine: str
    engine_version: str
    token_hash: bytes
    created_ms: int
    look: str = ""
    account_id: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """The rights of a player, stored beside the row of the player.

    `password_hash` is in Argon2's text form and None without a password. `run_by` is the account id
    of the person who runs a bot. Times are milliseconds since 1970, UTC.
    """

    account_id: str
    password_hash: str | None = None
    run_by: str | None = None
    is_admin: bool = False

    @property
    def is_claimed(self) -> bool:
        """True when the player is more than a guest."""
        return self.password_hash is not None or self.run_by is not None or self.is_admin


@dataclass(frozen=True, slots=True)
class Token:
    """A session or an API token. `token_hash` is a SHA-256 (32 bytes).

    `expires_ms` is None for a token without an end. `used_ms` is the last use, to about an hour.
    """

    token_id: str
    token_hash: bytes
    account_id: str
    kind: TokenKind
    label: str
    scopes: tuple[Scope, ...]
    created_ms: int
    used_ms: int
    expires_ms: int | None


@dataclass(frozen=True, slots=True)
class Login:
    """The player and the account that a token belongs to. `token` is None for that of a guest.

    `token_count` is how many tokens the account has, ended ones included, and None if that was not
    counted.
    """

    player: PlayerRow
    account: Account
    token: Token | None
    token_count: int | None = None


@dataclass(frozen=True, slots=True)
class Credential:
    """Something beside the password by which an account is reached. `label` is for people.

    ========  =================================  ================  ======  ==============
    kind      is                                 credential_id     label   secret
    ========  =================================  ================  ======  ==============
    email     a confirmed address                random            it
    confirm   a link that confirms an address    hash of the link  it
    reset     a link that sets a password        hash of the link
    app       the key of an app for login codes  random                    the key
    recovery  a code in place of the app's       hash of the code
    passkey   a passkey                          its own id        a name  its public key
    turns     the wish for mails about turns     of the link that
                                                 ends it
    ========  =================================  ================  ======  ==============

    `counter` is the last time step whose code was used, or the last signature of a passkey. Hashes
    are SHA-256 in hex. Times are milliseconds since 1970, UTC.
    """

    credential_id: str
    account_id: str
    kind: CredentialKind
    created_ms: int
    label: str = ""
    secret: bytes = b""
    counter: int = 0
    expires_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Ban:
    """The exclusion of an account, or of a network such as ``192.0.2.0/24``, from the server.

    Exactly one of `account_id` and `network` is set. `until_ms` is None for ever.
    """

    ban_id: str
    account_id: str | None
    network: str | None
    until_ms: int | None
    reason: str
    made_ms: int
    made_by: str


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """Something that an admin did. `actor_id` is empty for the host's own commands.

    `target` is the name or the id of what was changed; `detail` is one line of text for people.
    """

    at_ms: int
    actor_id: str
    actor: str
    address: str
    action: str
    target: str
    detail: str
    number: int = 0
    """The place in the log; the storage sets it."""


@dataclass(frozen=True, slots=True)
class Renaming:
    """Another name for a player. `look` is the look of the new name.

    `unused_hash` is set to delete the player's account, and all tokens of it: a hash that no token
    has (32 bytes).
    """

    player: PlayerRow
    name: str
    look: str
    unused_hash: bytes | None = None


class AccountStore(Protocol):
    """Store and read accounts. All methods raise `StoreError` when the database fails."""

    async def login(self, token_hash: bytes) -> Login | None:
        """Return the account that a token belongs to, also after the token's end, or None."""

    async def account(self, account_id: str) -> Login | None:
        """Return an account by its id, or None."""

    async def account_named(self, name: str) -> Login | None:
        """Return the account with this name, without regard to case, and count its tokens."""

    async def bots_of(self, account_id: str) -> Sequence[Login]:
        """Return the bots that a person runs, in the order of their names."""

    async def admins(self) -> Sequence[Login]:
        """Return the admins, in the order of their names."""

    async def set_password(self, account_id: str, password_hash: str) -> None:
        """Store a password. The account of a guest becomes a claimed one."""

    async def claim(self, account: Account, unused_hash: bytes, token: Token | None) -> None:
        """Store an account, end its token as a guest, and store a first token for it.

        The subscriptions of the former token go over to the first one, or end without one.

        `unused_hash` is a hash that no token has (32 bytes).
        """

    async def add_bot(self, player: PlayerRow, account: Account, token: Token) -> None:
        """Store a new player that is a bot with an account, and its first token."""

    async def set_admin(self, account_id: str, is_admin: bool) -> None:
        """Make somebody an admin, or end that."""

    async def add_token(self, token: Token) -> None:
        """Store a new token."""

    async def tokens(self, account_ids: Collection[str]) -> Sequence[Token]:
        """Return the tokens of these accounts, newest first."""

    async def use_token(self, token_id: str, used_ms: int, expires_ms: int | None) -> None:
        """Store the last use of a token, and its end."""

    async def delete_tokens(self, token_ids: Collection[str]) -> None:
        """End tokens for good, and the subscriptions of their browsers."""

    async def credential(self, credential_id: str) -> Credential | None:
        """Return a credential by its id, or None."""

    async def credentials(self, account_ids: Collection[str]) -> Sequence[Credential]:
        """Return the credentials of these accounts, oldest first."""

    async def with_email(self, address: str) -> Sequence[Credential]:
        """Return the confirmed addresses of all accounts that are equal to this one."""

    async def change_credentials(
        self, deleted: Collection[str], added: Collection[Credential] = ()
    ) -> None:
        """Delete credentials by their ids, then store new ones, all or nothing."""

    async def newest_date(self) -> int | None:
        """Return the newest date of a finished game, of the use of a token or of a ban, or None."""

    async def delete_expired(self, now_ms: int) -> None:
        """Delete the tokens, credentials and bans that ended before `now_ms`.

        The subscriptions of these tokens end too.
        """

    async def bans(self) -> Sequence[Ban]:
        """Return all bans, newest first."""

    async def add_ban(self, ban: Ban) -> None:
        """Store a ban."""

    async def delete_ban(self, ban_id: str) -> None:
        """Lift a ban."""

    async def add_audit(self, entry: AuditEntry) -> None:
        """Add an entry to the audit log."""

    async def audit(self, limit: int, before: int | None = None) -> Sequence[AuditEntry]:
        """Return up to `limit` entries of the audit log, newest first, before a number."""

    # -- for the host --------------------------------------------------------------------------

    async def search(self, text: str, limit: int) -> Sequence[tuple[Login, str | None]]:
        """Return up to `limit` players whose names contain `text`, newest first.

        Each comes with the name of the person who runs it, if anybody does.
        """

    async def rename(self, renaming: Renaming) -> None:
        """Give a player another name, everywhere and in one transaction.

        The player has no unfinished games, and no rows of it wait to be stored.
        """

    def games_of(self, player: PlayerRow) -> AsyncIterator[Sequence[dict[str, Any]]]:
        """Yield pages of the columns of all finished games of a player, private ones too."""

    async def tournaments_of(self, player: PlayerRow) -> Sequence[dict[str, Any]]:
        """Return the tournaments that a player has organised or entered.

        Each is a dict with the columns of the tournament, and those of the entrant in `entrant`.
        """

    async def audit_about(self, player: PlayerRow) -> Sequence[AuditEntry]:
        """Return what admins did to a player, or the player as an admin, newest first."""
