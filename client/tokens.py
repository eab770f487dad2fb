"""Store the tokens of players, one small file for each server and name.

Theory of operation
-------------------
A server identifies a player by a secret token. Only the owner can read the token's file. While a
program uses a token, it locks a second file beside the first one. A second program with the same
token would take over the connection of the first; the lock prevents that.
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
    """The stored token of one name on one server. Call `hold` before you read or write it."""

    def __init__(self, folder: Path, url: str, name: str) -> None:
        self._url = url
        self._name = name
        # Different names can look the same after the replacement; the digest keeps them apart.
        slug = re.sub(r"[^A-Za-z0-9.-]+", "_", f"{url.split('://')[-1]}_{name}")[:80]
        digest = hashlib.sha256(f"{url}\0{name}".encode()).hexdigest()[:12]
        self._path = folder / f"{slug}-{digest}.json"
        self._lock: IO[bytes] | None = None

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._path

    def hold(self) -> bool:
        """Lock the token for this process; return false if another process holds it.

        Raises:
            OSError: the folder is not writable.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Not the token file itself: `write` replaces that file, and its lock would go with it.
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
        """Unlock the token."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def read(self) -> str | None:
        """Return the stored token, or None if there is none or it is unreadable."""
        try:
            token = json.loads(self._path.read_text("utf-8"))["token"]
            if not isinstance(token, str):
                raise TypeError("its token is not a string")
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.warning("The token file %s cannot be read (%s).", self._path, error)
            return None
        return token

    def write(self, token: str) -> None:
        """Store `token` so that only its owner can read it."""
        write_private(
            self._path, json.dumps({"server": self._url, "name": self._name, "token": token})
        )

    def forget(self) -> None:
        """Delete the token.

        Raises:
            OSError: the file cannot be deleted.
        """
        self._path.unlink(missing_ok=True)


def kept_names(folder: Path, url: str) -> list[str]:
    """Return the names whose tokens for the server `url` are in `folder`, sorted."""
    names = set()
    for path in folder.glob("*.json"):
        # Other files may lie there, and one may disappear meanwhile.
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(path.read_text("utf-8"))
            if kept["server"] == url and isinstance(kept["token"], str):
                names.add(str(kept["name"]))
    return sorted(names)


async def start_known(
    make: Callable[[str | None], Client], token: str | None, *, patience_s: float = 0.0
) -> Client:
    """Return a started client, which `make` makes for a token.

    When the server does not know `token` any more, join as a new player, without a token.
    `patience_s` is how long to keep trying, in seconds; see `Client.start`.

    Raises:
        ClientError: `Client.start` failed.
        ValueError: `make` got a malformed address, name or token.
    """
    while True:
        client = make(token)
        try:
            await client.start(patience_s=patience_s)
        except RequestRefused as refused:
            await client.close()
            if refused.code == ErrorCode.BAD_TOKEN and token is not None:
                log.info("The server does not know the stored token; joining as a new player.")
                token = None
                continue
            raise
        except BaseException:
            await client.close()
            raise
        return client


def write_private(path: Path, text: str) -> None:
    """Replace the file at `path` atomically by one that only its owner can read.

    Raises:
        OSError: the file could not be written; the old one is unchanged.
    """
    # mkstemp creates the file with mode 0600.
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            # Before the rename, so that a crash never leaves an empty file under the final name.
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise


def lock_now(file: IO[bytes]) -> bool:
    """Lock an open file until it is closed or this process ends; return whether that succeeded.

    It does not succeed while another process holds the lock.

    Raises:
        OSError: the file system has no locks.
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
