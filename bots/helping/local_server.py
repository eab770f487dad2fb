"""Run the server of this computer, which all windows use that are given no other server.

Theory of operation
-------------------
All windows of a user share one server, so two people can play in two windows. The window that holds
the lock runs the server as a child process and writes its address to a file; the other windows read
the file. When that window closes or dies, the lock becomes free. Another window takes it and starts
the server again with the same database on the same port, where all connections find it as after any
restart. A server that ends by itself is started again too, unless that happens again and again.

A window that has just taken the lock may find that an ending server still uses the database or the
port.
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

from doublecross.bots.hosting.own_server import start_server
from doublecross.client.language import tr
from doublecross.client.private import write_private
from doublecross.client.tk.models.helpers import HelperFailed
from doublecross.client.tokens import lock_now
from doublecross.processes.child import Child, ChildEnded, wait_until_ended

log = logging.getLogger(__name__)

_LOOK_S: Final = 0.2
"""Seconds between two tries for a lock that another window holds."""
_OPEN_S: Final = 60.0
"""The most seconds until the server is ready."""
_FREE_S: Final = 20.0
"""Seconds to wait for an ending server to release the database."""
_PORT_S: Final = 3.0
"""Seconds to wait for the port; another program holds it if it takes longer."""
_STEADY_S: Final = 10.0
"""A server that ran for so many seconds is started again, however often it ended before."""
_ENDS: Final = 3
"""Give up a server that ends so often in a row, each time within `_STEADY_S` seconds."""
_DATABASE_IN_USE: Final = "is using the database"
_PORT_IN_USE: Final = "is in use by another program"
_TITLE: Final = tr("The server of this computer")
_CLOSED: Final = tr("The window is being closed.")


class LocalServer:
    """The shared server of this user, as one window sees it.

    `folder` has its database, the lock, and the file with its address. Call all methods in one
    event loop.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock: IO[bytes] | None = None
        self._keeping: asyncio.Task[None] | None = None
        self._url: asyncio.Future[str] | None = None
        self._child: Child | None = None

    @property
    def url(self) -> str | None:
        """The address; None while the server is not running."""
        url = self._url
        if url is None or not url.done() or url.cancelled() or url.exception() is not None:
            return None
        return url.result()

    @property
    def child(self) -> Child | None:
        """The process of the server, if this window runs it."""
        return self._child

    async def open(self, levels: tuple[str, ...]) -> str:
        """Wait until the server is ready and return its address.

        `levels` are the bots that play there without being asked.

        Raises:
            HelperFailed: the server could not be started.
        """
        if self._keeping is None or self._keeping.done():
            self._url = asyncio.get_running_loop().create_future()
            self._keeping = asyncio.create_task(self._keep(levels), name="server of this machine")
        assert self._url is not None
        try:
            async with asyncio.timeout(_OPEN_S):
                # Other callers wait for the same future, so one that gives up must not cancel it.
                return await asyncio.shield(self._url)
        except TimeoutError:
            raise HelperFailed(tr("{title} does not get ready.", title=_TITLE)) from None

    async def close(self) -> None:
        """Stop the server if this window runs it."""
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)

    async def _keep(self, levels: tuple[str, ...]) -> None:
        """Keep a server available until cancelled: use another window's, or run one."""
        try:
            with _folder_errors(self._folder):
                self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                while not self._take_lock():
                    # The window with the lock may have restarted the server at another address.
                    self._publish(self._read().get("url"))
                    await asyncio.sleep(_LOOK_S)
                await self._run(levels)
        except HelperFailed as error:
            self._fail(error)
            log.warning("%s", error)
        finally:
            # Also after a cancellation, so that no caller of `open` waits for ever.
            self._fail(HelperFailed(_CLOSED))

    async def _run(self, levels: tuple[str, ...]) -> None:
        """Run the server as a child and restart it; raise HelperFailed if it ends too often."""
        url: str | None = self._read().get("last")
        ends = 0
        try:
            while True:
                # Callers of `open` wait until the server is ready.
                self._publish(None)
                # Other windows must not connect to an ended server, but its port is needed again.
                self._write(None, url)
                self._child, url = await self._start(levels, url)
                self._write(url, url)
                self._publish(url)
                now = asyncio.get_running_loop().time
                began = now()
                sentence = await wait_until_ended(self._child)
                log.warning("%s", sentence)
                ends = ends + 1 if now() - began < _STEADY_S else 1
                if ends >= _ENDS:
                    raise HelperFailed(sentence)
        finally:
            # Withdraw the address first, so that no window connects to an ending server. Release
            # the lock last, when the database is free.
            self._publish(None)
            with contextlib.suppress(OSError):
                self._write(None, url)
            if self._child is not None:
                await self._child.stop()
                self._child = None
            self._release_lock()

    async def _start(self, levels: tuple[str, ...], last: str | None) -> tuple[Child, str]:
        """Start the server, on its last port if that is free; return its process and address."""
        now = asyncio.get_running_loop().time
        began, port = now(), _port_of(last)
        database = str(self._folder / "here.db")
        while True:
            try:
                return await start_server(database, log.info, levels=levels, port=port)
            except ChildEnded as ended:
                sentence, passed = str(ended), now() - began
            except OSError as error:
                raise HelperFailed(
                    tr(
                        "{title} cannot be started: {reason}.",
                        title=_TITLE,
                        reason=error.strerror or error,
                    )
                ) from None
            if _PORT_IN_USE in sentence and port:
                if passed > _PORT_S:
                    port = 0
            elif _DATABASE_IN_USE not in sentence or passed > _FREE_S:
                raise HelperFailed(sentence)
            await asyncio.sleep(_LOOK_S)

    def _publish(self, url: str | None) -> None:
        """Publish the address; with None, let callers of `open` wait for the next one."""
        if url == self.url:
            return
        if self._url is None or self._url.done():
            self._url = asyncio.get_running_loop().create_future()
        if url is not None:
            self._url.set_result(url)

    def _fail(self, error: HelperFailed) -> None:
        if self._url is not None and not self._url.done():
            self._url.set_exception(error)
            self._url.exception()  # mark it as seen, since nobody may be waiting

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
        """Read the file: ``url`` is the current address, ``last`` the previous one."""
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


def _port_of(url: str | None) -> int:
    """Return the port of an address on this machine; 0 for any other address."""
    try:
        parts = urlsplit(url or "")
        return parts.port or 0 if parts.hostname == "127.0.0.1" else 0
    except ValueError:
        return 0


@contextlib.contextmanager
def _folder_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HelperFailed(
            tr(
                "Games cannot be kept in {folder}: {reason}.",
                folder=folder,
                reason=error.strerror or error,
            )
        ) from None
