"""Make pictures in a child process: one after another, a few waiting, the last ones kept.

The process starts with the first picture and ends when nobody has asked for one for a while. It is
killed when a picture takes too long, and the next picture starts another one.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import time
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog

from doublecross.games.colours import Theme
from doublecross.processes.child import Child, ChildEnded, Message
from doublecross.server.pictures.fair_queue import FairQueue, OutOfTurnError, Place
from doublecross.server.pictures.make import Format

MOST_WAITING: Final = 4
"""How many pictures may wait for the one that is being made."""
CPU_S: Final = 12.0
"""How much time of the processor one picture may take, in seconds."""
DEADLINE_S: Final = 45.0
"""How long one picture may take, in seconds, the start of the process included. A machine that is
busy with other work needs more time than the processor's.
"""
PATIENCE_S: Final = 45.0
"""How long somebody waits for a picture, in seconds, its place in the queue included."""
IDLE_S: Final = 60.0
"""After how many seconds without a picture the process ends."""
MOST_KEPT: Final = 32
"""How many pictures are kept."""
MOST_KEPT_BYTES: Final = 8 * 1024 * 1024
"""How many bytes the kept pictures have at most."""
MEMORY_MB: Final = 700
"""The most data of the process, in MiB."""

_TOO_MANY: Final = "Too many pictures are wanted at once; try again in a moment."
_STOPPING: Final = "The server stops; try again in a moment."

_log = structlog.get_logger("pictures")


class BusyError(Exception):
    """Raised when a picture cannot be made now. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class PictureOrder:
    """One picture: of the game with this record after `ply` moves, None for all.

    With `card`, a title and a text, it is a PNG of these beside the board. See `GameDrawings`
    about `swaps`.
    """

    record: str
    kind: Format
    ply: int | None
    width: int
    theme: Theme
    card: tuple[str, str] | None = None
    swaps: bool = False


class PictureService:
    """Make pictures in a child process, and keep the last ones.

    Call all methods in one event loop; end with `close`.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[PictureOrder, bytes] = OrderedDict()
        self._making: dict[PictureOrder, asyncio.Task[bytes]] = {}
        self._turns = FairQueue(MOST_WAITING, time.monotonic)
        self._numbers = itertools.count(1)
        self._child: Child | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    async def make(self, order: PictureOrder, source: str) -> bytes:
        """Return a picture for a source, such as an address; equal orders share one.

        Raises:
            BusyError: too many pictures wait, this one took too long or failed, or `close` was
                called.
        """
        known = self._kept.get(order)
        if known is not None:
            self._kept.move_to_end(order)
            return known
        making = self._making.get(order)
        if making is None:
            if self._closed:
                raise BusyError(_STOPPING)
            place = self._turns.join(source)
            if place is None:
                raise BusyError(_TOO_MANY)
            making = asyncio.create_task(self._make(order, place), name="picture")
            self._making[order] = making
            making.add_done_callback(partial(self._made, order))
        # One who goes away must not take the picture from the others, so do not cancel its task.
        await asyncio.wait({making}, timeout=PATIENCE_S)
        if not making.done():
            raise BusyError("Many pictures wait before this one; try again in a moment.")
        if making.cancelled():
            raise BusyError(_STOPPING)
        try:
            return making.result()
        except OutOfTurnError:
            raise BusyError(_TOO_MANY) from None

    def _made(self, order: PictureOrder, making: asyncio.Task[bytes]) -> None:
        self._making.pop(order, None)
        if not making.cancelled():
            making.exception()  # those who waited for it may have gone away

    async def close(self) -> None:
        """End the process, and whatever it makes, for good."""
        self._closed = True
        tasks = list(self._making.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._stop_idle_timer()
        self._end_child()
        await asyncio.gather(*self._ending)

    async def _make(self, order: PictureOrder, place: Place) -> bytes:
        async with self._turns.turn(place):
            self._stop_idle_timer()
            try:
                async with asyncio.timeout(DEADLINE_S):
                    answer = await self._ask(order)
            except BaseException as failure:
                # The process may still be busy with this picture, or is gone.
                self._end_child(kill=True)
                if isinstance(failure, (TimeoutError, ChildEnded, OSError)):
                    _log.warning("picture_failed", kind=order.kind, reason=str(failure) or "slow")
                    raise BusyError("The picture could not be made; try a smaller one.") from None
                raise
            self._idle = asyncio.get_running_loop().call_later(IDLE_S, self._end_child)
        if "picture" not in answer:
            raise BusyError(answer["problem"])
        picture = base64.b64decode(answer["picture"])
        self._keep(order, picture)
        return picture

    async def _ask(self, order: PictureOrder) -> Message:
        if self._child is None or not self._child.is_running:
            self._end_child()
            self._child = await Child.start(
                "The process that makes pictures",
                "doublecross.server.pictures.child",
                on_error_line=lambda line: _log.warning("picture_process", line=line),
                expendable=True,
                memory_mb=MEMORY_MB,
            )
        number = next(self._numbers)
        self._child.send(
            {
                "number": number,
                "cpu_s": CPU_S,
                "record": order.record,
                "kind": order.kind,
                "ply": order.ply,
                "width": order.width,
                "theme": order.theme,
                "card": order.card,
                "swaps": order.swaps,
            }
        )
        return await self._child.expect()

    def _keep(self, order: PictureOrder, picture: bytes) -> None:
        self._kept[order] = picture
        total = sum(map(len, self._kept.values()))
        while len(self._kept) > MOST_KEPT or total > MOST_KEPT_BYTES:
            total -= len(self._kept.popitem(last=False)[1])

    def _stop_idle_timer(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _end_child(self, *, kill: bool = False) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        if kill:
            child.kill()
        task = asyncio.get_running_loop().create_task(child.stop())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
