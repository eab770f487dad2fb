"""Let further threads take part in a search: they share its table, and avoid each other.

Theory of operation
-------------------
All threads search the same position with the same window. The table has one word for each entry, so
threads share it without locks: each reads and writes whole entries, and bounds are facts, whoever
finds them. Each thread marks the positions that it searches, and leaves a move whose position is
marked for later. So it does a part of the work that the others have not begun, and finds theirs in
the table afterwards. A mark that is lost costs time only. The first thread that finishes has the
result.

The kernels release the interpreter's lock. A helper searches in pieces of a few milliseconds and
looks after each whether it has to end.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Final, Self

from numpy.typing import NDArray

from doublecross.bots.search.exact.kernel import COUNT, RESULT, Stack, begin, search
from doublecross.bots.search.exact.layout import LayoutTables

_PIECE: Final = 1_500
"""Nodes between two looks whether to end: 2 or 3 ms."""


class Helpers:
    """The threads that help with one search, one for each of `stacks`; none before `start`.

    As a context it ends all its threads. `result` is the fail-soft result of the search as soon as
    a helper has found it. A new `table` counts from the next piece of each helper on.
    """

    def __init__(self, stacks: Sequence[Stack], table: NDArray[Any], tables: LayoutTables) -> None:
        self._stacks = stacks
        self.table, self._tables = table, tables
        self._threads: list[threading.Thread] = []
        self._end = threading.Event()
        self.result: int | None = None

    def __enter__(self) -> Self:
        """Return these helpers."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all threads and wait for them, at most for one piece."""
        self._end.set()
        for thread in self._threads:
            thread.join()

    def start(self, h: Any, v: Any, alpha: int, beta: int) -> None:
        """Start the threads, unless they run already."""
        if self._threads:
            return
        for number, stack in enumerate(self._stacks, 1):
            begin(stack, h, v, alpha, beta)
            thread = threading.Thread(
                target=self._help, args=(stack,), name=f"search-{number}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def nodes(self) -> int:
        """Return how many nodes the helpers have searched."""
        if not self._threads:
            return 0
        return sum(int(stack.registers[COUNT]) for stack in self._stacks)

    def _help(self, stack: Stack) -> None:
        while not self._end.is_set():
            if search(_PIECE, stack, self.table, self._tables):
                self.result = int(stack.registers[RESULT])
                return
