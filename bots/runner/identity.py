"""Who the bot is on a server: its name there, and the token that brings it back.

Theory of operation
-------------------
A server knows a player by a secret token. It is kept in one small file for each server and name,
readable for its owner only, in the user's state folder. While a runner uses it, the file beside
it is locked: a second runner of the same bot would otherwise take the first one's connection
over. It finds the lock and takes the next name, as it does when a stranger has the name.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import IO, Final

from platformdirs import user_state_path

from bots.runner.config import RunnerConfig, RunnerError
from client.address import server_url
from client.errors import RequestRefused
from client.transport import Client
from protocol.common import Engine
from protocol.errors import ErrorCode

log = logging.getLogger(__name__)

NAMES: Final = 99
"""How far the numbers behind a taken name go."""
_LOOK_S: Final = 0.05
"""How often a name in use is looked at again, in seconds."""


class TokenFile:
    """The kept token of one name on one server. `hold` before reading or writing it."""

    def __init__(self, folder: Path, url: str, name: str) -> None:
        self._url = url
        self._name = name
        slug = re.sub(r"[^A-Za-z0-9.-]+", "_", f"{url.split('://')[-1]}_{name}")[:80]
        digest = hashlib.sha256(f"{url}\0{name}".encode()).hexdigest()[:12]
        self._path = folder / f"{slug}-{digest}.json"
        self._lock: IO[bytes] | None = None

    @property
    def path(self) -> Path:
        """Where it is."""
        return self._path

    def hold(self) -> bool:
        """Lock it for this process; false when another one holds it.

        Raises:
            OSError: the folder cannot be written.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = self._path.with_suffix(".lock").open("wb")
        if not _lock(lock):
            lock.close()
            return False
        self._lock = lock
        return True

    def release(self) -> None:
        """Let others have it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def read(self) -> str | None:
        """The token, None where there is none."""
        try:
            kept = json.loads(self._path.read_text("utf-8"))
            return str(kept["token"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("The token file %s cannot be read (%s).", self._path, error)
            return None

    def write(self, token: str) -> None:
        """Keep `token`; the file is replaced as a whole and only its owner can read it."""
        text = json.dumps({"server": self._url, "name": self._name, "token": token})
        # mkstemp makes the file with mode 0600.
        handle, temporary = tempfile.mkstemp(dir=self._path.parent, prefix=".token-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).replace(self._path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise


async def connect(config: RunnerConfig, engine: Engine, rng: Random) -> tuple[Client, TokenFile]:
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
    config: RunnerConfig, url: str, name: str, engine: Engine, file: TokenFile, rng: Random
) -> Client | None:
    """A started client under `name`; None when the name is taken."""
    token = file.read()
    while True:
        client = Client(
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
            await client.start(patience_s=config.patience_s)
        except RequestRefused as refused:
            await client.close()
            if refused.code == ErrorCode.NAME_TAKEN:
                return None
            if refused.code == ErrorCode.BAD_TOKEN and token is not None:
                log.info("The server does not know the kept token of %s any more.", name)
                token = None
                continue
            raise
        except BaseException:
            await client.close()
            raise
        return client


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


def _names(config: RunnerConfig, engine: Engine) -> Iterator[str]:
    if config.name is not None and config.insist:
        return iter((config.name,))
    return numbered(config.name or player_name(engine.name))


def _lock(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
