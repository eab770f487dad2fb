"""Check the remark about the rating after a match, without a server."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.rating import RatingChange, RatingNote, RatingRequest
from tests.client.tk.models.rooms import SeenRoom, settings

ASKED = RatingRequest("Ann", "dots-and-boxes", "2x2", 1)


def answer(*points: float, **other: Any) -> dict[str, Any]:
    """Return a rating as HTTP lists it, with the ratings after each match."""
    pool = {"game": "dots-and-boxes", "size": "2x2", "engine": "", "provisional": True}
    return {**pool, "history": [[at, rating] for at, rating in enumerate(points)], **other}


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (answer(1662.2), "Your first rating: 1662?."),
        (answer(1662.2, 1500.0), "Your rating: 1500? (-162)."),
        (answer(1500.4, 1511.6, provisional=False), "Your rating: 1512 (+12)."),
        (answer(1500.4, 1500.1), "Your rating: 1500? (0)."),
    ],
)
def test_the_change_in_words(found: dict[str, Any], line: str) -> None:
    others = [answer(1.0, size="5x5"), answer(1.0, engine="mcts"), answer(1.0, game="nim")]
    assert RatingChange.parse([*others, found], ASKED).line == line


@pytest.mark.parametrize("found", [[], [answer()], [{}], [answer(size="5x5")]])
def test_a_list_without_the_rating_is_refused(found: list[dict[str, Any]]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        RatingChange.parse(found, ASKED)


def test_the_rating_is_requested_once_after_each_match_that_counts() -> None:
    room = SeenRoom(settings(rated=True))
    model = RoomModel(room.seen())
    note = RatingNote(model)
    assert note.due() is None
    assert note.line == ""
    room.end()
    model.take(room.seen())
    assert note.due() == ASKED
    assert note.due() is None
    assert note.line == "This match counts for your rating."
    assert note.take(ASKED, None)
    assert note.line == "Your new rating is shown in the lobby."
    assert note.take(ASKED, RatingChange(1512.0, 1500.0, provisional=False))
    assert note.line == "Your rating: 1512 (+12)."
    room.start()
    model.take(room.seen())
    assert note.line == ""
    room.end()
    model.take(room.seen())
    again = note.due()
    assert again is not None
    assert again.match == 2
    assert not note.take(ASKED, RatingChange(1.0, None, provisional=True))  # it came too late
    assert note.line == "This match counts for your rating."


def test_casual_matches_and_those_of_others_have_no_remark() -> None:
    for room, me in ((SeenRoom(), None), (SeenRoom(settings(rated=True)), "Zoe")):
        room.end()
        note = RatingNote(RoomModel(room.seen(me=me)))
        assert note.due() is None
        assert note.line == ""
    game = SeenRoom(settings(rated=True))
    game.end()
    assert RatingNote(RoomModel(game.seen(tournament="t1"))).due() is None
    assert RatingNote(RoomModel(game.seen())).due() is not None
    room = SeenRoom(settings(rated=True))
    room.finish("aborted", None)
    assert RatingNote(RoomModel(room.seen())).due() is None
