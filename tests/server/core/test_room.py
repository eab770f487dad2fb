"""Rooms: seats, moves, repeated and refused commands, endings, rematches, leaving."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from doublecross.protocol.common import MatchSettings
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused, Repeated
from doublecross.server.core.events import Event
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import snapshot
from doublecross.server.core.terms import RoomTerms, check_settings
from tests.server.playing import (
    BOB,
    T0,
    TIMES,
    dots,
    open_room,
    play,
    play_out,
    room_in_play,
)


def refused(room: Room, act: Callable[[], Any]) -> ErrorCode:
    """Check that `act` is refused without changing the room; return the error code."""
    before = (snapshot(room, T0), deadlines.next_due(room), list(room.attendance.left))
    with pytest.raises(Refused) as error:
        act()
    assert (snapshot(room, T0), deadlines.next_due(room), list(room.attendance.left)) == before
    assert error.value.sentence
    return error.value.code


# -- opening and seats -------------------------------------------------------------------------


def test_the_second_player_takes_the_free_seat_and_the_match_starts() -> None:
    room, _ = open_room()
    said = room.sit(BOB, None, T0 + 7)
    assert [e["type"] for e in said] == ["seated", "match_started"]
    assert said[1] == {
        "type": "match_started",
        "room": "r1",
        "seq": 4,
        "match": 1,
        "players": ("Ann", "Bob"),
        "to_move": 0,
        "clock_ms": (10_000, 10_000),
        "at": T0 + 7,
    }
    assert room.status == "playing"
    assert room.match is not None
    assert room.match.clock.running is None  # The clock starts once the position is stored.


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        (MatchSettings(game="go"), ErrorCode.UNKNOWN_GAME),
        (MatchSettings(game="dots-and-boxes", params={"rows": 0}), ErrorCode.BAD_PARAMETER),
        (MatchSettings(game="dots-and-boxes", params={"x": 1}), ErrorCode.BAD_PARAMETER),
        (MatchSettings(game="tic-tac-toe", opening=(0, 0)), ErrorCode.BAD_PARAMETER),
    ],
)
def test_settings_that_no_game_allows(settings: MatchSettings, code: ErrorCode) -> None:
    with pytest.raises(Refused) as error:
        check_settings(settings)
    assert error.value.code is code
    with pytest.raises(Refused):
        Room.open(RoomTerms("r", settings), TIMES, T0)


# -- moves -------------------------------------------------------------------------------------


def test_a_move_event_has_everything_that_followers_need() -> None:
    room, _ = room_in_play()
    said = room.move("Ann", 1, 0, 4, 1.5, True, T0 + 400)
    assert said == [
        {
            "type": "move",
            "room": "r1",
            "seq": 5,
            "match": 1,
            "ply": 0,
            "seat": 0,
            "action": 4,
            "to_move": 1,
            "scores": (0, 0),
            "clock_ms": (10_500, 10_000),
            "elapsed_ms": 400,
            "expected": 1.5,
            "fallback": True,
        }
    ]
    assert not room.clock_runs
    plain = room.move("Bob", 1, 1, 5, None, False, T0 + 500)[0]
    assert "expected" not in plain
    assert "fallback" not in plain


def test_a_repeated_move_of_a_match_that_is_over_has_its_answer_too() -> None:
    room, _ = room_in_play()
    said = play_out(room)
    last = said[-2]
    mover = room.players[last["seat"]]
    assert mover is not None
    with pytest.raises(Repeated) as repeated:
        room.move(mover.name, 1, last["ply"], last["action"], None, False, T0)
    assert repeated.value.seq == last["seq"]


def test_repeated_moves_across_rematches_point_into_their_own_match() -> None:
    room, _ = room_in_play()
    first = play(room, 4)[0]
    play_out(room)
    commands.offer_rematch(room, "Ann", T0)
    commands.offer_rematch(room, "Bob", T0)
    # Bob has seat 0 now; his move looks like Ann's in the first match.
    again = room.move("Bob", 2, 0, 4, None, False, T0)[0]
    assert again["seat"] == 0
    assert again["seq"] > first["seq"]
    with pytest.raises(Repeated) as repeated:
        room.move("Bob", 2, 0, 4, None, False, T0)
    assert repeated.value.seq == again["seq"]
    code = refused(room, lambda: room.move("Ann", 1, 0, 4, None, False, T0))
    assert code is ErrorCode.STALE_PLY


# -- endings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "winner"), [("Ann", 1), ("Bob", 0)])
def test_who_resigns_loses_whoever_is_to_move(name: str, winner: int) -> None:
    room, _ = room_in_play()
    play(room, 0)
    (over,) = commands.resign(room, name, T0 + 250)
    assert (over["termination"], over["winner"]) == ("resigned", winner)
    assert over["clock_ms"] == (10_500, 9750)


def test_abort_before_the_own_first_move() -> None:
    room, _ = room_in_play()
    play(room, 0)
    (over,) = commands.abort(room, "Bob", T0)
    assert (over["termination"], over["winner"], over["returns"]) == ("aborted", None, (0.0, 0.0))
    assert "Bob" in over["reason"]


def test_a_player_who_left_may_come_back_for_a_rematch() -> None:
    room, _ = room_in_play()
    play_out(room)
    commands.offer_rematch(room, "Ann", T0)
    assert room.leave("Ann", T0) == []
    assert refused(room, lambda: commands.offer_rematch(room, "Bob", T0)) is ErrorCode.WRONG_STATE
    room.attendance.connect(0)
    assert commands.offer_rematch(room, "Bob", T0)[0]["type"] == "match_started"


def test_two_moves_of_one_seat_are_not_both_seats() -> None:
    room, _ = room_in_play(dots(1, 1))
    for action in (0, 1, 2):
        play(room, action)
    # Bob takes the box with the last edge; before that he has moved once, Ann twice.
    assert room.match is not None
    assert room.match.moved == [True, True]
    assert refused(room, lambda: commands.abort(room, "Ann", T0)) is ErrorCode.WRONG_STATE


# -- rematches and leaving ---------------------------------------------------------------------


def test_a_rematch_swaps_the_seats() -> None:
    room, _ = room_in_play()
    play_out(room)
    assert [e["type"] for e in commands.offer_rematch(room, "Bob", T0)] == ["rematch_offered"]
    assert room.rematch == [False, True]
    (started,) = commands.offer_rematch(room, "Ann", T0 + 5)
    assert started["type"] == "match_started"
    assert (started["match"], started["players"]) == (2, ("Bob", "Ann"))
    assert started["clock_ms"] == (10_000, 10_000)
    assert room.rematch == [False, False]
    assert room.seat_of("Bob") == 0
    assert room.game_id == "r1-2"


def test_an_offered_rematch_is_declined_withdrawn_or_lapses() -> None:
    room, _ = room_in_play()
    play_out(room)
    assert refused(room, lambda: commands.decline_rematch(room, "Ann")) is ErrorCode.WRONG_STATE

    def end(by: Callable[[], list[Event]]) -> tuple[object, ...]:
        commands.offer_rematch(room, "Bob", T0)
        (ended,) = by()
        assert room.rematch == [False, False]
        return ended["type"], ended["seat"], ended["outcome"]  # type: ignore[typeddict-item]

    declined = end(lambda: commands.decline_rematch(room, "Ann"))
    assert declined == ("rematch_ended", 1, "declined")
    assert end(lambda: commands.decline_rematch(room, "Bob"))[2] == "withdrawn"
    assert end(lambda: commands.rematch_elsewhere(room, "Bob"))[2] == "elsewhere"
    commands.offer_rematch(room, "Bob", T0)
    assert commands.rematch_elsewhere(room, "Ann") == []
    room.attendance.disconnect(1, T0)
    due = deadlines.next_due(room)
    assert due == T0 + deadlines.REMATCH_AWAY_MS
    assert deadlines.tick(room, due - 1) == []
    room.rematch = [False, False]
    assert end(lambda: deadlines.tick(room, due))[2] == "away"


def test_attendance_follows_the_players_to_their_new_seats() -> None:
    room, _ = room_in_play()
    play_out(room)
    commands.offer_rematch(room, "Bob", T0)
    room.attendance.disconnect(1, T0 + 100)  # Bob
    commands.offer_rematch(room, "Ann", T0 + 200)
    assert room.attendance.connections == [0, 1]
    assert room.attendance.claim_in_ms(0, TIMES.grace_ms, T0 + 200) == 900
    assert room.attendance.claim_in_ms(1, TIMES.grace_ms, T0 + 200) is None


def test_a_disconnected_player_keeps_a_finished_room_open() -> None:
    room, _ = room_in_play()
    room.attendance.disconnect(1, T0)
    commands.claim(room, "Ann", T0 + TIMES.grace_ms)
    assert room.leave("Ann", T0 + 2000) == []
    assert room.status == "finished"
    assert deadlines.next_due(room) == T0 + 2000 + TIMES.away_ms
    room.attendance.connect(1)
    assert room.leave("Bob", T0 + 3000)[0]["type"] == "room_closed"
