"""Check regret: none for exact play, some for a greedy bot."""

from __future__ import annotations

from benchmarks.regret import regret
from doublecross.bots.api import Limit
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

GAME = DotsAndBoxes({"rows": 3, "cols": 3})


def test_exact_play_gives_nothing_away() -> None:
    found = regret("champion", "rules", GAME, pairs=4, free=18, limit=Limit(nodes=500_000))
    assert found.moves > 20
    assert found.mistakes == ()
    assert found.boxes == found.worst == 0


def test_greedy_play_gives_boxes_away() -> None:
    found = regret("greedy", "rules", GAME, pairs=4, free=None, limit=Limit())
    assert found.boxes >= len(found.mistakes) > 0
    results = {each.changed for each in found.mistakes}
    assert results == {True, False}
    assert 0 < found.worst <= found.boxes
