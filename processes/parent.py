"""The parent of this process, as this process sees it: lines from it, answers to it, and its end.

Theory of operation
-------------------
Requests come as lines on standard input, and answers go as lines of JSON on standard output. Both
are moved away first, so foreign code that prints or reads cannot break in: it prints to standard
error and reads nothing. A thread reads the requests. The input stays open as long as the parent
wants this process to live, however the parent ends, so the end of the input ends this process.
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

from processes.system import end_group

Message = dict[str, Any]

_LINE_BYTES: Final = 4 * 1024 * 1024
"""The most that is kept of a line from the parent."""


class Parent:
    """Takes over standard input and output for the exchange with the parent process.

    When the input ends, `gone` becomes true and `on_end` is called. `grace_s` seconds later this
    process is killed, whatever it is doing.
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
        """Call `take` with each line that comes from now on; call it, and `on_end`, in a thread."""
        threading.Thread(target=self._watch, args=(take,), name="parent", daemon=True).start()

    def send(self, message: Message) -> None:
        """Send a line. A parent that is gone misses it."""
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
        except Exception:  # noqa: BLE001 - the process must end, and say why
            # Without this thread nobody would notice what the parent wants.
            traceback.print_exc()
        self.gone = True
        try:
            self.on_end()
            time.sleep(self._grace_s)
        finally:
            end_group()
