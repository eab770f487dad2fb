"""What a process has used: CPU of all its threads (on Linux to the nanosecond), memory."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import psutil


def cpu_s(pid: int) -> float:
    """Seconds of CPU that all threads of the process have used, in user and kernel mode.

    Linux numbers the CPU clock of another process ``(~pid << 3) | 2`` (clock_getcpuclockid); where
    there is none, `psutil` tells it in steps of 10 ms.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, OverflowError, AttributeError):
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system)


def rss_bytes(pid: int) -> int:
    """Resident memory of the process."""
    return int(psutil.Process(pid).memory_info().rss)


def peak_rss_bytes() -> int:
    """The most memory that has been resident in this process.

    Not `resource.getrusage`: its figure begins with that of the process that started this one.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("The system does not tell the peak of resident memory.")


def pin(core: int) -> bool:
    """Keep this process, and the threads it starts, on one core; whether that worked."""
    if not hasattr(os, "sched_setaffinity") or core not in os.sched_getaffinity(0):
        return False
    os.sched_setaffinity(0, {core})
    return True


@dataclass(frozen=True, slots=True)
class Usage:
    """One stretch of time: seconds on the wall, and seconds of CPU of the subject and the load."""

    wall_s: float
    subject_s: float
    load_s: float


class Meter:
    """Reads the clocks at its start and again at `stop`."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._at = self._read()

    def _read(self) -> tuple[float, float, float]:
        return time.perf_counter(), cpu_s(self._pid), time.process_time()

    def stop(self) -> Usage:
        """What was used since the start."""
        now = self._read()
        return Usage(*(after - before for before, after in zip(self._at, now, strict=True)))


def median(values: Iterable[float]) -> float:
    """The median; 0 of nothing."""
    return quantile(sorted(values), 0.5)


def quantile(ordered: list[float], share: float) -> float:
    """The value below which `share` of the ordered values lie, interpolated; 0 of nothing."""
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
