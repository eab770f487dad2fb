"""The checks of the fault programs notice what they are there for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from doublecross.games.record import Record, RecordedMove, format_record
from doublecross.protocol.client_messages import Resume
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Failed, MoveMade, RoomEvent, ServerMessage
from tests.cluster.faults.book import Book, wrong_ratings
from tests.cluster.faults.players import Player
from tests.fakes.rooms import FakeRoom, room_in_play

GAME = "r1-1"
FIRST = 4
"""The place of the first move among all events."""


def record(*actions: int) -> str:
    moves = tuple(map(RecordedMove, actions))
    game = FakeRoom().game
    return format_record(Record(game, ("Ann", "Bob"), moves, result="0-1", termination="completed"))


RECORD = record(*range(7))
ROW = {"game_id": GAME, "record": RECORD, "score_0": 0, "score_1": 2}


def whole_room() -> FakeRoom:
    """Return a room in which a match on 1x2 boxes was played."""
    room = room_in_play()
    for action in range(7):
        room.play(action)
    room.finish()
    return room


def hear(*messages: ServerMessage | RoomEvent, book: Book | None = None) -> list[str]:
    """Let Ann hear messages, after the state of a room in which nobody has moved yet."""
    book = book or Book()
    ann = Player("Ann", ["ws://localhost:1"], book, Random(1), lambda _: None)
    for message in (room_in_play().room_state(), *messages):
        ann.hear(message, 0.0)  # type: ignore[arg-type]
    book.check_promises()
    return book.faults


async def test_a_whole_match_is_right() -> None:
    room, book = whole_room(), Book()
    moves = [event for event in room.events if isinstance(event, MoveMade)]
    for move in moves:
        book.acknowledged("r1", 1, move.ply, move.action, move)
    again = moves[3].model_copy(update={"id": 5})
    assert hear(*room.events[FIRST:], again, room.room_state(), book=book) == []
    book.check_stored([ROW])
    assert (book.faults, book.moves, book.ended()) == ([], 7, {GAME})


def changed(number: int, **fields: Any) -> Callable[[Sequence[RoomEvent]], list[RoomEvent]]:
    return lambda told: [
        *told[:number],
        told[number].model_copy(update=fields),
        *told[number + 1 :],
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda told: [*told, told[2]], "Ann knows 12 events and got again"),
        (lambda told: [*told, told[2].model_copy(update={"action": 6})], "and others"),
        (changed(3, action=2), "knows 7 events of r1, which contradict this"),
        (changed(3, ply=4), "which contradict this"),
        (changed(2, seat=1), "which contradict this"),
        (changed(5, to_move=0), "which contradict this"),
        (changed(7, scores=(2, 0)), "which contradict this"),
        (changed(7, termination="void"), "before its last move"),
        (changed(0, room="r2"), "a room that it does not follow"),
    ],
)
async def test_wrong_events(
    change: Callable[[Sequence[RoomEvent]], list[RoomEvent]], sentence: str
) -> None:
    assert any(sentence in found for found in hear(*change(whole_room().events[FIRST:])))


async def test_wrong_rooms() -> None:
    room = whole_room()
    early, events = room_in_play().room_state(), room.events[FIRST:]
    other = early.model_copy(update={"seat": None})
    assert any("as if it were somebody else" in found for found in hear(other))
    assert any("and was shown" in found for found in hear(*events, early))
    holes = early.model_copy(update={"snapshot": None, "events": tuple(events[1:])})
    assert any("resumed r1 at 4 and got" in found for found in hear(holes))
    book = Book()
    ann = Player("Ann", ["ws://localhost:1"], book, Random(1), lambda _: None)
    ann.hear(early, 0.0)
    gone = Failed(id=1, code=ErrorCode.UNKNOWN_ROOM, message="There is no room r1.", phrase=None)
    ann.hear(gone, 0.0, Resume(id=1, room="r1", seq=4))
    assert any("cannot follow r1 any more" in found for found in book.faults)


async def test_broken_promises() -> None:
    move, other = room_in_play().play(0), room_in_play().play(1)
    assert isinstance(move, MoveMade)
    assert isinstance(other, MoveMade)
    for ply, told, sentence in (
        (0, [], "acknowledged, and there is None"),
        (0, [other], "acknowledged, and there is 1"),
        (1, [move], "at ply 1 of r1-1 was answered"),
    ):
        book = Book()
        book.acknowledged("r1", 1, ply, 0, move)
        assert any(sentence in found for found in hear(*told, book=book))
    book.acknowledged("r1", 1, 1, 6, move)
    assert any("Two moves were acknowledged" in found for found in book.faults)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "is not stored"),
        ([ROW | {"record": record(1, 0, *range(2, 7))}], "has the moves [1, 0, 2"),
        ([ROW | {"record": RECORD.replace("d3", "b3")}], "cannot be read"),
        ([ROW | {"score_1": 1}], "other scores"),
    ],
)
async def test_wrong_records(rows: list[dict[str, Any]], sentence: str) -> None:
    book = Book()
    hear(*whole_room().events[FIRST:], book=book)
    book.check_stored(rows)
    assert any(sentence in found for found in book.faults)


def test_tournaments_and_ratings() -> None:
    row = {"tournament_id": "t", "termination": "completed", "pairing": 0, "rated": True}
    row |= {"player_0": "Ann", "player_1": "Ben", "pair_game": 0}
    both = [row, row | {"pair_game": 1}]
    void = row | {"termination": "void"}
    for rows, right in ((([*both, void]), True), (both[:1], False), ([*both, row], False)):
        book = Book()
        book.check_tournaments(rows, {"t": 2})
        assert (book.faults == []) == right
    for games, right in ((2, True), (1, False), (3, False)):
        assert (wrong_ratings([*both, void], {"Ann": games}) == []) == right
