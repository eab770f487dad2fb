"""Tests for the specs of the bots that a server keeps, and for their names."""

from __future__ import annotations

import pytest

from doublecross.bots.api import BotError
from doublecross.bots.hosting.check import names_of
from doublecross.bots.hosting.orders import split_specs


@pytest.mark.parametrize(
    ("texts", "specs"),
    [
        ((), ()),
        (("",), ()),
        (("easy",), ("easy",)),
        (("easy,medium; hard ,perfect",), ("easy", "medium", "hard", "perfect")),
        (("easy", "hard,perfect"), ("easy", "hard", "perfect")),
        (("easy,", "hard"), ("easy", "hard")),  # "easy, hard" of a variable comes like this
        (("mcts:c=1.4,simulations=100",), ("mcts:c=1.4,simulations=100",)),
        (("mcts:c=1.4, simulations = 9,easy",), ("mcts:c=1.4, simulations = 9", "easy")),
        (("mcts:c=1.4;mcts:c=2,seed=1;easy",), ("mcts:c=1.4", "mcts:c=2,seed=1", "easy")),
        (
            ("my.bots:Careful:n=0.1,seed=2,easy",),
            ("my.bots:Careful:n=0.1,seed=2", "easy"),
        ),
        (("easy,my.bots:Careful:nerves=0.1",), ("easy", "my.bots:Careful:nerves=0.1")),
    ],
)
def test_specs_are_split_at_separators(texts: tuple[str, ...], specs: tuple[str, ...]) -> None:
    assert split_specs(texts) == specs


def test_bots_of_the_same_name_get_numbers() -> None:
    assert names_of(["rules", "greedy", "rules:seed=3", "rules"]) == [
        "rules",
        "greedy",
        "rules-2",
        "rules-3",
    ]
    assert names_of(["tests.bots.bad_bots:Counts"]) == ["counts"]
    with pytest.raises(BotError, match="too many bots"):
        names_of(["rules"] * 100)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("nobody", "There is no bot 'nobody'"),
        ("rules:deep=3", "no option 'deep'"),
        ("rules,seed=3", "There is no bot 'rules,seed=3'"),
        ("rules:seed=x", "whole number"),
        ("no.such:Bot", "cannot be loaded"),
        ("tests.bots.bad_bots:Abstract", "does not define choose"),
    ],
)
def test_unknown_bots_are_refused(spec: str, says: str) -> None:
    with pytest.raises(BotError, match=says):
        names_of(split_specs(["greedy", spec]))
