"""Keep the name of the person at the window, or end its login."""

from __future__ import annotations

import logging

from doublecross.client.language import tr
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tokens import TokenFile
from doublecross.client.transport import Client

log = logging.getLogger(__name__)


async def guest_token(client: Client, file: TokenFile) -> str:
    """Return the token of a guest, which the page needs to set a password for the name.

    Raises:
        Refusal: the name has a password, or its token is not on this computer any more.
    """
    if (await client.account.show()).has_password:
        raise Refusal(tr("Your name has a password already. You can log in with it anywhere."))
    token = file.read()
    if token is None:
        raise Refusal(tr("The token of your name is not on this computer any more."))
    return token


async def log_out(client: Client, file: TokenFile) -> None:
    """End the login of a client on the server, and delete its token from this computer.

    Raises:
        Refusal: the player is a guest, who could never come back under this name.
    """
    if not (await client.account.show()).has_password:
        raise Refusal(
            tr(
                "You are a guest without a password. "
                "If you log out, nobody can use this name again."
            )
        )
    await client.account.log_out()
    try:
        file.forget()
    except OSError as error:
        # The token opens nothing any more, so this is untidy and no danger.
        log.warning("The ended token in %s cannot be deleted (%s).", file.path, error)
