"""The worker's side of being one: tied to its parent by two pipes, and gone when the parent is.

Theory of operation
-------------------
Requests come as lines of JSON on standard input, answers go as lines on standard output; both are
moved away first, so that a bot that prints or reads cannot break in: it prints to standard error
and reads nothing. A thread reads the requests and ends the process when their pipe closes, which
is how a worker learns that its parent is gone. On Linux the kernel also kills the worker with its
parent, for the bot that never lets another thread run.

SIGINT and SIGTERM are the parent's business: sent to a whole process group they must not turn
into crashed games.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, Final, Never

Message = dict[str, Any]

TEXT_MAX: Final = 300
"""Longest text of an exception that is passed on; its traceback may be `TRACE_MAX` long."""
TRACE_MAX: Final = 4000

_PR_SET_PDEATHSIG: Final = 1  # prctl(2)


class Parent:
    """The process `pid` that started this one, to which it now belongs, with at most `memory_mb`
    MiB of data (None: without a limit)."""

    def __init__(self, pid: int, memory_mb: int | None) -> None:
        for name in ("SIGINT", "SIGTERM"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        _die_with(pid)
        if memory_mb is not None:
            _limit_memory(memory_mb)
        self._requests, self._answers = _take_pipes()

    def listen(self, take: Callable[[Message], None]) -> None:
        """From now on `take` gets each request, in a thread of its own."""
        threading.Thread(target=self._read, args=(take,), name="requests", daemon=True).start()

    def say(self, answer: Message) -> None:
        """Answer; where nobody hears it any more this process ends."""
        try:
            self._answers.write(json.dumps(answer).encode() + b"\n")
            self._answers.flush()
        except OSError:
            _end_process()

    def _read(self, take: Callable[[Message], None]) -> None:
        try:
            for line in self._requests:
                take(json.loads(line))
        finally:
            _end_process()


def told(error: BaseException) -> str:
    """An exception in one line of at most `TEXT_MAX` characters."""
    text = str(error).splitlines()
    name = type(error).__name__
    return f"{name}: {text[0]}"[:TEXT_MAX] if text else name


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def _die_with(parent: int) -> None:
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        _end_process()


def _limit_memory(memory_mb: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    size = memory_mb * 1024 * 1024
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def _end_process() -> Never:
    """End this worker at once, with all processes that its bots have started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        with contextlib.suppress(OSError):
            os.killpg(0, signal.SIGKILL)
    os._exit(0)
