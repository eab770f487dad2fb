"""Many short games leave no memory behind; `python -m tests.chaos soak` plays 100,000."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.chaos.soak import soak

GAMES: Final = 2_000
MOST_MB: Final = 8.0
"""2,000 leaked games would take more: the events of one game alone take 5 KB."""


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_memory_stays_flat(tmp_path: Path) -> None:
    result = await soak(tmp_path, GAMES, rooms=20)
    assert result.games >= GAMES
    assert result.failures == {}
    assert result.growth_mb < MOST_MB, result.rss_mb
