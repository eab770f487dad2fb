"""A server asks for huge pages for its memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from doublecross.server.shell.upkeep import huge_pages

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has them")


PROGRAM = """
import mmap
from doublecross.server.shell.upkeep import huge_pages

def flagged():
    with open("/proc/self/smaps", errors="replace") as lines:
        return sum(line.startswith("VmFlags:") and " hg" in line for line in lines)

before, kept = flagged(), huge_pages.ask()
full = mmap.mmap(-1, 8 * huge_pages.PAGE, flags=mmap.MAP_PRIVATE)
for at in range(0, len(full), mmap.PAGESIZE):
    full[at] = 1
assert huge_pages.ask() >= kept + 7 * huge_pages.PAGE
assert flagged() > before
assert full[huge_pages.PAGE] == 1
"""


@pytest.mark.processes
def test_memory_in_use_gets_them() -> None:
    if not Path("/sys/kernel/mm/transparent_hugepage/enabled").exists():
        pytest.skip("this system has no huge pages")
    # A process of its own: this one may have forks, which share its memory.
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, timeout=30)


def test_other_systems_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert huge_pages.ask() == 0


def sizes(whole_kb: int, used_kb: int, shared_kb: int = 0) -> str:
    return f"Size: {whole_kb} kB\nRss: {used_kb} kB\nShared_Dirty: {shared_kb} kB\nVmFlags: rd\n"


def test_stacks_files_and_shared_memory_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maps = tmp_path / "smaps"
    parts = [
        ("200000-800000 rw-p 0 00:00 0 [heap]", sizes(6144, 6144)),
        ("a00000-1200000 rw-p 0 00:00 0 ", sizes(8192, 1024)),
        ("1400000-1a00000 rw-p 0 00:00 0 [stack]", sizes(6144, 6144)),
        ("1c00000-2200000 rw-p 0 fe:00 77 /a/file", sizes(6144, 6144)),
        ("2400001-2a00001 rw-p 0 00:00 0 ", sizes(6144, 6144, 1000)),
    ]
    maps.write_text("".join(f"{start}\n{rest}" for start, rest in parts))
    monkeypatch.setattr(huge_pages, "_MAPS", maps)
    assert list(huge_pages._used()) == [(0x200000, 0x800000), (0x2600000, 0x2A00000)]
    maps.write_text(f"{maps.read_text()}2c00000-2d00000 rw-p 0 00:00 0 \n{sizes(1024, 100, 100)}")
    assert list(huge_pages._used()) == []
