"""The server of this machine that a window plays on when it is given none.

Theory of operation
-------------------
A user has one, whatever the number of windows: who opens two can play in one against the other.
The window that holds the lock has the server as a child process and writes down where it is; the
others read that. When that window is closed, or dies, the lock is free, and another window takes
it and starts the server again with the same database and at the same port, where the connections
of all find it as after any restart. It is started again as well when it ends by itself, unless it
does so again and again.

Whoever has just taken the lock may find the database, or the port, still in the hands of a server
that is about to end.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlsplit

from cli.shared.children import Child, ChildEnded, start_server
from client.tk.models.helpers import HelperFailed
from client.tokens import lock_now, write_private

log = logging.getLogger(__name__)

_LOOK_S: Final = 0.2
"""How often one looks at the lock that another window holds, in seconds."""
_OPEN_S: Final = 60.0
"""How long a server may take until it is there."""
_FREE_S: Final = 20.0
"""How long a server that ends may hold the database."""
_PORT_S: Final = 3.0
"""How long it may hold the port; whatever holds it longer is another program."""
_STEADY_S: Final = 10.0
_ENDS: Final = 3
"""A server that ends so often, each time after less than `_STEADY_S` seconds, is given up."""
_DATABASE_IN_USE: Final = "is using the database"
_PORT_IN_USE: Final = "is in use by another program"
_TITLE: Final = "The server of this computer"
_CLOSED: Final = "The window is being closed."


class LocalServer:
    """The server of this user, as one window sees it; its database and the file that says where it
    is are in `folder`. All methods are for one event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock: IO[bytes] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._url: asyncio.Future[str] | None = None
        self._child: Child | None = None

    @property
    def url(self) -> str | None:
        """Where it is; None while it is nowhere."""
        url = self._url
        if url is None or not url.done() or url.cancelled() or url.exception() is not None:
            return None
        return url.result()

    @property
    def child(self) -> Child | None:
        """Its process, if it is this window's."""
        return self._child

    async def open(self, bots: str) -> str:
        """Where it is, as soon as it is there; `bots` are specs as for ``--bots``.

        Raises:
            HelperFailed: it could not be started.
        """
        if self._keeping is None or self._keeping.done():
            self._url = asyncio.get_running_loop().create_future()
            self._keeping = asyncio.create_task(self._keep(bots), name="server of this machine")
        assert self._url is not None
        try:
            async with asyncio.timeout(_OPEN_S):
                return await asyncio.shield(self._url)
        except TimeoutError:
            raise HelperFailed(f"{_TITLE} does not get ready.") from None

    async def close(self) -> None:
        """End it if it is this window's."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)

    # -- its life ----------------------------------------------------------------------------

    async def _keep(self, bots: str) -> None:
        """See to it that there is one, until cancelled."""
        try:
            with _told(self._folder):
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                while not self._take_lock():
                    self._is_at(self._read().get("url"))
                    await asyncio.sleep(_LOOK_S)
                await self._run(bots)
        except HelperFailed as error:
            self._fail(error)
            log.warning("%s", error)
        finally:
            self._fail(HelperFailed(_CLOSED))

    async def _run(self, bots: str) -> None:
        """Have it as a child. Raises HelperFailed when it ends too often."""
        url: str | None = self._read().get("last")
        ends = 0
        try:
            while True:
                self._is_at(None)
                self._write(None, url)
                self._child, url = await self._start(bots, url)
                self._write(url, url)
                self._is_at(url)
                now = asyncio.get_running_loop().time
                began = now()
                sentence = await wait_until_ended(self._child)
                log.warning("%s", sentence)
                ends = ends + 1 if now() - began < _STEADY_S else 1
                if ends >= _ENDS:
                    raise HelperFailed(sentence)
        finally:
            # First of all nobody must be sent there any more; the lock is let go at the end, when
            # the database is free.
            self._is_at(None)
            with contextlib.suppress(OSError):
                self._write(None, url)
            if self._child is not None:
                await self._child.stop()
                self._child = None
            self._release_lock()

    async def _start(self, bots: str, last: str | None) -> tuple[Child, str]:
        """Its process and its address, where it was the last time if that is free."""
        now = asyncio.get_running_loop().time
        began, port = now(), _port_of(last)
        database = str(self._folder / "here.db")
        while True:
            try:
                return await start_server(database, log.info, bots=bots, port=port)
            except ChildEnded as ended:
                sentence, passed = str(ended), now() - began
            except OSError as error:
                raise HelperFailed(
                    f"{_TITLE} cannot be started: {error.strerror or error}."
                ) from None
            if _PORT_IN_USE in sentence and port:
                if passed > _PORT_S:
                    port = 0
            elif _DATABASE_IN_USE not in sentence or passed > _FREE_S:
                raise HelperFailed(sentence)
            await asyncio.sleep(_LOOK_S)

    def _is_at(self, url: str | None) -> None:
        """It is there, or (None) nowhere; who asks for it has to wait then."""
        if url == self.url:
            return
        if self._url is None or self._url.done():
            self._url = asyncio.get_running_loop().create_future()
        if url is not None:
            self._url.set_result(url)

    def _fail(self, error: HelperFailed) -> None:
        if self._url is not None and not self._url.done():
            self._url.set_exception(error)
            self._url.exception()  # perhaps nobody waits

    # -- what windows know of each other -----------------------------------------------------

    def _take_lock(self) -> bool:
        lock = (self._folder / "here.lock").open("ab")
        try:
            if lock_now(lock):
                self._lock = lock
                return True
        finally:
            if self._lock is not lock:
                lock.close()
        return False

    def _release_lock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _read(self) -> dict[str, str]:
        """``url`` is where it is, ``last`` where it was."""
        try:
            found: Any = json.loads((self._folder / "here.json").read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(found, dict):
            return {}
        return {
            key: value
            for key, value in found.items()
            if key in ("url", "last") and isinstance(value, str) and _port_of(value)
        }

    def _write(self, url: str | None, last: str | None) -> None:
        write_private(self._folder / "here.json", json.dumps({"url": url, "last": last}))


async def wait_until_ended(child: Child) -> str:
    """Wait until a child ends: how it ended. What it tells goes by, so that its pipe never
    fills."""
    with contextlib.suppress(ValueError):  # killed in the middle of a line
        while await child.hear() is not None:
            pass
    sentence = await child.ending()
    await child.stop()
    return sentence


def _port_of(url: str | None) -> int:
    """The port of an address of this machine; 0 if it is none."""
    try:
        parts = urlsplit(url or "")
        return parts.port or 0 if parts.hostname == "127.0.0.1" else 0
    except ValueError:
        return 0


@contextlib.contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HelperFailed(
            f"Games cannot be kept in {folder}: {error.strerror or error}."
        ) from None
