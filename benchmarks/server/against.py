"""Measure the same games on other servers, in rounds that alternate with those of ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.processes import Process
from benchmarks.server import node
from benchmarks.server.meter import rss_bytes
from benchmarks.server.processes import Subject, on_node


@dataclass(frozen=True, slots=True)
class Kind:
    """A server to compare with: its program, what it sends, whether it stores moves first."""

    program: str
    patches: bool = False
    durable: bool = False


KINDS: Final = {
    "colyseus": (Kind("colyseus", patches=True), Kind("colyseus")),
    "colyseus-durable": (Kind("colyseus", durable=True),),
    "ws": (Kind("ws"),),
    "ws-durable": (Kind("ws", durable=True),),
}
"""The servers that `play` can compare with. Of Colyseus, both ways to send a move."""

Numbers = dict[str, Any]


@dataclass(slots=True)
class Other:
    """One server to compare with. It sleeps while others are measured."""

    name: str
    kind: Kind
    subject: Subject
    generator: Process
    database: Path
    rows: list[Numbers] = field(default_factory=list)
    bytes_each: float = 0.0
    """The memory of a connection in a room."""

    def open(self, rooms: int, size: int, seconds: float, more: int) -> None:
        """Let all clients join, and play so long that Node.js has compiled what it runs often.

        Before that, measure the memory that connections in `more` rooms take.
        """
        self.join(self.name, 1, size)
        before = rss_bytes(self.subject.pid)
        self.join("more", more, size)
        self.bytes_each = (rss_bytes(self.subject.pid) - before) / (2 * more)
        for name in (self.name, "more"):
            self.generator.ask("close", name=name)
        self.join(self.name, rooms, size)
        self.round(seconds, 0.0)
        self.rows.clear()
        self.subject.sleep()

    def join(self, name: str, rooms: int, size: int) -> None:
        """Open rooms as a workload of this name."""
        self.generator.ask(
            "colyseus",
            name=name,
            url=self.subject.url,
            http=self.subject.http,
            pid=self.subject.pid,
            rooms=rooms,
            size=size,
            patches=self.kind.patches,
        )

    def round(self, seconds: float, lead_s: float) -> None:
        """Measure moves as fast as the server answers."""
        with self.subject.awake():
            self.rows.append(
                self.generator.ask("round", name=self.name, seconds=seconds, lead_s=lead_s)
            )

    def pace(self, rate: float, seconds: float, lead_s: float) -> Numbers:
        """Measure the latency of moves at a rate."""
        with self.subject.awake():
            return self.generator.ask(
                "pace", name=self.name, rate=rate, seconds=seconds, lead_s=lead_s
            )

    def lost(self, seconds: float) -> int:
        """Kill the server while it plays; return how many moves it had answered and not stored."""
        with self.subject.awake():
            answered = self.generator.ask("kill", name=self.name, seconds=seconds)["answered"]
        stored = 0
        if self.kind.durable:
            with closing(sqlite3.connect(self.database)) as database:
                (stored,) = database.execute("SELECT count(*) FROM moves").fetchone()
        return max(0, int(answered) - int(stored))


@contextmanager
def others(
    names: Sequence[str], core: int, generator: Process, folder: Path
) -> Iterator[list[Other]]:
    """Start the servers to compare with, with their databases in `folder`.

    Raises:
        BenchmarkError: a server cannot be installed.
    """
    with ExitStack() as stack:
        found: list[Other] = []
        program = node.install() if names else Path()
        for name in names:
            for kind in KINDS[name]:
                label = f"{name}, patches" if kind.patches else name
                database = folder / f"{name}.db"
                subject = on_node(
                    core, program, kind.program, kind.patches, database if kind.durable else None
                )
                found.append(Other(label, kind, stack.enter_context(subject), generator, database))
        yield found
