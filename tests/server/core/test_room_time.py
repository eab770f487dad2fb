"""Rooms and time: timeouts, claims, abandoned rooms, the wait after a restart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.protocol.common import MatchSettings, PairTag, TimeControl
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused
from doublecross.server.core.rooms import deadlines
from doublecross.server.core.rooms.replay import restore
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.snapshot import presence
from doublecross.server.core.terms import RoomTerms, span
from tests.server.playing import ANN, BOB, CLOCKED, T0, TIMES, dots, open_room, play, room_in_play

UNLIMITED = TimeControl()
TAG = PairTag(tournament="t1", pairing=4, game=0, attempt=1)


def due(room: Room) -> int:
    deadline = deadlines.next_due(room)
    assert deadline is not None
    return deadline


# -- flags -------------------------------------------------------------------------------------


def test_a_flag_falls_one_millisecond_after_the_clock_has_run_out() -> None:
    room, _ = room_in_play()
    play(room, 0)
    assert due(room) == T0 + 10_001
    assert deadlines.tick(room, T0 + 10_000) == []
    (over,) = deadlines.tick(room, T0 + 10_001)
    assert (over["termination"], over["winner"]) == ("timeout", 0)
    assert over["clock_ms"] == (10_500, 0)


def test_a_move_in_the_last_millisecond_counts() -> None:
    room, _ = room_in_play()
    play(room, 0)
    (move,) = room.move("Bob", 1, 1, 2, None, False, T0 + 10_000)
    assert move["clock_ms"] == (10_500, 500)


def test_a_late_move_that_is_illegal_is_only_refused() -> None:
    room, _ = room_in_play()
    with pytest.raises(Refused) as error:
        room.move("Ann", 1, 0, 99, None, False, T0 + 10_001)
    assert error.value.code is ErrorCode.ILLEGAL_ACTION
    assert room.status == "playing"


def test_no_clock_runs_while_a_position_waits_to_be_stored() -> None:
    room, _ = room_in_play()
    room.move("Ann", 1, 0, 0, None, False, T0)
    assert deadlines.next_due(room) is None
    assert deadlines.tick(room, T0 + 10**9) == []
    room.start_clock(T0 + 50_000)
    (move,) = room.move("Bob", 1, 1, 2, None, False, T0 + 50_100)
    assert move["elapsed_ms"] == 100


# -- first moves of people ---------------------------------------------------------------------


def in_play(settings: MatchSettings, tag: PairTag | None = None) -> Room:
    """Return a room in which Ann, a person, is to move against Bob, a bot."""
    room, _ = Room.open(RoomTerms("r1", settings, tag=tag), TIMES, T0)
    for seat, player in enumerate((ANN, BOB)):
        room.sit(player, seat, T0)
        room.attendance.connect(seat)
    room.start_clock(T0)
    return room


def test_the_first_move_of_a_person_costs_no_time() -> None:
    room = in_play(dots(time=TimeControl(base_ms=1000, move_ms=500)))
    now = T0 + TIMES.first_move_ms
    assert (room.clock_runs, room.clock_ms(now)) == (False, (1000, 1000))
    assert presence(room, 0, T0 + 400)["first_move_in_ms"] == TIMES.first_move_ms - 400
    assert deadlines.tick(room, now) == []
    (move,) = room.move("Ann", 1, 0, 0, None, False, now)
    assert (move["clock_ms"], move["elapsed_ms"]) == ((1000, 1000), TIMES.first_move_ms)
    room.start_clock(now)
    assert (room.clock_runs, due(room)) == (True, now + 501)  # the bot's time runs at once
    assert "first_move_in_ms" not in presence(room, 0, now)


@pytest.mark.parametrize(
    ("tag", "wait", "end"),
    [
        (None, TIMES.first_move_ms, ("aborted", None)),
        (TAG, TIMES.tournament_first_move_ms, ("timeout", 1)),
    ],
)
def test_who_does_not_begin_in_time_loses_only_in_a_tournament(
    tag: PairTag | None, wait: int, end: tuple[str, int | None]
) -> None:
    room = in_play(dots(rated=True), tag)
    assert due(room) == T0 + wait + 1
    (over,) = deadlines.tick(room, due(room))
    assert (over["termination"], over["winner"]) == end
    assert over["reason"] == "Ann did not begin in time."
    (late,) = in_play(dots(rated=True), tag).move("Ann", 1, 0, 0, None, False, T0 + wait + 1)
    assert (late["termination"], late["reason"]) == (end[0], over["reason"])


def test_a_match_over_days_waits_for_no_first_move() -> None:
    hour = 3_600_000
    slow = in_play(dots(time=TimeControl(base_ms=30 * hour, move_ms=2 * hour)))
    assert due(slow) == T0 + 2 * hour + 1
    assert due(in_play(dots(time=UNLIMITED, rated=True))) == T0 + TIMES.idle_ms + 1


# -- claims ------------------------------------------------------------------------------------


def test_a_return_prevents_the_claim_and_restarts_the_grace_period() -> None:
    room, _ = room_in_play(dots(time=UNLIMITED))
    room.attendance.disconnect(1, T0)
    room.attendance.connect(1)
    assert room.attendance.claim_in_ms(1, TIMES.grace_ms, T0 + 5000) is None
    room.attendance.disconnect(1, T0 + 5000)
    assert room.attendance.claim_in_ms(1, TIMES.grace_ms, T0 + 5001) == 999


# -- rooms without people ----------------------------------------------------------------------


def test_a_match_that_neither_player_comes_back_to_is_aborted_and_its_room_freed() -> None:
    room, _ = room_in_play(dots(time=UNLIMITED, rated=True))
    assert due(room) == T0 + TIMES.idle_ms + 1
    room.attendance.disconnect(0, T0 + 100)
    assert due(room) == T0 + TIMES.idle_ms + 1
    room.attendance.disconnect(1, T0 + 200)
    assert due(room) == T0 + 200 + TIMES.away_ms
    (over,) = deadlines.tick(room, due(room))
    assert (over["termination"], over["winner"]) == ("aborted", None)
    (closed,) = deadlines.tick(room, due(room))
    assert closed["type"] == "room_closed"
    assert deadlines.next_due(room) is None


def test_a_casual_match_without_a_clock_waits_for_the_person() -> None:
    room, _ = room_in_play(dots(time=UNLIMITED))
    for seat in (0, 1):
        room.attendance.disconnect(seat, T0 + 100)
    assert due(room) == T0 + deadlines.WAIT_MS + 1
    with pytest.raises(Refused, match="waits for the person"):
        commands.claim(room, "Bob", T0 + 10 * TIMES.grace_ms)
    (end,) = commands.claim(room, "Ann", T0 + 10 * TIMES.grace_ms)
    assert end["winner"] == 0


def test_a_finished_room_closes_at_last_although_both_players_stay() -> None:
    room, _ = room_in_play()
    commands.resign(room, "Ann", T0 + 50)
    commands.offer_rematch(room, "Ann", T0 + 60)
    assert deadlines.tick(room, T0 + 50 + TIMES.idle_ms - 1) == []
    (closed,) = deadlines.tick(room, T0 + 50 + TIMES.idle_ms)
    assert (closed["type"], closed["reason"]) == ("room_closed", "The match is over.")


@given(moves=st.lists(st.integers(0, 2 * TIMES.idle_ms), max_size=6), rated=st.booleans())
def test_a_match_without_a_clock_ends_when_nobody_has_moved_for_long(
    moves: list[int], rated: bool
) -> None:
    """Any move before the limit starts the time again, and nothing else ends the match.

    A casual match waits for longer, because a person plays a bot.
    """
    room, _ = room_in_play(dots(time=UNLIMITED, rated=rated))
    idle_ms = TIMES.idle_ms if rated else deadlines.WAIT_MS
    now = T0
    for thought in moves:
        if thought > idle_ms:
            break
        assert deadlines.tick(room, now + thought) == []
        now += thought
        play(room, room.match.state.legal_actions()[0], now)  # type: ignore[union-attr]
    assert due(room) == now + idle_ms + 1
    assert deadlines.tick(room, due(room) - 1) == []
    over, closed = deadlines.tick(room, due(room))
    assert (over["termination"], over["winner"]) == ("aborted", None)
    assert over["reason"] == closed["reason"] == f"Nobody has moved for {span(idle_ms)}."
    assert room.status == "closed"


@given(stalled=st.integers(0, TIMES.idle_ms), time=st.sampled_from([CLOCKED, UNLIMITED]))
def test_dates_have_no_part_in_deadlines(stalled: int, time: TimeControl) -> None:
    """The publisher replaces the times in events by dates, which are later after stalls."""
    room, said = room_in_play(dots(time=time))
    said += commands.resign(room, "Ann", T0 + 50)
    before = due(room)
    room.started_at, room.finished_at = T0 + stalled, T0 + stalled + 50
    assert due(room) == before
    dated = [{**event, "at": event["at"] + stalled} if "at" in event else event for event in said]
    again = restore(dated, TIMES, T0 + 60)  # type: ignore[arg-type]
    for seat in (0, 1):
        again.attendance.connect(seat)
    assert again.finished_at == T0 + stalled + 50
    assert before <= due(again) <= before + 10


@pytest.mark.parametrize("settings", [dots(), dots(time=UNLIMITED)])
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("away", [(), (0,), (1,), (0, 1)])
@pytest.mark.parametrize("restored", [False, True])
def test_ticking_at_every_deadline_ends(
    settings: object, players: int, away: tuple[int, ...], restored: bool
) -> None:
    """`tick` must handle every deadline, because the server would repeat an unhandled one
    forever.
    """
    room, said = (room_in_play if players == 2 else open_room)(settings)  # type: ignore[arg-type]
    if restored:
        room = restore(said, TIMES, T0)
        for seat in {0, 1} - set(away):
            room.attendance.connect(seat)
    for seat in away:
        room.attendance.disconnect(seat, T0)
    now = T0
    for _ in range(10):
        deadline = deadlines.next_due(room)
        if deadline is None:
            break
        now = max(now, deadline)
        happened = deadlines.tick(room, now)
        after = deadlines.next_due(room)
        assert happened or after is None or after > now
    else:
        pytest.fail("there is always one more deadline")


# -- after a restart ---------------------------------------------------------------------------


def restored_in_play(now: int) -> Room:
    """Return a restored room: Ann has moved, Bob is to move, and the server restarted at `now`."""
    room, said = room_in_play()
    said += room.move("Ann", 1, 0, 0, None, False, T0 + 300)
    return restore(said, TIMES, now)


def test_after_a_restart_the_clock_is_stopped_until_the_mover_is_back() -> None:
    now = T0 + 10**7
    room = restored_in_play(now)
    room.start_clock(now)
    assert not room.clock_runs
    room.attendance.connect(0)  # not the mover
    room.start_clock(now + 10)
    assert not room.clock_runs
    room.attendance.connect(1)
    room.start_clock(now + 20)
    assert room.clock_runs
    assert room.clock_ms(now + 120) == (10_500, 9900)


def test_after_a_restart_the_clock_waits_no_longer_than_the_limit() -> None:
    now = T0 + 10**7
    room = restored_in_play(now)
    room.attendance.connect(0)
    assert due(room) == now + TIMES.restart_ms
    assert deadlines.tick(room, now + TIMES.restart_ms - 1) == []
    assert not room.clock_runs
    deadlines.tick(room, now + TIMES.restart_ms)
    assert room.clock_runs
    assert due(room) == now + TIMES.restart_ms + 10_001


def test_long_after_a_restart_a_tick_starts_no_clock_before_its_position_is_stored() -> None:
    now = T0 + 10**7
    room = restored_in_play(now)
    room.attendance.connect(0)
    room.attendance.connect(1)
    room.start_clock(now)
    later = now + TIMES.restart_ms + 500
    room.move("Bob", 1, 1, 2, None, False, later)
    deadlines.tick(room, later + 1)
    assert not room.clock_runs
