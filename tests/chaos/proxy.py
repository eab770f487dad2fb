"""A TCP proxy between clients and a server, which harms connections by a seed.

TCP delivers bytes in order or not at all. So the proxy delays, delivers in tiny pieces, delivers
slowly, falls silent, and cuts connections, also in the middle of a frame. It never loses, swaps or
repeats bytes of a connection that lives on.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass
from random import Random
from urllib.parse import urlsplit

_PIECE = 65_536


@dataclass(frozen=True)
class Harm:
    """How often each fault strikes, as a probability for each piece of data that passes."""

    cut: float = 0.0
    """Deliver a part of the piece, then reset both sides."""
    vanish: float = 0.0
    """Deliver nothing any more, and reset both sides `vanish_s` later."""
    delay: float = 0.0
    """Wait up to `delay_s` before the piece."""
    crumble: float = 0.0
    """Deliver the piece byte by byte."""
    throttle: float = 0.0
    """Deliver the piece at `bytes_per_s`."""
    refuse: float = 0.0
    """Reset a new connection at once; a probability for each connection."""
    vanish_s: float = 0.3
    delay_s: float = 0.1
    bytes_per_s: float = 2_000.0


class Proxy:
    """The proxy; `url` is where clients connect, `struck` counts its faults by name.

    `target` may change while it runs. A `harm` of ``Harm()`` lets everything pass.
    """

    def __init__(self, target: str, harm: Harm, rng: Random) -> None:
        self.target = target
        self.harm = harm
        self.struck: Counter[str] = Counter()
        self._rng = rng
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        assert self._server is not None
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_PIECE)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        ends = [writer]
        try:
            if self._strikes("refuse"):
                return
            parts = urlsplit(self.target)
            there, back = await asyncio.open_connection(parts.hostname, parts.port)
            ends.append(back)
            pumps = {
                asyncio.create_task(self._pump(reader, back)),
                asyncio.create_task(self._pump(there, writer)),
            }
            try:
                # Either side's end, or a cut in either direction, ends the connection.
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        except OSError:
            pass  # the server is not there
        finally:
            for end in ends:
                end.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(_PIECE):
                if not await self._pass_on(data, sink):
                    return

    async def _pass_on(self, data: bytes, sink: asyncio.StreamWriter) -> bool:
        """Deliver a piece, perhaps harmed; return whether the connection lives on."""
        harm = self.harm
        if self._strikes("cut"):
            sink.write(data[: self._rng.randrange(len(data))])
            await sink.drain()
            return False
        if self._strikes("vanish"):
            await asyncio.sleep(harm.vanish_s)
            return False
        if self._strikes("delay"):
            await asyncio.sleep(self._rng.random() * harm.delay_s)
        size = 1 if self._strikes("crumble") else len(data)
        pace = harm.bytes_per_s if self._strikes("throttle") else 0.0
        size = min(size, 64) if pace else size
        for at in range(0, len(data), size):
            sink.write(data[at : at + size])
            await sink.drain()
            await asyncio.sleep(size / pace if pace else 0)
        return True

    def _strikes(self, fault: str) -> bool:
        found: bool = self._rng.random() < getattr(self.harm, fault)
        self.struck[fault] += found
        return found
