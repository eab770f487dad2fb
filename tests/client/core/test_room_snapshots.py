"""Check the mirror of a room that came as a snapshot, and messages that leave no mirror."""

from __future__ import annotations

import pytest

from doublecross.client.core.room import Desync, RoomMirror
from doublecross.client.core.session import Session
from doublecross.client.core.updates import RoomChanged, RoomLost
from doublecross.protocol.client_messages import JoinRoom, Resume
from doublecross.protocol.server_messages import RoomState
from tests.client.core.mirrors import following, wanted
from tests.fakes.rooms import FakeRoom, room_in_play


def mirror_of(room: FakeRoom) -> RoomMirror:
    return RoomMirror(room.room_state(), 0.0)


def test_a_snapshot_of_a_finished_match_has_its_end() -> None:
    room = room_in_play()
    room.finish("resigned", 1)
    mirror = mirror_of(room)
    assert mirror.started is not None
    assert mirror.finished is not None
    assert (mirror.finished.seq, mirror.finished.match, mirror.finished.at) == (room.seq, 1, 7)
    assert mirror.finished.clock_ms == (60_000, 60_000)
    assert mirror.finished.winner == 1
    assert mirror.clock.runs is False


def test_events_that_begin_later_make_no_room() -> None:
    room = room_in_play()
    late = room.room_state_after(1)
    with pytest.raises(Desync):
        RoomMirror(late, 0.0)
    empty: RoomState = late.model_copy(update={"events": None})
    with pytest.raises(Desync):
        RoomMirror(empty, 0.0)


def test_an_older_snapshot_changes_nothing_and_one_as_new_does() -> None:
    room = room_in_play()
    session, mirror = following(room)
    old = room.room_state()
    assert session.receive(old.model_copy(update={"seat": 1}), 0.0) == [RoomChanged("r1")]
    assert mirror.seat == 1
    session.receive(room.play(0), 0.0)
    assert session.receive(old, 0.0) == []
    assert mirror.state.ply == 1


def test_a_new_snapshot_keeps_the_code_of_the_room() -> None:
    room = room_in_play()
    session = Session()
    join = JoinRoom(id=1, room="r1", code="ABCD")
    session.receive(room.room_state(1), 0.0, join)
    mirror = session.rooms["r1"]
    assert mirror.code == "ABCD"
    session.receive(room.room_state(), 0.0)
    assert mirror.code == "ABCD"
    session.receive(room.room_state().model_copy(update={"code": "WXYZ"}), 0.0)
    assert mirror.code == "WXYZ"


def test_an_event_of_a_room_that_is_closed_is_no_change() -> None:
    room = room_in_play()
    session, mirror = following(room)
    assert session.receive(room.close(), 0.0)
    assert mirror.status == "closed"
    room.events.append(room.events[-1].model_copy(update={"seq": room.seq + 1}))
    assert session.receive(room.events[-1], 0.0) == []


def test_nonsense_in_a_first_room_is_asked_for_as_a_whole_and_then_lost() -> None:
    room = room_in_play()
    session = Session()
    late = room.room_state_after(1)
    assert session.receive(late, 0.0) == []
    (resume,) = wanted(session)
    assert isinstance(resume, Resume)
    assert (resume.room, resume.seq) == ("r1", 0)
    (lost,) = session.receive(late, 0.0, resume)
    assert isinstance(lost, RoomLost)


def test_nonsense_in_another_answer_is_asked_for_again() -> None:
    room = room_in_play()
    session = Session()
    assert session.receive(room.room_state_after(1, 3), 0.0, Resume(id=3, room="r1", seq=2)) == []
    assert [type(request) for request in wanted(session)] == [Resume]


def test_events_from_the_second_are_those_that_were_missed() -> None:
    room = room_in_play()
    session, mirror = following(room)
    before = mirror.state
    move = room.play(0)
    assert session.receive(room.room_state_after(1), 0.0) == [RoomChanged("r1", move)]
    assert mirror.state is before
