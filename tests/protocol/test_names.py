"""Names of players: what they may contain, so that no name looks like another."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from doublecross.protocol.common import PlayerInfo


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
    ],
)
def test_names_that_look_like_others_are_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="look like others"):
        PlayerInfo(name=name, kind="human")


@pytest.mark.parametrize("mark", ["\u034f", "\u1160", "\ufe0f", "\U000e0100"])
def test_stored_names_with_invisible_marks_stay_valid(mark: str) -> None:
    # The server refuses them only for new players: `doublecross.server.shell.identity.names`.
    assert PlayerInfo(name=f"Ann{mark}", kind="human").name == f"Ann{mark}"
