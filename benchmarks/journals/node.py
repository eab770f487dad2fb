"""A node's process that stores moves in one of the journals, as its parent asks.

The server's own committer collects the moves of each log, so the rule for batches is the real one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
import traceback
from itertools import cycle
from random import Random
from typing import Any, Final, cast
from zlib import crc32

import structlog
import uvloop

from benchmarks.journals.clients import JOURNALS, Journal
from benchmarks.scaling.leader_parts import life
from benchmarks.server.meter import quantile
from doublecross.server.core.cluster_storage import LogLostError
from doublecross.server.core.storage import Batch, JournalEntry, Store
from doublecross.server.shell.journal.committer import Committer
from doublecross.server.shell.journal.deliveries import CallbackDelivery
from doublecross.server.shell.peer import MSGPACK_CODEC
from doublecross.server.shell.upkeep.service_time import TimeSource

_MOVES: Final = 50


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class Timed:
    """The part of a `Store` that the committer uses here; it notes each commit."""

    def __init__(self, journal: Journal, log: str) -> None:
        self._journal = journal
        self._log = log
        self.spent_s: list[float] = []
        self.checksum = 0

    async def commit(self, batch: Batch) -> None:
        """Store the entry."""
        assert batch.entry is not None
        began = time.perf_counter()
        await self._journal.append(self._log, batch.entry)
        self.spent_s.append(time.perf_counter() - began)
        self.checksum = crc32(batch.entry.frames)


class Node:
    """A node with some logs."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._logs: list[tuple[Committer, Timed]] = []
        self._tasks: list[asyncio.Task[None]] = []
        _, (_, _, played) = life(1, ("Ada Lovelace", "Grace Hopper"), moves=_MOVES)
        frames = [MSGPACK_CODEC.encode(event) for event in played if event["type"] == "move"]
        self._bytes = sum(map(len, frames)) / len(frames)
        self._frames = cycle(frames)
        self._answered_at_once = False
        self.moves = 0
        self.acknowledged: dict[str, list[tuple[int, int, int]]] = {}
        """For each log the entries: their numbers, moves and checksums."""

    async def create(self, logs: int) -> dict[str, Any]:
        """Make logs to store moves in."""
        for _ in range(logs):
            log = await self._journal.create()
            store = Timed(self._journal, log)
            committer = Committer(cast("Store", store), 0, TimeSource.simple(_now_ms))
            noted = self.acknowledged[log] = []

            def note(
                entry: int,
                rooms: set[str],
                noted: list[tuple[int, int, int]] = noted,
                store: Timed = store,
            ) -> None:
                noted.append((entry, len(rooms), store.checksum))

            committer.on_stored.append(note)
            self._logs.append((committer, store))
            self._tasks.append(asyncio.create_task(committer.run()))
        return {"move_bytes": self._bytes}

    def _move(self, room: int) -> None:
        """Queue a move; as fast as possible, the next one follows when it is stored."""

        def stored() -> None:
            self.moves += 1
            if self._answered_at_once:
                self._move(room)

        committer, _ = self._logs[room % len(self._logs)]
        delivery = CallbackDelivery(stored, lambda: None)
        committer.queue_event(f"room{room}", next(self._frames), delivery)

    def _all_move(self, rooms: int) -> None:
        self._answered_at_once = True
        for room in range(rooms):
            self._move(room)

    async def store(self, rooms: int, rate: float, seconds: float) -> dict[str, Any]:
        """Store moves at a rate, at random moments, or as fast as possible if the rate is 0."""
        self.moves = 0
        for _, store in self._logs:
            store.spent_s.clear()
        loop, random = asyncio.get_running_loop(), Random(1)
        began = due = loop.time()
        if not rate:
            self._all_move(rooms)
            await asyncio.sleep(seconds)
            self._answered_at_once = False
        while rate and (due := due + random.expovariate(rate)) < began + seconds:
            if due > loop.time():
                await asyncio.sleep(due - loop.time())
            self._move(random.randrange(rooms))
        for committer, _ in self._logs:
            await committer.settled()
        took_s = loop.time() - began
        spent = sorted(1000 * each for _, store in self._logs for each in store.spent_s)
        return {
            "commits": len(spent),
            "moves": self.moves,
            "seconds": took_s,
            "p50_ms": quantile(spent, 0.5),
            "p99_ms": quantile(spent, 0.99),
        }

    async def flood(self, rooms: int, moves: int) -> dict[str, Any]:
        """Store as fast as possible; return after so many moves, and go on."""
        until = self.moves + moves
        self._all_move(rooms)
        while self.moves < until:  # noqa: ASYNC110 - nothing else tells
            await asyncio.sleep(0.001)
        return {}

    async def report(self) -> dict[str, Any]:
        """Return what was acknowledged."""
        return {"logs": self.acknowledged}

    async def fill(self, entries: int, moves: int) -> dict[str, Any]:
        """Make a log with so many entries of so many moves."""
        log = await self._journal.create()
        for number in range(1, entries + 1):
            await self.add(log, number, moves)
        return {"log": log}

    async def add(self, log: str, number: int, moves: int = 1) -> dict[str, Any]:
        """Store an entry; return whether it was refused because another node has the log."""
        frames = b"".join(next(self._frames) for _ in range(moves))
        try:
            await self._journal.append(log, JournalEntry(number, _now_ms(), frames))
        except LogLostError:
            return {"refused": True}
        return {"refused": False}

    async def give_up(self, log: str) -> dict[str, Any]:
        """Give a log up."""
        await self._journal.give_up(log)
        return {}

    async def take(self, log: str) -> dict[str, Any]:
        """Become the owner of a log, and read it."""
        began = time.perf_counter()
        await self._journal.take(log)
        found = await self.read(log)
        return {"ms": 1000 * (time.perf_counter() - began), "entries": len(found["entries"])}

    async def read(self, log: str) -> dict[str, Any]:
        """Read a log; the moves of an entry are not counted."""
        entries = self._journal.entries(log)
        return {"entries": [(each.entry_id, 0, crc32(each.frames)) async for each in entries]}


async def child(kind: str, url: str, name: str) -> None:
    """Do what the parent asks, until it ends this process."""
    # The server of another process may go away, which is logged.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("critical"))
    journal = JOURNALS[kind]()
    try:
        await journal.open(url, name)
        node = Node(journal)
        print(json.dumps({"ready": name}), flush=True)
        loop = asyncio.get_running_loop()
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            order = json.loads(line)
            print(json.dumps(await getattr(node, order.pop("do"))(**order)), flush=True)
    except Exception as error:  # noqa: BLE001 - the parent shows it
        told = {"error": repr(error), "trace": traceback.format_exc()}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    uvloop.run(child(*sys.argv[1:4]))
