"""Tests for what a ladder asks of its bots."""

from __future__ import annotations

import pytest

from doublecross.bots.hosting.ladder import games_each


@pytest.mark.parametrize(
    ("at_once", "bots", "each"), [(1, 2, 1), (2, 2, 2), (16, 4, 8), (3, 4, 2), (2, 9, 1)]
)
def test_each_bot_plays_enough_games_at_once(at_once: int, bots: int, each: int) -> None:
    assert games_each(at_once, bots) == each
