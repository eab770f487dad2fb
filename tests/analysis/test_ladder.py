"""The levels as a ladder: which one to try next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from doublecross.analysis.ladder import LevelResults, advice, next_level, results_from_text

LEVELS = ("easy", "medium", "tricky", "hard")


def results(games: str) -> LevelResults:
    found = LevelResults()
    for letter in games:
        found = found.after({"W": 1, "D": 0, "L": -1}[letter])
    return found


@pytest.mark.parametrize(
    ("games", "beaten"),
    [
        ("", False),
        ("W", False),
        ("WW", True),
        ("LLLWW", True),
        ("WLW", False),
        ("WWL", False),
        ("WWLW", True),
        ("WLWW", True),
        ("WWWL", True),
        ("WWWLL", False),
        ("WDWD", False),
        ("WWD", False),
        ("WDWW", True),
    ],
)
def test_two_in_a_row_or_three_of_four_beat_a_level(games: str, beaten: bool) -> None:
    assert results(games).beaten == beaten


def test_the_next_level_is_above_the_strongest_beaten_one() -> None:
    assert next_level(LEVELS, {}) is None
    assert next_level(LEVELS, {"easy": results("WL")}) is None
    assert next_level(LEVELS, {"easy": results("WW")}) == "medium"
    assert next_level(LEVELS, {"easy": results("LL"), "tricky": results("WW")}) == "hard"
    assert next_level(LEVELS, {"hard": results("WW")}) is None
    assert next_level(LEVELS, {"gone": results("WW")}) is None


def said(level: str, levels: Sequence[str], kept: Mapping[str, LevelResults]) -> str:
    return " ".join(map(str, advice(level, levels, kept)))


def test_what_is_said_where_a_level_is_chosen() -> None:
    kept = {"easy": results("LWW"), "medium": results("WLWW"), "tricky": results("LD")}
    assert (
        said("medium", LEVELS, kept) == "Your score against medium: 3 won, 1 lost. Try tricky next."
    )
    assert said("easy", LEVELS, kept) == "Your score against easy: 2 won, 1 lost. Try tricky next."
    assert said("tricky", LEVELS, kept) == (
        "Your score against tricky: 0 won, 1 drawn, 1 lost. This is your next level."
    )
    assert said("hard", LEVELS, kept) == ""
    assert said("hard", LEVELS, {"tricky": results("WW")}) == "This is your next level."
    assert (
        said("easy", LEVELS, {"easy": results("LDD")})
        == "Your score against easy: 0 won, 2 drawn, 1 lost."
    )
    assert said("mcts", LEVELS, kept) == ""


def test_results_survive_as_text() -> None:
    for games in ("", "W", "WDL", "WWLWDLLW"):
        found = results(games)
        assert results_from_text(found.to_text()) == found
        assert found.recent == games[-4:]
        assert found.played == len(games)


@pytest.mark.parametrize("text", ["", "3 0 1", "3 0 1 WX", "1 0 0 WW", "-1 0 0 ", "0 0 1 LLLLL"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):
        results_from_text(text)
