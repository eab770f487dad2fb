"""Games through a proxy that delays, cuts, crumbles, throttles, silences and repeats."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.chaos.kinds import some_slow
from tests.chaos.scenarios import HARMS, network
from tests.e2e.bot_child import RECONNECT_S

ENDING = ("cut", "vanish", "half open", "repeated bytes", "second connection", "everything")
"""The harms that end connections, so that clients must open further ones."""


@pytest.mark.parametrize("harm", some_slow(HARMS, quick=("everything",)))
@pytest.mark.timeout(120)
async def test_every_game_ends_properly(
    tmp_path: Path, harm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("doublecross.client.core.pacing.CAP_S", RECONNECT_S)
    result = await network(tmp_path, harm, rooms=6, matches=1, rng=Random(7))
    assert len(result.ledger.finished) == 6
    assert not result.ledger.refused or harm == "repeated bytes"
    # Otherwise the test shows nothing.
    assert result.struck > 0
    assert (result.connections > 0) == (harm in ENDING)
