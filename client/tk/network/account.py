"""Fetch the account of the person at the window, and end its login."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from doublecross.client.core.accounts import AccountInfo, TokenInfo
from doublecross.client.tokens import TokenFile
from doublecross.client.transport import Client

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AccountPicture:
    """An account and its tokens, which a guest has none of."""

    account: AccountInfo
    tokens: tuple[TokenInfo, ...] = ()


async def fetch_account(client: Client) -> AccountPicture:
    """Return the account of the player that a client connects, with its tokens."""
    account = await client.account.show()
    return AccountPicture(account, await client.account.tokens() if account.claimed else ())


async def log_out(client: Client, file: TokenFile) -> None:
    """End the login of a client on the server, and delete its token from this computer."""
    await client.account.log_out()
    try:
        file.forget()
    except OSError as error:
        # The token opens nothing any more, so this is untidy and no danger.
        log.warning("The ended token in %s cannot be deleted (%s).", file.path, error)
