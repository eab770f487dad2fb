"""Conditional moves: which plans are allowed, what the server plays, and when a plan ends."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.common import DAY_MS, TimeControl
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms.plans import Lines, Plan, Plans, left_of, make_plan, play_answers
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.takeback_commands import answer_takeback, ask_takeback
from tests.server.core.test_replay import stored
from tests.server.core.test_takebacks import CAPTURES, room_of_two
from tests.server.playing import T0, TIMES, dots, play

DAYS = dots(time=TimeControl(move_ms=DAY_MS))


def room_by_days(*actions: int) -> tuple[Room, list[dict[str, Any]]]:
    """Open a room with Ann and Cat in which these actions were played."""
    room, said = room_of_two(DAYS)
    for action in actions:
        said += play(room, action)
    return room, said


def plan(room: Room, *lines: tuple[int, ...], player: str = "Ann") -> Plans:
    """Return the plans in a room in which one player has planned."""
    assert room.match is not None
    made = Plan(room.match_number, room.match.ply, room.match.takebacks.count, lines)
    plans: Plans = [None, None]
    plans[make_plan(room, player, made)] = made
    return plans


def left(room: Room, plans: Plans) -> tuple[Lines, Lines]:
    return left_of(plans[0], room), left_of(plans[1], room)


def test_the_answers_of_a_line_are_played_with_all_moves_of_a_turn() -> None:
    room, said = room_by_days(0)
    # After the opponent's second move Ann completes a box, so she has two moves in a row.
    plans = plan(room, (*CAPTURES[1:], 3), (2, 4, 3, 5, 1), (6, 1))
    assert play_answers(room, plans, T0) == []  # Cat is to move
    said += play(room, 2)
    answer = play_answers(room, plans, T0 + 7)
    as_usual = room_by_days(0, 2)[0].move("Ann", 1, 2, 4, None, False, T0)
    assert answer == [{**as_usual[0], "elapsed_ms": 7}]
    assert left(room, plans) == (((1, 5, 3), (3, 5, 1)), ())
    said += answer
    # The stored events alone bring the same position, in which the same plan holds.
    again = restore(stored(said), TIMES, T0)
    assert left(again, plans) == left(room, plans)
    for each in (room, again):
        play(each, 1)
        played = [(event["seat"], event["action"]) for event in play_answers(each, plans, T0)]
        assert played == [(0, 5), (0, 3)]
        assert left(each, plans) == ((), ())


def test_a_plan_ends_with_any_other_move() -> None:
    room, _ = room_by_days(0)
    plans = plan(room, (2, 4, 1, 5))
    play(room, 6)
    assert (play_answers(room, plans, T0), left(room, plans)) == ([], ((), ()))


def test_two_plans_meet_and_end_the_match() -> None:
    room, _ = room_by_days(0)
    plans = plan(room, (2, 4, 1, 5, 3))
    play(room, 2)
    plans[1] = plan(room, (4, 1, 5, 3, 6), player="Cat")[1]
    said = play_answers(room, plans, T0)
    assert [event.get("action") for event in said] == [4, 1, 5, 3, 6, None]
    assert said[-1]["type"] == "match_finished"
    assert left(room, plans) == ((), ())


@pytest.mark.parametrize("end", ["takeback", "resign", "rematch"])
def test_a_plan_ends_with_a_takeback_and_with_its_match(end: str) -> None:
    room, _ = room_by_days(0)
    plans = plan(room, (2, 4))
    if end == "takeback":
        ask_takeback(room, "Ann", 1, 0, 0, T0)
        answer_takeback(room, "Cat", 1, 0, 0, True, T0)
        play(room, 0)
    else:
        commands.resign(room, "Cat", T0)
    if end == "rematch":
        commands.offer_rematch(room, "Ann", T0)
        commands.offer_rematch(room, "Cat", T0)
        play(room, 0)
    assert left(room, plans) == ((), ())
    if end != "resign":
        play(room, 2)
    assert play_answers(room, plans, T0) == []


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([(2, 4), (2, 4, 0, 1)], "Move 3 of line 2 is illegal: Edge b3 is drawn already."),
        ([(2, 99)], "Move 2 of line 1 is illegal: "),
        ([(2, 4), (2, 5)], "Line 2 answers the same moves in another way than a line before."),
        ([(2, 4), (6,)], "Line 2 must end with a move of yours."),
        # Ann takes a box, Cat the last one.
        ([(2, 4, 1, 5, 3, 6)], "Line 1 must end with a move of yours."),
    ],
)
def test_a_line_that_cannot_be_played_is_refused(
    lines: list[tuple[int, ...]], sentence: str
) -> None:
    room, _ = room_by_days(0)
    with pytest.raises(Refused) as error:
        plan(room, *lines)
    assert str(error.value.sentence).startswith(sentence)


def test_who_may_plan_and_when() -> None:
    room, _ = room_by_days(0)
    fast, _ = room_of_two()
    over, _ = room_by_days(0)
    commands.resign(over, "Ann", T0)
    for where, player, ply, sentence in (
        (room, "Eve", 1, "Only a player of this room can do that."),
        (room, "Cat", 1, "It is your turn: play now, and plan the next moves after that."),
        (room, "Ann", 2, "The position has changed; plan your moves again."),
        (fast, "Cat", 0, "Moves can be planned only in games by days."),
        (over, "Ann", 1, "No match is in play; the room is finished."),
    ):
        with pytest.raises(Refused) as error:
            make_plan(where, player, Plan(1, ply, 0, ((2, 4),)))
        assert str(error.value.sentence) == sentence
