"""What a child process has of its parent: lines from it, answers to it, and when it is gone.

The other end is `cli.shared.children`.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
import traceback
from collections.abc import Callable
from typing import Final, TextIO

from cli.shared.console import FAILED

_LAST_S: Final = 5.0
"""Seconds in which the process must have ended once its input is closed."""
_LINE_BYTES: Final = 1024 * 1024
"""The most that is kept of a line."""


class Parent:
    """Watches standard input, which is open as long as the parent wants this process to live.

    Each line that comes is given to `on_line`. At the end of the input `on_end` is called; a few
    seconds later the process is over, whatever it is doing. Both are called in another thread.
    """

    def __init__(self, on_line: Callable[[bytes], None] = lambda line: None) -> None:
        self.gone = False
        self.on_end: Callable[[], None] = lambda: None
        self._on_line = on_line
        threading.Thread(target=self._watch, name="parent", daemon=True).start()

    def _watch(self) -> None:
        try:
            rest = b""
            while data := os.read(0, 65536):
                *lines, rest = (rest + data).split(b"\n")
                rest = rest[:_LINE_BYTES]
                for line in lines:
                    self._on_line(line)
        except Exception:  # noqa: BLE001 - the process must end, and say why
            # Nobody would hear the parent any more.
            traceback.print_exc()
        self.gone = True
        self.on_end()
        time.sleep(_LAST_S)
        os._exit(FAILED)


def own_output() -> TextIO:
    """Standard output, for `say` alone: what is printed from now on goes to standard error. A bot
    that prints while it is imported must not break into the answers."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return answers


def say(answers: TextIO, what: str, **fields: object) -> None:
    """A line for the parent; one that is gone hears nothing."""
    with contextlib.suppress(BrokenPipeError):
        answers.write(json.dumps({"what": what, **fields}) + "\n")
        answers.flush()
