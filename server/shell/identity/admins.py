"""Make players admins, on a database that no server uses."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Final

from doublecross.server.core.people.accounts import Account, PlayerRow, Token
from doublecross.server.core.storage import Batch, Store
from doublecross.server.shell.identity.names import look_of
from doublecross.server.shell.identity.rights import new_id, new_secret, token_hash

ADMIN_MS: Final = 365 * 86_400_000
"""How long the first token of an admin lasts, in milliseconds."""


class NotRegisteredError(Exception):
    """The player cannot become an admin. The message is one sentence for the host."""


async def register_admin(store: Store, name: str, now_ms: int, *, known: bool = False) -> str:
    """Make a player an admin, and return a new session token of the player.

    A player who exists already becomes an admin only with `known`, because somebody else may have
    the name. A guest's own token ends.

    Raises:
        NotRegisteredError: there is such a player, and `known` is false; or the player is a bot.
        StoreError: the database failed.
    """
    login = await store.accounts.account_named(name)
    # Names are found without regard to case, so another spelling may be a slip.
    if login is not None and (login.player.name != name or not known):
        raise NotRegisteredError(
            f"There is a player {login.player.name} already. If that is the admin, add --known."
        )
    if login is not None and login.player.kind == "bot":
        raise NotRegisteredError(f"{name} is a bot; an admin must be a person.")
    secret = new_secret()
    if login is None:
        unused = secrets.token_bytes(32)
        row = PlayerRow(name, "human", "", "", unused, now_ms, look_of(name), new_id())
        await store.commit(Batch(None, players=[row]))
        account = Account(row.account_id)
    else:
        account = login.account
    token = Token(
        new_id(),
        token_hash(secret),
        account.account_id,
        "session",
        "doublecross admin",
        (),
        now_ms,
        now_ms,
        now_ms + ADMIN_MS,
    )
    if account.is_claimed:
        await store.accounts.set_admin(account.account_id, True)
        await store.accounts.add_token(token)
    else:
        # A guest's token may lie anywhere. It must not become that of an admin.
        unused = secrets.token_bytes(32)
        await store.accounts.claim(replace(account, is_admin=True), unused, token)
    return secret
