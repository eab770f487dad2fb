"""Check where compiled code lies, and that only that of old versions is removed."""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path

import pytest

from doublecross.bots.search import jit
from doublecross.bots.search.exact.structure import scan
from doublecross.bots.search.jit import FOLDER, KEPT_DAYS, remove_old
from doublecross.bots.zero.means import refresh
from doublecross.bots.zero.tree import rate

DAY = 86400.0


def made(folder: Path, age_days: float, now: float) -> Path:
    folder.mkdir(parents=True)
    (folder / "code.nbc").write_bytes(b"code")
    os.utime(folder, (now, now - age_days * DAY))
    return folder


def test_only_old_folders_of_other_versions_go(tmp_path: Path) -> None:
    now = 2e9
    kernels = tmp_path / "kernels"
    own = made(kernels / "0123456789abcdef", KEPT_DAYS + 1, now)
    old = made(kernels / "fedcba9876543210", KEPT_DAYS + 1, now)
    left_over = made(kernels / ".gone-00aa00aa00aa00aa-17", 0, now)
    young = made(kernels / "00aa00aa00aa00aa", KEPT_DAYS - 1, now)
    foreign = made(kernels / "photographs", KEPT_DAYS + 1, now)
    elsewhere = made(tmp_path / "elsewhere", KEPT_DAYS + 1, now)
    link = kernels / "11aa11aa11aa11aa"
    link.symlink_to(elsewhere)
    (kernels / "compiling.lock").touch()
    remove_old(own, now)
    assert sorted(kernels.iterdir()) == sorted(
        [own, young, foreign, link, kernels / "compiling.lock"]
    )
    assert (elsewhere / "code.nbc").exists()
    assert not old.exists()
    assert not left_over.exists()


def test_kernels_of_other_packages_have_a_folder_with_their_own_digest() -> None:
    """Numba would keep the code of a kernel although another file, which it calls, has changed."""
    here, there, beside = (
        Path(kernel.stats.cache_path)  # type: ignore[attr-defined]
        for kernel in (scan, refresh, rate)
    )
    assert here == FOLDER
    assert there == beside
    assert there.parent == FOLDER
    assert re.fullmatch("[0-9a-f]{16}", there.name)


def test_copies_of_the_same_sources_share_their_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jit, "FOLDER", tmp_path / "kernels")
    source = (
        "from doublecross.bots.search.jit import kernel\n@kernel\ndef one(x):\n    return x + {}\n"
    )
    hits = []
    for place, more in (("a", 1), ("b", 1), ("c", 2)):
        path = tmp_path / place / "pack" / "ones.py"
        path.parent.mkdir(parents=True)
        path.write_text(source.format(more))
        one = runpy.run_path(str(path), run_name="pack.ones")["one"]
        assert one(4) == 4 + more
        hits.append(sum(one.stats.cache_hits.values()))
    assert hits == [0, 1, 0]
