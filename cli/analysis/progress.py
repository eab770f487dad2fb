"""Run a search of `doublecross analyse`: its limits, Ctrl-C, and a status line on the terminal."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Final

from doublecross.bots.search.exact.solver import SearchWatch
from doublecross.cli.shared.console import err, warn

if TYPE_CHECKING:
    from rich.status import Status

    from doublecross.bots.search.exact.analysis import Analysis
    from doublecross.bots.search.exact.bounds import Bounds

_UPDATE_S: Final = 0.25
"""Seconds between two updates of the status line."""
_LONG: Final = 36
"""With more free edges than this a search may take long, so it announces itself in a pipe."""


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """The limits of a search: seconds, and nodes (None: any number)."""

    seconds: float
    nodes: int | None = None

    def __str__(self) -> str:
        """Return the limits in words."""
        nodes = "" if self.nodes is None else f" or {self.nodes:,} nodes"
        return f"{self.seconds:g} s{nodes}"


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """The time and the nodes that a search took.

    `stopped` names what ended it before it found everything: ``time``, ``nodes`` or
    ``interrupted``; None if nothing did. `limits` are the limits that it had.
    """

    nodes: int
    seconds: float
    stopped: str | None
    limits: SearchLimits

    @property
    def reason(self) -> str:
        """Why some values are not exact, for people."""
        if self.stopped == "interrupted":
            return f"stopped after {self.seconds:.1f} s"
        if self.stopped == "nodes":
            return f"not solved in {self.limits.nodes:,} nodes"
        return f"not solved in {self.limits.seconds:g} s"


class Interrupt:
    """Handles Ctrl-C inside a ``with`` block.

    The first one sets `asked`; a second one raises `KeyboardInterrupt`.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


class SearchView:
    """Follows one running search: limits it with `watch`, and shows a status line.

    The status line is on standard error, if that is a terminal.
    """

    def __init__(self, size: str, limits: SearchLimits, interrupt: Interrupt) -> None:
        self._size = size
        self._limits = limits
        self._interrupt = interrupt
        self._stage = ""
        self._status: Status | None = None
        self._start = self._updated = self._end = perf_counter()
        self.watch = SearchWatch(self._should_stop, seconds=limits.seconds, nodes=limits.nodes)

    def update(self, found: Analysis) -> None:
        """Remember what the search has found so far, for the status line."""
        self._stage = stage(found)

    def end(self) -> None:
        """Stop the clock and remove the status line."""
        self._end = perf_counter()
        if self._status is not None:
            self._status.stop()

    def effort(self, found: Analysis) -> SearchEffort:
        """Return how much time and how many nodes the search took to find `found`."""
        stopped = None
        if not found.exact:
            left = self.watch.nodes_left
            stopped = "nodes" if left is not None and left <= 0 else "time"
        if self._interrupt.asked:
            stopped = "interrupted"
        return SearchEffort(self.watch.nodes, self._end - self._start, stopped, self._limits)

    def _should_stop(self) -> bool:
        """Return whether to stop, and update the status line.

        The solver calls this every few milliseconds.
        """
        now = perf_counter()
        if now - self._updated >= _UPDATE_S and err().is_terminal:
            self._updated = now
            seconds, millions = now - self._start, self.watch.nodes / 1e6
            text = (
                f"{self._size}: {self._stage}, {millions:,.1f} M nodes,"
                f" {millions / seconds:.1f} M/s, {seconds:.0f} s"
            )
            # Start it only here, so that a short search shows no status line.
            if self._status is None:
                self._status = err().status(text)
                self._status.start()
            self._status.update(text)
        return self._interrupt.asked


@contextlib.contextmanager
def searching(
    size: str, free: int, limits: SearchLimits, interrupt: Interrupt
) -> Iterator[SearchView]:
    """Follow a search on a board of this `size` with `free` edges left.

    It begins now and ends with the block. Without a terminal for the status line, a search that
    may take long says at its beginning what it does.
    """
    if free > _LONG and not err().is_terminal:
        warn(
            f"Solving {size} with {free} free edges takes up to {limits}: --time and --nodes set"
            " the limits, and Ctrl-C prints what is found so far."
        )
    view = SearchView(size, limits, interrupt)
    try:
        yield view
    finally:
        view.end()


def signed(value: int) -> str:
    """Return a net score for people: +3, -1, 0."""
    return f"{value:+}" if value else "0"


def bounds_text(value: Bounds) -> str:
    """Return a value as far as it is known: ``+3``, or ``-1 to +5``."""
    if value.exact:
        return signed(value.low)
    return f"{signed(value.low)} to {signed(value.high)}"


def stage(found: Analysis) -> str:
    """Describe what a search has found and what it looks for next."""
    text = f"value {bounds_text(found.value)}"
    if found.moves:
        solved = sum(bounds.exact for bounds in found.moves.values())
        return f"{text}, {solved} of {len(found.moves)} edges solved"
    return f"{text}, looking for the best edges" if found.value.exact else text
