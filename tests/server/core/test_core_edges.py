"""Check single values of the core that other tests leave open: limits, deadlines, logs, ratings."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from doublecross.games.registry import make_game
from doublecross.protocol.common import PairTag, TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.limits import ServerLimits
from doublecross.server.core.rating_book import RatedGame, RatingBook
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.attendance import Attendance
from doublecross.server.core.rooms.match import Match, MatchEnd, ThinkingTime
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from doublecross.stats.glicko2 import Glicko, update
from tests.server.playing import ANN, BOB, CLOCKED, T0, TIMES, dots, play, room_in_play

TAG = PairTag(tournament="t1", pairing=4, game=0, attempt=1)


def tournament_room(time: TimeControl = CLOCKED, times: RoomTimes = TIMES) -> Room:
    room, _ = Room.open(RoomTerms("r1", dots(rated=True, time=time), tag=TAG), times, T0)
    room.sit(ANN, 0, T0)
    room.sit(BOB, 1, T0)
    room.attendance.connect(0)
    room.attendance.connect(1)
    room.start_clock(T0)
    return room


def test_a_room_is_public_unless_its_terms_say_otherwise() -> None:
    _, (created,) = Room.open(RoomTerms("r1", dots()), TIMES, T0)
    assert (created["private"], created["code"]) == (False, None)


# -- limits ------------------------------------------------------------------------------------


def test_the_default_limits_of_a_server() -> None:
    assert ServerLimits() == ServerLimits(
        500.0, 500, 200, 2.0, 20_000, 256, 64, 1024, 10_000, 256, 32
    )
    assert RoomTimes() == RoomTimes(30_000, 1_800_000, 300_000, 600_000, 30_000)
    assert commands.MAX_MATCHES == 50


# -- deadlines ---------------------------------------------------------------------------------


def test_an_absence_from_a_tournament_is_due_before_the_flag() -> None:
    room = tournament_room()
    room.attendance.disconnect(1, T0 + 100)
    assert deadlines.next_due(room) == T0 + 1100


def test_a_flag_is_due_before_an_absence_from_a_tournament() -> None:
    room = tournament_room(TimeControl(base_ms=500))
    room.attendance.disconnect(1, T0 + 100)
    assert deadlines.next_due(room) == T0 + 501


def test_a_match_that_both_have_left_is_due_before_the_flag() -> None:
    room, _ = room_in_play()
    room.attendance.disconnect(0, T0)
    room.attendance.disconnect(1, T0 + 10)
    assert deadlines.next_due(room) == T0 + 5010


def test_a_room_stays_a_minute_after_its_game_of_a_tournament() -> None:
    times = RoomTimes(linger_ms=600_000, away_ms=900_000)
    room = tournament_room(times=times)
    commands.resign(room, "Ann", T0)
    assert deadlines.next_due(room) == T0 + 60_000
    assert deadlines.tick(room, T0 + 59_999) == []
    assert deadlines.tick(room, T0 + 60_000)
    brief = tournament_room(times=RoomTimes(linger_ms=5_000))
    commands.resign(brief, "Ann", T0)
    assert deadlines.next_due(brief) == T0 + 5_000


def test_seats_of_a_new_room_wait_for_nothing() -> None:
    assert Attendance(5).ready == [True, True]


# -- matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize("termination", ["aborted", "void"])
def test_a_match_without_a_result_has_no_winner(termination: Any) -> None:
    match = Match(make_game("tic-tac-toe"), (), TimeControl())
    assert match.moved == [False, False]
    end = match.finish(termination, 1, "", 0)
    assert end == MatchEnd(termination, None, (0.0, 0.0), (0, 0), "")
    assert end.text == "*"


def test_the_time_of_each_seat_is_summed() -> None:
    room, _ = room_in_play()
    play(room, 0, T0 + 50)
    play(room, 2, T0 + 80)
    play(room, 4, T0 + 90)
    assert room.match is not None
    assert room.match.thought == (ThinkingTime(2, 60, 50), ThinkingTime(1, 30, 30))


def test_an_illegal_action_loses_a_game_of_a_tournament_and_a_late_ply_does_not() -> None:
    room = tournament_room()
    with pytest.raises(Refused) as refused:
        room.move("Ann", 1, 5, 0, None, False, T0)
    assert refused.value.code is ErrorCode.STALE_PLY
    assert room.status == "playing"
    (event,) = room.move("Ann", 1, 0, 999, None, False, T0)
    assert (event["type"], event["termination"], event["winner"]) == (  # type: ignore[typeddict-item]
        "match_finished",
        "illegal",
        1,
    )


def test_who_has_left_a_room() -> None:
    room, _ = room_in_play()
    commands.resign(room, "Ann", T0)
    assert not room.left_by("Ann")
    assert not room.left_by("Stranger")
    room.attendance.leave(0, T0)
    assert room.left_by("Ann")
    assert not room.left_by("Bob")


# -- logs --------------------------------------------------------------------------------------


def log() -> list[dict[str, Any]]:
    room, said = room_in_play()
    said += play(room, 0, T0 + 50)
    said += play(room, 2, T0 + 80)
    return copy.deepcopy(said)


def test_a_restored_match_knows_what_its_moves_took() -> None:
    room = restore(log(), TIMES, T0)
    assert room.match is not None
    assert room.match.thought == (ThinkingTime(1, 50, 50), ThinkingTime(1, 30, 30))


# -- ratings -----------------------------------------------------------------------------------


def test_a_game_moves_ratings_as_if_no_time_passed_during_it() -> None:
    book = RatingBook()
    ann, bob = Glicko(), Glicko()
    for number in (1, 2):
        played = RatedGame(f"g{number}", "nim", "3-4-5", ("Ann", "Bob"), ("", ""), 0, T0)
        assert book.add(played)
        ann, bob = (
            update(ann, [(bob, 1.0)], periods=0.0),
            update(bob, [(ann, 0.0)], periods=0.0),
        )
        for name, glicko in (("Ann", ann), ("Bob", bob)):
            rating = book.rating(name, "", "nim", "3-4-5")
            assert rating is not None
            assert rating.glicko == glicko
            assert (rating.games, rating.at_ms) == (number, T0)
            assert rating.history[-1] == (T0, glicko.rating)
