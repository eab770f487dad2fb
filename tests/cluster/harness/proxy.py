"""A TCP proxy that cuts one connection off while all others go on."""

from __future__ import annotations

import asyncio
from enum import Enum


class Mode(Enum):
    """What the proxy does with connections."""

    PASS = "pass"
    """Carry bytes in both directions."""
    REFUSE = "refuse"
    """Close all connections, and refuse new ones."""
    HANG = "hang"
    """Keep all connections and accept new ones, but read nothing from them."""
    DROP = "drop"
    """Keep all connections and accept new ones, but lose every byte."""


class Proxy:
    """Listens on a port of this machine, and connects to another one."""

    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._server: asyncio.Server | None = None
        self._mode = Mode.PASS
        self._passes = asyncio.Event()
        self._passes.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.port = 0

    @property
    def url(self) -> str:
        """The URL of a NATS server behind the proxy."""
        return f"nats://127.0.0.1:{self.port}"

    async def start(self) -> Proxy:
        await self._listen()
        return self

    async def set(self, mode: Mode) -> None:
        """Change what happens from now on, to connections that exist too."""
        self._mode = mode
        if mode is Mode.HANG:
            self._passes.clear()
        else:
            self._passes.set()
        if mode is Mode.REFUSE:
            await self._unlisten()
            for writer in self._writers:
                writer.transport.abort()
        elif self._server is None:
            await self._listen()

    async def close(self) -> None:
        await self._unlisten()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _unlisten(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        far: asyncio.StreamWriter | None = None
        try:
            far_reader, far = await asyncio.open_connection("127.0.0.1", self._to_port)
            self._writers.add(far)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._carry(reader, far))
                group.create_task(self._carry(far_reader, writer))
        except* OSError:
            pass  # one side has closed: close the other too
        except* asyncio.CancelledError:
            pass  # by `close`
        finally:
            self._tasks.discard(task)
            for end in (writer, far):
                if end is not None:
                    self._writers.discard(end)
                    end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await self._passes.wait()
            data = await reader.read(1 << 16)
            await self._passes.wait()
            if self._mode is Mode.DROP and data:
                continue
            if not data:
                raise ConnectionResetError
            writer.write(data)
            await writer.drain()
