"""Connect commands to a server, as a guest who watches or as an organiser of tournaments.

The name and the token of a guest are kept in a file, so that the next command joins as the same
player.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem, user_problems, warn

if TYPE_CHECKING:
    from doublecross.client.tokens import TokenFile
    from doublecross.client.transport import Client

_MOST_GUESTS: Final = 20
"""The most commands of one user that may watch one server at once."""
_TURN_S: Final = 10.0
"""Seconds that a command of an organiser waits for another one to end."""
_LOOK_S: Final = 0.05
"""Seconds between two tries to get a token file."""


@contextlib.asynccontextmanager
async def connected_client(
    server: str,
    patience_s: float = 0.0,
    who: str = "guest",
    name: str | None = None,
    token: str | None = None,
) -> AsyncIterator[Client]:
    """Connect a client and close it at the end of the context.

    `who` is ``guest`` for a command that only watches, or ``organiser`` for one that runs
    tournaments. A user has one organiser on each server, because tournaments belong to the player
    who created them. `name` is the name of that player; without it, a random name is drawn once.
    `token` is that of an account which connects instead; it is kept nowhere.
    `patience_s` is how long to wait for a server that does not answer.
    """
    from platformdirs import user_state_path

    from doublecross.client.core.address import server_urls

    try:
        url = server_urls(server)
    except ValueError as error:
        raise Problem(str(error)) from None
    folder = user_state_path("doublecross") / "guests"
    try:
        file = await _free_token_file(folder, url, who, _lock_name(name, token))
    except OSError as error:
        raise Problem(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        with user_problems():
            if token is None:
                client = await _connect(url, file, patience_s, who, name)
            else:
                client = await _connect_account(url, token, patience_s)
        watching = asyncio.create_task(_say_storage(client), name="storage")
        try:
            with user_problems():
                yield client
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await client.close()
    finally:
        file.release()


def _lock_name(name: str | None, token: str | None) -> str | None:
    """Return the name of the file to lock. That of a token holds nothing but the lock."""
    if token is None:
        return name
    return f"account {hashlib.sha256(token.encode()).hexdigest()[:16]}"


async def _connect_account(url: str, token: str, patience_s: float) -> Client:
    """Connect as the account with this token, which must exist."""
    from doublecross.client.options import Login
    from doublecross.client.transport import Client

    client = Client(
        url, Login("human", token=token, client="doublecross command line"), rng=SystemRandom()
    )
    try:
        await client.start(patience_s=patience_s)
    except BaseException:
        await client.close()
        raise
    return client


async def _say_storage(client: Client) -> None:
    """Tell the user when the server cannot store what the command asks for."""
    from doublecross.client.core.updates import StorageFailing

    async for update in client.updates():
        if isinstance(update, StorageFailing):
            warn("The server cannot store anything at the moment; trying again.")


async def _free_token_file(folder: Path, url: str, who: str, name: str | None) -> TokenFile:
    """Return a token file for this server, and this name if given, that no other process uses."""
    from doublecross.client.tokens import TokenFile

    loop = asyncio.get_running_loop()
    until = loop.time() + (_TURN_S if who == "organiser" else 0.0)
    while True:
        for number in range(1, 1 + (1 if who == "organiser" else _MOST_GUESTS)):
            file = TokenFile(
                folder, url, f"{who} {number}" if name is None else f"{who} named {name}"
            )
            if file.hold():
                return file
        if loop.time() >= until:
            break
        await asyncio.sleep(_LOOK_S)
    if who == "organiser":
        raise Problem(
            f"Another command of yours is organising tournaments at {url}. Try again later."
        )
    raise Problem(
        f"{_MOST_GUESTS} commands of yours are watching {url} already. End one of them first."
    )


async def _connect(
    url: str, file: TokenFile, patience_s: float, who: str, chosen: str | None
) -> Client:
    from doublecross.client.core.errors import RequestRefused
    from doublecross.client.options import Login, Memory
    from doublecross.client.tokens import start_known
    from doublecross.client.transport import Client
    from doublecross.protocol.errors import ErrorCode

    def make(token: str | None) -> Client:
        return Client(
            url,
            Login(
                "human",
                name=chosen or f"{who}-{secrets.token_hex(4)}",
                token=token,
                client="doublecross command line",
            ),
            rng=SystemRandom(),
            memory=Memory(on_token=file.write, servers=file.servers, on_servers=file.know),
        )

    token = file.read()
    while True:
        try:
            return await start_known(make, token, patience_s=patience_s)
        except RequestRefused as refused:
            if refused.code != ErrorCode.NAME_TAKEN or chosen is not None:
                raise
            token = None  # somebody else has this random name; draw another one
