"""Measure the same games on another server, in rounds that alternate with those of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from benchmarks.processes import Process
from benchmarks.server import node
from benchmarks.server.processes import Subject, colyseus

OTHERS: Final = ("colyseus",)
"""The servers that `play` can compare with."""

Numbers = dict[str, Any]


class Other:
    """Rooms on Colyseus, once for each thing that it can send after a move.

    `rows` has the rounds of each. Only the server that is measured runs; the others sleep.
    """

    def __init__(self, generator: Process, subjects: dict[str, Subject]) -> None:
        self.rows: dict[str, list[Numbers]] = {mode: [] for mode in subjects}
        self.versions: dict[str, str] = {}
        self._generator = generator
        self._subjects = subjects

    def open(self, rooms: int, size: int, seconds: float) -> None:
        """Let all clients join, and play so long that Node.js has compiled what it runs often."""
        for mode, subject in self._subjects.items():
            self._generator.ask(
                "colyseus",
                name=f"colyseus-{mode}",
                url=subject.url,
                http=subject.http,
                pid=subject.pid,
                rooms=rooms,
                size=size,
                mode=mode,
            )
            self._generator.ask("round", name=f"colyseus-{mode}", seconds=seconds, lead_s=0.0)
            subject.sleep()

    def round(self, seconds: float, lead_s: float) -> None:
        """Measure each once."""
        for mode, subject in self._subjects.items():
            with subject.awake():
                row = self._generator.ask(
                    "round", name=f"colyseus-{mode}", seconds=seconds, lead_s=lead_s
                )
            self.rows[mode].append(row)

    def close(self) -> None:
        """Drop all connections."""
        for mode in self._subjects:
            self._generator.ask("close", name=f"colyseus-{mode}")


@contextmanager
def other(name: str, core: int, generator: Process) -> Iterator[Other]:
    """Start the servers to compare with; none if `name` is empty.

    Raises:
        BenchmarkError: the server cannot be installed.
    """
    with ExitStack() as stack:
        if not name:
            yield Other(generator, {})
            return
        program = node.install()
        subjects = {mode: stack.enter_context(colyseus(core, program, mode)) for mode in node.MODES}
        found = Other(generator, subjects)
        found.versions = node.versions(program)
        yield found
