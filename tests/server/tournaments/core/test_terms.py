"""Invalid terms are refused with one sentence; the terms decide who may enter."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.server.core.errors import Refused
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.core.formats.registry import FORMATS as CLASSES
from doublecross.server.tournaments.core.openings import OpeningStock
from doublecross.server.tournaments.core.terms import FORMATS
from tests.server.tournaments.core.simulated_server import OPENINGS, make_terms


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
    with pytest.raises(Refused) as caught:
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


@pytest.mark.parametrize(
    ("format_", "keys"),
    [("knockout", ["sonneborn-berger"]), ("round-robin", ["buchholz"]), ("swiss", ["net", "net"])],
)
def test_tie_breaks_that_a_format_does_not_have_are_refused(format_: str, keys: list[str]) -> None:
    with pytest.raises(Refused, match="tie-break"):
        make_terms(format_, tie_breaks=tuple(keys))


def test_openings_repeat_when_they_are_used_up() -> None:
    stock = OpeningStock(make_terms("round-robin", openings=((1,), (2,))))
    numbers = [stock.number_of(k) for k in range(5)]
    assert [stock.opening(number) for number in numbers] == [(1,), (2,), (1,), (2,), (1,)]


def stock_of(size: int, **terms: object) -> OpeningStock:
    params = {"rows": size, "cols": size}
    return OpeningStock(make_terms("ladder", params=params, more_openings=True, **terms))


def test_more_openings_are_drawn_by_seed_and_number_and_none_twice() -> None:
    stock = stock_of(5, seed=7)
    openings = [stock.opening(stock.number_of(k)) for k in range(40)]
    assert len(set(openings)) == 40
    assert openings[:5] == list(OPENINGS)
    again = stock_of(5, seed=7)
    for k in range(30):
        again.learn(k, openings[k])
    assert [again.opening(again.number_of(k)) for k in range(40)] == openings
    other = stock_of(5, seed=8)
    assert other.opening(other.number_of(39)) != openings[39]


def test_openings_repeat_when_the_game_has_hardly_any_more() -> None:
    stock = stock_of(2, openings=((0, 5),))
    numbers = [stock.number_of(k) for k in range(60)]
    different = len(set(numbers))
    assert 8 < different < 60
    assert numbers == [k % different for k in range(60)]


def test_a_stored_opening_that_does_not_follow_is_refused() -> None:
    stock = stock_of(5)
    for number, opening in ((-1, (9,)), (0, (9,))):
        with pytest.raises(CorruptTournament):
            stock.learn(number, opening)
