"""A TCP proxy between a node and PostgreSQL or NATS, which cuts the connections in several ways."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_PIECE: Final = 65_536


class Cuts:
    """The proxy. Connect to `port`; `target` is where it passes connections to.

    `hang()` stops all traffic and keeps the connections open, as a firewall does that forgets them.
    `lose()` keeps them open too, and loses every byte. `drop()` resets all connections. With
    `refuse()`, new ones are reset too. `heal()` ends all of this.

    `lose_answer(marker)` waits for a piece from the client that has the marker, passes it on, and
    drops the connection when the server answers.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.lost = asyncio.Event()
        """Set when `lose_answer` has dropped an answer."""
        self._flows = asyncio.Event()
        self._flows.set()
        self._loses = False
        self._refuses = False
        self._marker: bytes | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    @classmethod
    @asynccontextmanager
    async def before(cls, target: int) -> AsyncIterator[Cuts]:
        """Run a proxy to a port of this machine."""
        proxy = cls(target)
        server = await asyncio.start_server(proxy._accept, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        try:
            yield proxy
        finally:
            server.close()
            proxy.heal()
            proxy.drop()
            for task in list(proxy._tasks):
                task.cancel()
            await asyncio.gather(*proxy._tasks, return_exceptions=True)

    def hang(self) -> None:
        self._flows.clear()

    def lose(self) -> None:
        self._loses = True

    def drop(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    def refuse(self) -> None:
        self._refuses = True
        self.drop()

    def heal(self) -> None:
        self._refuses = self._loses = False
        self._flows.set()

    def lose_answer(self, marker: bytes) -> None:
        self.lost.clear()
        self._marker = marker

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        ends, passing = [writer], []
        try:
            if not self._refuses:
                back, other = await asyncio.open_connection("127.0.0.1", self.target)
                self._writers.add(other)
                ends.append(other)
                doubts = asyncio.Event()
                passing = [
                    asyncio.ensure_future(self._pass(reader, other, doubts, to_server=True)),
                    asyncio.ensure_future(self._pass(back, writer, doubts, to_server=False)),
                ]
                await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        except (OSError, asyncio.CancelledError):
            pass  # the server is not there, or the proxy ends
        finally:
            for each in passing:
                each.cancel()
            await asyncio.gather(*passing, return_exceptions=True)
            for end in ends:
                self._writers.discard(end)
                end.transport.abort()
            self._tasks.discard(task)

    async def _pass(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        doubts: asyncio.Event,
        *,
        to_server: bool,
    ) -> None:
        """Pass on what one side sends until it ends. With `doubts` the next answer is lost."""
        while piece := await reader.read(_PIECE):
            await self._flows.wait()
            if self._loses:
                continue
            if to_server and self._marker is not None and self._marker in piece:
                self._marker = None
                doubts.set()
            elif not to_server and doubts.is_set():
                self.lost.set()
                return
            writer.write(piece)
            await writer.drain()
