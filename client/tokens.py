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
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from doublecross.client.core.errors import RequestRefused
from doublecross.client.private import write_private
from doublecross.client.transport import Client
from doublecross.protocol.errors import ErrorCode

log = logging.getLogger(__name__)


class TokenFile:
    """The stored token of one name on one server. Call `hold` before you read or write it.

    `url` has the addresses of the server, between commas. A token of any of them is read, and so is
    one of a server that named one of them in a welcome, because all nodes of a cluster know the
    same players. A new token is written for the first of the addresses.

    Raises:
        OSError: the folder cannot be read.
    """

    def __init__(self, folder: Path, url: str, name: str) -> None:
        urls = url.split(",")
        self._url = urls[0]
        self._name = name
        self._own = [_path_of(folder, each, name) for each in urls]
        self._path = next((path for path in self._own if path.exists()), self._own[0])
        if not self._path.exists():
            self._path = _path_at_others(folder, urls, name) or self._path
        self._locks: Sequence[IO[bytes]] = ()

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._path

    @property
    def servers(self) -> tuple[str, ...]:
        """The addresses that the server named in its last welcome."""
        # Another server that names one of these addresses is believed no more than that.
        return _kept(self._path)[1] if self._path in self._own else ()

    def hold(self) -> bool:
        """Lock the token for this process; return false if another process holds it.

        Raises:
            OSError: the folder is not writable.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.ExitStack() as opened:
            locks = []
            for path in dict.fromkeys((self._own[0], self._path)):
                # Not the token file itself: `write` replaces that file, and its lock would go too.
                lock = opened.enter_context(path.with_suffix(".lock").open("wb"))
                if not lock_now(lock):
                    return False
                locks.append(lock)
            opened.pop_all()
        self._locks = locks
        return True

    def release(self) -> None:
        """Unlock the token."""
        for lock in self._locks:
            lock.close()
        self._locks = ()

    def read(self) -> str | None:
        """Return the stored token, or None if there is none or it is unreadable."""
        return _kept(self._path)[0]

    def write(self, token: str) -> None:
        """Store `token` so that only its owner can read it."""
        # A token of this server must not get into the file of one that only named its address.
        self._path = self._own[0]
        self._write(self._path, {"server": self._url, "name": self._name, "token": token})

    def know(self, servers: Sequence[str]) -> None:
        """Store the addresses that the server named beside its token; log it if that fails."""
        token, known = _kept(self._path)
        if token is None or known == tuple(servers):
            return
        try:
            kept = json.loads(self._path.read_text("utf-8"))
            self._write(self._path, {**kept, "servers": list(servers)})
        except (OSError, ValueError) as error:
            log.warning("The addresses cannot be written to %s (%s).", self._path, error)

    def forget(self) -> None:
        """Delete the token.

        Raises:
            OSError: the file cannot be deleted.
        """
        self._path.unlink(missing_ok=True)

    def _write(self, path: Path, content: dict[str, object]) -> None:
        write_private(path, json.dumps(content))


def _path_of(folder: Path, url: str, name: str) -> Path:
    """Return where the token of a name on the server at one address is kept."""
    # Different names can look the same after the replacement; the digest keeps them apart.
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", f"{url.split('://')[-1]}_{name}")[:80]
    digest = hashlib.sha256(f"{url}\0{name}".encode()).hexdigest()[:12]
    return folder / f"{slug}-{digest}.json"


def _path_at_others(folder: Path, urls: Sequence[str], name: str) -> Path | None:
    """Return the file with the token of `name` at a server that named one of `urls`, or None."""
    for path, kept in _files(folder):
        if kept["name"] == name and any(url in kept["servers"] for url in urls):
            return path
    return None


def _kept(path: Path) -> tuple[str | None, tuple[str, ...]]:
    """Return the token in a file and the addresses beside it; None and none if it has no token."""
    try:
        kept = json.loads(path.read_text("utf-8"))
        token, servers = kept["token"], kept.get("servers", [])
        if not isinstance(token, str):
            raise TypeError("its token is not a string")
        if not isinstance(servers, list) or not all(isinstance(url, str) for url in servers):
            raise TypeError("its servers are not strings")
    except FileNotFoundError:
        return None, ()
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("The token file %s cannot be read (%s).", path, error)
        return None, ()
    return token, tuple(servers)


def _files(folder: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the token files in `folder` with their content, sorted by path."""
    for path in sorted(folder.glob("*.json")):
        # Other files may lie there, and one may disappear meanwhile.
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            kept = json.loads(path.read_text("utf-8"))
            servers = [url for url in kept.get("servers", ()) if isinstance(url, str)]
            if isinstance(kept["token"], str) and isinstance(kept["server"], str):
                yield path, {**kept, "name": str(kept["name"]), "servers": servers}


def kept_names(folder: Path, url: str) -> list[str]:
    """Return the names whose tokens for the server at `url` are in `folder`, sorted.

    `url` has the addresses of the server, between commas.
    """
    urls = set(url.split(","))
    return sorted(
        {
            kept["name"]
            for _, kept in _files(folder)
            if not urls.isdisjoint([kept["server"], *kept["servers"]])
        }
    )


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
