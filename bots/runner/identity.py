"""Find a free name for the bot on a server, and connect with the token of that name.

The runner skips a name that another runner on this machine is using, or that belongs to another
player, and tries the next one.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from platformdirs import user_state_path

from doublecross.bots.names import numbered, player_name
from doublecross.bots.runner.config import RunnerConfig, RunnerError
from doublecross.client.core.address import server_urls
from doublecross.client.core.errors import RequestRefused
from doublecross.client.options import Login, Memory
from doublecross.client.tokens import TokenFile, start_known
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo
from doublecross.protocol.errors import ErrorCode

log = logging.getLogger(__name__)

_RETRY_S: Final = 0.05
"""Seconds between two attempts to lock the token file of a name in use."""


async def connect(
    config: RunnerConfig, engine: EngineInfo, rng: Random
) -> tuple[Client, TokenFile]:
    """Start a client for this bot; return it and its locked token file.

    The caller must close the client and release the file.

    Raises:
        RunnerError: no name is available, or the state folder cannot be used.
        ClientError: the server does not answer, or refuses.
        ValueError: the address or the name is malformed.
    """
    url = server_urls(config.server)
    folder = config.state_dir or user_state_path("doublecross") / "bots"
    if config.token is not None:
        return await _connect_account(config, config.token, url, folder, engine, rng)
    for name in _names(config, engine):
        file = TokenFile(folder, config.kept_for or url, name)
        try:
            free = await _hold(file, config.name_wait_s)
        except OSError as error:
            raise _no_folder(folder, error) from None
        if not free:
            log.info("Another runner on this machine uses the name %s.", name)
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
    raise RunnerError(f"{first} and the names with a number are taken on {url}; choose a name.")


async def _connect_account(
    config: RunnerConfig, token: str, url: str, folder: Path, engine: EngineInfo, rng: Random
) -> tuple[Client, TokenFile]:
    """Start a client for the bot whose account has `token`; return it and a locked file.

    The file only has the lock: a second runner with this token would take over the connection.
    """
    digest = hashlib.sha256(token.encode()).hexdigest()[:16]
    file = TokenFile(folder, config.kept_for or url, f"account {digest}")
    try:
        free = await _hold(file, config.name_wait_s)
    except OSError as error:
        raise _no_folder(folder, error) from None
    if not free:
        raise RunnerError("Another bot on this machine plays with this token already.")
    client = Client(
        url,
        Login(
            "bot",
            token=token,
            engine=engine,
            client="doublecross bot",
            takebacks=config.policy.takebacks,
        ),
        rng=rng,
    )
    try:
        await client.start(patience_s=config.patience_s)
    except BaseException:
        await client.close()
        file.release()
        raise
    return client, file


def _no_folder(folder: Path, error: OSError) -> RunnerError:
    return RunnerError(f"Tokens cannot be kept in {folder} ({error}).")


async def _start(
    config: RunnerConfig, url: str, name: str, engine: EngineInfo, file: TokenFile, rng: Random
) -> Client | None:
    """Start a client under `name`; return None if the name is taken."""

    def make(token: str | None) -> Client:
        return Client(
            url,
            Login(
                "bot",
                name=name,
                token=token,
                engine=engine,
                client="doublecross bot",
                takebacks=config.policy.takebacks,
            ),
            rng=rng,
            memory=Memory(on_token=file.write, servers=file.servers, on_servers=file.know),
        )

    try:
        return await start_known(make, file.read(), patience_s=config.patience_s)
    except RequestRefused as refused:
        if refused.code == ErrorCode.NAME_TAKEN:
            return None
        raise


async def _hold(file: TokenFile, patience_s: float) -> bool:
    """Lock `file`; return False if another process keeps it locked for `patience_s` seconds."""
    until = asyncio.get_running_loop().time() + patience_s
    while not file.hold():
        if asyncio.get_running_loop().time() >= until:
            return False
        await asyncio.sleep(_RETRY_S)
    return True


def _names(config: RunnerConfig, engine: EngineInfo) -> Iterator[str]:
    if config.name is not None and config.insist:
        return iter((config.name,))
    return numbered(config.name or player_name(engine.name))
