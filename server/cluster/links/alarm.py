"""A timer for fractions of a millisecond. Those of uvloop and asyncio count whole ones."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import Any, ClassVar, Final

_BYTES: Final = 8


class Alarm:
    """Call a function once after each `set`, from the event loop.

    It is a timer of Linux that makes a file descriptor readable: see timerfd_create(2).
    """

    def __init__(self, call: Callable[[], None]) -> None:
        """
        Raises:
            OSError: the system has no such timers.
        """
        if sys.platform != "linux":
            raise OSError("only Linux has timerfd_create")
        self._call = call
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._fd: int = self._libc.timerfd_create(
            time.CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC
        )
        if self._fd < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create")
        self._time = _Times()
        self._set: Callable[[], Any] = lambda: self._libc.timerfd_settime(
            self._fd, 0, ctypes.byref(self._time), None
        )
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._fd, self._ring)

    def set(self, wait_s: float) -> None:
        """Call the function after so many seconds, at most one."""
        self._time.value_ns = min(max(1, round(wait_s * 1e9)), 999_999_999)  # 0 would turn it off
        self._set()

    def _ring(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self._fd, _BYTES)
            self._call()

    def close(self) -> None:
        """Free the timer."""
        self._loop.remove_reader(self._fd)
        os.close(self._fd)


class _Times(ctypes.Structure):
    """`struct itimerspec`: the timer rings once, after the value."""

    _fields_: ClassVar = [
        ("interval_s", ctypes.c_long),
        ("interval_ns", ctypes.c_long),
        ("value_s", ctypes.c_long),
        ("value_ns", ctypes.c_long),
    ]
