"""Read what a process and the whole machine use, where Linux's /proc tells."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """The time and memory that one process has used until a moment."""

    at: float
    cpu_s: float
    rss_mb: float

    def share_since(self, before: Usage) -> float:
        """Return how many cores the process has kept busy since `before`."""
        return (self.cpu_s - before.cpu_s) / (self.at - before.at)


def usage_of(pid: int | None) -> Usage | None:
    """Return what the process uses; None when this system or user cannot tell."""
    if pid is None:
        return None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    ticks = int(fields[11]) + int(fields[12])
    rss_kb = next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0)
    # Half a clock tick is far below what matters here.
    return Usage(time.monotonic(), ticks / os.sysconf("SC_CLK_TCK"), rss_kb / 1000)


def machine_ticks() -> tuple[int, int] | None:
    """Return the ticks that all cores were busy, and all ticks; None without /proc."""
    try:
        ticks = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]))
    except OSError:
        return None
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def raise_open_files() -> int | None:
    """Allow this process, and those that it starts, as many open files as it may have.

    Returns the limit; None where there is none.
    """
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return None if hard == resource.RLIM_INFINITY else hard
