"""Make players admins, on a database that no server uses."""

from __future__ import annotations

from typing import Final

from server.core.accounts import PlayerRow, Token
from server.core.storage import Batch, Store
from server.shell.identity.names import look_of
from server.shell.identity.tokens import new_id, new_secret, new_token, token_hash

ADMIN_MS: Final = 365 * 86_400_000
"""How long the first token of an admin lasts, in milliseconds."""


class NotRegisteredError(Exception):
    """The player cannot become an admin. The message is one sentence for the host."""


async def register_admin(store: Store, name: str, now_ms: int, *, known: bool = False) -> str:
    """Make a player an admin, and return a new session token of the player.

    A player who exists already becomes an admin only with `known`, because somebody else may have
    the name.

    Raises:
        NotRegisteredError: there is such a player, and `known` is false; or the player is a bot.
        StoreError: the database failed.
    """
    login = await store.accounts.account_named(name)
    if login is not None and (login.player.name != name or not known):
        raise NotRegisteredError(
            f"There is a player {login.player.name} already. If that is the admin, add --known."
        )
    if login is not None and login.player.kind == "bot":
        raise NotRegisteredError(f"{name} is a bot; an admin must be a person.")
    if login is None:
        unused = token_hash(new_token(name, None))
        row = PlayerRow(name, "human", "", "", unused, now_ms, look_of(name), new_id())
        await store.commit(Batch(None, players=[row]))
        account_id = row.account_id
    else:
        account_id = login.account.account_id
    await store.accounts.set_admin(account_id, True)
    secret = new_secret()
    await store.accounts.add_token(
        Token(
            new_id(),
            token_hash(secret),
            account_id,
            "session",
            "doublecross admin",
            (),
            now_ms,
            now_ms,
            now_ms + ADMIN_MS,
        )
    )
    return secret
