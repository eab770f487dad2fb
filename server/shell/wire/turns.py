"""Let connections take turns when they send more than short messages.

A client can put thousands of frames into one write, and thousands of clients can connect at once.
So only a single short message is handled at once. Everything else waits for its turn: handshakes,
control frames, fragments and long writes of all connections together get about a millisecond, then
everything else gets a millisecond. Meanwhile nothing more is read from these clients. The pause
also lets the threads that store events have the interpreter.
"""

from __future__ import annotations

import time
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from typing import Final

STEP_BYTES: Final = 512
"""How many bytes of a connection are parsed before another connection has its turn."""
STEP_S: Final = 0.001
"""How long connections may parse until all other work gets as much time, in seconds."""


class ReadingTurns:
    """Let connections parse their bytes one after the other, `STEP_S` at a time.

    Short messages need no turn, so floods of all other kinds together delay them only a little.
    """

    def __init__(self) -> None:
        self._steps: deque[Callable[[], None]] = deque()
        self._is_due = False

    @property
    def waiting(self) -> int:
        """How many connections wait for their turn."""
        return len(self._steps)

    def wait(self, loop: AbstractEventLoop, step: Callable[[], None]) -> None:
        """Call `step` when it is its turn."""
        self._steps.append(step)
        if not self._is_due:
            self._is_due = True
            loop.call_soon(self._run, loop)

    def _run(self, loop: AbstractEventLoop) -> None:
        until = time.perf_counter() + STEP_S
        try:
            self._steps.popleft()()
            while self._steps and time.perf_counter() < until:
                self._steps.popleft()()
        finally:
            # Even if a step has failed, the others must get their turns.
            self._is_due = bool(self._steps)
            if self._is_due:
                loop.call_later(STEP_S, self._run, loop)
