"""Every attack in a short form: the pairs beside it play on, and memory stays bounded.

How long the pairs wait depends on the machine, so only `python -m tests.chaos attacks` judges that.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.attacks import ATTACKS, MOST_MB, REFUSALS, measure
from tests.chaos.servers import ForkedServer


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.timeout(120)
async def test_games_go_on_beside_an_attack(tmp_path: Path, attack: str) -> None:
    events = 150 if attack == "resumes" else 20
    verdict = await measure(tmp_path, attack, 4, 0.2, 0.4, events, ForkedServer)
    assert verdict.moves > 0
    assert verdict.rss_mb < MOST_MB
    if attack in REFUSALS:
        assert verdict.got[REFUSALS[attack]] > 0, verdict.got
    if attack == "idle http":
        assert verdict.got["health 200"] == 1
