"""Snapshots, presence and lobby entries of a room, and its last events and record."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from doublecross.protocol.common import PairTag
from doublecross.server.core import commands
from doublecross.server.core.records import game_row, rated_game
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import lobby_room, presence, snapshot
from doublecross.server.core.terms import RoomTerms
from tests.server.playing import ANN, BOB, T0, TIMES, dots, open_room, play, play_out, room_in_play

TAG = PairTag(tournament="t1", pairing=4, game=0, attempt=1)
SETTINGS = {
    "game": "dots-and-boxes",
    "params": {"rows": 1, "cols": 2},
    "opening": (),
    "start": (),
    "time": {"base_ms": 10_000, "increment_ms": 500, "move_ms": None},
    "rated": False,
    "evaluation": False,
}
ANN_SHOWN = {"name": "Ann", "kind": "human", "engine": None}
BOB_SHOWN = {"name": "Bob", "kind": "bot", "engine": {"name": "rules", "version": "1"}}


def tagged(now: int = T0) -> Room:
    room, _ = Room.open(RoomTerms("r1", dots(rated=True), tag=TAG), TIMES, now)
    room.sit(ANN, 0, now)
    room.sit(BOB, 1, now)
    room.attendance.connect(0)
    room.attendance.connect(1)
    room.start_clock(now)
    return room


def test_a_waiting_room_is_shown_whole() -> None:
    room, _ = open_room(code="abc234")
    assert snapshot(room, T0 + 5) == {
        "seq": 2,
        "settings": SETTINGS,
        "private": True,
        "status": "waiting",
        "players": (ANN_SHOWN, None),
        "match": 0,
        "moves": (),
        "movers": "",
        "to_move": None,
        "scores": (0, 0),
        "clock_ms": None,
        "clock_runs": False,
        "started_at": None,
        "rematch": (False, False),
        "result": None,
    }


def test_a_match_in_play_is_shown_whole() -> None:
    room, _ = room_in_play()
    for action in (0, 2, 4, 5):  # Bob closes a box with the last of them
        play(room, action, T0 + 100)
    assert snapshot(room, T0 + 350) == {
        "seq": 8,
        "settings": SETTINGS,
        "private": False,
        "status": "playing",
        "players": (ANN_SHOWN, BOB_SHOWN),
        "match": 1,
        "moves": (0, 2, 4, 5),
        "movers": "0101",
        "to_move": 1,
        "scores": (0, 1),
        "clock_ms": (11_000, 10_750),
        "clock_runs": True,
        "started_at": T0,
        "rematch": (False, False),
        "result": None,
    }


def test_a_finished_match_is_shown_with_its_result_and_tag() -> None:
    room = tagged()
    commands.crash(room, "Ann", 1, 0, "It broke.", T0 + 5)
    shown = snapshot(room, T0)
    assert (shown["status"], shown["to_move"]) == ("finished", None)
    assert shown["result"] == {
        "termination": "crash",
        "winner": 1,
        "returns": (-1.0, 1.0),
        "game_id": "r1-1",
        "reason": "It broke.",
        "phrase": None,
    }
    assert shown["tag"] == {"tournament": "t1", "pairing": 4, "game": 0, "attempt": 1}


def test_presence_is_shown_whole() -> None:
    room, _ = room_in_play()
    room.attendance.disconnect(1, T0)
    assert presence(room, 2, T0 + 400) == {
        "type": "presence",
        "room": "r1",
        "seats": (
            {"connected": True, "claim_in_ms": None, "left": False, "takebacks": False},
            {"connected": False, "claim_in_ms": 600, "left": False, "takebacks": False},
        ),
        "spectators": 2,
        "first_move_in_ms": TIMES.first_move_ms - 400,
    }
    assert presence(room, 0, T0 + 9999)["seats"][1]["claim_in_ms"] == 0
    commands.resign(room, "Ann", T0)
    assert presence(room, 0, T0)["seats"][1]["claim_in_ms"] is None


def test_presence_tells_a_player_who_left_from_one_who_lost_the_connection() -> None:
    room, _ = room_in_play()
    commands.resign(room, "Ann", T0)
    room.leave("Bob", T0)
    assert [seat["left"] for seat in presence(room, 0, T0)["seats"]] == [False, True]
    room.attendance.connect(1)
    assert [seat["left"] for seat in presence(room, 0, T0)["seats"]] == [False, False]


def test_the_lobby_shows_a_room_without_its_opening_and_its_start() -> None:
    room, _ = open_room(dots().model_copy(update={"opening": (0, 1), "start": (2, 3)}))
    assert lobby_room(room) == {
        "room": "r1",
        "settings": SETTINGS,
        "status": "waiting",
        "players": (ANN_SHOWN, None),
    }


# -- last events -------------------------------------------------------------------------------


def waiting_alone() -> Room:
    room, _ = open_room()
    room.attendance.disconnect(0, T0 + 100)
    return room


def both_gone(room: Room) -> Room:
    room.attendance.disconnect(0, T0)
    room.attendance.disconnect(1, T0)
    return room


def over() -> Room:
    room, _ = room_in_play()
    commands.resign(room, "Ann", T0)
    return room


def left_by_one() -> Room:
    room = over()
    room.leave("Bob", T0)
    return room


CLOSINGS: list[tuple[Callable[[], Room], int, str]] = [
    (lambda: open_room()[0], TIMES.join_ms, "Nobody joined."),
    (waiting_alone, 100 + TIMES.away_ms, "Its creator did not come back."),
    (left_by_one, TIMES.linger_ms, "The match is over."),
    (lambda: both_gone(over()), TIMES.away_ms, "The match is over."),
]


@pytest.mark.parametrize(("make", "after", "reason"), CLOSINGS)
def test_a_room_closes_on_time_and_says_why(
    make: Callable[[], Room], after: int, reason: str
) -> None:
    room = make()
    assert deadlines.next_due(room) == T0 + after
    assert deadlines.tick(room, T0 + after - 1) == []
    seq = room.seq + 1
    assert deadlines.tick(room, T0 + after) == [
        {"type": "room_closed", "room": "r1", "seq": seq, "reason": reason, "phrase": None}
    ]


def test_leaving_closes_a_room_and_says_why() -> None:
    room, _ = open_room()
    assert room.leave("Ann", T0) == [
        {
            "type": "room_closed",
            "room": "r1",
            "seq": 3,
            "reason": "Its creator left before anybody joined.",
            "phrase": None,
        }
    ]
    assert (room.status, deadlines.next_due(room)) == ("closed", None)
    room = over()
    room.leave("Ann", T0)
    assert room.leave("Bob", T0)[0]["reason"] == "Both players have left."


def ended(room: Room, now: int) -> tuple[object, ...]:
    (event,) = deadlines.tick(room, now)
    assert event["type"] == "match_finished"
    return event["termination"], event["winner"], event["reason"]


def play_to_ann(room: Room) -> None:
    """Play one move of each player."""
    play(room, 0)
    play(room, 1)


def test_time_ends_a_match_of_either_seat() -> None:
    room, _ = room_in_play()
    play_to_ann(room)
    assert ended(room, T0 + 10_501) == ("timeout", 1, "")
    room, _ = room_in_play()
    play(room, 0)
    assert ended(room, T0 + 10_001) == ("timeout", 0, "")
    room = both_gone(room_in_play(dots(time=dots().time.model_copy(update={"base_ms": 10**7})))[0])
    assert ended(room, T0 + TIMES.away_ms) == ("aborted", None, "Neither player came back.")
    for seat in (0, 1):
        room = tagged()
        room.attendance.disconnect(seat, T0)
        assert ended(room, T0 + TIMES.grace_ms) == ("disconnect", 1 - seat, "")


def test_a_late_move_loses_for_either_seat() -> None:
    room, _ = room_in_play()
    play_to_ann(room)
    (event,) = room.move("Ann", 1, 2, 3, None, False, T0 + 10_501)
    assert (event["termination"], event["winner"], event["reason"]) == ("timeout", 1, "")
    assert room.match is not None
    assert room.match.ply == 2
    room, _ = room_in_play()
    play(room, 0)
    (event,) = room.move("Bob", 1, 1, 2, None, False, T0 + 10_001)
    assert (event["termination"], event["winner"], event["reason"]) == ("timeout", 0, "")


# -- records and ratings -----------------------------------------------------------------------


def test_the_record_of_a_game_of_a_tournament_is_written_whole() -> None:
    room = tagged()
    said = play_out(room, T0 + 1500)
    assert said[-1]["reason"] == ""
    assert game_row(room).record.splitlines() == [
        '[Game "dots-and-boxes"]',
        '[Size "1x2"]',
        '[Seat0 "Ann"]',
        '[Seat1 "Bob"]',
        '[Date "2023-11-14T22:13:20+00:00"]',
        '[TimeControl "10+0.5"]',
        '[Result "0-1"]',
        '[Termination "completed"]',
        '[Room "r1"]',
        '[Rated "yes"]',
        '[Engine1 "rules 1"]',
        '[Tournament "t1"]',
        '[Pair "5"]',
        "",
        "1. b3 {10.500} 2. d3 {10.500} 3. b1 {11.000} 4. d1 {11.000} 5. a2 {11.500} 6. c2 {11.500}",
        "e2 {12.000} 0-1",
    ]


def test_what_ratings_need_of_a_rated_game() -> None:
    room = tagged()
    assert rated_game(room) is None
    assert room.match is not None
    room.match.moved = [True, True]
    commands.resign(room, "Ann", T0 + 9)
    played = rated_game(room)
    assert played is not None
    assert (played.game_id, played.game, played.size) == ("r1-1", "dots-and-boxes", "1x2")
    assert (played.players, played.engines) == (("Ann", "Bob"), ("", "rules 1"))
    assert (played.winner, played.finished_ms) == (1, T0 + 9)


def test_a_game_without_a_result_is_not_rated() -> None:
    room = tagged()
    commands.void(room, "lost", T0)
    assert rated_game(room) is None
    room = tagged()
    commands.resign(room, "Ann", T0)
    assert rated_game(room) is None, "nobody has moved"
