"""Play a share of the load, as a child process.

The first line of its input is a `Share` as JSON. Each later line is an order (``log_in``, ``open``,
``play``) and gets one line as its answer. The process ends when its input is closed.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, TypeVar

from doublecross.client.load.latency import Latencies
from doublecross.client.load.rooms import LoadRoom, Measure, make_scripts
from doublecross.client.load.wire import LoadFailure, Message, Peer
from doublecross.games.registry import make_game
from doublecross.processes.parent import Parent

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE: Final = 64
"""The most players that log in, and rooms that open, at the same time."""
LATE_S: Final = 5.0
"""Seconds to wait for moves that are still on their way at the end."""
_LOOKS: Final = 100
_ALIVE_S: Final = 15.0
"""A player who has sent nothing for so long sends a ping. The server drops silent connections."""


@dataclass(frozen=True)
class Share:
    """The share of one worker; `tag` makes the names of its players unique.

    `server` has the URLs of the server between commas, one for each node of a cluster.
    """

    server: str
    tag: str
    settings: dict[str, Any]
    every_s: float
    seed: int
    most_pairs: int


class Worker:
    """Carries out the orders of the parent process."""

    def __init__(self, share: Share) -> None:
        self._share = share
        self._rng = Random(share.seed)
        game = make_game(share.settings["game"], share.settings["params"])
        self._scripts = make_scripts(game, self._rng)
        self._pairs: list[tuple[Peer, Peer]] = []
        self._rooms: list[LoadRoom] = []
        self._keeping: asyncio.Task[None] | None = None
        self._tried = 0

    async def carry_out(self, order: Message) -> Message:
        """Carry out one order and return its answer."""
        if order["what"] == "log_in":
            return await self._log_in(order["pairs"])
        if order["what"] == "open":
            return await self._open(order["rooms"])
        return await self._play(order["settle_s"], order["seconds"])

    async def _log_in(self, pairs: int) -> Message:
        """Log in until there are so many pairs of players."""
        times, failures = Latencies(), Counter[str]()
        loop = asyncio.get_running_loop()

        urls = self._share.server.split(",")

        async def one(number: int) -> Peer | None:
            start = loop.time()
            try:
                url = urls[number % len(urls)]
                peer = await Peer.log_in(url, f"{self._share.tag}-{number}")
            except LoadFailure as failure:
                failures[str(failure)] += 1
                return None
            times.add(loop.time() - start)
            return peer

        first, self._tried = self._tried, max(self._tried, 2 * pairs)
        players = range(first, self._tried)
        peers = [peer for peer in await _in_turn(one, players) if peer is not None]
        self._pairs += zip(peers[::2], peers[1::2], strict=False)
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep_alive())
        return {"times": times.pack(), "failures": failures, "players": 2 * len(self._pairs)}

    async def _open(self, rooms: int) -> Message:
        """Open rooms until there are so many."""
        failures = Counter[str]()

        async def one(room: LoadRoom) -> None:
            try:
                await room.open()
            except LoadFailure as failure:
                failures[str(failure)] += 1
            else:
                self._rooms.append(room)

        share = self._share
        pairs = self._pairs[: share.most_pairs]
        new = [
            LoadRoom(
                pairs[number % len(pairs)], share.settings, self._scripts, share.every_s, self._rng
            )
            for number in range(len(self._rooms), rooms if pairs else 0)
        ]
        await _in_turn(one, new)
        gc.collect()
        # What exists now stays. Scanning it again and again would delay the load.
        gc.freeze()
        return {"rooms": len(self._rooms), "failures": failures}

    async def _play(self, settle_s: float, seconds: float) -> Message:
        """Play in all rooms; measure the moves that are due after `settle_s`."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        measure = Measure(begin + settle_s, begin + settle_s + seconds)
        for room in self._rooms:
            room.measure = measure
            room.start(begin + self._rng.random() * self._share.every_s)
        await asyncio.sleep(settle_s)
        measure.failures.clear()
        cpu = time.process_time()
        await asyncio.sleep(seconds)
        busy = (time.process_time() - cpu) / seconds
        for _ in range(_LOOKS):
            if not measure.open:
                break
            await asyncio.sleep(LATE_S / _LOOKS)
        answered = measure.answers.pack()
        for room in self._rooms:
            await room.stop()
        return {
            "answers": answered,
            "deliveries": measure.deliveries.pack(),
            "own_delays": measure.own_delays.pack(),
            "missing": measure.open,
            "failures": measure.failures,
            "busy": busy,
        }

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(_ALIVE_S / 3)
            before = asyncio.get_running_loop().time() - _ALIVE_S
            for pair in self._pairs:
                for peer in pair:
                    if peer.sent_at < before and not peer.lost:
                        peer.send({"type": "ping", "id": 0})


async def _in_turn(work: Callable[[T], Awaitable[R]], items: Sequence[T]) -> list[R]:
    """Return the results of `work` for all items, a few of which are worked on at a time."""
    found: list[R] = []
    waiting = iter(items)

    async def take() -> None:
        for item in waiting:
            found.append(await work(item))

    await asyncio.gather(*(take() for _ in range(min(AT_ONCE, len(items)))))
    return found


async def serve(parent: Parent, orders: asyncio.Queue[bytes]) -> None:
    """Carry out orders until the input is closed."""
    line = await orders.get()
    if not line:
        return
    worker = Worker(Share(**json.loads(line)))
    while line := await orders.get():
        parent.send(await worker.carry_out(json.loads(line)))


def main() -> int:
    """Read the share, carry out the orders, and return the exit code."""
    parent = Parent(grace_s=1.0)

    async def run() -> None:
        orders: asyncio.Queue[bytes] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def put(line: bytes) -> None:
            loop.call_soon_threadsafe(orders.put_nowait, line)

        parent.on_end = lambda: put(b"")
        parent.listen(put)
        await serve(parent, orders)

    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(run())
    return 0


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the cheaper event loop where it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


if __name__ == "__main__":
    sys.exit(main())
