"""Let many connections take turns, so that no flood of them keeps everything else waiting."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

STEP_S: Final = 0.001
"""How long connections may parse until all other work gets as much time, in seconds."""


class ReadingTurns:
    """Let connections parse their bytes one after the other, `step_s` seconds at a time.

    A client can put thousands of frames into one write, and thousands of clients can connect at
    once. So only a single short message is handled at once. Handshakes, control frames, fragments
    and long writes of all connections together get that long, then everything else gets
    as long. The pause also lets the threads that store events have the interpreter. Requests
    for long answers have such turns of their own (`PeerTraffic`).
    """

    def __init__(self, step_s: float = STEP_S) -> None:
        self.step_s = step_s
        self._steps: deque[Callable[[], None]] = deque()
        self._is_due = False

    @property
    def waiting(self) -> int:
        """How many connections wait for their turn."""
        return len(self._steps)

    def wait(self, loop: asyncio.AbstractEventLoop, step: Callable[[], None]) -> None:
        """Call `step` when it is its turn."""
        self._steps.append(step)
        if not self._is_due:
            self._is_due = True
            loop.call_soon(self._run, loop)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        until = time.perf_counter() + self.step_s
        try:
            self._steps.popleft()()
            while self._steps and time.perf_counter() < until:
                self._steps.popleft()()
        finally:
            # Even if a step has failed, the others must get their turns.
            self._is_due = bool(self._steps)
            if self._is_due:
                loop.call_later(self.step_s, self._run, loop)
