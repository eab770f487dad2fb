"""The checks of the failure tests notice what they are there for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.games.registry import make_game
from tests.cluster.faults.book import Book, Message, check_tournaments, wrong_ratings

ROOM = "aaabroom"
GAME = make_game("dots-and-boxes", {"rows": 1, "cols": 2})


def record(*actions: int) -> str:
    moves = tuple(map(RecordedMove, actions))
    return format_record(Record(GAME, ("Ann", "Ben"), moves, result="0-1", termination="completed"))


RECORD = record(*range(7))
ROW = {"game_id": f"{ROOM}-1", "record": RECORD, "score_0": 0, "score_1": 2}


def events() -> list[Message]:
    """Return the moves of a match on 1x2 boxes, and its end."""
    state = GAME.initial_state()
    found: list[Message] = []
    for ply in range(7):
        move = {"type": "move", "room": ROOM, "seq": 5 + ply, "match": 1, "ply": ply}
        move |= {"seat": state.current_player(), "action": ply}
        state.apply(ply)
        to_move = None if state.is_terminal() else state.current_player()
        found.append({**move, "to_move": to_move, "scores": state.scores()})
    end = {"type": "match_finished", "room": ROOM, "seq": 12, "match": 1, "game_id": f"{ROOM}-1"}
    return [*found, {**end, "termination": "completed", "scores": (0, 2)}]


def check(told: list[Message], promised: list[Message], rows: list[dict[str, Any]]) -> list[str]:
    book = Book()
    for event in told:
        book.told("Ann", event)
    for event in promised:
        request = {name: event[name] for name in ("room", "match", "ply", "action")}
        book.acknowledged("Ann", request, event)
    book.check_rules({ROOM: (1, 2)}, {ROOM: ()})
    book.check_promises()
    book.check_stored(rows)
    return book.faults


def test_a_whole_match_is_right() -> None:
    found = events()
    assert check([*found, {**found[3], "id": 5}], found[:7], [ROW]) == []
    # What nobody was told may follow from a snapshot.
    book = Book()
    book.shown({"moves": range(7), "match": 1, "status": "finished", "scores": (0, 2)}, ROOM)
    assert book.check_rules({ROOM: (1, 2)}, {ROOM: ()}) == 7
    book.check_stored([ROW])
    assert book.faults == []


def changed(number: int, **fields: Any) -> Callable[[list[Message]], list[Message]]:
    return lambda told: [*told[:number], told[number] | fields, *told[number + 1 :]]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda told: told[:3] + told[4:], "has no move at ply 3"),
        (lambda told: [*told, told[2] | {"action": 6}], "and others"),
        (lambda told: [*told, told[2] | {"seq": 13}], "Two events"),
        (lambda told: [*told, told[2] | {"seq": 13, "action": 6}], "has the moves 2 and 6"),
        (changed(3, action=2), "has an illegal move at ply 3"),
        (changed(2, seat=1), "by the rules seat 0 moves"),
        (changed(5, to_move=0), "by the rules seat 1 moves, then 1"),
        (changed(7, scores=(2, 0)), "has ended with"),
        (changed(7, termination="void"), "before its last gateway"),
    ],
)
def test_wrong_stories(change: Callable[[list[Message]], list[Message]], sentence: str) -> None:
    assert any(sentence in found for found in check(change(events()), [], [ROW]))


def test_broken_promises() -> None:
    told = events()
    lost = told[:4]
    assert any("acknowledged, and there is None" in f for f in check(lost, told[:5], []))
    assert any(
        "promised two moves" in f for f in check(told, [told[0], told[0] | {"action": 6}], [])
    )
    book = Book()
    book.acknowledged("Ann", {"room": ROOM, "match": 1, "ply": 0, "action": 1}, told[0])
    assert "was answered" in book.faults[0]


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "is not stored"),
        ([ROW | {"record": record(1, 0, *range(2, 7))}], "has the moves [1, 0, 2"),
        ([ROW | {"record": RECORD.replace("d3", "b3")}], "cannot be read"),
        ([ROW | {"score_1": 1}], "other scores"),
    ],
)
def test_wrong_records(rows: list[dict[str, Any]], sentence: str) -> None:
    assert any(sentence in found for found in check(events(), [], rows))


def test_tournaments_and_ratings() -> None:
    row = {"tournament_id": "t", "termination": "completed", "pairing": 0, "rated": True}
    row |= {"player_0": "Ann", "player_1": "Ben", "pair_game": 0}
    both = [row, row | {"pair_game": 1}]
    void = row | {"termination": "void"}
    for rows, right in ((([*both, void]), True), (both[:1], False), ([*both, row], False)):
        book = Book()
        check_tournaments(book, rows, {"t": 2})
        assert (book.faults == []) == right
    for games, right in ((2, True), (1, False), (3, False)):
        wrong = wrong_ratings([*both, void], [{"player": "Ann", "games": games}])
        assert (wrong == []) == right
