"""The kept tokens of players: one small file for each server and name.

Theory of operation
-------------------
A server knows a player by a secret token. It is kept readable for its owner only. While a program
plays under it, the file beside it is locked: a second program with the same token would otherwise
take the first one's connection over.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO

from client.core.errors import RequestRefused
from client.transport import Client
from protocol.errors import ErrorCode

log = logging.getLogger(__name__)


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
        try:
            held = lock_now(lock)
        except BaseException:
            lock.close()
            raise
        if not held:
            lock.close()
            return False
        self._lock = lock
        return True

    def release(self) -> None:
        """Unlock it."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def read(self) -> str | None:
        """Return the token, None where there is none."""
        try:
            token = json.loads(self._path.read_text("utf-8"))["token"]
            if not isinstance(token, str):
                raise TypeError("its token is no text")
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("The token file %s cannot be read (%s).", self._path, error)
            return None
        return token

    def write(self, token: str) -> None:
        """Keep `token`; only its owner can read it."""
        write_private(
            self._path, json.dumps({"server": self._url, "name": self._name, "token": token})
        )


async def start_known(
    make: Callable[[str | None], Client], token: str | None, *, patience_s: float = 0.0
) -> Client:
    """Start a client that `make` makes for a token; one that the server does not know any
    more is dropped, and the player is a new one there.

    Raises:
        ClientError: as of `Client.start`.
        ValueError: as of `Client`.
    """
    while True:
        client = make(token)
        try:
            await client.start(patience_s=patience_s)
        except RequestRefused as refused:
            await client.close()
            if refused.code == ErrorCode.BAD_TOKEN and token is not None:
                log.info("The server does not know the kept token any more.")
                token = None
                continue
            raise
        except BaseException:
            await client.close()
            raise
        return client


def write_private(path: Path, text: str) -> None:
    """Replace the file at `path` as a whole by one that only its owner can read.

    Raises:
        OSError: it cannot be written; what was there is left.
    """
    # mkstemp makes the file with mode 0600.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def lock_now(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed, or this process ends; false when another one has it.

    Raises:
        OSError: there are no locks there.
    """
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
