"""Join a server as a person, under a name and with the token stored for it.

Theory of operation
-------------------
The token file of a name stays locked while the connection lasts. A second window with the same
name would otherwise take over the connection of the first; now it reports the problem beside the
name field. A server that the window starts on this machine has another port each time, so its
tokens are stored under "here" instead of an address.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import Awaitable, Callable
from random import SystemRandom
from typing import Final

from doublecross.client.account import log_in
from doublecross.client.core.address import server_urls
from doublecross.client.language import tr
from doublecross.client.options import Login, Memory
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.helpers import HelperFailed
from doublecross.client.tk.models.start import (
    BAD_ADDRESS,
    BAD_NAME,
    NAME_IN_USE,
    NO_HELP,
    NOT_KEPT,
    name_problem,
)
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tokens import TokenFile, start_known
from doublecross.client.transport import Client

log = logging.getLogger(__name__)

HERE: Final = "here"
"""The server name under which tokens for this machine's server are stored."""
LABEL: Final = "window"
"""The label of sessions that begin at the window."""
HOLD_S: Final = 1.0
"""How long to wait for a token that another window has locked, in seconds; it may be closing."""
_RETRY_S: Final = 0.05

_releasing: set[asyncio.Task[None]] = set()


def join(
    context: Context, who: str, server: str, name: str, *, password: str = "", here: bool = False
) -> Callable[[], Awaitable[Client]]:
    """Return the function with which `Network.connect` connects `who` to `server` as `name`.

    With a `password` it logs in and stores the token of the new session; without one it uses the
    stored token. `here` says that the server runs on this machine. The function raises the client's
    errors, and `Refusal` with a code of `doublecross.client.tk.models.start`.
    """

    async def make() -> Client:
        url = checked_url(server)
        if problem := name_problem(name):
            raise Refusal(problem, BAD_NAME)
        file = context.home.token_file(HERE if here else url, name)
        await _hold(file, name)
        try:
            token = file.read()
            if password:
                token = (await log_in(url, name, password, LABEL)).secret
                _store(file, token)
            client = await _start(url, who, name, file, token)
        except BaseException:
            file.release()
            raise
        task = asyncio.get_running_loop().create_task(_release(client, file))
        _releasing.add(task)  # the loop keeps only weak references to tasks
        task.add_done_callback(_releasing.discard)
        return client

    return make


def join_here(
    context: Context, who: str, name: str, found: Callable[[str], None], *, password: str = ""
) -> Callable[[], Awaitable[Client]]:
    """Return the same for a server on this machine, which the function starts if needed.

    The function calls `found` with the server's address, in the network thread.
    """

    async def make() -> Client:
        try:
            url = await context.helpers.open_server()
        except HelperFailed as error:
            raise Refusal(str(error), NO_HELP) from None
        found(url)
        return await join(context, who, url, name, password=password, here=True)()

    return make


def checked_url(text: str) -> str:
    """Return the URLs of the addresses of a server, between commas.

    Raises:
        Refusal: `text` has something else.
    """
    try:
        return server_urls(text)
    except ValueError as error:
        raise Refusal(str(error), BAD_ADDRESS) from None


async def _hold(file: TokenFile, name: str) -> None:
    """Lock the token file.

    Raises:
        Refusal: another window uses the token, or the folder is not writable.
    """
    until = asyncio.get_running_loop().time() + HOLD_S
    try:
        while not file.hold():
            if asyncio.get_running_loop().time() >= until:
                raise Refusal(
                    tr(
                        "{name} is already connected to this server in another window; "
                        "close that window or choose another name.",
                        name=name,
                    ),
                    NAME_IN_USE,
                )
            await asyncio.sleep(_RETRY_S)
    except OSError as error:
        raise Refusal(
            tr(
                "The window cannot store your login in {folder} ({reason}); make "
                "this folder writable.",
                folder=file.path.parent,
                reason=error.strerror or error,
            ),
            NOT_KEPT,
        ) from None


async def _start(url: str, who: str, name: str, file: TokenFile, kept: str | None) -> Client:
    def make(token: str | None) -> Client:
        try:
            return Client(
                url,
                Login(
                    "human",
                    name=name if token is None else None,
                    token=token,
                    client="doublecross window"
                    if who == ME
                    else "doublecross window, second person",
                    takebacks=True,
                ),
                rng=SystemRandom(),
                memory=Memory(
                    on_token=functools.partial(_store, file),
                    servers=file.servers,
                    on_servers=file.know,
                ),
            )
        except ValueError:
            if token is None:
                raise
            log.warning("The text in %s is not a token; joining as a new player.", file.path)
            return make(None)

    return await start_known(make, kept)


def _store(file: TokenFile, token: str) -> None:
    """Store a new token; if that fails, log it and go on."""
    try:
        file.write(token)
    except OSError as error:
        # The player is connected and can play, but cannot return after the window is closed.
        log.warning("The token cannot be written to %s (%s).", file.path, error)


async def _release(client: Client, file: TokenFile) -> None:
    """Unlock the token file when the connection is over for good."""
    try:
        async for _ in client.updates(1):
            pass
    finally:
        file.release()
