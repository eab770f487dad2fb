"""Ask Linux for huge pages, so that the processor waits less for memory.

A move touches some forty objects, which lie all over the memory of a server. The processor finds
the address of a page of 4 KB in tables in memory, and keeps only some of them at hand. With pages
of 2 MB it has nearly all at hand. Most distributions leave it to each program to ask
(`madvise` in `/sys/kernel/mm/transparent_hugepage/enabled`).
"""

from __future__ import annotations

import ctypes
import mmap
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PAGE: Final = 2 << 20
"""The bytes of a huge page on the usual processors."""
COLLAPSE: Final = 25
"""The advice to make huge pages at once (`MADV_COLLAPSE`, since Linux 6.1)."""
_MAPS: Final = Path("/proc/self/smaps")
_MAP: Final = re.compile(
    r"^([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0\s*(?:\[heap\])?\n(?:.*\n)*?Rss: +(\d+) kB", re.M
)
"""Memory of this process that is no file: its first and last address, and what is in use."""
_SHARED: Final = re.compile(r"^Shared_Dirty: +(\d+) kB", re.M)
_MOST_SHARED_KB: Final = 1024
"""With more memory in common, a process and its parent or child are forks."""


def ask() -> int:
    """Ask for huge pages in all memory that is mostly in use; return how many bytes that are.

    A fork gets none, because what it shares would be copied. Call it again when the memory has
    grown, in a thread: it takes some milliseconds, in which others go on. Where the system has no
    huge pages it does nothing.
    """
    if sys.platform != "linux":
        return 0
    madvise = ctypes.CDLL(None).madvise
    madvise.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    found = 0
    for start, end in _used():
        if madvise(start, end - start, mmap.MADV_HUGEPAGE) == 0:
            found += end - start
        for page in range(start, end, PAGE):
            madvise(page, PAGE, COLLAPSE)
    return found


def _used() -> Iterator[tuple[int, int]]:
    """Yield ranges of whole huge pages. Most of a thread's stack is never used, so it has none."""
    maps = _MAPS.read_text("ascii", "replace")
    if sum(map(int, _SHARED.findall(maps))) > _MOST_SHARED_KB:
        return
    for first, last, used_kb in _MAP.findall(maps):
        start, end = (int(first, 16) + PAGE - 1) // PAGE * PAGE, int(last, 16) // PAGE * PAGE
        if start < end and int(used_kb) * 1024 * 2 > end - start:
            yield start, end
