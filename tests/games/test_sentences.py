"""Sentences about the end of a game, and the initials of its players."""

from __future__ import annotations

import pytest

from doublecross.games.sentences import initials


@pytest.mark.parametrize(
    ("first", "second", "letters"),
    [
        ("Ann", "Bob", ("A", "B")),
        ("ann", "bob", ("A", "B")),
        ("Ann", "Abe", ("An", "Ab")),
        ("medium", "medusa", ("Mi", "Mu")),
        ("A b", "A c", ("Ab", "Ac")),
        ("easy", "easy-2", ("E1", "E2")),
        ("Ann", "ANNA", ("A1", "A2")),
        ("A", "Ab", ("A1", "A2")),
        ("Émile", "Erik", ("É", "E")),
        ("Ann", "Ann", ("A1", "A2")),
    ],
)
def test_initials_tell_two_players_apart(first: str, second: str, letters: tuple[str, str]) -> None:
    assert initials(first, second) == letters
