"""Takebacks: who may ask, what people and bots answer, and what happens to moves and clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from doublecross.protocol.common import MatchSettings, PairTag, TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import CorruptLog, Refused, Repeated
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms import takebacks as state
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import board, board_at, snapshot
from doublecross.server.core.rooms.takeback_commands import answer_takeback, ask_takeback
from doublecross.server.core.rooms.takebacks import ANSWER_MS
from doublecross.server.core.terms import RoomTerms
from tests.server.core.test_replay import stored
from tests.server.playing import ANN, BOB, CAT, T0, TIMES, dots, play

CAPTURES = (0, 2, 4, 1, 5)
"""On 1x2: Ann, Bob, Ann and Bob play, then Ann takes the left box and is to move again."""


def room_of_two(
    settings: MatchSettings | None = None, *, terms: RoomTerms | None = None, bot: bool = False
) -> tuple[Room, list[dict[str, Any]]]:
    """Open a room with Ann and Cat, or the bot Bob, whose programs know takebacks."""
    terms = terms or RoomTerms("r1", settings or dots(), keys=("k-ann", None))
    room, said = Room.open(terms, TIMES, T0)
    said += room.sit(ANN, 0, T0) + room.sit(BOB if bot else CAT, 1, T0)
    room.attendance.connect(0, True)
    room.attendance.connect(1, True)
    room.start_clock(T0)
    return room, said


def refused(room: Room, act: Callable[[], Any]) -> Refused:
    """Check that `act` is refused without changing the room; return the refusal."""
    before = snapshot(room, T0), deadlines.next_due(room)
    with pytest.raises(Refused) as error:
        act()
    assert (snapshot(room, T0), deadlines.next_due(room)) == before
    return error.value


def test_a_person_agrees_and_the_ply_is_played_again() -> None:
    room, _ = room_of_two()
    for action in CAPTURES[:2]:
        play(room, action)
    asked = ask_takeback(room, "Ann", 1, 0, 0, T0)
    assert asked == [
        {"type": "takeback_asked", "room": "r1", "seq": 7, "match": 1, "seat": 0, "ply": 0}
    ]
    assert snapshot(room, T0)["takeback"] == {"seat": 0, "ply": 0}
    said = answer_takeback(room, "Cat", 1, 0, 0, True, T0 + 300)
    assert said == [
        {
            "type": "takeback",
            "room": "r1",
            "seq": 8,
            "match": 1,
            "seat": 0,
            "ply": 0,
            "takebacks": 1,
            "to_move": 0,
            "scores": (0, 0),
            "clock_ms": (10_500 - 300, 10_500),  # Ann was to move, and thought for 300 ms
        }
    ]
    shown = snapshot(room, T0)
    assert (shown["moves"], shown["takebacks"], shown["to_move"]) == ((), 1, 0)
    assert "takeback" not in shown
    assert not room.clock_runs  # it starts once the event is stored
    again = play(room, 3)
    assert (again[0]["ply"], again[0]["takebacks"]) == (0, 1)
    # Both have to move again before the match cannot be called off.
    assert [e["type"] for e in commands.abort(room, "Cat", T0)] == ["match_finished"]


def test_a_bot_agrees_at_once_and_a_capture_can_be_taken_back() -> None:
    room, _ = room_of_two(bot=True)
    for action in CAPTURES:
        play(room, action)
    assert room.match is not None
    assert (room.match.state.scores(), room.match.to_move) == ((1, 0), 0)
    said = ask_takeback(room, "Ann", 1, 4, 0, T0)
    assert [(e["type"], e["ply"], e["scores"]) for e in said] == [("takeback", 4, (0, 0))]
    assert room.match.to_move == 0
    # Ann goes on: her move before, and Bob's after it.
    ask_takeback(room, "Ann", 1, 2, 1, T0)
    assert (snapshot(room, T0)["moves"], room.match.to_move) == ((0, 2), 0)
    assert room.match.takebacks.undone == 3


def test_a_late_move_is_not_played_in_another_position() -> None:
    room, _ = room_of_two(bot=True)
    first = play(room, 0)
    play(room, 2)
    ask_takeback(room, "Ann", 1, 0, 0, T0)

    def move(player: str, ply: int, action: int, takebacks: int | None) -> Callable[[], Any]:
        return lambda: room.move(player, 1, ply, action, None, False, T0, takebacks)

    # Ann's first move was taken back: sent again it is stale, and not played.
    assert refused(room, move("Ann", 0, 0, 0)).code is ErrorCode.STALE_PLY
    assert refused(room, move("Ann", 0, 0, 2)).code is ErrorCode.STALE_PLY
    again = play(room, 3)
    assert again[0]["seq"] == first[0]["seq"] + 3
    # Bob's move was for the position after Ann's first try.
    assert refused(room, move("Bob", 1, 2, 0)).code is ErrorCode.STALE_PLY
    with pytest.raises(Repeated) as repeated:
        move("Ann", 0, 3, 1)()
    assert repeated.value.seq == again[0]["seq"]
    # A client that knows no takebacks means the present position.
    with pytest.raises(Repeated):
        move("Ann", 0, 3, None)()
    assert move("Bob", 1, 2, None)()[0]["type"] == "move"


def test_a_move_before_a_takeback_keeps_its_answer() -> None:
    room, _ = room_of_two(bot=True)
    first = play(room, 0)
    play(room, 2)
    play(room, 3)
    ask_takeback(room, "Ann", 1, 2, 0, T0)
    with pytest.raises(Repeated) as repeated:
        room.move("Ann", 1, 0, 0, None, False, T0, 0)
    assert repeated.value.seq == first[0]["seq"]


def test_requests_that_are_sent_again_are_carried_out_once() -> None:
    room, _ = room_of_two()
    play(room, 0)
    play(room, 2)
    (asked,) = ask_takeback(room, "Ann", 1, 0, 0, T0)
    with pytest.raises(Repeated) as repeated:
        ask_takeback(room, "Ann", 1, 0, 0, T0)
    assert repeated.value.seq == asked["seq"]
    (done,) = answer_takeback(room, "Cat", 1, 0, 0, True, T0)
    for again in (
        lambda: ask_takeback(room, "Ann", 1, 0, 0, T0),
        lambda: answer_takeback(room, "Cat", 1, 0, 0, True, T0),
    ):
        with pytest.raises(Repeated) as repeated:
            again()
        assert repeated.value.seq == done["seq"]
    play(room, 0)
    ask_takeback(room, "Ann", 1, 0, 1, T0)
    (declined,) = answer_takeback(room, "Cat", 1, 0, 1, False, T0)
    assert (declined["type"], declined["seat"]) == ("takeback_declined", 1)
    with pytest.raises(Repeated) as repeated:
        answer_takeback(room, "Cat", 1, 0, 1, False, T0)
    assert repeated.value.seq == declined["seq"]
    late = refused(room, lambda: answer_takeback(room, "Cat", 1, 0, 1, True, T0))
    assert late.code is ErrorCode.WRONG_STATE


def test_a_request_ends_by_a_move_by_its_asker_or_by_itself() -> None:
    room, _ = room_of_two()
    play(room, 0)
    ask_takeback(room, "Ann", 1, 0, 0, T0)
    mine = refused(room, lambda: answer_takeback(room, "Ann", 1, 0, 0, True, T0))
    assert "Your opponent" in mine.sentence
    (ended,) = answer_takeback(room, "Ann", 1, 0, 0, False, T0)
    assert ended["seat"] == 0
    # Not twice in one position: nobody can pester the opponent.
    again = refused(room, lambda: ask_takeback(room, "Ann", 1, 0, 0, T0))
    assert again.sentence == "You have asked already; ask again after the next move."
    play(room, 2)
    ask_takeback(room, "Ann", 1, 0, 0, T0)
    play(room, 3)
    assert "takeback" not in snapshot(room, T0)
    assert refused(room, lambda: answer_takeback(room, "Cat", 1, 0, 0, True, T0))
    play(room, 4)
    ask_takeback(room, "Ann", 1, 2, 0, T0)
    other = refused(room, lambda: ask_takeback(room, "Cat", 1, 3, 0, T0))
    assert "waits for its answer" in other.sentence
    due = deadlines.next_due(room)
    assert due is not None
    assert due <= T0 + ANSWER_MS


def test_nobody_answers_in_time() -> None:
    room, said = room_of_two(dots(time=TimeControl()))
    said += play(room, 0)
    said += ask_takeback(room, "Ann", 1, 0, 0, T0 + 5)
    due = T0 + 5 + ANSWER_MS
    assert deadlines.next_due(room) == due
    assert deadlines.tick(room, due - 1) == []
    (ended,) = deadlines.tick(room, due)
    assert (ended["type"], ended["seat"]) == ("takeback_declined", None)
    again = restore(stored([*said, ended]), TIMES, T0)
    assert snapshot(again, T0)["seq"] == ended["seq"]
    assert "takeback" not in snapshot(again, T0)
    # After a restart the request waits for as long once more.
    waiting = restore(stored(said), TIMES, T0 + 10_000)
    waiting.attendance.connect(0, True)
    waiting.attendance.connect(1, True)
    waiting.start_clock(T0 + 10_000)
    assert deadlines.next_due(waiting) == T0 + 10_000 + ANSWER_MS


def test_who_may_not_ask() -> None:
    room, _ = room_of_two()
    play(room, 0)

    def ask(player: str = "Ann", match: int = 1, ply: int = 0, count: int = 0) -> Refused:
        return refused(room, lambda: ask_takeback(room, player, match, ply, count, T0))

    assert ask("Dan").code is ErrorCode.NOT_SEATED
    assert ask(match=2).code is ErrorCode.STALE_PLY
    assert ask(count=1).code is ErrorCode.STALE_PLY
    assert "a move of your own" in ask(ply=1).sentence
    assert "a move of your own" in ask("Cat").sentence
    room.attendance.connect(1, False)
    assert ask().sentence == "Cat plays with a program without takebacks."
    room.attendance.disconnect(1, T0)
    assert ask().sentence == "Cat is away and cannot agree."
    commands.resign(room, "Cat", T0)
    assert ask().code is ErrorCode.WRONG_STATE


@pytest.mark.parametrize(
    "terms",
    [
        RoomTerms("r1", dots(rated=True)),
        RoomTerms("r1", dots(), tag=PairTag(tournament="t", pairing=0, game=0, attempt=1)),
        RoomTerms("r1", dots(), asked_by="Dan"),
    ],
)
def test_only_casual_matches_have_takebacks(terms: RoomTerms) -> None:
    room, _ = room_of_two(terms=terms, bot=True)
    play(room, 0)
    assert (
        "only in casual" in refused(room, lambda: ask_takeback(room, "Ann", 1, 0, 0, T0)).sentence
    )


def test_bots_ask_for_nothing() -> None:
    room, _ = room_of_two(bot=True)
    play(room, 0)
    play(room, 2)
    assert "Only a person" in refused(room, lambda: ask_takeback(room, "Bob", 1, 1, 0, T0)).sentence


def test_the_number_of_moves_that_are_taken_back_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("doublecross.server.core.rooms.takeback_commands.MAX_UNDONE", 3)
    room, _ = room_of_two(bot=True)
    for count in range(3):
        play(room, 0)
        ask_takeback(room, "Ann", 1, 0, count, T0)
    play(room, 0)
    too_many = refused(room, lambda: ask_takeback(room, "Ann", 1, 0, 3, T0))
    assert too_many.code is ErrorCode.TOO_MANY
    assert state.MAX_UNDONE >= 500


def test_who_is_out_of_time_loses_instead() -> None:
    room, _ = room_of_two()
    play(room, 0)
    play(room, 2)
    ask_takeback(room, "Ann", 1, 0, 0, T0)
    (ended,) = answer_takeback(room, "Cat", 1, 0, 0, True, T0 + 10_501)
    assert (ended["type"], ended["termination"], ended["winner"]) == (
        "match_finished",
        "timeout",
        1,
    )


def test_positions_before_a_takeback_are_still_known() -> None:
    room, _ = room_of_two(bot=True)
    assert room.match is not None
    shown = []
    for action in CAPTURES:
        play(room, action)
        shown.append(board(room.match.state))
    ask_takeback(room, "Ann", 1, 2, 0, T0)
    play(room, 6)
    assert [board_at(room.match, ply + 1, 0) for ply in range(5)] == shown
    assert board_at(room.match, 3, 1) == board(room.match.state) != shown[2]
    assert board_at(room.match, 2, 1) == shown[1]


def test_a_journal_with_an_impossible_takeback_is_corrupt() -> None:
    room, said = room_of_two(bot=True)
    said += play(room, 0) + play(room, 2) + ask_takeback(room, "Ann", 1, 0, 0, T0)
    assert restore(stored(said), TIMES, T0).match is not None
    for change in (
        {"ply": 1},
        {"ply": -1},
        {"ply": 7},
        {"takebacks": 2},
        {"scores": (1, 0)},
        {"seat": 1},
    ):
        with pytest.raises(CorruptLog):
            restore(stored([*said[:-1], {**said[-1], **change}]), TIMES, T0)
    with pytest.raises(CorruptLog):
        restore(stored([*said, {**play(room, 3)[0], "takebacks": 0}]), TIMES, T0)


def test_the_moves_with_which_a_match_began_stay() -> None:
    settings = dots().model_copy(update={"start": (0, 2)})
    room, said = room_of_two(settings)
    assert room.match is not None
    assert room.match.ply == 2
    why = refused(room, lambda: ask_takeback(room, "Ann", 1, 0, 0, T0))
    assert str(why) == "The moves with which this match began stay."
    said += play(room, 4) + ask_takeback(room, "Ann", 1, 2, 0, T0)
    said += answer_takeback(room, "Cat", 1, 2, 0, True, T0)
    assert room.match.ply == 2
    assert room.match.moved == [False, False]
    again = restore(stored(said), TIMES, T0)
    assert again.match is not None
    assert (again.match.ply, again.match.placed, again.match.moved) == (2, 2, [False, False])
