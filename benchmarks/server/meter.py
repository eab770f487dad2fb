"""Measure what a process has used: CPU of all its threads, and memory."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil


def cpu_s(pid: int) -> float:
    """Return the seconds of CPU that all threads of the process have used, kernel mode included.

    Linux numbers the CPU clock of another process ``(~pid << 3) | 2`` (clock_getcpuclockid), which
    counts nanoseconds. Without it, `psutil` gives the time in steps of 10 ms.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, OverflowError, AttributeError):
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system)


def rss_bytes(pid: int) -> int:
    """Return the resident memory of the process."""
    return int(psutil.Process(pid).memory_info().rss)


def peak_rss_bytes() -> int:
    """Return the peak of resident memory of this process.

    `resource.getrusage` would not do: it starts with the figure of the parent process.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("The system does not report the peak of resident memory.")


def pin(core: int) -> bool:
    """Keep this process and its threads on one core; return whether that worked."""
    if not hasattr(os, "sched_setaffinity") or core not in os.sched_getaffinity(0):
        return False
    os.sched_setaffinity(0, {core})
    return True


@dataclass(frozen=True, slots=True)
class Usage:
    """A measured interval: wall-clock seconds, and CPU seconds of the subject and of the load."""

    wall_s: float
    subject_s: float
    load_s: float


class Meter:
    """Reads the clocks when it is made and again at `stop`."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._at = self._read()

    def _read(self) -> tuple[float, float, float]:
        return time.perf_counter(), cpu_s(self._pid), time.process_time()

    def stop(self) -> Usage:
        """Return what was used since the start."""
        now = self._read()
        return Usage(*(after - before for before, after in zip(self._at, now, strict=True)))


def median(values: Iterable[float]) -> float:
    """Return the median; 0 if there are no values."""
    return quantile(sorted(values), 0.5)


def quantile(ordered: list[float], share: float) -> float:
    """Return the value below which `share` of the ordered values lie, interpolated.

    Return 0 if there are no values.
    """
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
