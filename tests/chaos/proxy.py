"""A TCP proxy between clients and a server, which harms connections by a seed.

TCP delivers bytes in order or not at all. So the proxy delays, delivers in tiny pieces, delivers
slowly, falls silent, and cuts connections, also in the middle of a frame. It can end one side of a
connection and keep the other one open, as a firewall does that forgets a connection.

It can also do what no network does: deliver whole frames twice, or bytes in the middle of the
stream. After repeated bytes the frames of that connection make no sense any more.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final
from urllib.parse import urlsplit

_PIECE = 65_536
_GREETING: Final = 2
"""So many pieces of each direction open a connection: the handshake, then hello and welcome."""


@dataclass(frozen=True)
class Harm:
    """How often each fault strikes, as a probability for each piece of data that passes."""

    cut: float = 0.0
    """Deliver a part of the piece, then reset both sides."""
    vanish: float = 0.0
    """Deliver nothing any more, and reset both sides `vanish_s` later."""
    half: float = 0.0
    """Reset one side. The other one stays open until its peer ends it, for `half_s` at most."""
    delay: float = 0.0
    """Wait up to `delay_s` before the piece."""
    crumble: float = 0.0
    """Deliver the piece byte by byte."""
    throttle: float = 0.0
    """Deliver the piece at `bytes_per_s`."""
    repeat: float = 0.0
    """Deliver the piece twice, if it consists of whole frames."""
    stutter: float = 0.0
    """Deliver some bytes in the middle of the piece twice, once the connection is open."""
    refuse: float = 0.0
    """Reset a new connection at once; a probability for each connection."""
    again: float = 0.0
    """A player opens a second connection beside the first one; a probability for each move."""
    vanish_s: float = 0.3
    half_s: float = 30.0
    delay_s: float = 0.1
    bytes_per_s: float = 2_000.0


_End = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Proxy:
    """The proxy; `url` is where clients connect, `struck` counts its faults by name.

    `target` may change while it runs. A `harm` of ``Harm()`` lets everything pass. `connections`
    counts what clients have opened, `unnoticed` the half-open connections that nobody ended.
    """

    def __init__(self, target: str, harm: Harm, rng: Random) -> None:
        self.target = target
        self.harm = harm
        self.struck: Counter[str] = Counter()
        self.connections = 0
        self.unnoticed = 0
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
        self.connections += 1
        ends = [writer]
        try:
            if self._strikes("refuse"):
                return
            parts = urlsplit(self.target)
            there, back = await asyncio.open_connection(parts.hostname, parts.port)
            ends.append(back)
            pumps = [
                asyncio.create_task(self._pump(reader, back)),
                asyncio.create_task(self._pump(there, writer)),
            ]
            try:
                # Either side's end, or a fault in either direction, ends the connection.
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                is_half_open = any(pump.done() and pump.result() for pump in pumps)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
            if is_half_open:
                await self._keep_half(*self._rng.sample([(reader, writer), (there, back)], 2))
        except OSError:
            pass  # the server is not there
        except asyncio.CancelledError:
            pass  # the proxy ends; asyncio would log a task that is cancelled
        finally:
            for end in ends:
                end.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> bool:
        """Pass data on until the connection ends; return whether one side must stay open."""
        pieces = 0
        with contextlib.suppress(OSError):
            while data := await source.read(_PIECE):
                if self._strikes("half"):
                    return True
                if not await self._pass_on(data, sink, is_open=pieces >= _GREETING):
                    break
                pieces += 1
        return False

    async def _keep_half(self, kept: _End, ended: _End) -> None:
        """End one side, and swallow what the other one sends until it ends its connection."""
        ended[1].transport.abort()
        try:
            async with asyncio.timeout(self.harm.half_s):
                with contextlib.suppress(OSError):
                    while await kept[0].read(_PIECE):
                        pass
        except TimeoutError:
            self.unnoticed += 1

    async def _pass_on(self, data: bytes, sink: asyncio.StreamWriter, *, is_open: bool) -> bool:
        """Deliver a piece, perhaps harmed; return whether the connection lives on.

        `is_open` is whether the greeting is over.
        """
        harm = self.harm
        if self._strikes("cut"):
            sink.write(data[: self._rng.randrange(len(data))])
            await sink.drain()
            return False
        if self._strikes("vanish"):
            await asyncio.sleep(harm.vanish_s)
            return False
        if is_whole(data) and self._strikes("repeat"):
            data += data
        if is_open and self._strikes("stutter"):
            start = self._rng.randrange(len(data))
            end = self._rng.randrange(start, len(data)) + 1
            data = data[:end] + data[start:]
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


def is_whole(data: bytes) -> bool:
    """Return whether the data consists of whole websocket frames, of a client or of a server."""
    at = 0
    while at < len(data):
        if data[at] & 0x70 or len(data) < at + 2:
            return False  # the reserved bits are used by nobody, but by the letters of a handshake
        masked, size = divmod(data[at + 1], 0x80)
        extra = {126: 2, 127: 8}.get(size, 0)
        if extra:
            size = int.from_bytes(data[at + 2 : at + 2 + extra], "big")
        at += 2 + extra + 4 * masked + size
    return at == len(data)
