"""A connection of somebody who only looks: a guest with a name of its own, kept for next time."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from cli.shared.console import Problem, user_problems

if TYPE_CHECKING:
    from client.tokens import TokenFile
    from client.transport import Client

_PLACES: Final = 20
"""Guests of one user on one server at once."""
_TURN_S: Final = 10.0
"""How long a command of an organiser waits for another one to end, in seconds."""
_LOOK_S: Final = 0.05


@contextlib.asynccontextmanager
async def connected_client(
    server: str, patience_s: float = 0.0, who: str = "guest"
) -> AsyncIterator[Client]:
    """A connected client that looks on, or, as ``organiser``, runs tournaments: one of a user and
    server, as its tournaments are its own."""
    from platformdirs import user_state_path

    from client.core.address import server_url

    try:
        url = server_url(server)
    except ValueError as error:
        raise Problem(str(error)) from None
    folder = user_state_path("doublecross") / "guests"
    try:
        file = await _place(folder, url, who)
    except OSError as error:
        raise Problem(f"{folder} cannot be written: {error.strerror}.") from None
    try:
        with user_problems():
            client = await _connect(url, file, patience_s, who)
        try:
            with user_problems():
                yield client
        finally:
            await client.close()
    finally:
        file.release()


async def _place(folder: Path, url: str, who: str) -> TokenFile:
    """A place of this user at a server that nobody else has just now."""
    from client.tokens import TokenFile

    loop = asyncio.get_running_loop()
    until = loop.time() + (_TURN_S if who == "organiser" else 0.0)
    while True:
        for number in range(1, 1 + (1 if who == "organiser" else _PLACES)):
            file = TokenFile(folder, url, f"{who} {number}")
            if file.hold():
                return file
        if loop.time() >= until:
            break
        await asyncio.sleep(_LOOK_S)
    if who == "organiser":
        raise Problem(f"Another command of yours organises tournaments at {url} just now.")
    raise Problem(f"{_PLACES} commands of yours are looking at {url} already.")


async def _connect(url: str, file: TokenFile, patience_s: float, who: str) -> Client:
    from client.core.errors import RequestRefused
    from client.tokens import start_known
    from client.transport import Client
    from protocol.errors import ErrorCode

    def make(token: str | None) -> Client:
        return Client(
            url,
            kind="human",
            rng=SystemRandom(),
            name=f"{who}-{secrets.token_hex(4)}",
            token=token,
            client="doublecross command line",
            on_token=file.write,
        )

    token = file.read()
    while True:
        try:
            return await start_known(make, token, patience_s=patience_s)
        except RequestRefused as refused:
            if refused.code != ErrorCode.NAME_TAKEN:
                raise
            token = None  # by chance somebody has this name; draw another
