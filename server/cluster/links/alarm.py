"""Timers for fractions of a millisecond. Those of uvloop and asyncio count whole ones."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import ClassVar, Final

_BYTES: Final = 8


class KernelTimer:
    """A timer that makes the file descriptor `fd` readable: see timerfd_create(2).

    Raises:
        OSError: the system has no such timers; only Linux has them.
    """

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise OSError("only Linux has timerfd_create")
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.fd: int = self._libc.timerfd_create(time.CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC)
        if self.fd < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create")
        self._times = _Times()

    def set(self, wait_s: float) -> None:
        """Go off once, after so many seconds; this replaces an earlier time."""
        wait_ns = max(1, round(wait_s * 1e9))  # 0 would turn it off
        self._times.value_s, self._times.value_ns = divmod(wait_ns, 1_000_000_000)
        self._libc.timerfd_settime(self.fd, 0, ctypes.byref(self._times), None)

    def take(self) -> bool:
        """Return whether it has gone off since the last call."""
        with contextlib.suppress(BlockingIOError):
            return bool(os.read(self.fd, _BYTES))
        return False

    def close(self) -> None:
        """Free the timer."""
        os.close(self.fd)


class Alarm:
    """Call a function from the event loop, once after each `set`.

    Raises:
        OSError: see `KernelTimer`.
    """

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._timer = KernelTimer()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._timer.fd, self._ring)

    def set(self, wait_s: float) -> None:
        """Call the function after so many seconds; this replaces an earlier time."""
        self._timer.set(wait_s)

    def _ring(self) -> None:
        if self._timer.take():
            self._call()

    def close(self) -> None:
        """Free the timer."""
        self._loop.remove_reader(self._timer.fd)
        self._timer.close()


class _Times(ctypes.Structure):
    """`struct itimerspec`: the timer rings once, after the value."""

    _fields_: ClassVar = [
        ("interval_s", ctypes.c_long),
        ("interval_ns", ctypes.c_long),
        ("value_s", ctypes.c_long),
        ("value_ns", ctypes.c_long),
    ]
