"""Sentences about positions: long chains, the long chain rule, and the controlled value."""

from __future__ import annotations

import numpy as np
import pytest

from doublecross.analysis.sentences.position import controlled_value, say_position
from doublecross.bots.search.exact.endgame import control_value
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.registry import make_game


def rules(state: State) -> list[str]:
    return [phrase.rule for phrase in say_position(state)]


def test_only_dots_and_boxes_has_sentences() -> None:
    assert say_position(make_game("nim", {}).initial_state()) == []


def test_the_rule_counts_dots_and_the_edges_of_the_opening() -> None:
    # 16 dots: who moves first wants an even number of long chains.
    square = DotsAndBoxes({"rows": 3, "cols": 3})
    assert rules(square.initial_state()) == ["no-long-chain", "first-wants-even"]
    assert rules(square.initial_state([0])) == ["no-long-chain", "first-wants-odd"]
    assert rules(DotsAndBoxes({"rows": 2, "cols": 2}).initial_state())[-1] == "first-wants-odd"


def test_an_endgame_of_chains_has_its_value() -> None:
    # Three boxes in a row, of which only the ends of the row and the edges between are free.
    row = DotsAndBoxes({"rows": 1, "cols": 3})
    state = row.replay((), (0, 1, 2, 3, 4, 5))
    assert [*map(str, say_position(state))][::2] == [
        "There is 1 long chain.",
        "Only chains and loops are left. Their controlled value is 3: who must open the first gets"
        " 3 boxes fewer.",
    ]
    state.apply(6)
    assert rules(state) == ["boxes-to-take", "no-long-chain", "first-wants-even"]


@pytest.mark.parametrize(
    ("chains", "loops"), [([], []), ([3], []), ([1, 2, 5], []), ([3, 4], [4, 8]), ([], [6, 4])]
)
def test_the_value_is_that_of_the_search(chains: list[int], loops: list[int]) -> None:
    work = np.zeros(len(loops) + 1, np.int64)
    lists = [np.array(sorted(each), np.int64) for each in (chains, loops)]
    found = control_value(lists[0], len(chains), lists[1], len(loops), work)
    assert controlled_value(chains, loops) == found
