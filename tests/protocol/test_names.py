"""Names of players: what they may contain, so that no name looks like another."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from protocol.common import PlayerInfo


@pytest.mark.parametrize(
    "name",
    ["A", "_", "Ann", "Ann-Marie O'Neil Jr. 2", "C++", "Zoë", "Иван", "王小明", "अनिल", "x" * 32],
)
def test_names_of_people_and_programs_are_allowed(name: str) -> None:
    assert PlayerInfo(name=name, kind="human").name == name


@pytest.mark.parametrize(
    "name",
    ["", " Ann", "Ann ", "-Ann", "Ann-", "Ann.", "Ann!", "a/b", "a@b", "<b>", "x" * 33],
)
def test_other_characters_and_lengths_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        PlayerInfo(name=name, kind="human")


@pytest.mark.parametrize(
    "name",
    [
        "Ann  Lee",
        "\uff21nn",  # full-width A
        "Zoe\u0308",  # e and a diaeresis, which look like one letter
        "\ufb01nn",  # a ligature of f and i
        "Ann\u200d",  # zero width joiner
        "A\u200cnn",  # zero width non-joiner
        "Ann\u034f",  # combining grapheme joiner
        "Ann\u115f",  # Hangul filler of a leading consonant
        "Ann\u1160",  # Hangul filler of a vowel
        "Ann\u17b4",  # inherent vowel of Khmer
        "Ann\u180b",  # Mongolian variation selector
        "Ann\u180f",
        "Ann\ufe00",  # variation selector 1
        "Ann\ufe0f",
        "Ann\U000e0100",  # variation selector 17
        "Ann\U000e01ef",
    ],
)
def test_names_that_look_like_others_are_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="look like others"):
        PlayerInfo(name=name, kind="human")
