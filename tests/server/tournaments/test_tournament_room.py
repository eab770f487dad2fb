"""Rooms for games of tournaments: no aborts, no rematches, and absent players lose."""

from __future__ import annotations

from typing import Any

import pytest

from doublecross.protocol.common import PairTag
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.records import game_row
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.deadlines import TOURNAMENT_LINGER_MS
from doublecross.server.core.rooms.match import ThinkingTime
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.terms import RoomTerms, RoomTimes
from tests.server.playing import ANN, BOB, T0, TIMES, dots, play, play_out

TAG = PairTag(tournament="t1", pairing=3, game=1, attempt=2)


def tagged_room(times: RoomTimes = TIMES) -> tuple[Room, list[dict[str, Any]]]:
    """Return a room and its events: Ann (seat 0) and Bob (seat 1) play since `T0`."""
    room, events = Room.open(RoomTerms("r1", dots(), origin="t1", tag=TAG), times, T0)
    events += room.sit(ANN, 0, T0)
    events += room.sit(BOB, 1, T0)
    room.attendance.connect(0)
    room.attendance.connect(1)
    room.start_clock(T0)
    return room, events


def ended(events: list[dict[str, Any]]) -> tuple[str, int | None]:
    (event,) = events
    assert event["type"] == "match_finished"
    return event["termination"], event["winner"]


@pytest.mark.parametrize("action", [4, 99])
def test_an_illegal_action_loses(action: int) -> None:
    room, events = tagged_room()
    events += play(room, 4, T0)
    over = room.move("Bob", 1, 1, action, None, False, T0)
    assert ended(over) == ("illegal", 0)
    assert f"Action {action}" in over[0]["reason"]
    again = restore(events + over, TIMES, T0)
    assert again.match is not None
    assert again.match.result == room.match.result  # type: ignore[union-attr]


def test_a_refused_move_does_not_lose_the_game() -> None:
    room, _ = tagged_room()
    for player, ply, code in (
        ("Bob", 0, ErrorCode.NOT_YOUR_TURN),
        ("Ann", 1, ErrorCode.STALE_PLY),
        ("Cat", 0, ErrorCode.NOT_SEATED),
    ):
        with pytest.raises(Refused) as refused:
            room.move(player, 1, ply, 4, None, False, T0)
        assert refused.value.code is code
    assert room.status == "playing"


def test_a_crash_loses_though_it_is_not_rated() -> None:
    room, _ = tagged_room()
    assert ended(commands.crash(room, "Ann", 1, 0, "It broke.", T0)) == ("crash", 1)
    room, _ = tagged_room()
    assert ended(commands.crash(room, "Ann", 1, 0, "It chose 99.", T0, "illegal")) == ("illegal", 1)


def test_an_absent_player_loses_without_a_claim() -> None:
    room, _ = tagged_room()
    room.attendance.disconnect(1, T0 + 10)
    end = T0 + 10 + TIMES.grace_ms
    assert deadlines.next_due(room) == end
    assert deadlines.tick(room, end - 1) == []
    room.attendance.connect(1)
    assert deadlines.tick(room, end) == []
    room.attendance.disconnect(0, T0 + 500)
    assert ended(deadlines.tick(room, T0 + 500 + TIMES.grace_ms)) == ("disconnect", 1)


def test_a_clock_that_runs_out_first_decides() -> None:
    times = RoomTimes(grace_ms=60_000)
    room, _ = tagged_room(times)
    play(room, 0)
    room.attendance.disconnect(1, T0)
    assert deadlines.next_due(room) == T0 + 10_001
    assert ended(deadlines.tick(room, T0 + 10_001)) == ("timeout", 0)


def test_the_room_closes_soon_after_the_game() -> None:
    room, _ = tagged_room(RoomTimes())
    play_out(room)
    end = T0 + TOURNAMENT_LINGER_MS
    assert deadlines.next_due(room) == end
    assert deadlines.tick(room, end - 1) == []
    assert deadlines.tick(room, end)[0]["type"] == "room_closed"


def test_the_game_row_has_the_tag_and_the_thinking_times() -> None:
    room, events = tagged_room()
    events += play(room, 4, T0 + 300)
    events += play(room, 5, T0 + 500)
    events += play(room, 6, T0 + 600)
    events += play_out(room, T0 + 600)
    row = game_row(room)
    assert row.tag == TAG
    assert (row.thoughts[0].total_ms, row.thoughts[0].longest_ms) == (400, 300)
    assert row.thoughts[1].longest_ms == 200
    assert sum(thought.moves for thought in row.thoughts) == 7
    assert '[Tournament "t1"]\n[Pair "4"]' in row.record
    again = restore(events, TIMES, T0)
    assert game_row(again) == row
    assert ThinkingTime() != row.thoughts[0]
