"""A server asks for huge pages for its memory."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path

import pytest

from doublecross.server.shell.upkeep import huge_pages
from doublecross.server.shell.upkeep.huge_pages import PAGE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has them")


def flagged() -> int:
    """Return in how many ranges of its memory this process has asked for huge pages."""
    lines = Path("/proc/self/smaps").read_text("ascii", "replace").splitlines()
    return sum(line.startswith("VmFlags:") and " hg" in line for line in lines)


def test_memory_in_use_gets_them() -> None:
    if not Path("/sys/kernel/mm/transparent_hugepage/enabled").exists():
        pytest.skip("this system has no huge pages")
    before, kept = flagged(), huge_pages.ask()
    full = mmap.mmap(-1, 8 * PAGE, flags=mmap.MAP_PRIVATE)
    for at in range(0, len(full), mmap.PAGESIZE):
        full[at] = 1
    assert huge_pages.ask() >= kept + 7 * PAGE
    assert flagged() > before
    assert full[PAGE] == 1


def test_other_systems_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert huge_pages.ask() == 0


def test_stacks_and_files_are_no_memory_to_ask_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maps = tmp_path / "smaps"
    heap, mostly_empty = "200000-800000 rw-p 0 00:00 0 ", "a00000-1200000 rw-p 0 00:00 0 "
    maps.write_text(
        f"{heap}[heap]\nSize: 6144 kB\nRss: 6144 kB\nTHPeligible: 1\n"
        f"{mostly_empty}\nSize: 8192 kB\nRss: 1024 kB\n"
        "1400000-1a00000 rw-p 0 00:00 0 [stack]\nSize: 6144 kB\nRss: 6144 kB\n"
        "1c00000-2200000 rw-p 0 fe:00 77 /a/file\nSize: 6144 kB\nRss: 6144 kB\n"
        "2400001-2a00001 rw-p 0 00:00 0 \nSize: 6144 kB\nRss: 6144 kB\n"
    )
    monkeypatch.setattr(huge_pages, "_MAPS", maps)
    assert list(huge_pages._used()) == [(0x200000, 0x800000), (0x2600000, 0x2A00000)]
