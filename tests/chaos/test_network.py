"""Games through a proxy that delays, cuts, crumbles, throttles and silences connections."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.chaos.scenarios import HARMS, network


@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.timeout(120)
async def test_every_game_ends_properly(tmp_path: Path, harm: str) -> None:
    struck, ledger = await network(tmp_path, harm, rooms=6, matches=1, rng=Random(7))
    assert len(ledger.finished) == 6
    assert not ledger.refused
    # Otherwise the test shows nothing.
    assert struck > 0
