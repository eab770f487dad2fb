"""Many short games leave no memory behind; `python -m tests.chaos soak` plays 100,000."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.chaos.soak import soak

GAMES: Final = 1_000
MOST_MB: Final = 4.5
"""Caches still grow by 2.5 MB. The events of leaked games alone would add 3.5 MB, 5 KB each."""


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_memory_stays_flat(tmp_path: Path) -> None:
    result = await soak(tmp_path, GAMES, rooms=20)
    assert result.games >= GAMES
    assert result.failures == {}
    assert result.growth_mb < MOST_MB, result.rss_mb
