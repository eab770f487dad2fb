"""Show a demo of a cluster: its events line by line, and a table of the nodes that changes."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import live_area, out, say
from doublecross.cli.shared.tables import rows_table

if TYPE_CHECKING:
    from rich.console import RenderableType

RATE_S: Final = 3.0
"""Seconds over which the moves per second are counted."""


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """The state of a node. `process` is its process id, or says how it ended."""

    name: str
    process: str
    address: str
    games: int
    players: int
    moves_per_s: float
    has_leader: bool


@dataclass(frozen=True, slots=True)
class ClusterStatus:
    """The state of all nodes and games; `moving` are games without an owner at this moment."""

    nodes: Sequence[NodeStatus]
    moving: int
    running: int
    ended: int
    moves: int


def drawn(status: ClusterStatus) -> RenderableType:
    """Return the status as a table and a line below it, for 80 columns."""
    from rich.console import Group
    from rich.text import Text

    numbers = ("Games", "Players", "Moves/s")
    names = ("Node", "Process", "Address", *numbers, "")
    table = rows_table(names, (), right=numbers, whole=names)
    for row in status.nodes:
        table.add_row(
            row.name,
            row.process,
            row.address,
            f"{row.games:,}",
            f"{row.players:,}",
            f"{row.moves_per_s:,.1f}",
            "leader" if row.has_leader else "",
            style="" if row.process.isdigit() else "red",
        )
    games = f"Games: {status.ended:,} ended, {status.running:,} running"
    if status.moving:
        games += f", {status.moving:,} of them moving to another node"
    line = f"{games}. Moves acknowledged: {status.moves:,}."
    return Group(Text(), table, Text(line, style="yellow" if status.moving else ""), Text())


class Screen:
    """Prints events with the seconds since the start. `clock` returns seconds.

    `draw` redraws the table in a terminal. `table` prints it where there is none.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = clock()
        self._draw: Callable[[RenderableType], None] | None = None

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Keep room for the table in this context, where there is a terminal."""
        if not out().is_terminal:
            yield
            return
        with live_area() as self._draw:
            yield
        self._draw = None

    def tell(self, sentence: str, style: str | None = None) -> None:
        """Print one event."""
        say(f"{self._clock() - self._start:5.1f} s  {sentence}", style)
        sys.stdout.flush()  # a pipe would keep the line for a while

    def draw(self, status: ClusterStatus) -> None:
        """Show the table as it is now."""
        if self._draw is not None:
            self._draw(drawn(status))

    def table(self, status: ClusterStatus) -> None:
        """Print the table, unless it is shown all the time."""
        if self._draw is None:
            out().print(drawn(status))
