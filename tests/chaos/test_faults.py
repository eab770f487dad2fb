"""Games on a server whose process, disk, database or open files fail beside them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.chaos.kinds import some_slow
from tests.chaos.scenarios import FAULTS, READ_ONLY, faults
from tests.e2e.bot_child import RECONNECT_S


@pytest.mark.parametrize("fault", some_slow(FAULTS, quick=("kill", "full disk")))
@pytest.mark.timeout(120)
async def test_no_acknowledged_move_is_lost(
    tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.client.core.pacing.CAP_S", RECONNECT_S)
    ledger = await faults(tmp_path, fault, rooms=8, matches=1, times=2, rng=Random(3))
    assert len(ledger.finished) >= 8
    if fault == "full disk":
        # Otherwise no commit failed, and the test shows nothing.
        assert "could not be written" in (tmp_path / "server.log").read_text()
    # A fault of the storage is told; no other may refuse a move.
    refusing = ("full disk", "locked database", READ_ONLY)
    assert not ledger.refused or fault in refusing, ledger.refused
    if fault == READ_ONLY:
        assert "attempt to write a readonly database" in (tmp_path / "server.log").read_text()
