"""Who the bot is on a server: its name there, and the token that brings it back.

A name whose token another runner on this machine holds, or that a stranger has, is passed over for
the next one.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator
from random import Random
from typing import Final

from platformdirs import user_state_path

from bots.runner.config import RunnerConfig, RunnerError
from client.core.address import server_url
from client.core.errors import RequestRefused
from client.tokens import TokenFile, start_known
from client.transport import Client
from protocol.common import EngineInfo
from protocol.errors import ErrorCode

log = logging.getLogger(__name__)

NAMES: Final = 99
"""How far the numbers behind a taken name go."""
_LOOK_S: Final = 0.05
"""How often a name in use is looked at again, in seconds."""


async def connect(
    config: RunnerConfig, engine: EngineInfo, rng: Random
) -> tuple[Client, TokenFile]:
    """A started client for this bot, and its held token file; the caller closes and releases.

    Raises:
        RunnerError: no name is to be had, or the state folder cannot be used.
        ClientError: the server is not there or refuses.
        ValueError: the address or the name is malformed.
    """
    url = server_url(config.server)
    folder = config.state_dir or user_state_path("doublecross") / "bots"
    for name in _names(config, engine):
        file = TokenFile(folder, config.kept_for or url, name)
        try:
            free = await _hold(file, config.name_wait_s)
        except OSError as error:
            raise RunnerError(f"Tokens cannot be kept in {folder} ({error}).") from None
        if not free:
            log.info("Another runner on this machine plays as %s.", name)
            continue
        try:
            client = await _start(config, url, name, engine, file, rng)
        except BaseException:
            file.release()
            raise
        if client is not None:
            return client, file
        file.release()
        log.info("The name %s is taken on %s.", name, url)
    if config.name is not None and config.insist:
        raise RunnerError(f"The name {config.name} is taken or in use on {url}; choose another.")
    first = config.name or engine.name
    raise RunnerError(f"All names from {first} on are taken on {url}; give one.")


async def _start(
    config: RunnerConfig, url: str, name: str, engine: EngineInfo, file: TokenFile, rng: Random
) -> Client | None:
    """A started client under `name`; None when the name is taken."""

    def make(token: str | None) -> Client:
        return Client(
            url,
            kind="bot",
            rng=rng,
            name=name,
            token=token,
            engine=engine,
            client="doublecross bot",
            on_token=file.write,
        )

    try:
        return await start_known(make, file.read(), patience_s=config.patience_s)
    except RequestRefused as refused:
        if refused.code == ErrorCode.NAME_TAKEN:
            return None
        raise


async def _hold(file: TokenFile, patience_s: float) -> bool:
    """Hold `file`; when another process has it, try again for `patience_s` seconds."""
    until = asyncio.get_running_loop().time() + patience_s
    while not file.hold():
        if asyncio.get_running_loop().time() >= until:
            return False
        await asyncio.sleep(_LOOK_S)
    return True


def player_name(bot: str) -> str:
    """The name under which the bot called `bot` joins when it is given none; short enough for a
    number behind it."""
    return re.sub(r"[^\w.'+-]+", "-", bot).strip("-.'")[-28:].lstrip("-.'+") or "bot"


def numbered(name: str) -> Iterator[str]:
    """`name`, and then the names that are tried when it is taken."""
    yield name
    for number in range(2, NAMES + 1):
        yield f"{name[:28]}-{number}"


def _names(config: RunnerConfig, engine: EngineInfo) -> Iterator[str]:
    if config.name is not None and config.insist:
        return iter((config.name,))
    return numbered(config.name or player_name(engine.name))
