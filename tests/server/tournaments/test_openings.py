"""The openings with which a tournament is created, and how its terms are stored."""

from __future__ import annotations

import json
from random import Random

import pytest

from doublecross.games.registry import make_game
from doublecross.server.tournaments.messages import (
    FIRST_OPENINGS,
    find_openings,
    parse_openings,
    parse_terms,
    terms_text,
)
from tests.server.playing import dots
from tests.server.tournaments.world import terms


def board(size: int) -> dict[str, int]:
    return {"rows": size, "cols": size}


@pytest.mark.parametrize("pairs", [3, 100])
def test_a_seed_gives_the_openings_of_a_match_of_so_many_pairs(pairs: int) -> None:
    game = make_game("dots-and-boxes", board(5))
    first, note = find_openings(game, terms(pairs=pairs, seed=9))
    assert first.openings[:pairs] == game.openings(Random(9), pairs).found
    assert len(set(first.openings)) == FIRST_OPENINGS
    assert (first.more, note) == (True, "")


@pytest.mark.parametrize("pairs", [50, 500])
def test_too_few_openings_are_all_known_at_once_and_reported(pairs: int) -> None:
    game = make_game("dots-and-boxes", board(2))
    first, note = find_openings(game, terms(pairs=pairs))
    assert 8 < len(first.openings) < 50
    assert not first.more
    assert f"fewer than the {pairs} wanted" in note
    enough, nothing = find_openings(game, terms(pairs=3))
    assert (set(enough.openings), enough.more, nothing) == (set(first.openings), False, "")


def test_terms_are_read_without_the_openings() -> None:
    given = terms(settings=dots())
    first, _ = find_openings(make_game("dots-and-boxes", board(5)), given)
    text = terms_text(given, first, {})
    assert parse_terms(text) == given
    assert parse_openings(text) == first
    assert parse_terms(text[: text.index("openings")] + "cut") == given


def test_openings_of_version_0_1_are_read_and_more_are_drawn_if_there_were_enough() -> None:
    given = terms(pairs=2).model_dump(mode="json")
    for openings, more in (([[1], [2]], True), ([[1]], False)):
        read = parse_openings(json.dumps({"terms": given, "openings": openings}))
        assert read.openings == tuple(map(tuple, openings))
        assert read.more == more
