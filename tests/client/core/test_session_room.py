"""Check the mirror of one room: events, impossible events, seats, and clocks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doublecross.client.core.room import Desync, Gap, RoomMirror
from doublecross.client.core.session import Session
from doublecross.client.core.updates import PhraseHeard, PresenceChanged, RoomChanged, RoomLost
from doublecross.protocol.client_messages import Resume
from doublecross.protocol.common import MatchSettings, PairTag, TimeControl
from doublecross.protocol.server_messages import (
    Failed,
    MatchStarted,
    OpenTakeback,
    PhraseSaid,
    Presence,
    RematchEnded,
    RematchOffered,
    RoomEvent,
    Seated,
    SeatPresence,
    TakebackAsked,
    TakenBack,
)
from tests.client.core.mirrors import following, wanted, welcome
from tests.fakes.rooms import ANN, BOB, SMALL, FakeRoom, room_in_play


def look(mirror: RoomMirror) -> dict[str, Any]:
    """Return everything that a mirror shows, except where its clock and last events came from."""
    hidden = {"clock", "_game", "state", "started", "last_move", "expected"}
    seen = {name: getattr(mirror, name) for name in RoomMirror.__slots__ if name not in hidden}
    seen["finished"] = None if mirror.finished is None else mirror.finished.termination
    seen["clock"] = (mirror.clock.ms, mirror.clock.mover, mirror.clock.runs)
    return {**seen, "state": mirror.state.serialize(), "key": mirror.state.key()}


@st.composite
def streams(draw: st.DrawFn) -> FakeRoom:
    """Generate a room with up to three matches, at any point of its life."""
    size = draw(st.sampled_from([(1, 1), (1, 2), (2, 2)]))
    time = draw(
        st.sampled_from([TimeControl(), TimeControl(base_ms=60_000), TimeControl(move_ms=50)])
    )
    room = FakeRoom(
        settings=MatchSettings(
            game="dots-and-boxes", params={"rows": size[0], "cols": size[1]}, time=time
        )
    )
    first = draw(st.sampled_from([0, 1]))
    room.sit(ANN, first)
    if draw(st.integers(0, 9)) == 0:
        return room
    room.sit(BOB, 1 - first)
    for match in range(draw(st.integers(1, 3))):
        if match:
            room.offer(draw(st.sampled_from([0, 1])))
        room.start()
        for _ in range(draw(st.integers(0, 12))):
            if room.state.is_terminal():
                break
            room.play(draw(st.sampled_from(room.state.legal_actions())))
            change = draw(st.integers(0, 9)) if not room.state.is_terminal() else 9
            if change == 0:
                room.take_back(draw(st.integers(0, room.state.ply - 1)))
            elif change == 1:
                room.ask_back(0, room.state.ply - 1)
            elif change == 2 and room.takeback is not None:
                room.decline_back(1)
        if room.state.is_terminal():
            room.finish()
        elif draw(st.integers(0, 3)) == 0:
            return room
        else:
            room.finish(draw(st.sampled_from(["resigned", "timeout", "aborted"])), 0)
    if draw(st.booleans()):
        room.close()
    return room


@given(room=streams(), data=st.data())
def test_events_and_snapshots_lead_to_the_same_mirror(room: FakeRoom, data: st.DataObject) -> None:
    """Cuts, repeated deliveries, lost events and snapshots lead to the same state as a replay."""
    direct = RoomMirror(room.room_state_after(0), 0.0)
    session = Session()
    told = room.room_state_after(0)
    assert told.events is not None
    # Ann has her seat from the second event on; the mirror derives it from these events.
    seat, told_events = None, told.events[: data.draw(st.integers(2, room.seq), label="told")]
    for event in told_events:
        if isinstance(event, Seated) and event.player == ANN:
            seat = event.seat
        elif isinstance(event, MatchStarted):
            seat = event.players.index(ANN.name)
    session.receive(told.model_copy(update={"events": told_events, "seat": seat}), 0.0)
    mirror = session.rooms[room.room]
    while mirror.seq < room.seq or session.wanted:
        for request in wanted(session):
            assert isinstance(request, Resume)
            session.receive(room.room_state_after(request.seq, request.id), 0.0, request)
        if mirror.seq == room.seq:
            break
        step = data.draw(st.sampled_from(["next", "again", "skip", "cut", "snapshot"]))
        if step == "next":
            session.receive(room.events[mirror.seq], 0.0)
        elif step == "again":
            at = data.draw(st.integers(0, mirror.seq - 1))
            assert session.receive(room.events[at], 0.0) == []
        elif step == "skip":
            at = data.draw(st.integers(mirror.seq, room.seq - 1))
            session.receive(room.events[at], 0.0)
        elif step == "cut":
            session.receive(welcome(room.room), 0.0)
        else:
            session.receive(room.room_state(), 0.0)
        assert mirror is session.rooms[room.room]
    assert look(mirror) == look(direct) | {"sentence": mirror.sentence}
    assert mirror.sentence in (direct.sentence, "")  # a snapshot does not say why


@given(room=streams(), data=st.data())
def test_a_contradicting_event_changes_nothing(room: FakeRoom, data: st.DataObject) -> None:
    told = data.draw(st.integers(1, room.seq))
    since = room.room_state_after(0)
    assert since.events is not None
    mirror = RoomMirror(since.model_copy(update={"events": since.events[:told]}), 0.0)
    before = look(mirror)
    event = data.draw(st.sampled_from(room.events))
    wrong = event.model_copy(update={"seq": told + 1})
    legal = told < room.seq and wrong.model_dump() == room.events[told].model_dump()
    try:
        mirror.apply(wrong, 0.0)
    except Desync:
        assert not legal
        assert look(mirror) == before
    else:
        assert mirror.seq == told + 1


@pytest.mark.parametrize(
    "change",
    [
        {"match": 2},
        {"ply": 1},
        {"seat": 1},
        {"action": 99},
        {"to_move": 0},
        {"to_move": None},
        {"scores": (1, 0)},
    ],
)
def test_an_impossible_move_is_refused(change: dict[str, Any]) -> None:
    room = room_in_play()
    session, mirror = following(room)
    before = look(mirror)
    assert session.receive(room.play(0).model_copy(update=change), 1.0) == []
    assert look(mirror) == before
    assert [(r.room, r.seq) for r in wanted(session) if isinstance(r, Resume)] == [("r1", 0)]
    session.receive(welcome("r1"), 2.0)
    # It still asks for a snapshot.
    assert wanted(session) == [Resume(id=100, room="r1", seq=0)]


def test_a_gap_is_asked_for_once() -> None:
    room = room_in_play()
    session, mirror = following(room)
    room.play(0)
    session.receive(room.play(1), 1.0)
    session.receive(room.play(2), 1.0)
    (request,) = wanted(session)
    assert request == Resume(id=100, room="r1", seq=4)
    updates = session.receive(room.room_state_after(4, 100), 2.0, request)
    assert updates == [RoomChanged("r1", event) for event in room.events[4:]]
    assert wanted(session) == []
    with pytest.raises(Gap):
        mirror.apply(room.play(3).model_copy(update={"seq": 77}), 2.0)


def test_a_room_with_an_invalid_snapshot_is_lost() -> None:
    room = room_in_play()
    session, mirror = following(room)
    session.receive(room.play(0).model_copy(update={"action": 99}), 1.0)
    (request,) = wanted(session)
    whole = room.room_state(100)
    assert whole.snapshot is not None
    for change in ({"moves": (0, 0)}, {"scores": (3, 4)}, {"to_move": 0}):
        bad = whole.snapshot.model_copy(update=change)
        with pytest.raises(Desync):
            RoomMirror(whole.model_copy(update={"snapshot": bad}), 1.0)
    updates = session.receive(whole.model_copy(update={"snapshot": bad}), 1.0, request)
    assert [type(update) for update in updates] == [RoomLost]
    assert mirror.status == "closed"
    assert mirror.sentence
    again = Failed(id=101, code="unknown_room", message="Again.")
    assert session.receive(again, 2.0, request) == []
    assert mirror.sentence != "Again."


def test_a_game_that_is_unknown_here() -> None:
    room = room_in_play()
    whole = room.room_state(1)
    assert whole.snapshot is not None
    other = whole.snapshot.model_copy(
        update={"settings": room.settings.model_copy(update={"game": "go"})}
    )
    session = Session()
    updates = session.receive(whole.model_copy(update={"snapshot": other}), 0.0)
    assert [type(update) for update in updates] == [RoomLost]
    assert session.rooms == {}


def test_an_old_snapshot_is_news_only_after_a_resume() -> None:
    room = room_in_play()
    old = room.room_state(7)
    session, mirror = following(room)
    session.receive(room.play(0), 1.0)
    assert session.receive(old, 1.0) == []
    assert mirror.seq == 5
    # The server may have gone back to a backup; it is the authority.
    session.receive(old, 1.0, Resume(id=7, room="r1", seq=5))
    assert mirror.seq == 4


def test_seats_change_in_a_rematch() -> None:
    room = room_in_play()
    session, mirror = following(room)
    assert (mirror.seat, mirror.my_turn, mirror.to_move) == (0, True, 0)
    for event in (room.finish("resigned", 1), room.offer(1)):
        session.receive(event, 1.0)
    assert mirror.rematch == (False, True)
    assert mirror.result is not None
    session.receive(room.start(), 1.0)
    assert (mirror.match, mirror.seat, mirror.my_turn) == (2, 1, False)
    assert mirror.players == (BOB, ANN)
    assert (mirror.result, mirror.finished, mirror.rematch) == (None, None, (False, False))


def test_a_match_that_starts_runs_the_clock_of_who_moves() -> None:
    room = FakeRoom()
    room.sit(ANN, 0)
    session, mirror = following(room, now=1.0)
    session.receive(room.sit(BOB, 1), 2.0)
    event = room.start()
    session.receive(event, 10.0)
    assert mirror.started == event
    assert mirror.expected == (None, None)
    assert (mirror.clock.mover, mirror.clock.runs) == (0, True)
    assert mirror.clock.remaining_ms(11.0) == (59_000, 60_000)


def test_a_room_that_is_followed_from_its_first_event_knows_how_it_began() -> None:
    room = FakeRoom()
    tag = PairTag(tournament="t1", pairing=2, game=1, attempt=1)
    room.events[0] = room.events[0].model_copy(
        update={"private": True, "tag": tag, "code": "sesame"}
    )
    mirror = RoomMirror(room.room_state_after(0), 0.0)
    assert (mirror.private, mirror.tag, mirror.code) == (True, tag, "sesame")
    assert mirror.strict
    with pytest.raises(Desync, match="Room r1 was created twice"):
        mirror.apply(room.events[0].model_copy(update={"seq": 2}), 0.0)


@pytest.mark.parametrize("seat", [0, 1])
def test_offers_of_a_rematch_are_by_seat(seat: int) -> None:
    room = room_in_play()
    session, mirror = following(room)
    with pytest.raises(Desync, match="rematch offer before its match was finished"):
        mirror.apply(RematchOffered(room="r1", seq=5, seat=0), 1.0)
    session.receive(room.finish("resigned", 1), 1.0)
    session.receive(room.offer(seat), 1.0)
    assert mirror.rematch == (seat == 0, seat == 1)
    session.receive(room.offer(1 - seat), 1.0)
    assert mirror.rematch == (True, True)
    ended = RematchEnded(room="r1", seq=room.seq + 1, seat=seat, outcome="withdrawn")
    session.receive(ended, 1.0)
    assert mirror.rematch == (seat == 1, seat == 0)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"match": 2}, "cannot start match 2 now"),
        ({"players": ("Ann", "Eve")}, "players without a seat"),
        ({"players": ("Eve", "Bob")}, "players without a seat"),
        ({"players": ("Ann", "Ann")}, "players without a seat"),
        ({"to_move": 1}, "starts with the wrong seat"),
    ],
)
def test_an_impossible_start_is_refused(change: dict[str, Any], says: str) -> None:
    room = FakeRoom()
    room.sit(ANN, 0)
    room.sit(BOB, 1)
    mirror = RoomMirror(room.room_state_after(0), 0.0)
    before = look(mirror)
    with pytest.raises(Desync, match=says):
        mirror.apply(room.start().model_copy(update=change), 1.0)
    assert look(mirror) == before


def test_no_match_starts_and_no_player_is_seated_during_a_match() -> None:
    room = room_in_play()
    _, mirror = following(room)
    again = room.events[-1].model_copy(update={"seq": 5, "match": 2})
    with pytest.raises(Desync, match="cannot start match 2 now"):
        mirror.apply(again, 1.0)
    with pytest.raises(Desync, match="Seat 0 of room r1 is taken"):
        mirror.apply(Seated(room="r1", seq=5, seat=0, player=ANN), 1.0)


def test_a_finished_match_has_the_result_of_its_event() -> None:
    room = room_in_play()
    session, mirror = following(room)
    event = room.finish("crash", 1).model_copy(update={"reason": "It broke."})
    session.receive(event, 1.0)
    assert mirror.result is not None
    assert (mirror.result.termination, mirror.result.winner) == ("crash", 1)
    assert mirror.result.reason == "It broke."
    assert (mirror.clock.mover, mirror.clock.runs) == (None, False)
    with pytest.raises(Desync, match="cannot finish match 1 now"):
        mirror.apply(event.model_copy(update={"seq": mirror.seq + 1}), 2.0)


@pytest.mark.parametrize("change", [{"match": 2}, {"termination": "completed"}])
def test_an_impossible_end_is_refused(change: dict[str, Any]) -> None:
    room = room_in_play()
    _, mirror = following(room)
    event = room.finish("resigned", 1).model_copy(update=change)
    with pytest.raises(Desync, match=r"[Mm]atch"):
        mirror.apply(event, 1.0)
    assert mirror.status == "playing"


def test_expectations_and_last_events() -> None:
    room = room_in_play()
    session, mirror = following(room)
    session.receive(room.play(0, expected=-2.0), 1.0)
    session.receive(room.play(1), 1.0)
    assert mirror.expected == (-2.0, None)
    assert mirror.last_move == room.events[-1]
    session.receive(room.play(2, expected=1.5), 1.0)
    session.receive(room.play(3, expected=-3.0), 1.0)
    assert mirror.expected == (1.5, -3.0)


def test_an_event_for_everybody_is_news_and_an_answer_too() -> None:
    """The mover gets one copy only, the one with the id; it counts as the event too."""
    room = room_in_play()
    session, mirror = following(room)
    event: RoomEvent = room.play(0).model_copy(update={"id": 9})
    assert session.receive(event, 1.0) == [RoomChanged("r1", event)]
    assert session.receive(room.events[-1], 1.0) == []
    assert mirror.seq == 5


# -- clocks --------------------------------------------------------------------------------------


def test_the_movers_clock_counts_down() -> None:
    room = room_in_play()
    session, mirror = following(room, now=10.0)
    assert mirror.clock.remaining_ms(10.0) == (60_000, 60_000)
    assert mirror.clock.remaining_ms(12.5) == (57_500, 60_000)
    room.clock_ms = (50_000, 60_000)
    session.receive(room.play(0), 20.0)
    assert mirror.clock.remaining_ms(21.0) == (50_000, 59_000)
    assert mirror.clock.budget_ms(21.0) == 59_000
    assert mirror.clock.remaining_ms(999.0) == (50_000, 0)
    session.receive(room.finish("timeout", 0), 80.0)
    assert mirror.clock.remaining_ms(999.0) == (50_000, 60_000)
    assert mirror.clock.budget_ms(999.0) is None


def test_the_clock_stands_until_the_first_move_of_a_person() -> None:
    room = room_in_play()
    session, mirror = following(room, now=10.0)
    session.receive(room.presence.model_copy(update={"first_move_in_ms": 30_000}), 10.0)
    assert mirror.clock.first_until == 40.0
    assert mirror.clock.remaining_ms(35.0) == (60_000, 60_000)
    session.receive(room.play(0), 35.0)
    assert mirror.clock.first_until is None
    assert mirror.clock.remaining_ms(36.0) == (60_000, 59_000)


def test_clocks_after_a_resume_are_of_now() -> None:
    room = room_in_play()
    session, mirror = following(room, now=0.0)
    request = Resume(id=5, room="r1", seq=4)
    late = room.room_state_after(4, 5).model_copy(update={"clock_ms": (41_000, 60_000)})
    session.receive(late, 100.0, request)
    assert mirror.clock.remaining_ms(101.0) == (40_000, 60_000)


def test_a_stopped_clock_keeps_its_time() -> None:
    whole = room_in_play().room_state()
    assert whole.snapshot is not None
    held = whole.snapshot.model_copy(update={"clock_runs": False})
    mirror = RoomMirror(whole.model_copy(update={"snapshot": held}), 0.0)
    assert mirror.clock.remaining_ms(9.0) == (60_000, 60_000)


def test_limits_of_a_single_move() -> None:
    settings = SMALL.model_copy(update={"time": TimeControl(move_ms=5_000)})
    room = room_in_play(settings=settings)
    session, mirror = following(room, now=0.0)
    assert mirror.clock.remaining_ms(1.0) is None
    assert mirror.clock.budget_ms(1.0) == 4_000
    session.receive(room.play(0), 2.0)
    assert mirror.clock.budget_ms(3.0) == 4_000
    # A repeated room state in the same turn does not restart the turn.
    session.receive(room.room_state_after(5, 9), 6.0, Resume(id=9, room="r1", seq=5))
    assert mirror.clock.budget_ms(6.0) == 1_000
    unlimited = room_in_play(settings=SMALL.model_copy(update={"time": TimeControl()}))
    assert RoomMirror(unlimited.room_state(), 0.0).clock.budget_ms(5.0) is None


def test_the_limit_of_a_move_is_separate_from_the_clock() -> None:
    time = TimeControl(base_ms=60_000, move_ms=5_000)
    room = room_in_play(settings=SMALL.model_copy(update={"time": time}))
    session, mirror = following(room, now=0.0)
    assert (mirror.clock.move_left_ms(1.0), mirror.clock.budget_ms(1.0)) == (4_000, 4_000)
    room.clock_ms = (60_000, 2_000)
    session.receive(room.play(0), 2.0)
    assert (mirror.clock.move_left_ms(3.0), mirror.clock.budget_ms(3.0)) == (4_000, 1_000)
    assert (mirror.clock.move_left_ms(99.0), mirror.clock.budget_ms(99.0)) == (0, 0)
    session.receive(room.finish("resigned", 0), 4.0)
    assert (mirror.clock.move_left_ms(5.0), mirror.clock.budget_ms(5.0)) == (None, None)
    _, unlimited = following(room_in_play(), now=0.0)
    assert unlimited.clock.move_left_ms(1.0) is None
    assert unlimited.clock.budget_ms(1.0) == 59_000


def test_a_stopped_move_limit_keeps_its_time() -> None:
    settings = SMALL.model_copy(update={"time": TimeControl(move_ms=5_000)})
    whole = room_in_play(settings=settings).room_state()
    assert whole.snapshot is not None
    held = whole.snapshot.model_copy(update={"clock_runs": False})
    mirror = RoomMirror(whole.model_copy(update={"snapshot": held}), 0.0)
    assert not mirror.clock.runs
    assert mirror.clock.move_left_ms(9.0) == 5_000


def test_when_clocks_run() -> None:
    room = room_in_play()
    session, mirror = following(room)
    assert mirror.clock.runs
    session.receive(room.play(0), 1.0)
    assert mirror.clock.runs
    session.receive(welcome("r1"), 2.0)
    (request,) = wanted(session)
    stopped = room.room_state_after(5, request.id).model_copy(update={"clock_runs": False})
    session.receive(stopped, 3.0, request)
    assert not mirror.clock.runs
    session.receive(room.play(1), 4.0)
    assert mirror.clock.runs
    gone = Failed(id=101, code="unknown_room", message="It is gone.")
    session.receive(gone, 5.0, request)
    assert not mirror.clock.runs
    waiting = FakeRoom("r2")
    assert not following(waiting)[1].clock.runs


# -- phrases -------------------------------------------------------------------------------------


def test_a_phrase_of_the_shown_match_is_heard() -> None:
    session, mirror = following(room_in_play(), now=0.0)
    seq = mirror.seq
    said = PhraseSaid(room="r1", match=1, seat=1, phrase="nice_move")
    assert session.receive(said, 1.0) == [PhraseHeard("r1", 1, "nice_move")]
    assert mirror.seq == seq
    for other in ({"match": 2}, {"room": "r2"}):
        assert session.receive(said.model_copy(update=other), 1.0) == []
    assert session.take_wanted() == []


# -- who is there --------------------------------------------------------------------------------


def away(seat: int, claim_in_ms: int | None = 15_000, room: str = "r1") -> Presence:
    seats = [SeatPresence(connected=True), SeatPresence(connected=True)]
    seats[seat] = SeatPresence(connected=False, claim_in_ms=claim_in_ms)
    return Presence(room=room, seats=(seats[0], seats[1]), spectators=0)


def test_from_when_on_a_win_may_be_claimed() -> None:
    room = room_in_play()
    session, mirror = following(room, now=0.0)
    assert mirror.claim_at == (None, None)
    assert session.receive(away(1), 10.0) == [PresenceChanged("r1")]
    assert mirror.claim_at == (None, 25.0)
    session.receive(away(0, 0), 30.0)
    assert mirror.claim_at == (30.0, None)
    session.receive(away(0, None), 30.0)
    assert mirror.claim_at == (None, None)
    assert not mirror.presence.seats[0].connected
    session.receive(room.presence, 40.0)
    assert mirror.claim_at == (None, None)
    assert mirror.presence.seats[0].connected
    assert session.receive(away(0, room="r9"), 41.0) == []


def test_claims_come_with_the_room_as_well() -> None:
    room = room_in_play()
    told = room.room_state(1).model_copy(update={"presence": away(1)})
    session = Session()
    session.receive(told, 100.0)
    mirror = session.rooms["r1"]
    assert mirror.claim_at == (None, 115.0)
    late = room.room_state_after(4, 5).model_copy(update={"presence": away(1, 4_000)})
    session.receive(late, 200.0, Resume(id=5, room="r1", seq=4))
    assert mirror.claim_at == (None, 204.0)
    session.receive(room.room_state(6), 300.0, Resume(id=6, room="r1", seq=4))
    assert mirror.claim_at == (None, None)


def test_moves_are_taken_back_and_played_again() -> None:
    fake = room_in_play()
    session, mirror = following(fake)
    session.receive(fake.play(0, expected=1.5), 1.0)
    session.receive(fake.play(2), 2.0)
    session.receive(fake.ask_back(0, 0), 3.0)
    assert mirror.takeback == OpenTakeback(seat=0, ply=0)
    before = mirror.state
    session.receive(fake.take_back(0), 4.0)
    assert (mirror.state.history(), mirror.takebacks, mirror.takeback) == ((), 1, None)
    assert (mirror.to_move, mirror.clock.mover, mirror.clock.runs) == (0, 0, True)
    assert (mirror.last_move, mirror.expected) == (None, (None, None))
    assert before.history() == (0, 2)  # somebody may still look at it
    session.receive(fake.play(3), 5.0)
    assert mirror.state.history() == (3,)
    session.receive(fake.ask_back(0, 0), 6.0)
    session.receive(fake.decline_back(1), 7.0)
    assert mirror.takeback is None
    session.receive(fake.ask_back(0, 0), 8.0)
    session.receive(fake.play(4), 9.0)
    assert mirror.takeback is None
    # A snapshot, and all events, lead to the same.
    for message in (fake.room_state(1), fake.room_state_after(0, 1)):
        again = RoomMirror(message, 0.0)
        assert (again.state.history(), again.takebacks) == ((3, 4), 1)
    session.receive(fake.finish("resigned", 0), 10.0)
    session.receive(fake.start(), 11.0)
    assert mirror.takebacks == 0


def test_an_impossible_takeback_or_a_move_of_another_line_changes_nothing() -> None:
    fake = room_in_play()
    _, mirror = following(fake)
    for action in (0, 2, 3):
        mirror.apply(fake.play(action), 1.0)
    good = fake.take_back(2)
    assert isinstance(good, TakenBack)
    wrong = (
        {"takebacks": 2},
        {"match": 2},
        {"ply": 3},
        {"seat": 1},
        {"to_move": 1},
        {"scores": (1, 0)},
    )
    for change in wrong:
        with pytest.raises(Desync):
            mirror.apply(good.model_copy(update=change), 2.0)
    asked = TakebackAsked(room="r1", seq=good.seq, match=1, seat=0, ply=3)
    with pytest.raises(Desync):
        mirror.apply(asked, 2.0)
    assert (mirror.state.history(), mirror.takebacks, mirror.seq) == ((0, 2, 3), 0, good.seq - 1)
    assert mirror.apply(good, 2.0)
    late = fake.play(5)
    with pytest.raises(Desync):
        mirror.apply(late.model_copy(update={"takebacks": 0}), 3.0)
    assert mirror.apply(late, 3.0)
