"""Every game plays exactly as in its golden playthroughs."""

from __future__ import annotations

import pytest

from doublecross.games.registry import GAMES
from tests.playthroughs.generate import FOLDER, PLAYTHROUGHS, playthrough


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_a_game_plays_as_in_its_playthrough(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthrough(name) == written, (
        "if you intended this: python -m tests.playthroughs.generate"
    )


def test_every_game_has_a_playthrough() -> None:
    assert {key for key, _, _ in PLAYTHROUGHS.values()} == set(GAMES)
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(PLAYTHROUGHS)
