"""Exchange lines with the parent of this process, and end this process with the parent.

Theory of operation
-------------------
Requests arrive as lines on standard input, and answers leave as lines of JSON on standard output.
`Parent` moves both to other file descriptors, so other code in this process cannot disturb the
exchange: what it prints goes to standard error, and what it reads is empty. A thread reads the
requests. The parent keeps the input open as long as it needs this process, and the system closes
the input when the parent ends in any way. The end of the input therefore ends this process.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, Final

from doublecross.processes.system import end_group

Message = dict[str, Any]

_LINE_BYTES: Final = 4 * 1024 * 1024
"""Bytes that are kept of a line from the parent; the rest is dropped."""


class Parent:
    """Takes over standard input and output for the exchange with the parent process.

    When the input ends, `gone` becomes true and `on_end` is called. This process is killed
    `grace_s` seconds later, together with the processes that it has started.
    """

    def __init__(self, grace_s: float = 0.0) -> None:
        self.gone = False
        self.on_end: Callable[[], None] = lambda: None
        self._grace_s = grace_s
        self._requests = os.dup(0)
        self._answers = os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def listen(self, take: Callable[[bytes], None] = lambda line: None) -> None:
        """Start a thread that calls `take` with each line from the parent, and later `on_end`."""
        threading.Thread(target=self._watch, args=(take,), name="parent", daemon=True).start()

    def send(self, message: Message) -> None:
        """Send `message` as one line. Messages to a parent that has ended are dropped."""
        with contextlib.suppress(OSError):
            self._answers.write(json.dumps(message).encode() + b"\n")
            self._answers.flush()

    def _watch(self, take: Callable[[bytes], None]) -> None:
        try:
            rest = b""
            while data := os.read(self._requests, 65536):
                *lines, rest = (rest + data).split(b"\n")
                rest = rest[:_LINE_BYTES]
                for line in lines:
                    take(line)
        except Exception:  # noqa: BLE001 - the process must end, and print why
            # Without this thread the process would neither see requests nor the parent's end.
            traceback.print_exc()
        self.gone = True
        try:
            self.on_end()
            time.sleep(self._grace_s)
        finally:
            end_group()
