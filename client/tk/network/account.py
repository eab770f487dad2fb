"""End the login of the person at the window."""

from __future__ import annotations

import logging

from doublecross.client.language import tr
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tokens import TokenFile
from doublecross.client.transport import Client

log = logging.getLogger(__name__)


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
