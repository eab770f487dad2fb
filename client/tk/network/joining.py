"""Joins a server as a person: under a name, with the token that this server knows it by.

Theory of operation
-------------------
The token of a name is held while its connection lasts, so that a second window with the same name
does not take the first one's connection over; it says so beside the name instead. A server of
this machine has another port each time: its tokens are kept for "here".
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from random import SystemRandom
from typing import Final

from client.core.address import server_url
from client.tk.context import Context
from client.tk.models.helpers import HelperFailed
from client.tk.models.start import (
    BAD_ADDRESS,
    BAD_NAME,
    NAME_IN_USE,
    NO_HELP,
    NOT_KEPT,
    name_problem,
)
from client.tk.network.thread import ME, Refusal
from client.tokens import TokenFile, start_known
from client.transport import Client

log = logging.getLogger(__name__)

HERE: Final = "here"
"""What the tokens of a server of this machine are kept for."""
HOLD_S: Final = 1.0
"""How long a token that another window holds is waited for, in seconds: that one may just close."""
_LOOK_S: Final = 0.05

_releasing: set[asyncio.Task[None]] = set()


def join(
    context: Context, who: str, server: str, name: str, *, here: bool = False
) -> Callable[[], Awaitable[Client]]:
    """Return what `Network.connect` needs to connect `who` to the address `server` as `name`;
    `here` says that it is a server of this machine.

    It raises, beside the client's errors, `Refusal` with a code of `client.tk.models.start`.
    """

    async def make() -> Client:
        url = checked_url(server)
        if problem := name_problem(name):
            raise Refusal(problem, BAD_NAME)
        file = context.home.token_file(HERE if here else url, name)
        await _hold(file, name)
        try:
            client = await _start(url, who, name, file)
        except BaseException:
            file.release()
            raise
        task = asyncio.get_running_loop().create_task(_release(client, file))
        _releasing.add(task)  # the loop itself holds no task
        task.add_done_callback(_releasing.discard)
        return client

    return make


def join_here(
    context: Context, who: str, name: str, found: Callable[[str], None]
) -> Callable[[], Awaitable[Client]]:
    """Return the same for the server of this machine, which is started if need be; `found` is
    called with its address, in the network's thread."""

    async def make() -> Client:
        try:
            url = await context.helpers.open_server()
        except HelperFailed as error:
            raise Refusal(str(error), NO_HELP) from None
        found(url)
        return await join(context, who, url, name, here=True)()

    return make


def checked_url(text: str) -> str:
    """Return the URL of an address.

    Raises:
        Refusal: it is none.
    """
    try:
        return server_url(text)
    except ValueError as error:
        raise Refusal(str(error), BAD_ADDRESS) from None


async def _hold(file: TokenFile, name: str) -> None:
    until = asyncio.get_running_loop().time() + HOLD_S
    try:
        while not file.hold():
            if asyncio.get_running_loop().time() >= until:
                raise Refusal(
                    f"{name} plays on this server already, in another window; close that one "
                    "or choose another name.",
                    NAME_IN_USE,
                )
            await asyncio.sleep(_LOOK_S)
    except OSError as error:
        raise Refusal(
            f"Your place on a server cannot be kept in {file.path.parent}: "
            f"{error.strerror or error}.",
            NOT_KEPT,
        ) from None


async def _start(url: str, who: str, name: str, file: TokenFile) -> Client:
    def make(token: str | None) -> Client:
        try:
            return Client(
                url,
                kind="human",
                rng=SystemRandom(),
                name=name if token is None else None,
                token=token,
                client="doublecross window" if who == ME else "doublecross window, second person",
                on_token=functools.partial(_keep, file),
            )
        except ValueError:
            if token is None:
                raise
            log.warning("What is kept in %s is no token.", file.path)
            return make(None)

    return await start_known(make, file.read())


def _keep(file: TokenFile, token: str) -> None:
    try:
        file.write(token)
    except OSError as error:
        # The player is there and can play; it is only the way back that is missing.
        log.warning("The token cannot be kept in %s (%s).", file.path, error)


async def _release(client: Client, file: TokenFile) -> None:
    """Let others have the token when the connection is over for good."""
    try:
        async for _ in client.updates(1):
            pass
    finally:
        file.release()
