"""Invalid terms are refused with one sentence; the terms decide who may enter."""

from __future__ import annotations

from typing import Any

import pytest

from server.tournaments.core.errors import TournamentError
from server.tournaments.core.formats.registry import FORMATS as CLASSES
from server.tournaments.core.terms import FORMATS
from tests.server.tournaments.core.hall import make_terms


def test_every_format_of_the_terms_is_implemented() -> None:
    assert tuple(CLASSES) == FORMATS
    for format_ in FORMATS:
        assert make_terms(format_).format == format_


@pytest.mark.parametrize(
    ("format_", "others", "words"),
    [
        ("league", {}, "no format 'league'; choose one of round-robin"),
        ("round-robin", {"tournament_id": ""}, "needs an id"),
        ("round-robin", {"name": "  "}, "needs a name"),
        ("round-robin", {"name": "x" * 65}, "needs a name"),
        ("round-robin", {"game": "chess"}, "no game 'chess'"),
        ("round-robin", {"params": {"rows": 0}}, "Rows of boxes"),
        ("round-robin", {"time": "soon"}, "no time control"),
        ("round-robin", {"openings": ()}, "at least one opening"),
        ("round-robin", {"openings": ((0,), (99,))}, "99"),
        ("round-robin", {"pairs": 0}, "game pairs must be from 1 to 10000, not 0"),
        ("round-robin", {"pairs": True}, "not True"),
        ("round-robin", {"patience": 0}, "patience must be from 1"),
        ("round-robin", {"rounds": 3}, "follows from its players"),
        ("swiss", {"rounds": None}, "needs a number of rounds"),
        ("swiss", {"rounds": 0}, "rounds must be from 1"),
        ("ladder", {"pairs": 2}, "game pairs must be 1"),
        ("knockout", {"late": True}, "cannot be joined late"),
        ("knockout", {"hero": "Ann"}, "Only a gauntlet has a hero"),
        ("round-robin", {"invited": ("Ann", "ann")}, "invited twice"),
        ("round-robin", {"invited": ("Ann",)}, "at least two"),
        ("gauntlet", {"invited": ("Ann", "Bob"), "hero": "Cat"}, "Cat, the hero"),
    ],
)
def test_invalid_terms_are_refused(format_: str, others: dict[str, Any], words: str) -> None:
    with pytest.raises(TournamentError) as caught:
        make_terms(format_, **others)
    sentence = str(caught.value)
    assert words in sentence
    assert sentence.endswith(".")
    assert sentence.count(". ") == 0


def test_the_case_of_invited_names_is_ignored() -> None:
    terms = make_terms("gauntlet", invited=("Ann", "Bob"), hero="ANN")
    assert terms.invites("ann")
    assert not terms.invites("Cat")
    assert make_terms("ladder").invites("Cat")


def test_openings_repeat_when_they_are_used_up() -> None:
    terms = make_terms("round-robin", openings=((1,), (2,)))
    assert [terms.opening(k) for k in range(5)] == [(1,), (2,), (1,), (2,), (1,)]
