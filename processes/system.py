"""Use the operating system's signals, process groups and memory limits for child processes."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Final, Never

_PR_SET_PDEATHSIG: Final = 1  # prctl(2)
_PR_SET_NAME: Final = 15


def begin(parent: int, *, expendable: bool, memory_mb: int | None) -> None:
    """Set up the memory limit and the signals of this new process.

    `parent` is the id of the process that started this one. `memory_mb` limits the data of the
    process, in MiB, where the system can do that; None sets no limit.

    An `expendable` process has no data to save. On Linux the kernel kills it with its parent, even
    when its code never lets another thread run. It ignores SIGINT and SIGTERM: when a signal goes
    to all processes, the parent handles it and ends its children in order.
    """
    if memory_mb is not None:
        _limit_memory(memory_mb)
    if expendable:
        for name in ("SIGINT", "SIGTERM"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        die_with(parent)


def end_group() -> Never:
    """End this process at once, together with all processes that it has started."""
    # Only the leader of a group may kill it: any other process would kill its parent too.
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        with contextlib.suppress(OSError):
            os.killpg(0, signal.SIGKILL)
    # Leave out the clean-up, which could wait for a thread that never ends.
    os._exit(1)


def kill_group(pid: int) -> bool:
    """Kill the process group that `pid` leads; return False where there are no process groups."""
    if not hasattr(os, "killpg"):
        return False
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    return True


def describe_exit(code: int) -> str:
    """Describe the end of a process with the exit code `code`, as the rest of a sentence."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed by {name}"


def die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent ends; `parent` is the parent's id.

    This works on Linux only.
    """
    if sys.platform != "linux":
        return
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        end_group()  # the parent ended before the call of prctl


def set_name(name: str) -> None:
    """Set the name of this process that ``ps`` and ``top`` show: the last 15 letters of `name`.

    This works on Linux only.
    """
    if sys.platform == "linux":
        _prctl(_PR_SET_NAME, name[-15:].encode())


def _prctl(option: int, value: int | bytes) -> None:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, value)


def _limit_memory(memory_mb: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    size = memory_mb * 1024 * 1024
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
